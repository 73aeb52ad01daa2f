//! Move generation: all moves, those to given squares, and whether a move is
//! legal. Nothing here asks whether the king has ended the game.

use super::{
    board::{Board, Move},
    rule_tables::{BLACK, KING, RuleTables, WHITE},
    squares::{
        BOARD, Bits, RIGHT, UP, bit, file, first_blockers, index, line_bits, rank, squares_in,
    },
};

impl Board {
    /// Calls `call` for every move of the piece on `from`.
    fn for_each_move_of(&self, tables: &RuleTables, from: u8, call: &mut impl FnMut(Move)) {
        let (row, column) = self.destinations(tables, self.kind(from), from);
        line_bits(row).for_each(|file| call(Move::new(from, index(file, rank(from)))));
        line_bits(column).for_each(|rank| call(Move::new(from, index(file(from), rank))));
    }

    /// Calls `call` for every move of the side to move.
    pub(super) fn for_each_move(&self, tables: &RuleTables, mut call: impl FnMut(Move)) {
        squares_in(self.movers()).for_each(|from| self.for_each_move_of(tables, from, &mut call));
    }

    pub(super) fn has_legal_move(&self, tables: &RuleTables) -> bool {
        self.has_legal_moves(tables, 1)
    }

    /// Whether a piece of `kind` on `from` can go to the empty square `to`.
    fn can_reach(&self, tables: &RuleTables, kind: usize, from: u8, to: u8) -> bool {
        let (row, column) = self.destinations(tables, kind, from);
        if rank(from) == rank(to) {
            row >> file(to) & 1 == 1
        } else {
            file(from) == file(to) && column >> rank(to) & 1 == 1
        }
    }

    /// Whether the side to move may make this move.
    pub(super) fn is_legal(&self, tables: &RuleTables, mv: Move) -> bool {
        self.movers() & bit(mv.from()) != 0
            && self.can_reach(tables, self.kind(mv.from()), mv.from(), mv.to())
    }

    /// Calls `call` for each piece of one side that can go to the empty square
    /// `to`, whichever side is to move. White's pieces include the king.
    pub(super) fn for_each_piece_to(
        &self,
        tables: &RuleTables,
        black: bool,
        to: u8,
        mut call: impl FnMut(u8),
    ) {
        let pieces = if black { self.black } else { self.white | self.king_bit() };
        let blocked_row =
            self.occupied_lines.rows[rank(to) & 15] | tables.lines.closed.rows[rank(to) & 15];
        let blocked_column =
            self.occupied_lines.columns[file(to) & 15] | tables.lines.closed.columns[file(to) & 15];
        let row = first_blockers(file(to), blocked_row);
        let column = first_blockers(rank(to), blocked_column);
        let mut try_from = |from: u8| {
            if pieces & bit(from) != 0 {
                let kind = if black {
                    BLACK
                } else if from == self.king {
                    KING
                } else {
                    WHITE
                };
                if self.can_reach(tables, kind, from, to) {
                    call(from);
                }
            }
        };
        line_bits(row).for_each(|file| try_from(index(file, rank(to))));
        line_bits(column).for_each(|rank| try_from(index(file(to), rank)));
    }

    /// Calls `call` for every move of the side to move to one of the empty squares
    /// in `targets`.
    pub(super) fn for_each_move_to(
        &self,
        tables: &RuleTables,
        targets: Bits,
        mut call: impl FnMut(Move),
    ) {
        for to in squares_in(targets) {
            let black = self.black_to_move;
            self.for_each_piece_to(tables, black, to, |from| call(Move::new(from, to)));
        }
    }

    /// The empty squares where a piece of the side to move would capture a
    /// soldier; a superset with a few others.
    pub(super) fn capture_squares(&self, tables: &RuleTables) -> Bits {
        let (victims, hostile) = if self.black_to_move {
            (self.white, self.squares_hostile_to_white(tables))
        } else {
            (self.black, self.squares_hostile_to_black(tables))
        };
        let mut squares = (victims & (hostile >> UP)) >> UP;
        squares |= (victims & (hostile << UP)) << UP;
        squares |= (victims & (hostile >> RIGHT)) >> RIGHT;
        squares |= (victims & (hostile << RIGHT)) << RIGHT;
        squares & BOARD & !self.occupied()
    }

    /// Whether a legal move ends on one of these capture squares and its piece may
    /// capture there: an unarmed king does not.
    pub(super) fn is_capture(&self, tables: &RuleTables, capture_squares: Bits, mv: Move) -> bool {
        capture_squares & bit(mv.to()) != 0 && (tables.armed_king || mv.from() != self.king)
    }

    /// Whether the king moves to one of these squares.
    pub(super) fn is_king_move(&self, mv: Move, to: Bits) -> bool {
        mv.from() == self.king && to & bit(mv.to()) != 0
    }
}
