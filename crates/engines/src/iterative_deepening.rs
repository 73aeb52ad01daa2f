//! Iterative deepening at the root, as the searches of Tablut and Tablaaza share it: the
//! best lines, and for the weaker levels the values of all moves.

use std::{cmp::Reverse, time::Duration};

use super::{
    control::SearchControl,
    score::{Info, MATE, MATE_IN_MAX_PLY, Score},
};
use tabulae_games::AnyMove;

/// Maximum depth, in plies.
const MAX_DEPTH: u32 = 100;

/// A root move with its value and its principal variation.
#[derive(Clone, Debug)]
pub(super) struct RootMove<M> {
    pub(super) mv: M,
    pub(super) value: i32,
    /// Starts with the move itself.
    pub(super) pv: Vec<M>,
}

/// What an iteration has found.
#[derive(Debug)]
pub(super) struct Iteration<'a, M> {
    pub(super) depth: u32,
    /// The best moves, best first; at least one.
    pub(super) lines: &'a [RootMove<M>],
    /// Whether all moves were searched. If not, a value is only a lower bound.
    pub(super) is_complete: bool,
}

impl<M: Copy> Iteration<'_, M> {
    /// What is reported of each line, best first.
    pub(super) fn infos(
        &self,
        nodes: u64,
        time: Duration,
        convert: impl Fn(M) -> AnyMove,
    ) -> impl Iterator<Item = Info> {
        self.lines.iter().map(move |line| {
            let score = Score::of(line.value);
            let exact = match score {
                Score::Points(_) => false,
                Score::Win(_) => true,
                Score::Loss(_) => self.is_complete,
            };
            let pv = line.pv.iter().copied().map(&convert).collect();
            Info { depth: self.depth, score, exact, nodes, time, pv }
        })
    }
}

/// Called with what an iteration has found, and the search's control.
pub(super) type OnIteration<'a, M> = dyn FnMut(&Iteration<'_, M>, &SearchControl<'_>) + 'a;

/// Whether a value is a win or loss within the searched depth, which no deeper search
/// changes.
const fn is_final(value: i32, depth: u32) -> bool {
    value.abs() >= MATE_IN_MAX_PLY && MATE - value.abs() <= depth as i32
}

/// A search of one thread that can be deepened.
pub(super) trait RootSearch {
    type Position;
    type Move: Copy + PartialEq;

    /// The plies beyond its depth within which a search finds every win.
    const FORESIGHT: u32;

    fn control(&self) -> &SearchControl<'_>;

    /// Prepares for a search to this depth.
    fn begin(&mut self, _root: &Self::Position, _depth: u32) {}

    /// Learns the best value of an iteration that was not stopped.
    fn end(&mut self, _depth: u32, _value: i32) {}

    /// Searches the moves to a depth, and moves the best one to their front. `expected` is
    /// its value in the iteration before. After a stop the best move so far, if there is one.
    fn search_line(
        &mut self,
        root: &Self::Position,
        moves: &mut [Self::Move],
        depth: u32,
        expected: i32,
    ) -> Option<RootMove<Self::Move>>;

    /// Searches one move to a depth; `None` after a stop. Up to `alpha` its value is only an
    /// upper bound; without `alpha` it is exact.
    fn score_move(
        &mut self,
        root: &Self::Position,
        mv: Self::Move,
        depth: u32,
        alpha: Option<i32>,
    ) -> Option<RootMove<Self::Move>>;

