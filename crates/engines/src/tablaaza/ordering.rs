//! The solver's move ordering: a static evaluation of the position after the
//! move, and histories of what refuted similar positions.

use super::{
    bits::BitIter,
    graph::BoardGraph,
    state::{MAX_SIZE, SolverState},
};
use tabulae_games::splitmix64;

/// Moves in the ordering tables: the squares, and the two pseudo-moves below.
pub(super) const MOVE_INDICES: usize = 64;
/// The index of a move in the small regions, of which only the sum is known.
pub(super) const REGION_SUM_MOVE: usize = 62;
/// The index of no move, as the previous move of the root.
pub(super) const NO_MOVE: usize = 63;

/// Ordering penalty of each reply to a move whose outcome is not known, in hundredths
/// of a free square.
pub(super) const OPEN_REPLY: i32 = 400;

/// Move ordering, in hundredths of a free square.
mod weights {
    /// Each free square that the opponent has more than the side to move.
    pub(super) const SQUARE: i32 = 80;
    /// A free square of the side to move, by its number of free neighbours.
    pub(super) const BY_NEIGHBOURS: [i32; 4] = [0, 80, 40, 20];
    /// A move that has always refuted positions of this size.
    pub(super) const SAME_SIZE: i32 = 400;
    /// A move that has always refuted positions one square smaller or larger.
    pub(super) const ONE_OFF: i32 = 200;
    /// A move that has always refuted positions two squares smaller or larger.
    pub(super) const TWO_OFF: i32 = 400;
    /// A move that has always refuted positions of any size.
    pub(super) const ANY_SIZE: i32 = 400;
    /// A move that has always refuted the previous move.
    pub(super) const COUNTERMOVE: i32 = 400;
}

/// History score of a move that has always refuted.
const MAX_HISTORY: i32 = 1 << 12;
/// The histories are moving averages: the latest trial has one over this as weight.
const HISTORY_WINDOW: i32 = 4;
/// As [`HISTORY_WINDOW`], for the history over all sizes.
const OVERALL_WINDOW: i32 = 32;

/// How often each move refuted a position, as moving averages up to
/// [`MAX_HISTORY`].
#[derive(Debug)]
pub(super) struct History {
    /// By size of the position, side and move.
    by_size: Vec<[[i32; MOVE_INDICES]; 2]>,
    /// By side and move, over all sizes.
    overall: [[i32; MOVE_INDICES]; 2],
    /// By side, previous move and move.
    countermoves: Vec<[[i32; MOVE_INDICES]; MOVE_INDICES]>,
}

impl History {
    pub(super) fn new() -> Self {
        Self {
            // `bonus` looks up to two sizes beyond the largest.
            by_size: vec![[[0; MOVE_INDICES]; 2]; MAX_SIZE + 3],
            overall: [[0; MOVE_INDICES]; 2],
            countermoves: vec![[[0; MOVE_INDICES]; MOVE_INDICES]; 2],
        }
    }

    /// The ordering bonus of a move in `state`.
    pub(super) fn bonus(&self, state: SolverState, previous: usize, index: usize) -> i32 {
        let (size, side) = (state.size(), state.side_index());
        let of_size = |size: usize| self.by_size[size][side][index];
        let sum = weights::SAME_SIZE * of_size(size)
            + weights::ONE_OFF * (of_size(size + 1) + of_size(size - 1))
            + weights::TWO_OFF * (of_size(size + 2) + of_size(size - 2))
            + weights::ANY_SIZE * self.overall[side][index]
            + weights::COUNTERMOVE * self.countermoves[side][previous][index];
        sum / MAX_HISTORY
    }

    /// Records whether a move refuted the position it was tried in.
    pub(super) fn update(
        &mut self,
        state: SolverState,
        previous: usize,
        index: usize,
        refuted: bool,
    ) {
        let target = if refuted { MAX_HISTORY } else { 0 };
        let side = state.side_index();
        for (average, window) in [
            (&mut self.by_size[state.size()][side][index], HISTORY_WINDOW),
            (&mut self.countermoves[side][previous][index], HISTORY_WINDOW),
            (&mut self.overall[side][index], OVERALL_WINDOW),
        ] {
            *average += (target - *average) / window;
        }
    }

    /// Fills the countermove history with noise that depends on the number of the thread, so
    /// that the threads search in different orders.
    pub(super) fn perturb(&mut self, thread: usize) {
        for (row, averages) in self.countermoves.iter_mut().flatten().enumerate() {
            for (index, average) in averages.iter_mut().enumerate() {
                let noise = splitmix64((thread * 4096 + row * MOVE_INDICES + index) as u64);
                *average = (noise % MAX_HISTORY as u64) as i32 / 4;
            }
        }
    }
}

/// A static evaluation for the side to move, in hundredths of a free square.
pub(super) fn ordering_score(graph: &BoardGraph, state: SolverState) -> i32 {
    let score = |own: u64, others: u64| {
        let by_neighbours = BitIter(own).map(|square| {
            let count = (graph.neighbours[square] & others).count_ones() as usize;
            weights::BY_NEIGHBOURS.get(count).copied().unwrap_or(0)
        });
        by_neighbours.sum::<i32>() - weights::SQUARE * own.count_ones() as i32
    };
    let [own, others] = state.own_and_others(graph.colours);
    score(own, others) - score(others, own)
}
