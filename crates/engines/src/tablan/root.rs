//! The search at the root: one request from its limits to the chosen move.

use std::{ops::RangeInclusive, time::Duration};

use rand::{RngExt as _, rngs::ChaCha8Rng};

use super::{
    bearoff::{self, BearoffSolver},
    board::Board,
    builtin_network,
    features::{hide_threats, inputs},
    network::equity_of,
    search::{MoveFilter, Search},
    skill::Skill,
    throws::evaluate_logit,
};
use crate::{
    Info, OnLine, Outcome, Request, Score, SearchLimits, SearchTask, control::SharedControl,
    timeman::Stopwatch,
};
use tabulae_games::{
    AnyMove,
    tablan::{Move, Position},
};

/// Maximum depth; it may take minutes.
const MAX_DEPTH: u32 = 6;
/// Maximum depth with a time limit.
const MAX_TIMED_DEPTH: u32 = 3;
/// Maximum time for a move, even if the limit is higher: a game has a hundred
/// moves.
const MAX_MOVE_TIME: Duration = Duration::from_millis(45);
/// The depth reported for solved positions.
const SOLVED_DEPTH: u32 = 100;

/// The moves searched at depth 2.
const FIRST_FILTER: MoveFilter = MoveFilter { max_moves: 24, threshold: 0.10 };
/// The moves searched deeper in plain Tablan, where depth 3 seldom finds more
/// than depth 2 (see the test `measure_what_depth_is_worth`).
const PLAIN_FILTER: MoveFilter = MoveFilter { max_moves: 4, threshold: 0.006 };
/// The moves searched deeper in ordered Tablan, where entering the goal row
/// needs planning.
const ORDERED_FILTER: MoveFilter = MoveFilter { max_moves: 8, threshold: 0.04 };

/// A move, the board after it, and its equity for the mover.
#[derive(Clone, Copy, Debug)]
struct RootMove {
    mv: Move,
    after: Board,
    equity: f32,
}

/// The moves of one request and the search that orders them.
struct RootMoves<'a, 'g> {
    board: Board,
    /// Best first, once they are evaluated.
    moves: Vec<RootMove>,
    /// How many of them the last depth searched.
    active: usize,
    /// The number of lines to find.
    lines: usize,
    search: Search<'a, 'g>,
    on_line: &'a mut OnLine<'a>,
}

/// Searches a request and returns the chosen move; none if every move is excluded.
pub(crate) fn search_position(
    task: &SearchTask<'_>,
    position: &Position,
    on_line: &mut OnLine<'_>,
) -> Outcome {
    let stopwatch = Stopwatch::start();
    let request = task.request;
    let board = Board::from_position(position);
    let skill = Skill::of(request.options.level, board.ordered);
    let limits = effective_limits(request.limits, skill);
    let mut rng = request.rng();
    let moves = request.root_moves(task.excluded, &mut rng, |mv| match mv {
        AnyMove::Tablan(mv) => Some(mv),
        _ => None,
    });
    let moves: Vec<_> = moves
        .into_iter()
        .map(|mv| RootMove { mv, after: Board::after_move(position, mv), equity: 0.0 })
        .collect();
    // Which boards the shared table holds depends on timing. Without a time
    // limit the answer must be reproducible, so the search starts from an empty
    // table.
    let mut own_table = BearoffSolver::default();
    let mut shared_table =
        limits.movetime.filter(|_| skill.solves_bearoff).and_then(|_| bearoff::lock_shared());
    let bearoff = shared_table.as_deref_mut().unwrap_or(&mut own_table);
    bearoff.prepare(board.ordered, request.options.hash_mib);
    let shared = SharedControl::new(limits, stopwatch, task.stop);
    let network = builtin_network(board.ordered);
    let search = Search { network, control: shared.main_thread(), bearoff };
    let (active, lines) = (moves.len(), task.lines);
    let mut root = RootMoves { board, active, moves, lines, search, on_line };
    let best = if skill.eval_noise > 0.0 {
        root.choose_with_noise(skill, &mut rng)
    } else {
        root.choose_best(request, skill)
    };
    let nodes = root.search.control.nodes();
    let best = best.map(|best| AnyMove::Tablan(best.mv));
    Outcome { best, nodes, time: stopwatch.elapsed() }
}

