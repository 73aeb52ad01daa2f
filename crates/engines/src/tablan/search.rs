//! Expectation search over the throws (expectimax).
//!
//! A *depth* counts decisions: at depth 0 a board's equity is the network's, at
//! depth 1 the average over the next usable throw of either side and the best
//! move with it, and so on. Null scores, ten of sixteen throws, are solved as an
//! equation and cost no depth.

use super::{
    bearoff::BearoffSolver,
    board::{Board, SCORES},
    features::inputs,
    network::{Accumulator, Network, equity_of},
    throws::{ThrowSummary, evaluate_logit, solve_pass_loop},
};
use crate::control::SearchControl;

/// Selects the moves that are searched deeper.
#[derive(Clone, Copy)]
pub(super) struct MoveFilter {
    /// Maximum number of moves.
    pub(super) max_moves: usize,
    /// Largest loss of equity against the best move.
    pub(super) threshold: f32,
}

/// The filters below the root, for a 2, an 8 and a 12. An 8 or a 12 is a quarter
/// as likely as a 2 and gets fewer moves.
const INNER_FILTERS: [MoveFilter; 3] = [
    MoveFilter { max_moves: MAX_CANDIDATES, threshold: 0.05 },
    MoveFilter { max_moves: 2, threshold: 0.05 },
    MoveFilter { max_moves: 2, threshold: 0.05 },
];
/// The largest `max_moves` of these filters.
const MAX_CANDIDATES: usize = 4;

/// The search was stopped; its result is incomplete.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stopped;

/// A running search.
pub(super) struct Search<'a, 'g> {
    pub(super) network: &'a Network,
    pub(super) control: SearchControl<'g>,
    /// The solved boards, probed at every node.
    pub(super) bearoff: &'a mut BearoffSolver,
}

/// A successor with its evaluation before tanh.
#[derive(Clone, Copy)]
struct Candidate {
    after: Board,
    logit: f32,
}

/// The best successors of a board found so far, best first.
struct Candidates {
    list: [Candidate; MAX_CANDIDATES],
    len: usize,
    capacity: usize,
}

impl Candidates {
    const fn new(board: Board, capacity: usize) -> Self {
        let none = Candidate { after: board, logit: f32::NEG_INFINITY };
        Self { list: [none; MAX_CANDIDATES], len: 0, capacity }
    }

    fn insert(&mut self, candidate: Candidate) {
        let Self { list, len, capacity } = self;
        if *len == *capacity && candidate.logit <= list[*capacity - 1].logit {
            return;
        }
        *len = (*capacity).min(*len + 1);
        let worse = list[..*len - 1].iter().position(|other| candidate.logit > other.logit);
        let at = worse.unwrap_or(*len - 1);
        list[at..*len].rotate_right(1);
        list[at] = candidate;
    }

    fn as_slice(&self) -> &[Candidate] {
        &self.list[..self.len]
    }
}

impl Search<'_, '_> {
    /// The board's equity for its thrower, searched `depth` decisions ahead.
    pub(super) fn equity(&mut self, board: Board, depth: u32) -> Result<f32, Stopped> {
        if let Some(result) = board.result() {
            return Ok(result);
        }
        if let Some(exact) = self.bearoff.probe(board) {
            return Ok(exact as f32);
        }
        if depth == 0 {
            return self.evaluate(board);
        }
        let own = ThrowSummary::of(self.move_equities(board, depth)?);
        let opponent = ThrowSummary::of(self.move_equities(board.swap_sides(), depth)?);
        Ok(solve_pass_loop(own, opponent)
            .map_or_else(|| board.arrivals_result(), |[equity, _]| equity))
    }

    /// The network's equity; counts a node.
    fn evaluate(&mut self, board: Board) -> Result<f32, Stopped> {
        if !self.control.count_node() {
            return Err(Stopped);
        }
        Ok(self.network.equity(inputs(board)))
    }

    /// The equity after the best move with each score; none for a score without
    /// moves.
    pub(super) fn move_equities(
        &mut self,
        board: Board,
        depth: u32,
    ) -> Result<[Option<f32>; 3], Stopped> {
        let accumulator = self.network.accumulate(inputs(board));
        let mut equities = [None; 3];
        for (((score, _), filter), equity) in
            SCORES.into_iter().zip(INNER_FILTERS).zip(&mut equities)
        {
            *equity = match self.solved_move_equity(board, score) {
                Some(solved) => Some(solved),
                None => self.best_move_equity(board, &accumulator, score, depth, filter)?,
            };
        }
        Ok(equities)
    }

    /// The equity after the best move with a score, if every move is solved.
    fn solved_move_equity(&self, board: Board, score: u8) -> Option<f32> {
        self.bearoff.probe(board)?;
        let mut best = None::<f64>;
        let all_solved = board.try_for_each_successor(score, |after| {
            let exact = after.result().map(f64::from).or_else(|| self.bearoff.probe(after));
            let exact = exact.ok_or(())?;
            best = Some(best.map_or(exact, |best| best.max(exact)));
            Ok::<_, ()>(())
        });
        best.filter(|_| all_solved.is_ok()).map(|best| best as f32)
    }

