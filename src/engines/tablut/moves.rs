//! The moves of a state: all of them, those to given squares, and whether one
//! is legal. Nothing here asks whether the king has ended the game.

use super::{
    ground::{BLACK, Ground, KING},
    squares::{bit, each, file, hits, number, places, rank, reach},
    state::{Move, State},
};

impl State {
    /// Where the piece of `kind` on `from` can go: squares of its row, squares
    /// of its column.
    pub(super) fn ways(&self, ground: &Ground, kind: usize, from: u8) -> (u16, u16) {
        let lanes = ground.lanes(kind, from);
        let row = reach(file(from), self.rows[rank(from) & 15] | lanes.row_walls);
        let column = reach(rank(from), self.columns[file(from) & 15] | lanes.column_walls);
        (row & lanes.row_stops, column & lanes.column_stops)
    }

    /// Calls for every move of the piece on `from`.
    pub(super) fn each_of(&self, ground: &Ground, from: u8, call: &mut impl FnMut(Move)) {
        let (row, column) = self.ways(ground, self.kind(from), from);
        places(row).for_each(|file| call(Move::new(from, number(file, rank(from)))));
        places(column).for_each(|rank| call(Move::new(from, number(file(from), rank))));
    }

    /// Calls for every move of the side to move.
    pub(super) fn each_move(&self, ground: &Ground, mut call: impl FnMut(Move)) {
        each(self.movers()).for_each(|from| self.each_of(ground, from, &mut call));
    }

    pub(super) fn has_move(&self, ground: &Ground) -> bool {
        each(self.movers()).any(|from| self.ways(ground, self.kind(from), from) != (0, 0))
    }

    /// Whether a piece of `kind` on `from` can go to the empty square `to`.
    fn can_go(&self, ground: &Ground, kind: usize, from: u8, to: u8) -> bool {
        let (row, column) = self.ways(ground, kind, from);
        if rank(from) == rank(to) {
            row >> file(to) & 1 == 1
        } else {
            file(from) == file(to) && column >> rank(to) & 1 == 1
        }
    }

    /// Whether the side to move may make this move.
    pub(super) fn is_legal(&self, ground: &Ground, mv: Move) -> bool {
        self.movers() & bit(mv.from()) != 0
            && self.can_go(ground, self.kind(mv.from()), mv.from(), mv.to())
    }

    /// Calls for each of Black's men (or White's, the king among them) that
    /// could go to the empty square `to`, whoever is to move.
    pub(super) fn each_mover_to(
        &self,
        ground: &Ground,
        black: bool,
        to: u8,
        mut call: impl FnMut(u8),
    ) {
        let men = if black { self.black } else { self.white | self.king_bit() };
        let row = hits(file(to), self.rows[rank(to) & 15] | ground.closed_rows[rank(to) & 15]);
        let column =
            hits(rank(to), self.columns[file(to) & 15] | ground.closed_columns[file(to) & 15]);
        let mut try_from = |from: u8| {
            if men & bit(from) != 0 {
                let kind = if black {
                    BLACK
                } else if from == self.king {
                    KING
                } else {
                    super::ground::WHITE
                };
                if self.can_go(ground, kind, from, to) {
                    call(from);
                }
            }
        };
        places(row).for_each(|file| try_from(number(file, rank(to))));
        places(column).for_each(|rank| try_from(number(file(to), rank)));
    }

    /// Calls for every move of the side to move onto one of the empty squares
    /// in `targets`.
    pub(super) fn each_move_to(&self, ground: &Ground, targets: u128, mut call: impl FnMut(Move)) {
        for to in each(targets) {
            self.each_mover_to(ground, self.black_to_move, to, |from| call(Move::new(from, to)));
        }
    }

    /// The empty squares where a man of the side to move would take a soldier
    /// (a few where he would not are among them).
    pub(super) fn capture_squares(&self, ground: &Ground) -> u128 {
        let (prey, anvils) = if self.black_to_move {
            (self.white, self.black_anvils(ground))
        } else {
            (self.black, self.white_anvils(ground))
        };
        let beside = prey & (anvils >> 1);
        let mut squares = beside >> 1;
        squares |= (prey & (anvils << 1)) << 1;
        squares |= (prey & (anvils >> 11)) >> 11;
        squares |= (prey & (anvils << 11)) << 11;
        squares & super::ground::BOARD & !self.occupied()
    }
}