/// The request's limits, capped by the skill's and by the engine's own.
fn effective_limits(limits: SearchLimits, skill: Skill) -> SearchLimits {
    let max_depth = if limits.movetime.is_some() { MAX_TIMED_DEPTH } else { MAX_DEPTH };
    SearchLimits {
        depth: Some(limits.depth.unwrap_or(max_depth).min(skill.max_depth).clamp(1, MAX_DEPTH)),
        movetime: limits.movetime.map(|time| time.min(MAX_MOVE_TIME)),
        ..limits
    }
}

impl RootMoves<'_, '_> {
    /// The first move: the best one, once the moves are evaluated.
    fn best(&self) -> Option<RootMove> {
        self.moves.first().copied()
    }

    /// Chooses the best move by a static evaluation with noise, as the weaker
    /// levels do. They recognise the end of the game reliably.
    fn choose_with_noise(&mut self, skill: Skill, rng: &mut ChaCha8Rng) -> Option<RootMove> {
        let mut seen: Vec<(f32, RootMove)> = Vec::with_capacity(self.moves.len());
        for &root_move in &self.moves {
            if !self.search.control.count_node() {
                break;
            }
            let (equity, noisy) = match root_move.after.result() {
                Some(result) => (result, 2.0 * result),
                None => {
                    let mut seen = inputs(root_move.after);
                    if skill.ignores_threats {
                        hide_threats(&mut seen);
                    }
                    let equity = self.search.network.equity(seen);
                    (equity, equity + rng.random_range(-skill.eval_noise..=skill.eval_noise))
                }
            };
            seen.push((noisy, RootMove { equity, ..root_move }));
        }
        if seen.is_empty() {
            return self.best();
        }
        // The first of equals stays first.
        seen.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        self.moves = seen.into_iter().map(|(_, root_move)| root_move).collect();
        self.report(1, false);
        self.best()
    }

    /// Chooses the best move by search.
    fn choose_best(&mut self, request: &Request, skill: Skill) -> Option<RootMove> {
        if !self.evaluate_statically() {
            return self.best();
        }
        let limits = self.search.control.limits();
        let is_forced = self.moves.len() == 1 && limits.movetime.is_some();
        self.report(1, false);
        let max_depth = limits.depth.unwrap_or(MAX_DEPTH);
        let solves = skill.solves_bearoff
            && request.limits.depth.is_none()
            && BearoffSolver::covers(self.board);
        let is_done = is_forced || max_depth < 2 && !solves;
        if is_done || !self.search.control.count_node() {
            return self.best();
        }
        // Depth 2 comes first and takes little time, so there is a good answer
        // even if the endgame turns out too large to solve.
        let unfinished = self.iterative_deepening(2..=max_depth.min(2));
        if solves && self.solve() {
            self.report(SOLVED_DEPTH, true);
        } else if unfinished {
            self.iterative_deepening(3..=max_depth);
        }
        self.best()
    }

    /// Evaluates every move with the network and sorts the moves. After a stop the
    /// moves left come last; returns false if no move was evaluated.
    fn evaluate_statically(&mut self) -> bool {
        let Search { network, control, .. } = &mut self.search;
        let parent = network.accumulate(inputs(self.board));
        for root_move in &mut self.moves {
            root_move.equity = if control.count_node() {
                equity_of(evaluate_logit(network, &parent, root_move.after))
            } else {
                f32::NEG_INFINITY
            };
        }
        sort_best_first(&mut self.moves);
        self.best().is_some_and(|best| best.equity.is_finite())
    }

    /// Solves the positions after every move. Returns false, without effect on
    /// the moves, if that takes too many boards or the search is stopped.
    fn solve(&mut self) -> bool {
        let Search { bearoff, control, .. } = &mut self.search;
        let mut equities = Vec::with_capacity(self.moves.len());
        for root_move in &self.moves {
            match bearoff.solve(root_move.after, &mut || control.count_node()) {
                Ok(equity) => equities.push(equity as f32),
                Err(_) => return false,
            }
        }
        assign_and_sort(&mut self.moves, &equities);
        true
    }

