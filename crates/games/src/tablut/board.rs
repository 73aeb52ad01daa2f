//! The pieces, made for speed: sets of soldiers, occupied rows and columns and the Zobrist
//! key, all updated move by move.
//!
//! Nothing here asks whether the king has ended the game, or whether a move is legal.
//! [`Position`](super::Position) does, and engines search on the board itself.

use super::{
    Bitboard, KingCapture, Rules, key,
    line_tables::{BLACK, KING, Lines, WHITE},
    mailbox::{
        ABOVE, BELOW, Bits, NO_SQUARE, ON_LEFT, ON_RIGHT, RIGHT, UP, bit, file, index, line_bits,
        neighbours, rank, rook_reach, squares_in, window,
    },
    rules::{CASTLE_BIT, CASTLE_INDEX, CASTLE_NEIGHBOURS},
};

/// The pieces and the army to move. Squares are numbered as in [`mailbox`](super::mailbox).
///
/// ```
/// use tabulae_games::tablut::{ASHTON, Board, Lines, Position, WHITE, mailbox::from_square};
///
/// let mut board: Board = *Position::start(ASHTON).board();
/// let [e4, g4] = ["e4", "g4"].map(|name| from_square(name.parse().unwrap()));
/// let (row, _) = board.destinations(ASHTON, WHITE, e4);
/// assert_eq!(row, 0b0_1110_1110, "b4 to d4 and f4 to h4");
/// assert_eq!(board.make_move(ASHTON, e4, g4), 0, "nothing is captured");
/// assert!(board.black_to_move);
/// let Lines { rows, .. } = board.occupied_lines;
/// assert_eq!(rows[3], 0b1_0100_0001);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Board {
    /// White's soldiers.
    pub white: Bits,
    /// Black's soldiers.
    pub black: Bits,
    /// The Zobrist key.
    pub key: u64,
    /// Occupied squares.
    pub occupied_lines: Lines,
    /// The king's square, [`NO_SQUARE`] once he is captured.
    pub king: u8,
    /// Whether Black is to move.
    pub black_to_move: bool,
    /// The number of White's soldiers.
    pub white_count: u8,
    /// The number of Black's soldiers.
    pub black_count: u8,
}

impl Board {
    /// The board with these soldiers; `king` may be [`NO_SQUARE`].
    pub fn new(rules: &Rules, white: Bits, black: Bits, king: u8, black_to_move: bool) -> Self {
        let mut board = Self {
            white,
            black,
            key: key::of_rules(rules),
            occupied_lines: Lines::default(),
            king,
            black_to_move,
            white_count: white.count_ones() as u8,
            black_count: black.count_ones() as u8,
        };
        for (kind, pieces) in board.pieces() {
            for at in squares_in(pieces) {
                board.occupied_lines.flip(at);
                board.flip_key(kind, at);
            }
        }
        if black_to_move {
            board.key ^= key::BLACK_TO_MOVE;
        }
        board
    }

    /// All pieces, by their kind: [`WHITE`], [`BLACK`] and [`KING`].
    pub const fn pieces(&self) -> [(usize, Bits); 3] {
        [(WHITE, self.white), (BLACK, self.black), (KING, self.king_bit())]
    }

    /// The king's square; empty once he is captured.
    #[inline]
    pub const fn king_bit(&self) -> Bits {
        if self.king == NO_SQUARE { 0 } else { bit(self.king) }
    }

    /// The squares with pieces.
    #[inline]
    pub const fn occupied(&self) -> Bits {
        self.white | self.black | self.king_bit()
    }

    /// The pieces of the army to move.
    #[inline]
    pub const fn movers(&self) -> Bits {
        if self.black_to_move { self.black } else { self.white | self.king_bit() }
    }

    /// The number of soldiers of both armies.
    #[inline]
    pub const fn soldier_count(&self) -> u8 {
        self.white_count + self.black_count
    }

    /// The kind of the piece that the army to move has there.
    #[inline]
    pub const fn kind(&self, at: u8) -> usize {
        if self.black_to_move {
            BLACK
        } else if at == self.king {
            KING
        } else {
            WHITE
        }
    }

    /// Where a piece of `kind` on `from` can go: bits of its row, and of its column.
    #[inline]
    pub fn destinations(&self, rules: &Rules, kind: usize, from: u8) -> (u16, u16) {
        let masks = rules.lines.masks(kind, from);
        let Lines { rows, columns } = &self.occupied_lines;
        let row = rook_reach(file(from), rows[rank(from) & 15] | masks.row_blockers);
        let column = rook_reach(rank(from), columns[file(from) & 15] | masks.column_blockers);
        (row & masks.row_targets, column & masks.column_targets)
    }

    /// The same as a set.
    pub(super) fn destination_set(&self, rules: &Rules, kind: usize, from: u8) -> Bitboard {
        let (row, column) = self.destinations(rules, kind, from);
        let along_row = line_bits(row).fold(0, |set, file| set | bit(index(file, rank(from))));
        Bitboard::from_bits(along_row | Bits::from(column) << index(file(from), 0))
    }

    /// The number of moves of the army to move.
    pub(super) fn count_moves(&self, rules: &Rules) -> u32 {
        let count = |from| {
            let (row, column) = self.destinations(rules, self.kind(from), from);
            row.count_ones() + column.count_ones()
        };
        squares_in(self.movers()).map(count).sum()
    }

    /// Whether the army to move has at least this many moves.
    #[inline]
    pub fn has_legal_moves(&self, rules: &Rules, count: u32) -> bool {
        let mut missing = count;
        squares_in(self.movers()).any(|from| {
            let (row, column) = self.destinations(rules, self.kind(from), from);
            missing = missing.saturating_sub(row.count_ones() + column.count_ones());
            missing == 0
        })
    }

