//! A position as the search sees it: bitboards, occupied rows and columns, the
//! Zobrist key and the network's accumulator, all updated move by move.
//!
//! Copy-make: a move makes a new board of less than four hundred bytes, and nothing has
//! to be undone.

use tabulae_games::{
    GOLDEN_GAMMA, splitmix64,
    tablut::{Army, Move as RulesMove, Position},
};

use super::{
    network::{Accumulator, HIDDEN_SIZE, add_feature, move_feature, remove_feature},
    rule_tables::{BLACK, KING, RuleTables, WHITE, bitboard},
    squares::{
        ABOVE, BELOW, Bitboard, MAILBOX_SIZE, NO_SQUARE, ON_LEFT, ON_RIGHT, RIGHT, UP, bit, file,
        from_square, neighbours, rank, squares_in, to_square, window,
    },
};

/// A move from one square to another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Move(pub(super) u16);

impl Move {
    /// No move.
    pub(super) const NONE: Self = Self(0);
    /// History indices are below this.
    pub(super) const HISTORY_SIZE: usize = MAILBOX_SIZE * 32;

    pub(super) const fn new(from: u8, to: u8) -> Self {
        Self((from as u16) << 7 | to as u16)
    }

    pub(super) const fn from(self) -> u8 {
        (self.0 >> 7) as u8 & 127
    }

    pub(super) const fn to(self) -> u8 {
        self.0 as u8 & 127
    }

    /// An index for history tables, small enough that these stay in the cache:
    /// the square it begins on and the place on its row or column where it ends.
    pub(super) fn history_index(self) -> usize {
        let (from, to) = (self.from(), self.to());
        let place = if file(from) == file(to) { rank(to) } else { 16 + file(to) };
        (usize::from(from) << 5 | place) & (Self::HISTORY_SIZE - 1)
    }

    pub(super) fn from_rules(mv: RulesMove) -> Self {
        Self::new(from_square(mv.from()), from_square(mv.to()))
    }

    pub(super) const fn to_rules(self) -> RulesMove {
        RulesMove::new(to_square(self.from()), to_square(self.to()))
    }
}

/// Zobrist keys, by kind of piece and square.
static ZOBRIST: [[u64; MAILBOX_SIZE]; 3] = {
    let mut keys = [[0; MAILBOX_SIZE]; 3];
    let mut kind = 0;
    while kind < 3 {
        let mut at = 0;
        while at < MAILBOX_SIZE {
            keys[kind][at] = zobrist_key((kind * MAILBOX_SIZE + at) as u64);
            at += 1;
        }
        kind += 1;
    }
    keys
};

/// In the key when Black is to move.
const ZOBRIST_BLACK_TO_MOVE: u64 = zobrist_key(1_001);
/// In the key by rule set: its number is added to the counter.
const RULES_COUNTER: u64 = 2_000;

/// The Zobrist key with this number.
const fn zobrist_key(number: u64) -> u64 {
    splitmix64(number.wrapping_add(0x7ab1_0000).wrapping_mul(GOLDEN_GAMMA))
}

/// A position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Board {
    /// White's soldiers.
    pub(super) white: Bitboard,
    pub(super) black: Bitboard,
    /// The Zobrist key.
    pub(super) key: u64,
    /// Occupied squares, by row and by column.
    pub(super) rows: [u16; 16],
    pub(super) columns: [u16; 16],
    /// The first layer of the [`Network`](super::network::Network).
    pub(super) accumulator: Accumulator,
    /// The king's square, [`NO_SQUARE`] once he is captured.
    pub(super) king: u8,
    pub(super) black_to_move: bool,
    /// Soldiers of each side.
    pub(super) white_count: u8,
    pub(super) black_count: u8,
}

impl Board {
    pub(super) fn from_position(position: &Position, tables: &RuleTables) -> Self {
        let white = bitboard(position.white_soldiers());
        let black = bitboard(position.black_soldiers());
        let king = position.king().map_or(NO_SQUARE, from_square);
        Self::from_bitboards(tables, white, black, king, position.to_move() == Army::Black)
    }

