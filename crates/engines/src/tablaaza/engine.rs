//! One search for a move in Tablaaza, from the request to the answer.

use std::cmp::Reverse;

use rand::{RngExt as _, rngs::ChaCha8Rng};

use super::{
    super::{
        Info, OnLine, Outcome, Score, SearchLimits, SearchTask, StopSignal,
        control::{SearchControl, SharedControl},
        iterative_deepening::RootSearch as _,
        score::{MATE, MATE_IN_MAX_PLY},
        timeman::Stopwatch,
        tt::TranspositionTable,
        worker::run_with_helpers,
    },
    graph::BoardGraph,
    ledger::Ledger,
    node::{Node, move_at, move_index},
    search::{Iteration, RootMove, Search},
    skill::Skill,
    solve::{free_squares, position_after, solver_state},
    solver::{CountNode, Solver},
    solver_cache::SolverCache,
    state::SolverState,
};
use tabulae_games::{AnyMove, AnyPosition, GameHistory, Side, tablaaza::Position};

/// Up to this many free squares the alpha-beta search reaches the end of the
/// game fast, and finds the shortest win.
const MAX_ALPHA_BETA_ENDGAME: u32 = 17;
/// With more free squares than this the solver is not tried.
const MAX_SOLVER_SQUARES: u32 = 42;
/// Up to this many free squares the solver is likely to succeed.
const LIKELY_SOLVED_SQUARES: u32 = 32;
/// Where a side has won by the ledger, the solver is tried with this many free squares
/// whatever the limits: the ledger ends there.
const SOLVED_BELOW_LEDGER: u32 = LIKELY_SOLVED_SQUARES + 2;
/// The solver's share of the time and nodes, in tenths: if it is likely to succeed,
/// and otherwise.
const SOLVER_TENTHS: [u32; 2] = [8, 5];
/// Depth of the alpha-beta search that comes before the solver, in case the
/// solver fails.
const PRE_SOLVER_DEPTH: u32 = 3;
/// The solver's nodes between stop checks: each takes about ten microseconds.
const SOLVER_STOP_CHECK_NODES: u64 = 16;

/// A search for a move.
struct Engine<'a> {
    root: Node,
    skill: Skill,
    limits: SearchLimits,
    helpers: usize,
    stopwatch: Stopwatch,
    stop: &'a StopSignal,
    table: &'a TranspositionTable<1>,
    solver: Option<SolverCache>,
    /// Whether one side has won by the ledger, whose positions are behind.
    is_won: bool,
    on_line: &'a mut OnLine<'a>,
    /// The number of lines to find.
    lines: usize,
    /// The first lines: moves that are proven to win.
    wins: Vec<u8>,
    /// Nodes of the searches that are finished.
    nodes: u64,
}

/// The solver's result. Moves are squares.
enum SolverResult {
    /// These moves win: as many as there are lines, or all that win if the moves in the
    /// second list are known to lose, those first that took the solver the longest.
    Solved(Vec<u8>, Vec<u8>),
    /// The solver reached a limit. These moves win.
    Unknown(Vec<u8>),
}

