//! A position as the search sees it: the rules' board and the network's accumulator, both
//! updated move by move.
//!
//! Copy-make: a move makes a new board of less than four hundred bytes, and nothing has
//! to be undone.

use std::ops::Deref;

use tabulae_games::tablut::{Board as Pieces, Move as RulesMove, Position};

use super::{
    network::{Accumulator, HIDDEN_SIZE, add_feature, move_feature, remove_feature},
    rule_tables::{BLACK, KING, RuleTables, WHITE},
    squares::{Bits, MAILBOX_SIZE, file, from_square, rank, squares_in, to_square},
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

/// A position. It derefs to the rules' board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Board {
    pieces: Pieces,
    /// The first layer of the [`Network`](super::network::Network).
    pub(super) accumulator: Accumulator,
}

impl Deref for Board {
    type Target = Pieces;

    #[inline]
    fn deref(&self) -> &Pieces {
        &self.pieces
    }
}

impl Board {
    pub(super) fn from_position(position: &Position, tables: &RuleTables) -> Self {
        Self { pieces: *position.board(), accumulator: [0; HIDDEN_SIZE] }.with_network(tables)
    }

    /// The position with these soldiers; `king` may be
    /// [`NO_SQUARE`](super::squares::NO_SQUARE).
    pub(super) fn from_bitboards(
        tables: &RuleTables,
        white: Bits,
        black: Bits,
        king: u8,
        black_to_move: bool,
    ) -> Self {
        let pieces = Pieces::new(tables.rules, white, black, king, black_to_move);
        Self { pieces, accumulator: [0; HIDDEN_SIZE] }.with_network(tables)
    }

    /// The static evaluation for the side to move: a side that stands 150 points
    /// better wins `e` times as often as it loses.
    pub(super) fn evaluate(&self, tables: &RuleTables) -> i32 {
        let value = tables.network.evaluate(&self.accumulator, self.black_to_move);
        if self.black_to_move { -value } else { value }
    }

    /// The same position with the accumulator of these tables' network.
    pub(super) fn with_network(mut self, tables: &RuleTables) -> Self {
        self.accumulator = [0; HIDDEN_SIZE];
        for (kind, pieces) in self.pieces.pieces() {
            for at in squares_in(pieces) {
                add_feature(&mut self.accumulator, tables.network.feature(kind, at));
            }
        }
        self
    }

    /// The position after a null move: the other side is to move.
    pub(super) const fn null_move(&self) -> Self {
        let mut after = *self;
        after.pieces.pass();
        after
    }

    /// The position after a legal move. A captured king leaves the board.
    #[inline]
    pub(super) fn make_move(&self, tables: &RuleTables, mv: Move) -> Self {
        let (from, to) = (mv.from(), mv.to());
        let kind = self.kind(from);
        let mut after = *self;
        let captured = after.pieces.make_move(tables.rules, from, to);
        let network = &tables.network;
        move_feature(
            &mut after.accumulator,
            network.feature(kind, from),
            network.feature(kind, to),
        );
        for at in squares_in(captured) {
            let kind = match kind {
                BLACK if at == self.king => KING,
                BLACK => WHITE,
                _ => BLACK,
            };
            remove_feature(&mut after.accumulator, network.feature(kind, at));
        }
        after
    }

    /// The white soldiers, black soldiers and king, as the rules name squares.
    #[cfg(test)]
    pub(super) fn squares(&self) -> [Vec<tabulae_games::Square>; 3] {
        [self.white, self.black, self.king_bit()]
            .map(|set| squares_in(set).map(to_square).collect())
    }
}
