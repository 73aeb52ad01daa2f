//! The geometry of a Tablaaza board, parsed from a drawing.
//!
//! A square is bit `8 * rank + file` of a `u64` bitboard. The drawing is parsed at
//! compile time, so a wrong one does not compile.

use std::hash::{Hash, Hasher};

use super::rules::{bit_of, neighbourly_of, raised};
use crate::{Side, Square};

/// The number of bits from one rank to the next, and the largest width.
const WIDTH: usize = 8;
/// The number of bits of a bitboard.
const BITS: usize = 64;

/// The board of the game: 50 squares and two lakes with an isthmus between them.
pub static LAKES: Board = Board::draw(
    "lakes",
    8,
    "RGRGRGRG\
     GRGRGRGR\
     RG~GR~RG\
     GR~RG~GR\
     RG~GR~RG\
     GRGRGRGR\
     RGRGRGRG",
);

/// A board: its squares, their colours and which squares they see.
///
/// Boards are equal when they have the same name.
#[derive(Debug)]
pub struct Board {
    name: &'static str,
    files: u8,
    ranks: u8,
    colours: [u64; 2],
    lakes: u64,
    /// By square: the other squares of the corridors through it.
    corridors: [u64; BITS],
    /// By square: where Green may play first if Red has played there.
    neighbourly: [u64; BITS],
}

impl Board {
    /// Parses a drawing with `files` columns: `R` and `G` for red and green squares,
    /// `~` for lakes, the top rank first, without line ends.
    ///
    /// # Panics
    /// The drawing is not a board of up to 8 by 8 squares. A `static` board fails to
    /// compile instead.
    pub const fn draw(name: &'static str, files: u8, drawing: &str) -> Self {
        let text = drawing.as_bytes();
        assert!(files >= 1 && files as usize <= WIDTH, "one to eight columns");
        assert!(text.len().is_multiple_of(files as usize), "rows of unequal length");
        let ranks = text.len() / files as usize;
        assert!(ranks >= 1 && ranks <= WIDTH, "one to eight rows");
        let mut board = Self {
            name,
            files,
            ranks: ranks as u8,
            colours: [0; 2],
            lakes: 0,
            corridors: [0; BITS],
            neighbourly: [0; BITS],
        };
        let mut at = 0;
        while at < text.len() {
            let (row, file) = (at / files as usize, at % files as usize);
            let bit = 1 << ((ranks - 1 - row) * WIDTH + file);
            match text[at] {
                b'R' => board.colours[0] |= bit,
                b'G' => board.colours[1] |= bit,
                b'~' => board.lakes |= bit,
                _ => panic!("a square is R, G or ~"),
            }
            at += 1;
        }
        let mut index = 0;
        while index < BITS {
            let (file, rank) = ((index % WIDTH) as i8, (index / WIDTH) as i8);
            if board.playing() & bit_of(file, rank) != 0 {
                board.corridors[index] = board.corridors_of(file, rank);
                board.neighbourly[index] = neighbourly_of(board.playing(), file, rank);
            }
            index += 1;
        }
        board
    }

    /// The other squares of the corridors through a square. A corridor of one square
    /// adds nothing, so the least length of two needs no check.
    const fn corridors_of(&self, file: i8, rank: i8) -> u64 {
        const DIRECTIONS: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
        let mut mask = 0;
        let mut direction = 0;
        while direction < DIRECTIONS.len() {
            let (df, dr) = DIRECTIONS[direction];
            let (mut f, mut r) = (file + df, rank + dr);
            while self.playing() & bit_of(f, r) != 0 {
                mask |= bit_of(f, r);
                f += df;
                r += dr;
            }
            direction += 1;
        }
        mask
    }

    /// The number of files (columns).
    pub const fn files(&self) -> u8 {
        self.files
    }

    /// The number of ranks (rows).
    pub const fn ranks(&self) -> u8 {
        self.ranks
    }

    /// The playing squares, as a bitboard.
    pub const fn playing(&self) -> u64 {
        self.colours[0] | self.colours[1]
    }

    /// The squares of a side's colour, as a bitboard.
    pub const fn coloured(&self, side: Side) -> u64 {
        self.colours[side.index()]
    }

    /// The playing squares, rank by rank from `a1`.
    pub fn squares(&self) -> impl Iterator<Item = Square> + Clone + use<> {
        squares_of(self.playing())
    }

    /// The side that may play on a square; `None` on a lake and off the board.
    pub fn colour(&self, square: Square) -> Option<Side> {
        let bit = self.bit(square)?;
        Side::BOTH.into_iter().find(|side| self.coloured(*side) & bit != 0)
    }

    /// Whether a square is a lake.
    pub fn is_lake(&self, square: Square) -> bool {
        self.bit(square).is_some_and(|bit| self.lakes & bit != 0)
    }