pub(in super::super) fn search_position(
    task: &SearchTask<'_>,
    position: &Position,
    on_line: &mut OnLine<'_>,
) -> Outcome {
    let stopwatch = Stopwatch::start();
    let request = task.request;
    let mut rng = request.rng();
    let root = Node::new(position);
    let free = (root.free(Side::First) | root.free(Side::Second)).count_ones();
    let skill = skill_for_this_move(Skill::of(request.options.level), free, &mut rng);
    let moves = request.root_moves(task.excluded, &mut rng, |mv| match mv {
        AnyMove::Tablaaza(mv) => Some(move_index(mv)),
        _ => None,
    });
    let depths = [request.limits.depth, skill.max_depth];
    let limits = SearchLimits { depth: depths.into_iter().flatten().min(), ..request.limits };
    // One half for the alpha-beta search, the other for the solver.
    let mib = (request.options.hash_mib / 2).max(1);
    let depth_reaches_end = request.limits.depth.is_none_or(|depth| depth >= free);
    let planned = SearchLimits { movetime: task.stop.planned_time(limits), ..limits };
    let sees_end = free <= skill.endgame_squares && depth_reaches_end;
    let uses_proofs = skill.eval_noise == 0 && sees_end && free > MAX_ALPHA_BETA_ENDGAME;
    let is_won = uses_proofs && is_won_by_ledger(&request.history);
    let always_solved = if is_won { SOLVED_BELOW_LEDGER } else { 0 };
    let solvable = solvable_squares(planned).max(always_solved);
    let entries = limits.useful_entries();
    let memory = task.state.memory(mib, TranspositionTable::<1>::words_for(entries));
    let table = TranspositionTable::new(memory, entries);
    let solver = (uses_proofs && free <= solvable).then(|| {
        let graph = BoardGraph::new(position.board());
        if limits.nodes.is_some() || limits.depth.is_some() {
            SolverCache::take_empty(task.state, &graph, mib)
        } else {
            SolverCache::take(task.state, &graph, mib)
        }
    });
    let mut engine = Engine {
        root,
        skill,
        limits,
        helpers: request.options.helpers(),
        stopwatch,
        stop: task.stop,
        table: &table,
        solver,
        is_won,
        on_line,
        lines: task.lines.min(moves.len()),
        wins: Vec::new(),
        nodes: 0,
    };
    let best = if skill.eval_noise > 0 {
        engine.choose_with_noise(&moves, &mut rng)
    } else {
        engine.choose_best(position, moves, uses_proofs)
    };
    if let Some(cache) = engine.solver.take() {
        task.state.keep_solver_cache(cache);
    }
    Outcome { best: best.map(to_any_move), nodes: engine.nodes, time: stopwatch.elapsed() }
}

fn to_any_move(square: u8) -> AnyMove {
    AnyMove::Tablaaza(move_at(square))
}

/// The level's skill for this move, for which a blunder may be drawn. Without a
/// blunder the level sees the end of the game whatever its depth.
fn skill_for_this_move(skill: Skill, free: u32, rng: &mut ChaCha8Rng) -> Skill {
    if rng.random_range(0..100) < skill.blunder_percent {
        let max_depth = skill.max_depth.map(|depth| (depth - 1).max(1));
        Skill { max_depth, endgame_squares: 0, ..skill }
    } else if free <= skill.endgame_squares.min(MAX_ALPHA_BETA_ENDGAME) {
        Skill { max_depth: None, ..skill }
    } else {
        skill
    }
}

/// Whether the ledger tells who won the last positions of the game that are large enough
/// for it.
fn is_won_by_ledger(history: &GameHistory<AnyPosition>) -> bool {
    let ledger = Ledger::shipped();
    let positions = (0..=history.len()).rev().filter_map(|plies| match history.at(plies) {
        Some(AnyPosition::Tablaaza(position)) => Some(position),
        _ => None,
    });
    let is_large = |position: &&Position| free_squares(position).count_ones() >= ledger.floor();
    // One with each side to move.
    positions.filter(is_large).take(2).any(|position| ledger.is_loss(position))
}

/// The maximum number of free squares that the solver may solve within these limits.
///
/// With 28 it searches about 20,000 positions, with two squares more two to three
/// times as many. It is tried if a quarter of these nodes is available.
fn solvable_squares(limits: SearchLimits) -> u32 {
    const NODES_PER_MILLISECOND: u128 = 100;
    const BASE_SQUARES: u32 = 28;
    const BASE_NODES: u128 = 5000;
    let by_time =
        limits.movetime.map_or(u128::MAX, |time| time.as_millis() * NODES_PER_MILLISECOND);
    let by_nodes = [limits.nodes, limits.solver_nodes].into_iter().flatten().min();
    let nodes = by_time.min(by_nodes.map_or(u128::MAX, u128::from));
    let doublings = (nodes / BASE_NODES).max(1).ilog2();
    (BASE_SQUARES + doublings * 7 / 5).min(MAX_SOLVER_SQUARES)
}

