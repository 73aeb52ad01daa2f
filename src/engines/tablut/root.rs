//! The search at the root: iterative deepening with aspiration windows, and values
//! of all moves for the weaker levels.

use std::cmp::Reverse;

use super::{
    super::{
        control::SearchControl,
        score::{INFINITY, MATE, MATE_IN_MAX_PLY},
    },
    board::{Board, Move},
    contempt::Contempt,
    params::{
        ASPIRATION_GROWTH, ASPIRATION_MAX_WINDOW, ASPIRATION_MIN_DEPTH, ASPIRATION_WINDOW,
        LOSS_AT_SIGHT, MAX_DEPTH, ROOT_LMR,
    },
    search::Search,
};

/// A root move with its value and its principal variation, which begins with the
/// move itself.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) mv: Move,
    pub(super) value: i32,
    pub(super) pv: Vec<Move>,
}

impl Search<'_> {
    /// Searches deeper and deeper, from `first_depth` on, and calls
    /// `on_iteration` with each depth, value and principal variation. Returns the
    /// best move, or the first of `moves` if there was no time to search.
    pub(super) fn iterative_deepening(
        &mut self,
        root: &Board,
        mut moves: Vec<Move>,
        first_depth: u32,
        contempt: &Contempt,
        on_iteration: &mut dyn FnMut(u32, i32, &SearchControl<'_>, &[Move]),
    ) -> Option<Move> {
        let mut best = *moves.first()?;
        if let Some(mv) = root.winning_move(self.tables).filter(|mv| moves.contains(mv)) {
            on_iteration(1, MATE - 1, &self.control, &[mv]);
            return Some(mv);
        }
        self.set_contempt(contempt.points(), root);
        let limits = self.control.limits();
        let max_depth = limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        let mut last_value = 0;
        for depth in first_depth.min(max_depth)..=max_depth {
            self.root_depth = depth as usize;
            let value = self.aspiration_search(root, &mut moves, depth, last_value, &mut best);
            let Some(value) = value else { break };
            last_value = value;
            on_iteration(depth, value, &self.control, &self.pv[0]);
            contempt.lower(depth, value);
            self.set_contempt(contempt.points(), root);
            let is_proven =
                value.abs() >= MATE_IN_MAX_PLY && MATE - value.abs() <= depth as i32 + 1;
            let is_forced = moves.len() == 1 && limits.movetime.is_some();
            if is_proven || is_forced || self.control.is_past_soft_limit() {
                break;
            }
        }
        Some(best)
    }

    /// One iteration: searches with a window around `last_value` and widens it until
    /// the value lies within. `None` if it was stopped.
    fn aspiration_search(
        &mut self,
        root: &Board,
        moves: &mut [Move],
        depth: u32,
        last_value: i32,
        best: &mut Move,
    ) -> Option<i32> {
        let (mut below, mut above) = (ASPIRATION_WINDOW, ASPIRATION_WINDOW);
        if depth < ASPIRATION_MIN_DEPTH || last_value.abs() >= MATE_IN_MAX_PLY {
            (below, above) = (2 * INFINITY, 2 * INFINITY);
        }
        let widened = |side: i32| {
            if side > ASPIRATION_MAX_WINDOW { 2 * INFINITY } else { ASPIRATION_GROWTH * side }
        };
        loop {
            let alpha = (last_value - below).max(-INFINITY);
            let beta = (last_value + above).min(INFINITY);
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

    /// Searches all root moves. Returns the best value, updates `best` as soon as a
    /// move beats alpha, and sorts the moves for the next iteration. `None` if it was
    /// stopped.
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
                *best = mv;
                self.update_pv(0, mv);
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

    /// The depth reached and the value of each move, best first: deepens up to
    /// `max_depth` while time allows. For levels that choose among moves of similar
    /// value. A move that is worse than the best by more than `range` has only an
    /// upper bound.
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
            scored.sort_by_key(|root_move| -root_move.value);
            order = scored.iter().map(|root_move| root_move.mv).collect();
            // Once all values are proven, a deeper search finds nothing new.
            let is_proven = |root_move: &RootMove| MATE - root_move.value.abs() <= depth as i32;
            if order.len() < moves.len() || scored.iter().all(is_proven) {
                break;
            }
        }
        (reached, scored)
    }

    /// The value of the position after a root move as a beginner sees it: the static
    /// evaluation, and whether the opponent could win at once, unless it overlooks that.
    /// `None` after a stop.
    pub(super) fn value_at_sight(&mut self, child: &Board, misses_reply: bool) -> Option<i32> {
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

    /// [`Search::score_root_moves`] at one depth; fewer moves after a stop.
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