    /// The other squares of the corridors through a square, as a bitboard; empty for
    /// a lake.
    pub fn corridors(&self, square: Square) -> u64 {
        self.bit(square).map_or(0, |bit| self.corridors[bit.trailing_zeros() as usize])
    }

    /// [`Board::corridors`] by the square's bit index.
    pub const fn corridors_at(&self, index: u32) -> u64 {
        self.corridors[index as usize % BITS]
    }

    /// The squares where `side` raises pavilions with a move, as a bitboard. `closed`
    /// are the squares that are taken, that of the move included.
    pub const fn raised(&self, closed: u64, side: Side) -> u64 {
        let [own, others] = [self.coloured(side), self.coloured(side.other())];
        raised(&self.corridors, own & !closed, others & !closed)
    }

    /// The squares where Green may answer Red's first stone on `square`, as a
    /// bitboard.
    pub fn neighbourly(&self, square: Square) -> u64 {
        self.bit(square).map_or(0, |bit| self.neighbourly[bit.trailing_zeros() as usize])
    }

    /// [`Board::neighbourly`] by the square's bit index.
    pub const fn neighbourly_at(&self, index: u32) -> u64 {
        self.neighbourly[index as usize % BITS]
    }

    /// The bitboard of one square; `None` off the board.
    pub const fn bit(&self, square: Square) -> Option<u64> {
        if square.file < self.files && square.rank < self.ranks {
            Some(1 << (square.rank as usize * WIDTH + square.file as usize))
        } else {
            None
        }
    }
}

impl PartialEq for Board {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Board {}

impl Hash for Board {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

/// The squares of a bitboard, lowest bit first.
pub(super) fn squares_of(mask: u64) -> impl Iterator<Item = Square> + Clone {
    let mut rest = mask;
    std::iter::from_fn(move || {
        let index = rest.trailing_zeros() as u8;
        rest &= rest.checked_sub(1)?;
        Some(Square::new(index % WIDTH as u8, index / WIDTH as u8))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(text: &str) -> Square {
        text.parse().expect("a square")
    }

    fn names(mask: u64) -> Vec<String> {
        let mut names: Vec<_> = squares_of(mask).map(|square| square.to_string()).collect();
        names.sort();
        names
    }

    /// The square after the board is rotated by 180 degrees.
    fn rotated(of: Square) -> Square {
        Square::new(LAKES.files() - 1 - of.file, LAKES.ranks() - 1 - of.rank)
    }

    #[test]
    fn half_of_the_50_squares_are_red() {
        assert_eq!(LAKES.squares().count(), 50);
        assert_eq!(LAKES.coloured(Side::First).count_ones(), 25);
        assert_eq!(LAKES.coloured(Side::Second).count_ones(), 25);
        for lake in ["c3", "c4", "c5", "f3", "f4", "f5"] {
            assert!(LAKES.is_lake(square(lake)), "{lake}");
            assert_eq!(LAKES.colour(square(lake)), None, "{lake}");
        }
        assert_eq!(LAKES.colour(square("c7")), Some(Side::First));
        assert_eq!(LAKES.colour(square("a8")), None);
        assert!(!LAKES.is_lake(square("i4")));
    }

    #[test]
    fn rotating_the_board_swaps_the_colours() {
        for at in LAKES.squares() {
            assert_eq!(LAKES.colour(at).map(Side::other), LAKES.colour(rotated(at)), "{at}");
        }
    }

    #[test]
    fn corridors_end_at_lakes_and_edges() {
        assert_eq!(
            names(LAKES.corridors(square("b4"))),
            ["a4", "b1", "b2", "b3", "b5", "b6", "b7"]
        );
        assert_eq!(
            names(LAKES.corridors(square("c1"))),
            ["a1", "b1", "c2", "d1", "e1", "f1", "g1", "h1"]
        );
        assert_eq!(
            names(LAKES.corridors(square("d4"))),
            ["d1", "d2", "d3", "d5", "d6", "d7", "e4"]
        );
        assert_eq!(LAKES.corridors(square("c4")), 0);
    }

    #[test]
    fn neighbours_a_knight_s_move_away_need_a_path_over_land() {
        // From c2 to b4 by b2 and b3, not by c3 and c4.
        assert!(names(LAKES.neighbourly(square("c2"))).contains(&"b4".to_owned()));
        // From b3 to d2 by b2 and c2, although c3 is a lake.
        assert!(names(LAKES.neighbourly(square("b3"))).contains(&"d2".to_owned()));
        // From b4 to d5 and d3 both paths cross the lake.
        assert_eq!(
            names(LAKES.neighbourly(square("b4"))),
            ["a2", "a4", "a6", "b3", "b5", "c2", "c6"]
        );
    }
}
