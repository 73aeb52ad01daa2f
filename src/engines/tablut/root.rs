//! The search at the root: iterative deepening with aspiration windows, and the
//! values of all moves for the weaker levels.

use std::cmp::Reverse;

use super::{
    super::{
        control::SearchControl,
        score::{INFINITY, MATE, MATE_IN_MAX_PLY},
    },
    board::{Board, Move},
    params::{
        ASPIRATION_GROWTH, ASPIRATION_MAX_WINDOW, ASPIRATION_MIN_DEPTH, ASPIRATION_WINDOW,
        MAX_DEPTH, ROOT_LMR,
    },
    search::Search,
};

/// A move of the root with its value and principal variation, which begins with
/// the move itself.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) mv: Move,
    pub(super) value: i32,
    pub(super) pv: Vec<Move>,
}

impl Search<'_> {
    /// Searches deeper and deeper, from `first_depth` on, and calls
    /// `on_iteration` with each depth, value and principal variation. Returns the
    /// best move; the first of `moves` if there was no time at all.
    pub(super) fn iterative_deepening(
        &mut self,
        root: &Board,
        mut moves: Vec<Move>,
        first_depth: u32,
        on_iteration: &mut dyn FnMut(u32, i32, &SearchControl<'_>, &[Move]),
    ) -> Option<Move> {
        let mut best = *moves.first()?;
        if let Some(mv) = root.winning_move(self.tables).filter(|mv| moves.contains(mv)) {
            on_iteration(1, MATE - 1, &self.control, &[mv]);
            return Some(mv);
        }
        let limits = self.control.limits();
        let max_depth = limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        let mut last = 0;
        for depth in first_depth.min(max_depth)..=max_depth {
            self.root_depth = depth as usize;
            let value = self.aspiration_search(root, &mut moves, depth, last, &mut best);
            let Some(value) = value else { break };
            last = value;
            on_iteration(depth, value, &self.control, &self.pv[0]);
            let is_proven =
                value.abs() >= MATE_IN_MAX_PLY && MATE - value.abs() <= depth as i32 + 1;
            let is_forced = moves.len() == 1 && limits.movetime.is_some();
            if is_proven || is_forced || self.control.is_past_soft_limit() {
                break;
            }
        }
        Some(best)
    }

    /// One iteration: searches with a window around the last value, which widens
    /// until the value lies in it. `None` when it was stopped.
    fn aspiration_search(
        &mut self,
        root: &Board,
        moves: &mut [Move],
        depth: u32,
        last: i32,
        best: &mut Move,
    ) -> Option<i32> {
        let (mut below, mut above) = (ASPIRATION_WINDOW, ASPIRATION_WINDOW);
        if depth < ASPIRATION_MIN_DEPTH || last.abs() >= MATE_IN_MAX_PLY {
            (below, above) = (2 * INFINITY, 2 * INFINITY);
        }
        let widened = |side: i32| {
            if side > ASPIRATION_MAX_WINDOW { 2 * INFINITY } else { ASPIRATION_GROWTH * side }
        };
        loop {
            let alpha = (last - below).max(-INFINITY);
            let beta = (last + above).min(INFINITY);
            let value = self.search_root(root, moves, depth as i32, (alpha, beta), best)?;
            if value <= alpha && alpha > -INFINITY {
                below = widened(below);
            } else if value >= beta && beta < INFINITY {
                above = widened(above);
            } else {
                return Some(value);
            }
        }
    }

    /// Searches all moves of the root. Returns the best value, sets `best` to the
    /// move as soon as it is known to be better, and sorts the moves for the next
    /// iteration. `None` when it was stopped.
    fn search_root(
        &mut self,
        root: &Board,
        moves: &mut [Move],
        depth: i32,
        (mut alpha, beta): (i32, i32),
        best: &mut Move,
    ) -> Option<i32> {
        let first_alpha = alpha;
        let mut best_value = -INFINITY;
        let mut nodes = Vec::with_capacity(moves.len());
        let mut front = 0;
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
                front = at;
                *best = mv;
                self.update_pv(0, mv);
                if alpha >= beta {
                    break;
                }
            }
        }
        if best_value > first_alpha {
            sort_root_moves(moves, front, &nodes);
        }
        Some(best_value)
    }

    /// Principal-variation search of one move, the `at`-th of the root.
    fn search_root_move(
        &mut self,
        child: &Board,
        depth: i32,
        at: usize,
        (alpha, beta): (i32, i32),
        mv: Move,
    ) -> i32 {
        if at > 0 {
            let reduces = |&&(moves, least): &&(usize, i32)| at > moves && depth > least;
            let reduction = ROOT_LMR.iter().filter(reduces).count() as i32;
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

    /// The value of each move, best first, searched deeper and deeper up to
    /// `max_depth` as far as time allows: for levels that choose among moves that
    /// are nearly as good. A move that is worse than the best by more than
    /// `range` has only an upper bound. Returns the depth that was reached, too.
    pub(super) fn score_root_moves(
        &mut self,
        root: &Board,
        moves: &[Move],
        max_depth: u32,
        range: i32,
    ) -> (u32, Vec<RootMove>) {
        if let Some(mv) = root.winning_move(self.tables).filter(|mv| moves.contains(mv)) {
            return (1, vec![RootMove { mv, value: MATE - 1, pv: vec![mv] }]);
        }
        let mut order = moves.to_vec();
        let (mut reached, mut scored) = (0, Vec::new());
        for depth in 1..=max_depth {
            self.root_depth = depth as usize;
            let deeper = self.score_root_moves_at(root, &order, depth, range);
            if deeper.len() < order.len() && depth > 1 {
                break;
            }
            (reached, scored) = (depth, deeper);
            scored.sort_by_key(|one| -one.value);
            order = scored.iter().map(|one| one.mv).collect();
            // Once all values are proven, a deeper search finds nothing new.
            let is_proven = |one: &RootMove| MATE - one.value.abs() <= depth as i32;
            if order.len() < moves.len() || scored.iter().all(is_proven) {
                break;
            }
        }
        (reached, scored)
    }

    /// [`Search::score_root_moves`] at one depth; fewer moves when it was
    /// stopped.
    fn score_root_moves_at(
        &mut self,
        root: &Board,
        moves: &[Move],
        depth: u32,
        range: i32,
    ) -> Vec<RootMove> {
        let mut scored = Vec::with_capacity(moves.len());
        let mut best = -INFINITY;
        for &mv in moves {
            let child = root.make_move(self.tables, mv);
            let alpha = (best - range - 1).max(-INFINITY);
            let value = -self.negamax(&child, depth as i32 - 1, 1, -INFINITY, -alpha, mv);
            if self.control.is_stopped() {
                break;
            }
            self.update_pv(0, mv);
            best = best.max(value);
            scored.push(RootMove { mv, value, pv: self.pv[0].clone() });
        }
        scored
    }
}

/// Sorts the moves of the root: the best one, then those searched by the nodes
/// they took, since these were hard to refute, then the others.
fn sort_root_moves(moves: &mut [Move], front: usize, nodes: &[u64]) {
    let mut order: Vec<_> = (1..nodes.len()).filter(|at| *at != front).collect();
    if front != 0 {
        order.push(0);
    }
    order.sort_by_key(|at| Reverse(nodes[*at]));
    let rest = nodes.len()..moves.len();
    let sorted: Vec<_> = [front].into_iter().chain(order).chain(rest).map(|at| moves[at]).collect();
    moves.copy_from_slice(&sorted);
}
