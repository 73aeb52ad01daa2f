//! How well quiet moves have done in this search: history, killers and
//! countermoves.

use super::{
    super::history::with_bonus,
    board::Move,
    node::NodeContext,
    params::{HISTORY_BONUS, MAX_HISTORY, MAX_HISTORY_BONUS},
};

/// The move-ordering tables of one thread.
#[derive(Debug)]
pub(super) struct History {
    /// Butterfly history by side and move.
    values: Vec<i16>,
    /// Countermoves: by side and previous move, the move that refuted it.
    countermoves: Vec<Move>,
    /// By ply: the last two quiet moves that caused a cutoff.
    killers: Vec<[Move; 2]>,
}

impl History {
    pub(super) fn new(plies: usize) -> Self {
        Self {
            values: vec![0; 2 * Move::HISTORY_SIZE],
            countermoves: vec![Move::NONE; 2 * Move::HISTORY_SIZE],
            killers: vec![[Move::NONE; 2]; plies],
        }
    }

    #[inline]
    fn index(black: bool, mv: Move) -> usize {
        (black as usize) * Move::HISTORY_SIZE + mv.history_index()
    }

    #[inline]
    pub(super) fn value(&self, black: bool, mv: Move) -> i32 {
        i32::from(self.values[Self::index(black, mv)])
    }

    /// The killers of the node's ply, and the countermove to its previous move.
    pub(super) fn refutations(&self, node: &NodeContext<'_>) -> [Move; 3] {
        let killers = self.killers.get(node.ply).copied().unwrap_or_default();
        let counter = self.countermoves[Self::index(node.board.black_to_move, node.previous_move)];
        [killers[0], killers[1], counter]
    }

    fn add_bonus(&mut self, black: bool, mv: Move, bonus: i32) {
        let value = &mut self.values[Self::index(black, mv)];
        *value = with_bonus(i32::from(*value), bonus, MAX_HISTORY) as i16;
    }

    /// Rewards a quiet move that caused a cutoff, and penalises those `tried` before
    /// it.
    pub(super) fn update(&mut self, node: &NodeContext<'_>, mv: Move, tried: &[Move]) {
        let black = node.board.black_to_move;
        let bonus = (node.depth * node.depth * HISTORY_BONUS).min(MAX_HISTORY_BONUS);
        self.add_bonus(black, mv, bonus);
        for &other in tried {
            self.add_bonus(black, other, -bonus);
        }
        if let Some(killers) = self.killers.get_mut(node.ply)
            && killers[0] != mv
        {
            *killers = [mv, killers[0]];
        }
        self.countermoves[Self::index(black, node.previous_move)] = mv;
    }

    pub(super) fn clear_killers(&mut self, ply: usize) {
        if let Some(killers) = self.killers.get_mut(ply) {
            *killers = [Move::NONE; 2];
        }
    }
}

/// Quiet moves of a node that did not cause a cutoff.
#[derive(Debug)]
pub(super) struct QuietsTried {
    moves: [Move; 32],
    count: usize,
}

impl QuietsTried {
    pub(super) const fn new() -> Self {
        Self { moves: [Move::NONE; 32], count: 0 }
    }

    /// Adds a move; those beyond the first 32 are ignored.
    pub(super) fn push(&mut self, mv: Move) {
        if let Some(place) = self.moves.get_mut(self.count) {
            *place = mv;
            self.count += 1;
        }
    }

    pub(super) fn as_slice(&self) -> &[Move] {
        &self.moves[..self.count]
    }
}