    /// The position with these soldiers; `king` may be [`NO_SQUARE`].
    pub(super) fn from_bitboards(
        tables: &RuleTables,
        white: Bitboard,
        black: Bitboard,
        king: u8,
        black_to_move: bool,
    ) -> Self {
        let mut board = Self {
            white,
            black,
            key: zobrist_key(RULES_COUNTER + tables.rules.set as u64),
            rows: [0; 16],
            columns: [0; 16],
            accumulator: [0; HIDDEN_SIZE],
            king,
            black_to_move,
            white_count: white.count_ones() as u8,
            black_count: black.count_ones() as u8,
        };
        for (kind, pieces) in board.pieces() {
            for at in squares_in(pieces) {
                board.toggle_occupied(at);
                board.key ^= ZOBRIST[kind][usize::from(at)];
            }
        }
        if board.black_to_move {
            board.key ^= ZOBRIST_BLACK_TO_MOVE;
        }
        board.with_network(tables)
    }

    /// The static evaluation for the side to move: a side that stands 150 points
    /// better wins `e` times as often as it loses.
    pub(super) fn evaluate(&self, tables: &RuleTables) -> i32 {
        let value = tables.network.evaluate(&self.accumulator, self.black_to_move);
        if self.black_to_move { -value } else { value }
    }

    pub(super) const fn king_bit(&self) -> Bitboard {
        if self.king == NO_SQUARE { 0 } else { bit(self.king) }
    }

    pub(super) const fn occupied(&self) -> Bitboard {
        self.white | self.black | self.king_bit()
    }

    /// The pieces of the side to move.
    pub(super) const fn movers(&self) -> Bitboard {
        if self.black_to_move { self.black } else { self.white | self.king_bit() }
    }

    pub(super) const fn soldier_count(&self) -> u8 {
        self.white_count + self.black_count
    }

    /// The kind of the piece that the side to move has there.
    pub(super) const fn kind(&self, at: u8) -> usize {
        if self.black_to_move {
            BLACK
        } else if at == self.king {
            KING
        } else {
            WHITE
        }
    }

    fn toggle_occupied(&mut self, at: u8) {
        self.rows[rank(at) & 15] ^= 1 << file(at);
        self.columns[file(at) & 15] ^= 1 << rank(at);
    }

    /// All pieces, by their kind.
    const fn pieces(&self) -> [(usize, Bitboard); 3] {
        [(WHITE, self.white), (BLACK, self.black), (KING, self.king_bit())]
    }

    /// The same position with the accumulator of these tables' network.
    pub(super) fn with_network(mut self, tables: &RuleTables) -> Self {
        self.accumulator = [0; HIDDEN_SIZE];
        for (kind, pieces) in self.pieces() {
            for at in squares_in(pieces) {
                add_feature(&mut self.accumulator, tables.network.feature(kind, at));
            }
        }
        self
    }

    /// The position after a null move: the other side is to move.
    pub(super) const fn null_move(&self) -> Self {
        let mut after = *self;
        after.black_to_move = !self.black_to_move;
        after.key ^= ZOBRIST_BLACK_TO_MOVE;
        after
    }

    /// The position after a legal move. A captured king leaves the board.
    pub(super) fn make_move(&self, tables: &RuleTables, mv: Move) -> Self {
        let (from, to) = (mv.from(), mv.to());
        let mut after = self.null_move();
        after.toggle_occupied(from);
        after.toggle_occupied(to);
        let kind = self.kind(from);
        let keys = &ZOBRIST[kind % 3];
        after.key ^= keys[usize::from(from)] ^ keys[usize::from(to)];
        let network = &tables.network;
        move_feature(
            &mut after.accumulator,
            network.feature(kind, from),
            network.feature(kind, to),
        );
        if kind == KING {
            after.king = to;
            if tables.armed_king {
                after.capture_black(tables, to);
            }
            return after;
        }
        let from_to = bit(from) | bit(to);
        if kind == BLACK {
            after.black ^= from_to;
            after.capture_white(tables, to);
            if after.king.abs_diff(to) == UP || after.king.abs_diff(to) == RIGHT {
                after.capture_king(tables, to);
            }
        } else {
            after.white ^= from_to;
            after.capture_black(tables, to);
        }
        after
    }