impl Engine<'_> {
    /// The limits with the nodes that are left.
    fn remaining_limits(&self) -> SearchLimits {
        let nodes = self.limits.nodes.map(|nodes| nodes.saturating_sub(self.nodes));
        SearchLimits { nodes, ..self.limits }
    }

    /// Chooses the best move by values with random errors. Wins and losses found keep
    /// their values, unless they are overlooked.
    fn choose_with_noise(&mut self, moves: &[u8], rng: &mut ChaCha8Rng) -> Option<u8> {
        let shared = SharedControl::new(self.remaining_limits(), self.stopwatch, self.stop);
        let Skill { eval_noise: noise, pavilion_bonus, missed_ends_percent, .. } = self.skill;
        let misses_ends = rng.random_range(0..100) < missed_ends_percent;
        let sign = if self.skill.misreads_race { -1 } else { 1 };
        let mut search = Search::new(self.table, shared.main_thread());
        let (depth, scored) = search.score_root_moves(&self.root, moves, 2 * noise, self.lines);
        let mut noisy: Vec<_> = scored
            .into_iter()
            .map(|root_move| {
                let raises = self.root.raised_by(root_move.mv) > 0;
                let bonus = if raises { pavilion_bonus } else { 0 };
                let error = rng.random_range(-noise..=noise) + bonus;
                let seen = match root_move.value {
                    value if value.abs() < MATE_IN_MAX_PLY => sign * value + error,
                    _ if misses_ends => error - sign * self.root.after(root_move.mv).evaluate(),
                    value => value,
                };
                (seen, root_move)
            })
            .collect();
        // The first of equals stays first.
        noisy.sort_by_key(|(seen, _)| Reverse(*seen));
        let lines: Vec<_> = noisy.into_iter().take(self.lines).map(|(_, line)| line).collect();
        self.nodes += search.control.nodes();
        let best = lines.first().map(|line| line.mv);
        if best.is_some() {
            let nodes = self.nodes;
            self.report(&Iteration { depth, lines: &lines, is_complete: true }, nodes);
        }
        best.or(moves.first().copied())
    }

    /// Full strength: by the ledger of proven positions, by the solver, or by search.
    fn choose_best(
        &mut self,
        position: &Position,
        mut moves: Vec<u8>,
        uses_proofs: bool,
    ) -> Option<u8> {
        let ledger = Ledger::shipped();
        if uses_proofs {
            let wins = |square: &u8| ledger.is_loss(&position_after(position, move_at(*square)));
            self.take_wins(&mut moves, wins);
            if !self.wins.is_empty() && self.wins.len() == self.lines {
                self.report_proven(&[]);
                let best = self.wins.first().copied();
                if let Some(square) = best {
                    self.look_ahead(&position_after(position, move_at(square)));
                }
                return best;
            }
            if ledger.is_loss(position) {
                let lines = self.search(&moves, self.remaining_limits());
                self.report_proven(&lines);
                return lines.first().copied();
            }
        }
        let cache = self.solver.take();
        let state = cache.as_ref().and_then(|cache| solver_state(cache.graph(), position));
        let best = match (&cache, state) {
            (Some(cache), Some(state)) => self.solve_or_search(cache, state, moves),
            _ => self.search(&moves, self.remaining_limits()).first().copied(),
        };
        self.solver = cache;
        self.wins.first().copied().or(best)
    }

    /// Uses the time of a move that takes none to solve the position after it, where the
    /// ledger may not know the next.
    fn look_ahead(&mut self, lost: &Position) {
        let is_last = free_squares(lost).count_ones() <= SOLVED_BELOW_LEDGER;
        let has_time = self.is_won && self.limits.movetime.is_some();
        let Some(cache) = self.solver.take_if(|_| is_last && has_time) else { return };
        if let Some(state) = solver_state(cache.graph(), lost) {
            self.run_solver(&cache, state, |solver, count_node| solver.solve(state, count_node));
        }
        self.solver = Some(cache);
    }

    /// Moves the first of the moves that win, as many as there are lines, to the wins.
    fn take_wins(&mut self, moves: &mut Vec<u8>, wins: impl Fn(&u8) -> bool) {
        let most = self.lines;
        let found = &mut self.wins;
        moves.retain(|square| {
            let is_line = found.len() < most && wins(square);
            if is_line {
                found.push(*square);
            }
            !is_line
        });
    }

    /// The alpha-beta search, with helpers that share the transposition table
    /// (Lazy SMP). Returns the moves of the lines, best first.
    fn search(&mut self, moves: &[u8], limits: SearchLimits) -> Vec<u8> {
        let shared = SharedControl::new(limits, self.stopwatch, self.stop);
        let lines = self.lines - self.wins.len();
        let (table, root, helpers) = (self.table, self.root.clone(), self.helpers);
        // Helpers fill the table; only this thread answers.
        let helper = |number: usize| {
            let mut search = Search::new(table, shared.helper_thread());
            let mut moves = moves.to_vec();
            let rotation = number % moves.len().max(1);
            moves.rotate_left(rotation);
            let first_depth = 1 + (number as u32 % 2);
            search.iterative_deepening(&root, moves, first_depth, lines, &mut |_, _| ());
        };
        let earlier_nodes = self.nodes;
        let mut on_iteration = |iteration: &Iteration<'_>, control: &SearchControl<'_>| {
            self.report(iteration, earlier_nodes + control.nodes());
        };
        let best = run_with_helpers(
            helpers,
            helper,
            || shared.finish(),
            || {
                let mut search = Search::new(table, shared.main_thread());
                search.iterative_deepening(&root, moves.to_vec(), 1, lines, &mut on_iteration)
            },
        );
        self.nodes += shared.nodes();
        best
    }

    /// A shallow alpha-beta search, then the solver, and if that fails the
    /// alpha-beta search with the limits that are left.
    fn solve_or_search(
        &mut self,
        cache: &SolverCache,
        state: SolverState,
        mut moves: Vec<u8>,
    ) -> Option<u8> {
        let shallow = SearchLimits { depth: Some(PRE_SOLVER_DEPTH), ..self.remaining_limits() };
        let first = *self.search(&moves, shallow).first()?;
        let lines = self.lines - self.wins.len();
        let result = self.run_solver(cache, state, |solver, count_node| {
            solve_moves(solver, state, &moves, lines, count_node)
        });
        match result {
            SolverResult::Solved(wins, losses) => {
                self.wins.extend(wins);
                let open = self.lines - self.wins.len();
                self.report_proven(&losses[..open.min(losses.len())]);
                return losses.first().copied();
            }
            SolverResult::Unknown(wins) if wins.is_empty() => {}
            SolverResult::Unknown(wins) => {
                moves.retain(|square| !wins.contains(square));
                self.wins.extend(wins);
                self.report_proven(&[]);
            }
        }
        if let Some(index) = moves.iter().position(|square| *square == first) {
            moves[..=index].rotate_right(1);
        }
        self.search(&moves, self.remaining_limits()).first().copied()
    }

    /// Runs the solver with its share of the limits; helpers solve the position.
    fn run_solver<R>(
        &mut self,
        cache: &SolverCache,
        state: SolverState,
        main: impl FnOnce(&mut Solver<'_>, &mut CountNode<'_>) -> R,
    ) -> R {
        let limits = self.solver_limits(state.free.count_ones());
        let shared = SharedControl::new(limits, self.stopwatch, self.stop)
            .checking_every(SOLVER_STOP_CHECK_NODES);
        let helper = |number: usize| {
            let (mut solver, mut control) = (cache.solver(), shared.helper_thread());
            solver.perturb_ordering(number);
            solver.solve(state, &mut || control.count_node());
            cache.put_back(solver);
        };
        let result = run_with_helpers(
            self.helpers,
            helper,
            || shared.finish(),
            || {
                let (mut solver, mut control) = (cache.solver(), shared.main_thread());
                let result = main(&mut solver, &mut || control.count_node());
                cache.put_back(solver);
                result
            },
        );
        self.nodes += shared.nodes();
        result
    }

    /// The solver's share of what is left of the limits.
    fn solver_limits(&self, free: u32) -> SearchLimits {
        let mut limits = SearchLimits { depth: None, ..self.remaining_limits() };
        let is_likely = self.is_won || free <= LIKELY_SOLVED_SQUARES;
        let tenths = SOLVER_TENTHS[usize::from(!is_likely)];
        limits.movetime = self.stop.planned_time(limits).map(|time| time * tenths / 10);
        let share = [limits.nodes, limits.solver_nodes].into_iter().flatten().min();
        let share = share.map(|nodes| nodes / 10 * u64::from(tenths));
        limits.nodes = share.into_iter().chain(self.skill.max_solver_nodes).min();
        limits
    }

    /// The number of free squares.
    fn free(&self) -> u32 {
        (self.root.free(Side::First) | self.root.free(Side::Second)).count_ones()
    }

    /// Reports the wins, and then moves that certainly lose. Each move closes a square, and
    /// a side without a move loses: a win takes an odd number of plies, a loss an even one.
    fn report_proven(&mut self, squares: &[u8]) {
        let (free, nodes) = (self.free(), self.nodes);
        let value = (free - free % 2) as i32 - MATE;
        let line = |&square: &u8| RootMove { mv: square, value, pv: vec![square] };
        let lines: Vec<_> = squares.iter().map(line).collect();
        self.report(&Iteration { depth: free, lines: &lines, is_complete: true }, nodes);
    }

    /// Reports the wins and then the lines of an iteration.
    fn report(&mut self, iteration: &Iteration<'_>, nodes: u64) {
        let (free, time) = (self.free(), self.stopwatch.elapsed());
        let certain = self.wins.iter().map(|square| {
            let pv = vec![to_any_move(*square)];
            let score = Score::Win(free - (1 - free % 2));
            Info { depth: free, score, exact: true, nodes, time, pv }
        });
        let searched = iteration.infos(nodes, time, to_any_move);
        for (number, info) in (1..).zip(certain.chain(searched)) {
            (self.on_line)(number, &info);
        }
    }
}

/// The solver's result for the best `lines` of the moves.
fn solve_moves(
    solver: &mut Solver<'_>,
    state: SolverState,
    moves: &[u8],
    lines: usize,
    count_node: &mut CountNode<'_>,
) -> SolverResult {
    let mut wins = Vec::new();
    let result = solver.solve(state, count_node);
    // The first of the moves that took the most nodes.
    let mut losses = moves.to_vec();
    losses.sort_by_key(|square| Reverse(solver.root_nodes(*square)));
    match result {
        None => return SolverResult::Unknown(wins),
        Some(false) => {}
        Some(true) => {
            // The table usually still holds the proof.
            let is_proven = |square: &u8| solver.probe_child(state, *square) == Some(false);
            wins.extend(moves.iter().copied().filter(is_proven).take(lines));
            for &square in moves {
                if wins.len() >= lines {
                    break;
                }
                if wins.contains(&square) {
                    continue;
                }
                match solver.solve(solver.after(state, square), count_node) {
                    Some(true) => {}
                    Some(false) => wins.push(square),
                    None => return SolverResult::Unknown(wins),
                }
            }
        }
    }
    losses.retain(|square| !wins.contains(square));
    SolverResult::Solved(wins, losses)
}