    /// The maximum depth within the limits.
    fn max_depth(&self) -> u32 {
        self.control().limits().depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH)
    }

    /// Searches the best `lines` moves deeper and deeper, from `first_depth` on, and
    /// calls `on_iteration` after each depth; and again after one that was stopped, if
    /// that changed the best move. Returns the moves of the lines, best first, or the
    /// first of `moves` if there was no time to search.
    fn iterative_deepening(
        &mut self,
        root: &Self::Position,
        mut moves: Vec<Self::Move>,
        first_depth: u32,
        lines: usize,
        on_iteration: &mut OnIteration<'_, Self::Move>,
    ) -> Vec<Self::Move> {
        let Some(&first) = moves.first() else { return Vec::new() };
        let lines = lines.clamp(1, moves.len());
        let max_depth = self.max_depth();
        let mut last: Vec<RootMove<Self::Move>> = Vec::new();
        for depth in first_depth.min(max_depth)..=max_depth {
            self.begin(root, depth);
            let found = self.search_lines(root, &mut moves, depth, lines, &last);
            let is_complete = !self.control().is_stopped();
            let is_news = match (found.as_slice(), last.as_slice()) {
                ([], _) => false,
                (_, []) => true,
                // Lines of different depths cannot be compared.
                ([best], [before]) => best.mv != before.mv,
                _ => false,
            };
            if is_complete || is_news {
                last = found;
                on_iteration(&Iteration { depth, lines: &last, is_complete }, self.control());
            }
            if !is_complete {
                break;
            }
            self.end(depth, last[0].value);
            let is_final = last.iter().all(|line| is_final(line.value, depth + Self::FORESIGHT));
            let is_forced = moves.len() == 1 && self.control().limits().movetime.is_some();
            if is_final || is_forced || self.control().is_past_soft_limit() {
                break;
            }
        }
        if last.is_empty() { vec![first] } else { last.into_iter().map(|line| line.mv).collect() }
    }

    /// One iteration: searches each of the best `lines` moves among those that are not in
    /// a line before it, and moves them to the front of `moves`, best first. `last` are
    /// the lines of the iteration before. After a stop there are fewer lines.
    fn search_lines(
        &mut self,
        root: &Self::Position,
        moves: &mut [Self::Move],
        depth: u32,
        lines: usize,
        last: &[RootMove<Self::Move>],
    ) -> Vec<RootMove<Self::Move>> {
        let mut found: Vec<RootMove<Self::Move>> = Vec::with_capacity(lines);
        while found.len() < lines {
            let line = found.len();
            let expected = last.get(line).map_or(0, |line| line.value);
            let best = self.search_line(root, &mut moves[line..], depth, expected);
            if self.control().is_stopped() {
                if found.is_empty() {
                    found.extend(best);
                }
                return found;
            }
            let Some(best) = best else { break };
            found.push(best);
        }
        // A later line may be better: its window was another, and the table may tell more
        // of a move that is searched again.
        found.sort_by_key(|line| Reverse(line.value));
        for (mv, line) in moves.iter_mut().zip(&found) {
            *mv = line.mv;
        }
        found
    }

    /// The depth reached and the value of each move, best first: deepens while time
    /// allows. For levels that choose among moves of similar value. A move that is none of
    /// the best `lines` and worse than the best by more than `margin` has only an upper
    /// bound.
    fn score_root_moves(
        &mut self,
        root: &Self::Position,
        moves: &[Self::Move],
        margin: i32,
        lines: usize,
    ) -> (u32, Vec<RootMove<Self::Move>>) {
        let mut order = moves.to_vec();
        let (mut reached, mut scored) = (0, Vec::new());
        for depth in 1..=self.max_depth() {
            self.begin(root, depth);
            let deeper = self.score_moves_at(root, &order, depth, margin, lines);
            if deeper.len() < order.len() && depth > 1 {
                break;
            }
            (reached, scored) = (depth, deeper);
            scored.sort_by_key(|root_move| Reverse(root_move.value));
            order = scored.iter().map(|root_move| root_move.mv).collect();
            // Once all values are final, a deeper search finds nothing new.
            let is_final = scored.iter().all(|root_move| is_final(root_move.value, depth));
            if order.len() < moves.len() || is_final {
                break;
            }
        }
        (reached, scored)
    }

    /// [`Self::score_root_moves`] at one depth; fewer moves after a stop.
    fn score_moves_at(
        &mut self,
        root: &Self::Position,
        moves: &[Self::Move],
        depth: u32,
        margin: i32,
        lines: usize,
    ) -> Vec<RootMove<Self::Move>> {
        let mut scored = Vec::with_capacity(moves.len());
        // Best first.
        let mut values: Vec<i32> = Vec::with_capacity(moves.len());
        for &mv in moves {
            let in_margin = values.first().map(|best| best - margin);
            let in_lines = values.get(lines.max(1) - 1).copied();
            let alpha = in_margin.zip(in_lines).map(|(one, other)| one.min(other) - 1);
            let Some(root_move) = self.score_move(root, mv, depth, alpha) else { break };
            let at = values.partition_point(|better| *better >= root_move.value);
            values.insert(at, root_move.value);
            scored.push(root_move);
        }
        scored
    }
}