    fn remove_soldier(&mut self, tables: &RuleTables, kind: usize, at: u8) {
        self.toggle_occupied(at);
        self.key ^= ZOBRIST[kind % 3][usize::from(at & 127)];
        remove_feature(&mut self.accumulator, tables.network.feature(kind, at));
        if kind == BLACK {
            self.black ^= bit(at);
            self.black_count -= 1;
        } else {
            self.white ^= bit(at);
            self.white_count -= 1;
        }
    }

    /// Squares that a black soldier can be captured against.
    pub(super) fn squares_hostile_to_black(&self, tables: &RuleTables) -> Bitboard {
        let mut hostile = self.white | tables.hostile_to_black;
        if tables.armed_king {
            hostile |= self.king_bit();
        }
        if tables.castle_turns_hostile && self.king != tables.castle {
            hostile |= bit(tables.castle);
        }
        hostile
    }

    /// Squares that a white soldier can be captured against.
    pub(super) fn squares_hostile_to_white(&self, tables: &RuleTables) -> Bitboard {
        let mut hostile = self.black | tables.hostile_to_white;
        if tables.castle_turns_hostile
            && (self.king != tables.castle || (tables.castle_sides & !self.black).count_ones() == 1)
        {
            hostile |= bit(tables.castle);
        }
        hostile
    }

    /// Captures the black soldiers that the white piece on `to` has flanked.
    fn capture_black(&mut self, tables: &RuleTables, to: u8) {
        let near = window(self.black, to);
        if near == 0 {
            return;
        }
        let hostile = self.squares_hostile_to_black(tables);
        for_each_side(near, to, |at, beyond| {
            if hostile & bit(beyond) != 0 {
                self.remove_soldier(tables, BLACK, at);
            }
        });
    }

    /// Captures the white soldiers that the black one on `to` has flanked.
    fn capture_white(&mut self, tables: &RuleTables, to: u8) {
        let near = window(self.white, to);
        if near == 0 {
            return;
        }
        let hostile = self.squares_hostile_to_white(tables);
        for_each_side(near, to, |at, beyond| {
            if hostile & bit(beyond) != 0 {
                self.remove_soldier(tables, WHITE, at);
            }
        });
    }

    /// Captures the king if the black soldier that moved to `to`, next to him,
    /// completes his capture.
    fn capture_king(&mut self, tables: &RuleTables, to: u8) {
        let king = self.king;
        let sides = neighbours(king);
        let is_captured = if tables.king_must_be_enclosed {
            sides & !(self.black | tables.hostile_to_king) == 0
        } else if king == tables.castle {
            sides & !self.black == 0
        } else if bit(king) & tables.castle_sides != 0 {
            sides & !self.black & !bit(tables.castle) == 0 && self.white & bit(tables.castle) == 0
        } else {
            let beyond = king.wrapping_add(king.wrapping_sub(to));
            (self.black | tables.hostile_to_king) & bit(beyond) != 0
        };
        if is_captured {
            self.toggle_occupied(king);
            self.key ^= ZOBRIST[KING][usize::from(king & 127)];
            remove_feature(&mut self.accumulator, tables.network.feature(KING, king));
            self.king = NO_SQUARE;
        }
    }

    /// The white soldiers, black soldiers and king, as the rules name squares.
    #[cfg(test)]
    pub(super) fn squares(&self) -> [Vec<tabulae_games::Square>; 3] {
        [self.white, self.black, self.king_bit()]
            .map(|set| squares_in(set).map(to_square).collect())
    }
}

/// Calls `call` for each square of a window around `to`, with the square beyond.
fn for_each_side(near: u32, to: u8, mut call: impl FnMut(u8, u8)) {
    if near & ON_LEFT != 0 {
        call(to - RIGHT, to.wrapping_sub(2 * RIGHT) & 127);
    }
    if near & BELOW != 0 {
        call(to - UP, to - 2 * UP);
    }
    if near & ABOVE != 0 {
        call(to + UP, to + 2 * UP);
    }
    if near & ON_RIGHT != 0 {
        call(to + RIGHT, to.wrapping_add(2 * RIGHT) & 127);
    }
}