    #[inline]
    pub(super) fn flip_key(&mut self, kind: usize, at: u8) {
        self.key ^= key::PIECES[kind % 3][usize::from(at & 127)];
    }

    /// Gives the turn to the other army.
    #[inline]
    pub const fn pass(&mut self) {
        self.black_to_move = !self.black_to_move;
        self.key ^= key::BLACK_TO_MOVE;
    }

    /// Makes a move of the army to move, which must be legal, and returns what it
    /// captured. A captured king leaves the board.
    #[inline]
    pub fn make_move(&mut self, rules: &Rules, from: u8, to: u8) -> Bits {
        let kind = self.kind(from);
        self.pass();
        self.occupied_lines.flip(from);
        self.occupied_lines.flip(to);
        self.flip_key(kind, from);
        self.flip_key(kind, to);
        let from_to = bit(from) | bit(to);
        if kind == KING {
            self.king = to;
            return if rules.armed_king { self.capture_black(rules, to) } else { 0 };
        }
        if kind == WHITE {
            self.white ^= from_to;
            return self.capture_black(rules, to);
        }
        self.black ^= from_to;
        let captured = self.capture_white(rules, to);
        if self.king.abs_diff(to) == UP || self.king.abs_diff(to) == RIGHT {
            captured | self.capture_king(rules, to)
        } else {
            captured
        }
    }

    #[inline]
    fn remove_soldier(&mut self, kind: usize, at: u8) {
        self.occupied_lines.flip(at);
        self.flip_key(kind, at);
        if kind == BLACK {
            self.black ^= bit(at);
            self.black_count -= 1;
        } else {
            self.white ^= bit(at);
            self.white_count -= 1;
        }
    }

    /// Only a text can put a soldier on the castle.
    #[inline]
    const fn is_castle_empty(&self) -> bool {
        (self.white | self.black) & CASTLE_BIT.bits() == 0 && self.king != CASTLE_INDEX
    }

    /// The squares that a black soldier can be captured against.
    #[inline]
    pub fn squares_hostile_to_black(&self, rules: &Rules) -> Bits {
        let mut hostile = self.white | rules.hostile_to_black.bits();
        if rules.armed_king {
            hostile |= self.king_bit();
        }
        if rules.empty_castle_hostile && self.is_castle_empty() {
            hostile |= CASTLE_BIT.bits();
        }
        hostile
    }

    /// The squares that a white soldier can be captured against.
    #[inline]
    pub fn squares_hostile_to_white(&self, rules: &Rules) -> Bits {
        let mut hostile = self.black | rules.hostile_to_white.bits();
        let is_hostile = if self.king == CASTLE_INDEX {
            // The soldier to be captured is on the fourth side itself.
            rules.besieged_castle_hostile
                && (CASTLE_NEIGHBOURS.bits() & !self.black).count_ones() == 1
        } else {
            rules.empty_castle_hostile && self.is_castle_empty()
        };
        if is_hostile {
            hostile |= CASTLE_BIT.bits();
        }
        hostile
    }

    /// Captures the black soldiers that the white piece on `to` has flanked.
    #[inline]
    fn capture_black(&mut self, rules: &Rules, to: u8) -> Bits {
        let near = window(self.black, to);
        if near == 0 {
            return 0;
        }
        self.capture_flanked(BLACK, near, to, self.squares_hostile_to_black(rules))
    }

    /// Captures the white soldiers that the black one on `to` has flanked.
    #[inline]
    fn capture_white(&mut self, rules: &Rules, to: u8) -> Bits {
        let near = window(self.white, to);
        if near == 0 {
            return 0;
        }
        self.capture_flanked(WHITE, near, to, self.squares_hostile_to_white(rules))
    }

    /// Captures the soldiers of a window around `to` that have a hostile square beyond.
    fn capture_flanked(&mut self, kind: usize, near: u32, to: u8, hostile: Bits) -> Bits {
        let mut captured = 0;
        let mut capture = |at: u8, beyond: u8| {
            if hostile & bit(beyond) != 0 {
                self.remove_soldier(kind, at);
                captured |= bit(at);
            }
        };
        if near & ON_LEFT != 0 {
            capture(to - RIGHT, to.wrapping_sub(2 * RIGHT) & 127);
        }
        if near & BELOW != 0 {
            capture(to - UP, to - 2 * UP);
        }
        if near & ABOVE != 0 {
            capture(to + UP, to + 2 * UP);
        }
        if near & ON_RIGHT != 0 {
            capture(to + RIGHT, to.wrapping_add(2 * RIGHT) & 127);
        }
        captured
    }

    /// Captures the king if the black soldier that moved to `to`, next to him,
    /// completes his capture.
    fn capture_king(&mut self, rules: &Rules, to: u8) -> Bits {
        let king = self.king;
        let sides = neighbours(king);
        let castle = CASTLE_BIT.bits();
        let hostile = self.black | rules.lines.hostile_to_king;
        let is_captured = if rules.king_capture == KingCapture::Enclosed {
            sides & !hostile == 0
        } else if king == CASTLE_INDEX {
            sides & !self.black == 0
        } else if CASTLE_NEIGHBOURS.has(king) {
            sides & !self.black & !castle == 0 && self.white & castle == 0
        } else {
            hostile & bit(king.wrapping_add(king.wrapping_sub(to))) != 0
        };
        if !is_captured {
            return 0;
        }
        self.occupied_lines.flip(king);
        self.flip_key(KING, king);
        self.king = NO_SQUARE;
        bit(king)
    }
}