    /// The equity after the best move with a score; none if it has no moves.
    /// `parent` is the board's own accumulator.
    fn best_move_equity(
        &mut self,
        board: Board,
        parent: &Accumulator,
        score: u8,
        depth: u32,
        filter: MoveFilter,
    ) -> Result<Option<f32>, Stopped> {
        let mut candidates = Candidates::new(board, if depth > 1 { filter.max_moves } else { 1 });
        board.try_for_each_successor(score, |after| {
            if !self.control.count_node() {
                return Err(Stopped);
            }
            candidates
                .insert(Candidate { after, logit: evaluate_logit(self.network, parent, after) });
            Ok(())
        })?;
        let Some(first) = candidates.as_slice().first() else { return Ok(None) };
        let static_equity = equity_of(first.logit);
        if depth <= 1 {
            return Ok(Some(static_equity));
        }
        let mut best = f32::NEG_INFINITY;
        for candidate in candidates.as_slice() {
            if equity_of(candidate.logit) < static_equity - filter.threshold {
                break;
            }
            best = best.max(self.equity(candidate.after, depth - 1)?);
        }
        Ok(Some(best))
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};

    use super::{super::builtin_network, *};
    use crate::{SearchLimits, StopSignal, control::SharedControl, timeman::Stopwatch};

    /// Runs a query with a search without limits.
    fn search<R>(ordered: bool, query: impl FnOnce(&mut Search<'_, '_>) -> R) -> R {
        let stop = StopSignal::default();
        let shared = SharedControl::new(SearchLimits::default(), Stopwatch::start(), &stop);
        let control = shared.main_thread();
        let bearoff = &mut BearoffSolver::default();
        query(&mut Search { network: builtin_network(ordered), control, bearoff })
    }

    /// Boards of games played by the network without look-ahead, each with a score
    /// to move.
    fn boards(ordered: bool, seed: u64) -> impl Iterator<Item = (Board, u8)> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut board = Board::start(ordered);
        std::iter::from_fn(move || {
            for _ in 0..10_000 {
                let score = match rng.random_range(0..16) {
                    0..10 => {
                        board = board.swap_sides();
                        continue;
                    }
                    10..14 => 2,
                    14 => 8,
                    _ => 12,
                };
                let before = board;
                let best = best_static_move(before, score);
                board = match best {
                    Some(after) if after.result().is_none() => after,
                    Some(_) => Board::start(ordered),
                    None => continue,
                };
                return Some((before, score));
            }
            // Neither side can move.
            board = Board::start(ordered);
            Some((board, 2))
        })
    }

    fn best_static_move(board: Board, score: u8) -> Option<Board> {
        let network = builtin_network(board.ordered);
        let parent = network.accumulate(inputs(board));
        let mut best: Option<(f32, Board)> = None;
        board.for_each_successor(score, |after| {
            let logit = evaluate_logit(network, &parent, after);
            if best.is_none_or(|(highest, _)| logit > highest) {
                best = Some((logit, after));
            }
        });
        best.map(|(_, after)| after)
    }

    #[test]
    fn depth_one_is_the_average_over_the_throws() {
        for ordered in [false, true] {
            for (board, _) in boards(ordered, 1).step_by(9).take(30) {
                search(ordered, |search| {
                    let here = search.equity(board, 1).unwrap();
                    let there = search.equity(board.swap_sides(), 1).unwrap();
                    let mut sum = -10.0 * there;
                    for (score, weight) in SCORES {
                        let mut best = f32::NEG_INFINITY;
                        if !board.for_each_successor(score, |after| {
                            best = best.max(search.equity(after, 0).unwrap());
                        }) {
                            best = here;
                        }
                        sum += weight * best;
                    }
                    assert!((sum / 16.0 - here).abs() < 1e-3, "{board:?}: {sum} {here}");
                });
            }
        }
    }

    #[test]
    fn the_same_search_gives_the_same_equity_and_node_count() {
        for ordered in [false, true] {
            let (board, _) = boards(ordered, 2).nth(40).unwrap();
            let run = || {
                search(ordered, |search| {
                    let equity = search.equity(board, 2).unwrap();
                    (equity, search.control.nodes())
                })
            };
            assert_eq!(run(), run());
        }
    }

    /// Prints how much equity a shallower search gives away on average, by the
    /// evaluation of depth 3:
    ///
    /// ```sh
    /// cargo test --release --no-default-features --lib measure_what_depth_is_worth -- \
    ///     --ignored --nocapture
    /// ```
    #[test]
    #[ignore = "takes minutes; run in a release build"]
    fn measure_what_depth_is_worth() {
        for ordered in [false, true] {
            let (mut lost, mut nodes, mut count) = ([0.0; 2], [0; 3], 0.0);
            for (board, score) in boards(ordered, 3).step_by(8).take(600) {
                let mut all = Vec::new();
                board.for_each_successor(score, |after| all.push(after));
                let [first, second, third] = [0, 1, 2].map(|depth| {
                    search(ordered, |search| {
                        let equities: Vec<_> =
                            all.iter().map(|&after| search.equity(after, depth).unwrap()).collect();
                        nodes[depth as usize] += search.control.nodes();
                        equities
                    })
                });
                let highest = third.iter().copied().fold(-1.0, f32::max);
                for (lost, equities) in lost.iter_mut().zip([first, second]) {
                    let best = (0..all.len()).max_by(|&a, &b| equities[a].total_cmp(&equities[b]));
                    *lost += highest - third[best.unwrap()];
                }
                count += 1.0;
            }
            let [one, two] = lost.map(|lost| 100.0 * lost / count);
            let [first, second, third] = nodes.map(|nodes| nodes as f32 / count);
            println!(
                "ordered {ordered}: depth 1 gives away {one:.3} hundredths a choice, depth 2 \
                 {two:.3}; nodes {first:.0}, {second:.0}, {third:.0}"
            );
        }
    }
}
