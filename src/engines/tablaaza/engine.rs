//! One search for a move in Tablaaza, from the request to the answer.

use rand::{RngExt as _, rngs::ChaCha8Rng};

use super::{
    super::{
        EngineState, Info, Request, Score, SearchLimits, StopSignal,
        control::{SearchControl, SharedControl},
        score::MATE_IN_MAX_PLY,
        timeman::Stopwatch,
        tt::TranspositionTable,
        worker::run_with_helpers,
    },
    graph::BoardGraph,
    ledger::Ledger,
    node::{Node, move_at, move_index},
    proof_table::ProofTable,
    search::{MAX_DEPTH, Search},
    skill::Skill,
    solve::{position_after, solver_state},
    solver::{CountNode, Solver, SolverState},
};
use crate::games::{AnyMove, Side, tablaaza::Position};

/// Up to this many free squares the alpha-beta search reaches the end of the
/// game fast, and finds the shortest win.
const MAX_ALPHA_BETA_ENDGAME: u32 = 17;
/// With more free squares than this the solver is not tried.
const MAX_SOLVER_SQUARES: u32 = 42;
/// Up to this many free squares the solver is likely to succeed.
const LIKELY_SOLVED_SQUARES: u32 = 32;
/// The solver's share of the time and nodes, in tenths: if it is likely to succeed,
/// and otherwise.
const SOLVER_TENTHS: [u32; 2] = [8, 5];
/// Depth of the alpha-beta search that comes before the solver, in case the
/// solver fails.
const PRE_SOLVER_DEPTH: u32 = 3;
/// The solver's nodes between stop checks: each takes about ten microseconds.
const SOLVER_STOP_CHECK_NODES: u64 = 16;
/// Maximum memory of the solver's values, in MiB.
const MAX_VALUES_MIB: usize = 32;

/// A search for a move.
struct Engine<'a> {
    root: Node,
    skill: Skill,
    limits: SearchLimits,
    helpers: usize,
    stopwatch: Stopwatch,
    stop: &'a StopSignal,
    table: &'a TranspositionTable<1>,
    hash_mib: usize,
    on_info: &'a mut dyn FnMut(&Info),
    /// Nodes of the searches that are finished.
    nodes: u64,
}

/// The solver's result. Moves are squares.
enum SolverResult {
    /// This move wins.
    Win(u8),
    /// All moves lose; this one took the solver the longest to refute.
    Loss(u8),
    /// The solver reached a limit.
    Unknown,
}

pub(in super::super) fn search_position(
    engine_state: &EngineState,
    position: &Position,
    request: &Request,
    excluded: &[AnyMove],
    stop: &StopSignal,
    on_info: &mut dyn FnMut(&Info),
) -> Option<AnyMove> {
    let stopwatch = Stopwatch::start();
    let mut rng = request.rng();
    let root = Node::new(position);
    let free = (root.free(Side::First) | root.free(Side::Second)).count_ones();
    let skill = skill_for_this_move(Skill::of(request.options.level), free, &mut rng);
    let moves = request.root_moves(excluded, &mut rng, |mv| match mv {
        AnyMove::Tablaaza(mv) => Some(move_index(mv)),
        _ => None,
    });
    let depths = [request.limits.depth, skill.max_depth];
    let limits = SearchLimits { depth: depths.into_iter().flatten().min(), ..request.limits };
    let hash_mib = request.options.hash_mib.max(2);
    let depth_reaches_end = request.limits.depth.is_none_or(|depth| depth >= free);
    let planned = SearchLimits { movetime: stop.planned_time(limits), ..limits };
    let solver_range =
        MAX_ALPHA_BETA_ENDGAME + 1..=solvable_squares(planned).min(skill.endgame_squares);
    let may_solve = skill.eval_noise == 0 && solver_range.contains(&free) && depth_reaches_end;
    let entries = limits.useful_entries();
    let words = TranspositionTable::<1>::words_for(entries);
    // One half for the alpha-beta search, the other for the solver.
    let needed = if may_solve { usize::MAX } else { words.saturating_mul(2) };
    let memory = engine_state.memory(hash_mib, needed);
    let table = TranspositionTable::in_first_half(memory, entries);
    let mut engine = Engine {
        root,
        skill,
        limits,
        helpers: request.options.helpers(),
        stopwatch,
        stop,
        table: &table,
        hash_mib,
        on_info,
        nodes: 0,
    };
    let best = if skill.eval_noise > 0 {
        engine.choose_with_noise(moves, &mut rng)
    } else {
        let graph = BoardGraph::new(position.board());
        let sees_end = free <= skill.endgame_squares && depth_reaches_end;
        let uses_proofs = sees_end && free > MAX_ALPHA_BETA_ENDGAME;
        if uses_proofs && let Some(square) = proven_win(position, &moves) {
            engine.report_win(free, square);
            return Some(to_any_move(square));
        }
        if uses_proofs && Ledger::shipped().is_loss(position) {
            let best = engine.search(moves, engine.remaining_limits())?;
            engine.report_loss(free, best);
            return Some(to_any_move(best));
        }
        match may_solve.then(|| solver_state(&graph, position)).flatten() {
            Some(state) => engine.solve_or_search(state, &graph, moves),
            None => engine.search(moves, engine.remaining_limits()),
        }
    };
    best.map(to_any_move)
}

