//! The geometry of a Tablaaza board, read once from a drawing.
//!
//! Squares are bits of a `u64`: bit `8 * rank + file`. The drawing is read when
//! the program is compiled, so a wrong one does not build.

use std::hash::{Hash, Hasher};

use crate::games::{Side, Square};

/// Bits from one row to the next; no board is wider.
const WIDTH: usize = 8;
/// The number of bits a mask has.
const BITS: usize = 64;

/// The board of the game: fifty squares, two lakes, an isthmus between them.
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

/// A board: which squares there are, whose they are, and what lies between.
///
/// Two boards are equal when they bear the same name.
#[derive(Debug)]
pub struct Board {
    name: &'static str,
    files: u8,
    ranks: u8,
    colours: [u64; 2],
    lakes: u64,
    /// By bit: every other square of the corridors that run through it.
    corridors: [u64; BITS],
    /// By bit: where Green's first stone may answer Red's.
    neighbourly: [u64; BITS],
}

impl Board {
    /// Reads a drawing of `files` columns: `R` and `G` for the squares of
    /// either side, `~` for water, the top row first, without line ends.
    ///
    /// # Panics
    /// The drawing is no board of at most 8 by 8 squares. A `static` board
    /// fails to compile instead.
    #[must_use]
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
            if board.playable_at(file, rank) {
                board.corridors[index] = board.corridors_of(file, rank);
                board.neighbourly[index] = board.neighbourly_of(file, rank);
            }
            index += 1;
        }
        board
    }

    /// Whether there is a playing square, coordinates off the board included.
    const fn playable_at(&self, file: i8, rank: i8) -> bool {
        if file < 0 || rank < 0 || file >= self.files as i8 || rank >= self.ranks as i8 {
            return false;
        }
        self.playing() & (1 << (rank as usize * WIDTH + file as usize)) != 0
    }

    /// The squares that share a corridor with this one. A run of a single
    /// square adds nothing, so the least length of two needs no check.
    const fn corridors_of(&self, file: i8, rank: i8) -> u64 {
        const WAYS: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
        let mut mask = 0;
        let mut way = 0;
        while way < WAYS.len() {
            let (df, dr) = WAYS[way];
            let (mut f, mut r) = (file + df, rank + dr);
            while self.playable_at(f, r) {
                mask |= 1 << (r as usize * WIDTH + f as usize);
                f += df;
                r += dr;
            }
            way += 1;
        }
        mask
    }

    /// The squares next to this one, and those a knight's move away over land:
    /// along at least one of the two L-shaped paths.
    const fn neighbourly_of(&self, file: i8, rank: i8) -> u64 {
        let mut mask = 0;
        let mut df = -2;
        while df <= 2_i8 {
            let mut dr = -2;
            while dr <= 2_i8 {
                let near = match (df.abs(), dr.abs()) {
                    (1, 0) | (0, 1) => true,
                    (1, 2) | (2, 1) => {
                        self.path(file, rank, df, 0, dr) || self.path(file, rank, 0, dr, df)
                    }
                    _ => false,
                };
                if near && self.playable_at(file + df, rank + dr) {
                    mask |= 1 << ((rank + dr) as usize * WIDTH + (file + df) as usize);
                }
                dr += 1;
            }
            df += 1;
        }
        mask
    }

    /// Whether the way from a square to the corner of the L at `(df, dr)` and
    /// on, `then` squares in the other direction, is all playing squares.
    const fn path(&self, file: i8, rank: i8, df: i8, dr: i8, then: i8) -> bool {
        let (mut f, mut r) = (file, rank);
        while f != file + df || r != rank + dr {
            f += df.signum();
            r += dr.signum();
            if !self.playable_at(f, r) {
                return false;
            }
        }
        let mut left = then;
        while left != 0 {
            if dr == 0 {
                r += then.signum();
            } else {
                f += then.signum();
            }
            if !self.playable_at(f, r) {
                return false;
            }
            left -= then.signum();
        }
        true
    }

    /// The number of columns.
    #[must_use]
    pub const fn files(&self) -> u8 {
        self.files
    }

    /// The number of rows.
    #[must_use]
    pub const fn ranks(&self) -> u8 {
        self.ranks
    }

    /// The playing squares, as bits.
    #[must_use]
    pub const fn playing(&self) -> u64 {
        self.colours[0] | self.colours[1]
    }

    /// The squares a side may play on, as bits.
    #[must_use]
    pub const fn coloured(&self, side: Side) -> u64 {
        self.colours[side.index()]
    }

    /// The playing squares, row by row from `a1`.
    pub fn squares(&self) -> impl Iterator<Item = Square> + Clone + use<> {
        squares_of(self.playing())
    }

    /// The side that may play on a square; none on water and off the board.
    #[must_use]
    pub fn colour(&self, square: Square) -> Option<Side> {
        let bit = self.bit(square)?;
        Side::BOTH.into_iter().find(|side| self.coloured(*side) & bit != 0)
    }

    /// Whether a square is water.
    #[must_use]
    pub fn is_lake(&self, square: Square) -> bool {
        self.bit(square).is_some_and(|bit| self.lakes & bit != 0)
    }

    /// The other squares of the corridors through a square, as bits; none for
    /// water.
    #[must_use]
    pub fn corridors(&self, square: Square) -> u64 {
        self.bit(square).map_or(0, |bit| self.corridors[bit.trailing_zeros() as usize])
    }

    /// [`Board::corridors`] by the square's number, for those who count bits.
    #[must_use]
    pub const fn corridors_at(&self, index: u32) -> u64 {
        self.corridors[index as usize % BITS]
    }

    /// The squares, as bits, on which `side` raises pavilions after its move
    /// when `closed` are the squares already taken, that move's included.
    #[must_use]
    pub const fn raised(&self, closed: u64, side: Side) -> u64 {
        let open = self.coloured(side) & !closed;
        let mut rest = self.coloured(side.other()) & !closed;
        let mut mask = 0;
        while rest != 0 {
            if self.corridors_at(rest.trailing_zeros()) & open == 0 {
                mask |= rest & rest.wrapping_neg();
            }
            rest &= rest - 1;
        }
        mask
    }

    /// Where Green's first stone may answer a stone of Red's on `square`, as
    /// bits.
    #[must_use]
    pub fn neighbourly(&self, square: Square) -> u64 {
        self.bit(square).map_or(0, |bit| self.neighbourly[bit.trailing_zeros() as usize])
    }

    /// [`Board::neighbourly`] by the square's number.
    #[must_use]
    pub const fn neighbourly_at(&self, index: u32) -> u64 {
        self.neighbourly[index as usize % BITS]
    }

    /// A square's bit; none off the board.
    #[must_use]
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

/// The squares of a mask, lowest bit first.
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

    /// A half turn of the whole board.
    fn turned(of: Square) -> Square {
        Square::new(LAKES.files() - 1 - of.file, LAKES.ranks() - 1 - of.rank)
    }

    #[test]
    fn fifty_squares_half_of_them_red() {
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
    fn a_half_turn_exchanges_the_colours() {
        for at in LAKES.squares() {
            assert_eq!(LAKES.colour(at).map(Side::other), LAKES.colour(turned(at)), "{at}");
        }
    }

    #[test]
    fn corridors_end_at_water_and_edge() {
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
    fn leaps_need_a_way_over_land() {
        // Round the lake from c2 to b4 by b2 and b3, never over c3 and c4.
        assert!(names(LAKES.neighbourly(square("c2"))).contains(&"b4".to_owned()));
        // From b3 to d2: b2-c2-d2 is land although c3 is water.
        assert!(names(LAKES.neighbourly(square("b3"))).contains(&"d2".to_owned()));
        // From b4 both ways to d5 and d3 lead over the lake.
        assert_eq!(
            names(LAKES.neighbourly(square("b4"))),
            ["a2", "a4", "a6", "b3", "b5", "c2", "c6"]
        );
    }
}
