//! Perft. The moves of the last ply are counted, not made.

use super::{
    Position,
    mailbox::{from_square, squares_in},
};

impl Position {
    /// [`perft`](crate::perft).
    pub(super) fn count_sequences(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            _ if self.king_end().is_some() => 0,
            1 => u64::from(self.board.count_moves(self.rules, u32::MAX)),
            _ => {
                let mut count = 0;
                for from in squares_in(self.board.movers()) {
                    for to in self.destinations_of(from).squares().map(from_square) {
                        let mut child = self.clone();
                        child.apply_indices(from, to);
                        count += child.count_sequences(depth - 1);
                    }
                }
                count
            }
        }
    }
}

#[cfg(test)]
mod tests;