/// The first of the moves that is proven to win, however many squares are free.
fn proven_win(position: &Position, moves: &[u8]) -> Option<u8> {
    let wins = |square: &u8| Ledger::shipped().is_loss(&position_after(position, move_at(*square)));
    moves.iter().copied().find(wins)
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
    fn choose_with_noise(&mut self, moves: Vec<u8>, rng: &mut ChaCha8Rng) -> Option<u8> {
        let shared = SharedControl::new(self.remaining_limits(), self.stopwatch, self.stop);
        let max_depth = self.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        let Skill { eval_noise: noise, pavilion_bonus, missed_ends_percent, .. } = self.skill;
        let misses_ends = rng.random_range(0..100) < missed_ends_percent;
        let sign = if self.skill.misreads_race { -1 } else { 1 };
        let mut search = Search::new(self.table, shared.main_thread());
        let (depth, scored) = search.score_root_moves(&self.root, &moves, max_depth, 2 * noise);
        let noisy = scored.iter().map(|root_move| {
            let raises = self.root.raised_by(root_move.square) > 0;
            let bonus = if raises { pavilion_bonus } else { 0 };
            let error = rng.random_range(-noise..=noise) + bonus;
            let seen = match root_move.value {
                value if value.abs() < MATE_IN_MAX_PLY => sign * value + error,
                _ if misses_ends => error - sign * self.root.after(root_move.square).evaluate(),
                value => value,
            };
            (root_move, seen)
        });
        // The first of equals.
        let best = noisy.reduce(|best, other| if other.1 > best.1 { other } else { best });
        let Some((chosen, _)) = best else { return moves.first().copied() };
        let (score, nodes) = (Score::of(chosen.value), search.control.nodes());
        self.report(depth, score, chosen.value.abs() >= MATE_IN_MAX_PLY, nodes, &chosen.pv);
        Some(chosen.square)
    }

    /// The alpha-beta search, with helpers that share the transposition table
    /// (Lazy SMP).
    fn search(&mut self, moves: Vec<u8>, limits: SearchLimits) -> Option<u8> {
        let (table, root) = (self.table, &self.root);
        let shared = SharedControl::new(limits, self.stopwatch, self.stop);
        // Helpers fill the table; only this thread answers.
        let helper = |number: usize| {
            let mut search = Search::new(table, shared.helper_thread());
            let mut moves = moves.clone();
            let rotation = number % moves.len().max(1);
            moves.rotate_left(rotation);
            let first_depth = 1 + (number as u32 % 2);
            search.iterative_deepening(root, moves, first_depth, &mut |_, _, _, _| ());
        };
        let earlier_nodes = self.nodes;
        let on_info = &mut *self.on_info;
        let (best, nodes) = run_with_helpers(self.helpers, helper, || {
            let mut search = Search::new(table, shared.main_thread());
            let mut on_iteration = |depth, value: i32, control: &SearchControl<'_>, pv: &[u8]| {
                on_info(&Info {
                    depth,
                    score: Score::of(value),
                    exact: value.abs() >= MATE_IN_MAX_PLY,
                    nodes: earlier_nodes + control.nodes(),
                    time: control.elapsed(),
                    pv: pv.iter().copied().map(to_any_move).collect(),
                });
            };
            let best = search.iterative_deepening(root, moves.clone(), 1, &mut on_iteration);
            shared.finish();
            (best, search.control.nodes())
        });
        self.nodes += nodes;
        best
    }

    /// A shallow alpha-beta search, then the solver, and if that fails the
    /// alpha-beta search with the limits that are left.
    fn solve_or_search(
        &mut self,
        state: SolverState,
        graph: &BoardGraph,
        mut moves: Vec<u8>,
    ) -> Option<u8> {
        let shallow = SearchLimits { depth: Some(PRE_SOLVER_DEPTH), ..self.remaining_limits() };
        let first = self.search(moves.clone(), shallow)?;
        let free = state.free.count_ones();
        match self.solve(state, graph, &moves) {
            SolverResult::Win(square) => {
                self.report_win(free, square);
                Some(square)
            }
            SolverResult::Loss(square) => {
                self.report_loss(free, square);
                Some(square)
            }
            SolverResult::Unknown => {
                if let Some(index) = moves.iter().position(|square| *square == first) {
                    moves[..=index].rotate_right(1);
                }
                self.search(moves, self.remaining_limits())
            }
        }
    }

    /// Runs the solver with its share of the limits.
    fn solve(&mut self, state: SolverState, graph: &BoardGraph, moves: &[u8]) -> SolverResult {
        let limits = self.solver_limits(state.free.count_ones());
        let shared = SharedControl::new(limits, self.stopwatch, self.stop)
            .checking_every(SOLVER_STOP_CHECK_NODES);
        let table = ProofTable::new(self.table.second_half());
        let values_mib = (self.hash_mib / 4).clamp(1, MAX_VALUES_MIB);
        let helper = |number: usize| {
            let mut solver = Solver::new(graph.clone(), table, values_mib);
            solver.perturb_ordering(number);
            let mut control = shared.helper_thread();
            solver.solve(state, &mut || control.count_node());
        };
        let (result, nodes) = run_with_helpers(self.helpers, helper, || {
            let mut solver = Solver::new(graph.clone(), table, values_mib);
            let mut control = shared.main_thread();
            let result = solve_moves(&mut solver, state, moves, &mut || control.count_node());
            shared.finish();
            (result, control.nodes())
        });
        self.nodes += nodes;
        result.unwrap_or(SolverResult::Unknown)
    }

    /// The solver's share of what is left of the limits.
    fn solver_limits(&self, free: u32) -> SearchLimits {
        let mut limits = SearchLimits { depth: None, ..self.remaining_limits() };
        let tenths = SOLVER_TENTHS[usize::from(free > LIKELY_SOLVED_SQUARES)];
        limits.movetime = self.stop.planned_time(limits).map(|time| time * tenths / 10);
        let share = [limits.nodes, limits.solver_nodes].into_iter().flatten().min();
        let share = share.map(|nodes| nodes / 10 * u64::from(tenths));
        limits.nodes = share.into_iter().chain(self.skill.max_solver_nodes).min();
        limits
    }

    /// Reports a certain win. Each move closes a square, and a side without a move loses:
    /// a win takes an odd number of plies, a loss an even one.
    fn report_win(&mut self, free: u32, square: u8) {
        let max_plies = free - (1 - free % 2);
        self.report(free, Score::Win(max_plies), true, self.nodes, &[square]);
    }

    /// Reports a certain loss.
    fn report_loss(&mut self, free: u32, square: u8) {
        self.report(free, Score::Loss(free - free % 2), true, self.nodes, &[square]);
    }

    fn report(&mut self, depth: u32, score: Score, exact: bool, nodes: u64, pv: &[u8]) {
        let pv = pv.iter().copied().map(to_any_move).collect();
        (self.on_info)(&Info { depth, score, exact, nodes, time: self.stopwatch.elapsed(), pv });
    }
}

/// The solver's result; none after a stop.
fn solve_moves(
    solver: &mut Solver<'_>,
    state: SolverState,
    moves: &[u8],
    count_node: &mut CountNode<'_>,
) -> Option<SolverResult> {
    if solver.solve(state, count_node)? {
        // The table usually still holds the proof.
        for &square in moves {
            if solver.probe_child(state, square) == Some(false) {
                return Some(SolverResult::Win(square));
            }
        }
        for &square in moves {
            if !solver.solve(solver.after(state, square), count_node)? {
                return Some(SolverResult::Win(square));
            }
        }
        // The winning moves are excluded: all of `moves` lose.
    }
    // The first of the moves that took the most nodes.
    let hardest = moves.iter().rev().max_by_key(|square| solver.root_nodes(**square));
    hardest.map(|square| SolverResult::Loss(*square))
}