    /// Iterative deepening over these depths, each on the moves that its filter
    /// accepts. Returns false if there is nothing more to find or no time left.
    fn iterative_deepening(&mut self, depths: RangeInclusive<u32>) -> bool {
        for depth in depths {
            let Some(best) = self.best() else { return false };
            let filter = match depth {
                ..=2 => FIRST_FILTER,
                _ if self.board.ordered => ORDERED_FILTER,
                _ => PLAIN_FILTER,
            };
            let min_equity = best.equity - filter.threshold;
            let candidates = self.moves[..self.active].iter().take(filter.max_moves);
            let searched = candidates.take_while(|root_move| root_move.equity >= min_equity);
            // All lines are searched to the same depth.
            self.active = searched.count().max(self.lines.min(self.active));
            if self.active == 1 && self.search.control.limits().movetime.is_some() {
                return false;
            }
            let mut equities = Vec::with_capacity(self.active);
            for root_move in &self.moves[..self.active] {
                match self.search.equity(root_move.after, depth - 1) {
                    Ok(equity) => equities.push(equity),
                    // An incomplete depth says nothing about the other moves.
                    Err(_) => return false,
                }
            }
            assign_and_sort(&mut self.moves[..self.active], &equities);
            self.report(depth, false);
            if self.search.control.is_past_soft_limit() {
                return false;
            }
        }
        true
    }

    /// Reports the best moves of a completed depth.
    fn report(&mut self, depth: u32, exact: bool) {
        let (nodes, time) = (self.search.control.nodes(), self.search.control.elapsed());
        for (number, line) in (1..).zip(self.moves.iter().take(self.lines)) {
            let result = line.after.result();
            let score = match result {
                Some(result) if result > 0.0 => Score::Win(1),
                Some(result) if result < 0.0 => Score::Loss(1),
                _ => Score::Points((100.0 * line.equity).round() as i32),
            };
            let exact = exact || result.is_some_and(|result| result > 0.0);
            let pv = vec![AnyMove::Tablan(line.mv)];
            (self.on_line)(number, &Info { depth, score, nodes, time, pv, exact });
        }
    }
}

/// Gives each move its new equity and sorts the moves.
fn assign_and_sort(moves: &mut [RootMove], equities: &[f32]) {
    for (root_move, &equity) in moves.iter_mut().zip(equities) {
        root_move.equity = equity;
    }
    sort_best_first(moves);
}

/// Sorts the best move first; equal moves keep their order.
fn sort_best_first(moves: &mut [RootMove]) {
    moves.sort_by(|a, b| b.equity.total_cmp(&a.equity));
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng as _;

    use super::*;
    use crate::{EngineOptions, Level, StopSignal, search};
    use tabulae_games::{
        AnyPosition, Game as _, GameHistory, Throw, Turn,
        tablan::{ORDERED, PLAIN},
    };

    /// The equity that a level's move loses against the best move, by the
    /// network's static evaluation.
    fn equity_loss(position: &Position, level: Level, seed: u64) -> f32 {
        let history = GameHistory::new(AnyPosition::Tablan(position.clone()));
        let options = EngineOptions { level, seed, ..EngineOptions::default() };
        let limits = SearchLimits { depth: Some(1), ..SearchLimits::default() };
        let request = Request { history, limits, options };
        let best = search(&request, &StopSignal::default(), &mut |_| ());
        let Some(AnyMove::Tablan(best)) = best else { panic!("{position}") };
        let network = builtin_network(position.rules().ordered_entry);
        let parent = network.accumulate(inputs(Board::from_position(position)));
        let equity =
            |mv| equity_of(evaluate_logit(network, &parent, Board::after_move(position, mv)));
        let highest = position.legal_moves().into_iter().map(equity).fold(-1.0, f32::max);
        highest - equity(best)
    }

    #[test]
    fn errors_stay_within_the_levels_noise_and_weaker_levels_err_more() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        for rules in [PLAIN, ORDERED] {
            let mut sums = [0.0; Level::ALL.len()];
            let mut position = Position::start(rules);
            for seed in 0..400 {
                match position.turn() {
                    Turn::Over(_) => position = Position::start(rules),
                    Turn::Throw(_) => {
                        let throw = Throw::ALL[rng.random_range(0..Throw::ALL.len())];
                        position.apply_throw(throw).unwrap();
                    }
                    Turn::Move(_) => {
                        for level in Level::ALL {
                            let skill = Skill::of(level, rules.ordered_entry);
                            let loss = equity_loss(&position, level, seed);
                            let bound =
                                if skill.ignores_threats { 2.0 } else { 2.0 * skill.eval_noise };
                            assert!(loss <= bound + 1e-6, "{level} {position}: {loss}");
                            sums[level as usize] += loss;
                        }
                        let moves = position.legal_moves();
                        position.apply(moves[rng.random_range(0..moves.len())]).unwrap();
                    }
                }
            }
            assert!(sums.is_sorted_by(|weak, strong| weak > strong), "{sums:?}");
            assert!(sums[Level::Master as usize] < 1e-4, "{sums:?}");
        }
    }
}
