//! One thought about Tablaaza, from request to answer.

use rand::{RngExt as _, rngs::ChaCha8Rng};

use super::{
    super::{
        EngineState, Info, Request, Score, SearchLimits, StopSignal,
        control::{SearchControl, SharedControl},
        score::MATE_IN_MAX_PLY,
        timeman::Stopwatch,
        tt::TranspositionTable,
        worker::alongside,
    },
    bits::Geometry,
    node::Node,
    root::MOST_DEPTH,
    search::Search,
    skill::Skill,
    solve::state,
    solver::{Solver, State},
    table::Table,
    tree::Trace,
};
use crate::games::{
    AnyMove, Side, Square,
    tablaaza::{Move, Position},
};

/// Up to this many free squares the alpha-beta reaches the end at once, and
/// tells the distance.
const AT_ONCE: u32 = 17;
/// With more free squares than this the solver does not begin.
const MOST_SOLVED: u32 = 42;
/// Up to this many it has most of the time, above only a share.
const SOLVER_MATE_IN_MAX_PLY: u32 = 32;
/// Plies of the look that comes before the solver's.
const GLANCE: u32 = 3;
/// The solver's positions between two looks at the clock: each takes some ten
/// microseconds.
const SOLVER_STRIDE: u64 = 16;
/// Memory of the solver's values in MiB at most.
const MOST_VALUES: usize = 32;

/// What all parts of a thought share.
struct Thought<'a> {
    root: Node,
    skill: Skill,
    limits: SearchLimits,
    helpers: usize,
    stopwatch: Stopwatch,
    stop: &'a StopSignal,
    table: &'a TranspositionTable<1>,
    hash_mib: usize,
    on_info: &'a mut dyn FnMut(&Info),
    /// Positions searched so far.
    nodes: u64,
}

/// What the solver has found about the moves.
enum Found {
    /// This move wins.
    Win(u8),
    /// All lose; this one is the hardest to refute.
    Loss(u8),
    /// It does not know.
    Nothing,
}

