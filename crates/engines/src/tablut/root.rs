//! The search at the root: iterative deepening with aspiration windows, and values
//! of all moves for the weaker levels.

use std::cmp::Reverse;

use super::{
    super::{
        iteration,
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

pub(super) type RootMove = iteration::RootMove<Move>;
pub(super) type Iteration<'a> = iteration::Iteration<'a, Move>;
pub(super) type OnIteration<'a> = iteration::OnIteration<'a, Move>;

impl Search<'_> {
    /// Searches the best `lines` moves deeper and deeper, from `first_depth` on, and
    /// calls `on_iteration` after each depth; and again after one that was stopped, if
    /// that changed the best move. No move may win at once. Returns the best move, or the
    /// first of `moves` if there was no time to search.
    pub(super) fn iterative_deepening(
        &mut self,
        root: &Board,
        mut moves: Vec<Move>,
        first_depth: u32,
        lines: usize,
        contempt: &Contempt,
        on_iteration: &mut OnIteration<'_>,
    ) -> Option<Move> {
        let first = *moves.first()?;
        let lines = lines.clamp(1, moves.len());
        self.set_contempt(contempt.points(), root);
        let limits = self.control.limits();
        let max_depth = limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        let mut last: Vec<RootMove> = Vec::new();
        for depth in first_depth.min(max_depth)..=max_depth {
            self.root_depth = depth as usize;
            let found = self.search_lines(root, &mut moves, depth, lines, &last);
            let is_complete = !self.control.is_stopped();
            let is_news = |found: &[RootMove]| match (found, last.as_slice()) {
                ([], _) => false,
                (_, []) => true,
                // Lines of different depths cannot be compared.
                ([best], [before]) => best.mv != before.mv,
                _ => false,
            };
            if is_complete || is_news(&found) {
                last = found;
                on_iteration(&Iteration { depth, lines: &last, is_complete }, &self.control);
            }
            if !is_complete {
                break;
            }
            contempt.lower(depth, last[0].value);
            self.set_contempt(contempt.points(), root);
            let is_proven = |line: &RootMove| {
                let value = line.value.abs();
                value >= MATE_IN_MAX_PLY && MATE - value <= depth as i32 + 1
            };
            let is_forced = moves.len() == 1 && limits.movetime.is_some();
            if last.iter().all(is_proven) || is_forced || self.control.is_past_soft_limit() {
                break;
            }
        }
        Some(last.first().map_or(first, |best| best.mv))
    }

    /// One iteration: searches each of the best `lines` moves among those that are not in
    /// a line before it, and moves them to the front of `moves`, best first. `last` are
    /// the lines of the iteration before. After a stop there are fewer lines.
    fn search_lines(
        &mut self,
        root: &Board,
        moves: &mut [Move],
        depth: u32,
        lines: usize,
        last: &[RootMove],
    ) -> Vec<RootMove> {
        let mut found: Vec<RootMove> = Vec::with_capacity(lines);
        while found.len() < lines {
            let line = found.len();
            let expected = last.get(line).map_or(0, |line| line.value);
            let mut best = None;
            self.aspiration_search(root, &mut moves[line..], depth, expected, &mut best);
            if self.control.is_stopped() {
                if found.is_empty() {
                    found.extend(best);
                }
                return found;
            }
            let Some(best) = best else { break };
            found.push(best);
        }
        // A later line may be better, since the window of each was another.
        found.sort_by_key(|line| Reverse(line.value));
        for (mv, line) in moves.iter_mut().zip(&found) {
            *mv = line.mv;
        }
        found
    }

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

    /// The depth reached and the value of each move, best first: deepens up to
    /// `max_depth` while time allows. For levels that choose among moves of similar
    /// value. A move that is none of the best `lines` and worse than the best by more
    /// than `range` has only an upper bound. No move may win at once.
    pub(super) fn score_root_moves(
        &mut self,
        root: &Board,
        moves: &[Move],
        max_depth: u32,
        range: i32,
        lines: usize,
    ) -> (u32, Vec<RootMove>) {
        let mut order = moves.to_vec();
        let (mut reached, mut scored) = (0, Vec::new());
        for depth in 1..=max_depth {
            self.root_depth = depth as usize;
            let deeper = self.score_root_moves_at(root, &order, depth, range, lines);
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

    /// [`Search::score_root_moves`] at one depth; fewer moves after a stop.
    fn score_root_moves_at(
        &mut self,
        root: &Board,
        moves: &[Move],
        depth: u32,
        range: i32,
        lines: usize,
    ) -> Vec<RootMove> {
        let mut scored = Vec::with_capacity(moves.len());
        // Best first.
        let mut values: Vec<i32> = Vec::with_capacity(moves.len());
        for &mv in moves {
            let child = root.make_move(self.tables, mv);
            let in_range = values.first().map_or(-INFINITY, |best| best - range);
            let in_lines = values.get(lines.max(1) - 1).copied().unwrap_or(-INFINITY);
            let alpha = (in_range.min(in_lines) - 1).max(-INFINITY);
            let value = -self.negamax(&child, depth as i32 - 1, 1, -INFINITY, -alpha, mv);
            if self.control.is_stopped() {
                break;
            }
            self.update_pv(0, mv);
            values.insert(values.partition_point(|better| *better >= value), value);
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
