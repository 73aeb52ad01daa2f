//! The search at the root: iterative deepening with aspiration windows, and values
//! of all moves for the weaker levels.

use std::cmp::Reverse;

use super::{
    super::{
        control::SearchControl,
        iterative_deepening::{self, RootSearch},
        score::{INFINITY, MATE_IN_MAX_PLY},
    },
    board::{Board, Move},
    params::{
        ASPIRATION_GROWTH, ASPIRATION_MAX_WINDOW, ASPIRATION_MIN_DEPTH, ASPIRATION_WINDOW,
        LOSS_AT_SIGHT, ROOT_LMR,
    },
    search::Search,
};

pub(super) type RootMove = iterative_deepening::RootMove<Move>;
pub(super) type Iteration<'a> = iterative_deepening::Iteration<'a, Move>;
pub(super) type OnIteration<'a> = iterative_deepening::OnIteration<'a, Move>;

impl RootSearch for Search<'_> {
    type Position = Board;
    type Move = Move;

    /// Wins with the next move are detected before they are played.
    const FORESIGHT: u32 = 1;

    fn control(&self) -> &SearchControl<'_> {
        &self.control
    }

    fn begin(&mut self, root: &Board, depth: u32) {
        self.root_depth = depth as usize;
        if let Some(contempt) = self.contempt {
            self.set_contempt(contempt.points(), root);
        }
    }

    fn end(&mut self, depth: u32, value: i32) {
        if let Some(contempt) = self.contempt {
            contempt.lower(depth, value);
        }
    }

    fn search_line(
        &mut self,
        root: &Board,
        moves: &mut [Move],
        depth: u32,
        expected: i32,
    ) -> Option<RootMove> {
        let mut best = None;
        self.aspiration_search(root, moves, depth, expected, &mut best);
        best
    }

    fn score_move(
        &mut self,
        root: &Board,
        mv: Move,
        depth: u32,
        alpha: Option<i32>,
    ) -> Option<RootMove> {
        let child = root.make_move(self.tables, mv);
        let alpha = alpha.map_or(-INFINITY, |alpha| alpha.max(-INFINITY));
        let value = -self.negamax(&child, depth as i32 - 1, 1, -INFINITY, -alpha, mv);
        if self.control.is_stopped() {
            return None;
        }
        self.update_pv(0, mv);
        Some(RootMove { mv, value, pv: self.pv[0].clone() })
    }
}

impl Search<'_> {
    /// Searches with a window around the value expected and widens it until the value
    /// lies within, or the search is stopped. `best` is the best move so far.
    fn aspiration_search(
        &mut self,
        root: &Board,
        moves: &mut [Move],
        depth: u32,
        expected: i32,
        best: &mut Option<RootMove>,
    ) {
        let (mut below, mut above) = (ASPIRATION_WINDOW, ASPIRATION_WINDOW);
        if depth < ASPIRATION_MIN_DEPTH || expected.abs() >= MATE_IN_MAX_PLY {
            (below, above) = (2 * INFINITY, 2 * INFINITY);
        }
        let widened = |side: i32| {
            if side > ASPIRATION_MAX_WINDOW { 2 * INFINITY } else { ASPIRATION_GROWTH * side }
        };
        loop {
            let alpha = (expected - below).max(-INFINITY);
            let beta = (expected + above).min(INFINITY);
            let value = self.search_root(root, moves, depth as i32, (alpha, beta), best);
            let Some(value) = value else { return };
            if value <= alpha && alpha > -INFINITY {
                below = widened(below);
            } else if value >= beta && beta < INFINITY {
                above = widened(above);
            } else {
                return;
            }
        }
    }

    /// Searches root moves. Returns the best value, updates `best` as soon as a
    /// move beats alpha, and sorts the moves for the next iteration. `None` if it was
    /// stopped.
    fn search_root(
        &mut self,
        root: &Board,
        moves: &mut [Move],
        depth: i32,
        (mut alpha, beta): (i32, i32),
        best: &mut Option<RootMove>,
    ) -> Option<i32> {
        let first_alpha = alpha;
        let mut best_value = -INFINITY;
        let mut nodes = Vec::with_capacity(moves.len());
        let mut best_index = 0;
        for (at, &mv) in moves.iter().enumerate() {
            let child = root.make_move(self.tables, mv);
            let nodes_before = self.control.own_nodes();
            let value = self.search_root_move(&child, depth, at, (alpha, beta), mv);
            if self.control.is_stopped() {
                return None;
            }
            nodes.push(self.control.own_nodes() - nodes_before);
            best_value = best_value.max(value);
            if value > alpha {
                alpha = value;
                best_index = at;
                self.update_pv(0, mv);
                *best = Some(RootMove { mv, value, pv: self.pv[0].clone() });
                if alpha >= beta {
                    break;
                }
            }
        }
        if best_value > first_alpha {
            sort_root_moves(moves, best_index, &nodes);
        }
        Some(best_value)
    }

    /// Principal-variation search of the root move with index `at`.
    fn search_root_move(
        &mut self,
        child: &Board,
        depth: i32,
        at: usize,
        (alpha, beta): (i32, i32),
        mv: Move,
    ) -> i32 {
        if at > 0 {
            let applies = |&&(index, min): &&(usize, i32)| at > index && depth > min;
            let reduction = ROOT_LMR.iter().filter(applies).count() as i32;
            let mut value = -self.negamax(child, depth - 1 - reduction, 1, -alpha - 1, -alpha, mv);
            if value > alpha && reduction > 0 && !self.control.is_stopped() {
                value = -self.negamax(child, depth - 1, 1, -alpha - 1, -alpha, mv);
            }
            if value <= alpha || self.control.is_stopped() {
                return value;
            }
        }
        -self.negamax(child, depth - 1, 1, -beta, -alpha, mv)
    }

    /// The value of the position after a root move as a beginner sees it: the static
    /// evaluation, and whether the opponent could win at once, unless it overlooks that.
    /// `None` after a stop.
    pub(super) fn static_value(&mut self, child: &Board, misses_reply: bool) -> Option<i32> {
        if !self.control.count_node() {
            return None;
        }
        let value = -child.evaluate(self.tables);
        Some(match self.repetition_value(child, 1) {
            // Of moves that lose the better-looking one is better.
            Some(repeated) if repeated >= MATE_IN_MAX_PLY => value - LOSS_AT_SIGHT,
            Some(repeated) => -repeated,
            None if !misses_reply && child.can_win(self.tables) => value - LOSS_AT_SIGHT,
            None => value,
        })
    }
}

/// Sorts the root moves: the best one, then those searched by the nodes they took,
/// since a large subtree was hard to refute, then the others.
fn sort_root_moves(moves: &mut [Move], best_index: usize, nodes: &[u64]) {
    let mut order: Vec<_> = (1..nodes.len()).filter(|at| *at != best_index).collect();
    if best_index != 0 {
        order.push(0);
    }
    order.sort_by_key(|at| Reverse(nodes[*at]));
    let rest = nodes.len()..moves.len();
    let sorted: Vec<_> =
        [best_index].into_iter().chain(order).chain(rest).map(|at| moves[at]).collect();
    moves.copy_from_slice(&sorted);
}