pub(in super::super) fn think(
    mind: &EngineState,
    position: &Position,
    request: &Request,
    without: &[AnyMove],
    stop: &StopSignal,
    on_info: &mut dyn FnMut(&Info),
) -> Option<AnyMove> {
    let stopwatch = Stopwatch::start();
    let mut rng = request.rng();
    let mut skill = Skill::of(request.options.level);
    let root = Node::of(position);
    let free = (root.free(Side::First) | root.free(Side::Second)).count_ones();
    if rng.random_range(0..100) < skill.oversights {
        skill.depth = skill.depth.map(|depth| (depth - 1).max(1));
        skill.end = 0;
    } else if free <= skill.end.min(AT_ONCE) {
        skill.depth = None;
    }
    let moves = request.root_moves(without, &mut rng, |mv| match mv {
        AnyMove::Tablaaza(mv) => Some(mv.square().rank * 8 + mv.square().file),
        _ => None,
    });
    let depths = [request.limits.depth, skill.depth];
    let limits = SearchLimits { depth: depths.into_iter().flatten().min(), ..request.limits };
    let hash_mib = request.options.hash_mib.max(2);
    let asks_far = request.limits.depth.is_none_or(|depth| depth >= free);
    let may_solve = skill.doubt == 0
        && (AT_ONCE + 1..=promising(limits).min(skill.end)).contains(&free)
        && asks_far;
    let entries = limits.useful_entries();
    let words = TranspositionTable::<1>::words_for(entries);
    // One half for the search, the other for the solver.
    let wanted = if may_solve { usize::MAX } else { words.saturating_mul(2) };
    let table = TranspositionTable::in_first_half(mind.memory(hash_mib, wanted), entries);
    let mut thought = Thought {
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
    let best = if skill.doubt > 0 {
        thought.judge(moves, &mut rng)
    } else {
        let board = Geometry::of(position.board());
        match may_solve.then(|| state(&board, position)).flatten() {
            Some(state) => thought.solve_or_search(state, board, moves),
            None => thought.search(moves),
        }
    };
    best.map(any)
}

fn any(mv: u8) -> AnyMove {
    AnyMove::Tablaaza(Move::new(Square::new(mv % 8, mv / 8)))
}

/// Up to how many free squares the solver has a chance within these limits.
/// With 28 it searches some 20,000 positions, with two squares more two to
/// three times as many; it may be lucky with a fourth of them.
fn promising(limits: SearchLimits) -> u32 {
    const A_MILLISECOND: u128 = 100;
    let by_time = limits.movetime.map_or(u128::MAX, |time| time.as_millis() * A_MILLISECOND);
    let nodes = by_time.min(limits.nodes.map_or(u128::MAX, u128::from));
    let doublings = (nodes / 5000).max(1).ilog2();
    (28 + doublings * 7 / 5).min(MOST_SOLVED)
}

impl Thought<'_> {
    /// The limits left for what comes next.
    fn left(&self) -> SearchLimits {
        let nodes = self.limits.nodes.map(|nodes| nodes.saturating_sub(self.nodes));
        SearchLimits { nodes, ..self.limits }
    }

    fn past(&self) -> Vec<Trace> {
        vec![Trace::of(&self.root)]
    }

    /// Chooses by a judgement that is none too sure.
    fn judge(&mut self, moves: Vec<u8>, rng: &mut ChaCha8Rng) -> Option<u8> {
        let shared = SharedControl::new(self.left(), self.stopwatch, self.stop);
        let depth = self.limits.depth.unwrap_or(MOST_DEPTH).clamp(1, MOST_DEPTH);
        let doubt = self.skill.doubt;
        let mut search = Search::new(self.table, shared.main_thread(), self.past());
        let (depth, weighed) = search.weigh(&self.root, &moves, depth, 2 * doubt);
        let blurred = weighed.iter().map(|one| {
            let error = rng.random_range(-doubt..=doubt);
            // What is sure, it knows.
            if one.value.abs() >= MATE_IN_MAX_PLY { one.value } else { one.value + error }
        });
        // The first of equals.
        let best =
            blurred.enumerate().reduce(|best, other| if other.1 > best.1 { other } else { best });
        let Some(chosen) = best.and_then(|(at, _)| weighed.get(at)) else {
            return moves.first().copied();
        };
        let (score, nodes) = (Score::of(chosen.value), search.control.nodes());
        self.tell(depth, score, chosen.value.abs() >= MATE_IN_MAX_PLY, nodes, &chosen.line);
        Some(chosen.mv)
    }

    /// Looks ahead as far as the limits allow.
    fn search(&mut self, moves: Vec<u8>) -> Option<u8> {
        self.search_within(moves, self.left())
    }

    fn search_within(&mut self, moves: Vec<u8>, limits: SearchLimits) -> Option<u8> {
        let (table, root) = (self.table, &self.root);
        let shared = SharedControl::new(limits, self.stopwatch, self.stop);
        // Helpers fill the memory; only this thread answers.
        let helper = |number: usize| {
            let mut search = Search::new(table, shared.helper_thread(), vec![Trace::of(root)]);
            let mut moves = moves.clone();
            let turned = number % moves.len().max(1);
            moves.rotate_left(turned);
            search.deepen(root, moves, 1 + (number as u32 % 2), &mut |_, _, _, _| ());
        };
        let before = self.nodes;
        let on_info = &mut *self.on_info;
        let (best, nodes) = alongside(self.helpers, helper, || {
            let mut search = Search::new(table, shared.main_thread(), vec![Trace::of(root)]);
            let mut told = |depth, value: i32, control: &SearchControl<'_>, line: &[u8]| {
                on_info(&Info {
                    depth,
                    score: Score::of(value),
                    exact: value.abs() >= MATE_IN_MAX_PLY,
                    nodes: before + control.nodes(),
                    time: control.elapsed(),
                    pv: line.iter().copied().map(any).collect(),
                });
            };
            let best = search.deepen(root, moves.clone(), 1, &mut told);
            shared.finish();
            (best, search.control.nodes())
        });
        self.nodes += nodes;
        best
    }

    /// A glance, then the solver, then what time is left to look ahead.
    fn solve_or_search(&mut self, state: State, board: Geometry, moves: Vec<u8>) -> Option<u8> {
        let glance = SearchLimits { depth: Some(GLANCE), ..self.left() };
        let first = self.search_within(moves.clone(), glance)?;
        let free = state.free.count_ones();
        // A side that cannot move has lost, and each move closes a square.
        match self.solve(state, board, &moves) {
            Found::Win(mv) => {
                let most = free - (1 - free % 2);
                self.tell(free, Score::Win(most), true, self.nodes, &[mv]);
                Some(mv)
            }
            Found::Loss(mv) => {
                let most = free - free % 2;
                self.tell(free, Score::Loss(most), true, self.nodes, &[mv]);
                Some(mv)
            }
            Found::Nothing => {
                let mut moves = moves;
                if let Some(at) = moves.iter().position(|mv| *mv == first) {
                    moves[..=at].rotate_right(1);
                }
                self.search(moves)
            }
        }
    }

    /// Asks the solver, for a share of what there is.
    fn solve(&mut self, state: State, board: Geometry, moves: &[u8]) -> Found {
        let mut limits = SearchLimits { depth: None, ..self.left() };
        let parts = if state.free.count_ones() <= SOLVER_MATE_IN_MAX_PLY { 8 } else { 5 };
        limits.movetime = limits.movetime.map(|time| time * parts / 10);
        limits.nodes = limits.nodes.map(|nodes| nodes / 10 * u64::from(parts));
        if let Some(most) = self.skill.solving {
            limits.nodes = Some(limits.nodes.unwrap_or(u64::MAX).min(most));
        }
        let shared =
            SharedControl::new(limits, self.stopwatch, self.stop).checking_every(SOLVER_STRIDE);
        let table = Table::of(self.table.second_half());
        let values = (self.hash_mib / 4).clamp(1, MOST_VALUES);
        let helper = |number: usize| {
            let mut solver = Solver::new(board.clone(), table, values);
            solver.disturb(number);
            let mut control = shared.helper_thread();
            solver.wins(state, &mut || control.enter());
        };
        let (found, nodes) = alongside(self.helpers, helper, || {
            let mut solver = Solver::new(board.clone(), table, values);
            let mut control = shared.main_thread();
            let found = ask(&mut solver, state, moves, &mut || control.enter());
            shared.finish();
            (found, control.nodes())
        });
        self.nodes += nodes;
        found.unwrap_or(Found::Nothing)
    }

    fn tell(&mut self, depth: u32, score: Score, exact: bool, nodes: u64, line: &[u8]) {
        let pv = line.iter().copied().map(any).collect();
        (self.on_info)(&Info { depth, score, exact, nodes, time: self.stopwatch.elapsed(), pv });
    }
}

/// Who wins, and by which move; none when it was stopped before.
fn ask(
    solver: &mut Solver<'_>,
    state: State,
    moves: &[u8],
    enter: &mut dyn FnMut() -> bool,
) -> Option<Found> {
    if solver.wins(state, enter)? {
        // What has just been proven is still remembered, mostly.
        for &mv in moves {
            if solver.known_after(state, mv) == Some(false) {
                return Some(Found::Win(mv));
            }
        }
        for &mv in moves {
            if !solver.wins(solver.after(state, mv), enter)? {
                return Some(Found::Win(mv));
            }
        }
        // The winning moves are not among these: all that are here lose.
    }
    // The first of those that took the most work.
    let hardest = moves.iter().rev().max_by_key(|mv| solver.work(**mv));
    hardest.map(|mv| Found::Loss(*mv))
}
