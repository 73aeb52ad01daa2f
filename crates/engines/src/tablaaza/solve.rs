//! Solving a position: who wins, and by which moves, however long it takes.
//!
//! The moves of the position, and the replies where the neighbourly rule binds
//! them, are tasks for the exact solver. Tasks are searched in rounds with a
//! growing node budget, so that easy ones are decided early. Proofs of large
//! positions are reported during the run; a later run continues from them.

use std::{
    collections::{HashMap, HashSet},
    mem,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use super::{
    super::{StopSignal, timeman::Stopwatch, tt::TableMemory, worker::run_with_helpers},
    bits::BitIter,
    graph::BoardGraph,
    proof_table::ProofTable,
    solver::{ProofSink, ProvenPosition, Solver},
    state::SolverState,
};
use tabulae_games::{
    Game, Side,
    tablaaza::{Move, Position},
};

/// How to solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolveOptions {
    /// Approximate maximum memory, in MiB.
    pub memory_mib: usize,
    /// Maximum number of threads.
    pub threads: usize,
    /// Proofs of positions with at least this many free squares are reported.
    pub min_proof_squares: u32,
    /// Whether to stop at the first winning move.
    pub first_win_only: bool,
}

/// A progress report.
#[derive(Clone, Debug)]
pub struct SolveProgress {
    /// The moves to the position being searched; none at the end.
    pub line: Vec<Move>,
    /// Positions searched in all.
    pub nodes: u64,
    /// Time since the start.
    pub time: Duration,
    /// What has been proven since the last report.
    pub new_proofs: Vec<ProvenPosition>,
    /// Tasks that are done.
    pub tasks_done: usize,
    /// Tasks in all.
    pub tasks_total: usize,
}

/// What is known of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveOutcome {
    /// The move.
    pub mv: Move,
    /// Whether the player of the move wins; none if that is not known.
    pub wins: Option<bool>,
    /// The same of the replies, where each was a task of its own.
    pub replies: Vec<Self>,
}

/// What a search of the solver has found out about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The winner; none if the search was stopped first.
    pub winner: Option<Side>,
    /// The moves; one of each set that the board's symmetries make equal.
    pub moves: Vec<MoveOutcome>,
    /// The number of positions searched.
    pub nodes: u64,
}

/// Nodes between stop checks.
const STOP_CHECK_NODES: u64 = 1024;
/// Time between progress reports.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);
/// A task's node budget in the first round.
const FIRST_BUDGET: u64 = 1 << 16;
/// Each round's node budget is that of the one before times this.
const BUDGET_GROWTH: u64 = 4;
/// More threads than this do not help.
const MAX_THREADS: usize = 64;

/// Tasks done, and tasks in all.
type TaskCount = (usize, usize);

/// A node of the tree of tasks. The leaves are searched by the solver.
#[derive(Clone, Debug)]
struct Task {
    /// The move from the parent's position; none at the root.
    mv: Option<Move>,
    position: Position,
    /// Whether the side to move wins.
    wins: Option<bool>,
    /// Empty if the solver can search the position itself.
    children: Vec<Self>,
}

/// Searches a leaf task within the round's budget: whether to continue, and
/// whether the side to move wins, if that was found.
type SearchLeaf<'a> = dyn FnMut(&Position, &[Move]) -> (bool, Option<bool>) + 'a;

impl Task {
    fn new(graph: &BoardGraph, mv: Option<Move>, position: Position) -> Self {
        let mut task = Self { mv, position, wins: None, children: Vec::new() };
        // The root's moves are reported one by one.
        if mv.is_none() || solver_state(graph, &position).is_none() {
            task.children = distinct_moves(graph, &position)
                .into_iter()
                .map(|mv| Self::new(graph, Some(mv), position_after(&position, mv)))
                .collect();
            task.update_outcome(true);
        }
        task
    }

    /// The same task with the children rotated, so that a helper begins with another.
    fn rotated(&self, number: usize) -> Self {
        let mut task = self.clone();
        task.children.rotate_left(number % self.children.len().max(1));
        task
    }

    /// Whether one winning move is enough here: always below the root.
    const fn needs_one_win(&self, first_win_only: bool) -> bool {
        first_win_only || self.mv.is_some()
    }

    /// Derives the outcome from the children.
    fn update_outcome(&mut self, first_win_only: bool) {
        let outcomes = || self.children.iter().map(|child| child.wins);
        let has_win = outcomes().any(|wins| wins == Some(false));
        if has_win && self.needs_one_win(first_win_only) {
            self.wins = Some(true);
        } else if outcomes().all(|wins| wins.is_some()) {
            self.wins = Some(has_win);
        }
    }

    /// Searches every undecided leaf once; false to stop.
    fn search_round(
        &mut self,
        line: &mut Vec<Move>,
        search_leaf: &mut SearchLeaf<'_>,
        first_win_only: bool,
    ) -> bool {
        if self.wins.is_some() {
            return true;
        }
        if self.children.is_empty() {
            let (go_on, wins) = search_leaf(&self.position, line);
            self.wins = wins;
            return go_on;
        }
        let needs_one_win = self.needs_one_win(first_win_only);
        for child in &mut self.children {
            line.extend(child.mv);
            let go_on = child.search_round(line, search_leaf, first_win_only);
            line.pop();
            if !go_on {
                return false;
            }
            if needs_one_win && child.wins == Some(false) {
                break;
            }
        }
        self.update_outcome(first_win_only);
        true
    }

    /// Counts the leaves.
    fn count(&self) -> TaskCount {
        if self.children.is_empty() {
            return (usize::from(self.wins.is_some()), 1);
        }
        let counts = self.children.iter().map(Self::count);
        let (done, total) = counts.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        if self.wins.is_some() { (total, total) } else { (done, total) }
    }

    fn outcome(&self) -> Option<MoveOutcome> {
        let replies = self.children.iter().filter_map(Self::outcome).collect();
        Some(MoveOutcome { mv: self.mv?, wins: self.wins.map(|wins| !wins), replies })
    }

    /// The answer of the root.
    fn solution(&self, nodes: u64) -> Solution {
        let side = self.position.side();
        let moves: Vec<_> = self.children.iter().filter_map(Self::outcome).collect();
        // One winning move decides, whatever the others do.
        let has_win = moves.iter().any(|outcome| outcome.wins == Some(true));
        let winner = self.wins.map(|wins| if wins { side } else { side.other() });
        Solution { winner: winner.or_else(|| has_win.then_some(side)), moves, nodes }
    }
}

/// Solves a position.
///
/// `known` are proofs of earlier runs; they are trusted. `on_progress` is called
/// about ten times a second and at the end. The outcomes are exact and the same
/// for any number of threads.
///
/// ```
/// use tabulae_engines::{MoveOutcome, Solution, SolveOptions, SolveProgress, StopSignal, solve};
/// use tabulae_games::{AnyPosition, RuleSet, Side};
///
/// let text = "rgrgrgrg/grgrgrgr/rg~gr~rg/gr~rg~gr/rg~gr~rg/grgrgrgr/1grgrg1g r";
/// let AnyPosition::Tablaaza(position) = AnyPosition::parse(RuleSet::Tablaaza, text)? else {
///     unreachable!("those are its rules")
/// };
/// let options = SolveOptions {
///     memory_mib: 8,
///     threads: 1,
///     min_proof_squares: 99,
///     first_win_only: false,
/// };
/// let mut reports: Vec<SolveProgress> = Vec::new();
/// let report = &mut |progress: &SolveProgress| reports.push(progress.clone());
/// let solution: Solution = solve(&position, options, &[], &StopSignal::default(), report);
/// let wins = |outcome: &MoveOutcome| outcome.wins == Some(true);
/// assert_eq!(solution.winner == Some(Side::First), solution.moves.iter().any(wins));
/// assert!(solution.winner.is_some() && !reports.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve(
    position: &Position,
    options: SolveOptions,
    known: &[ProvenPosition],
    stop: &StopSignal,
    on_progress: &mut dyn FnMut(&SolveProgress),
) -> Solution {
    let graph = BoardGraph::new(position.board());
    let threads = options.threads.clamp(1, MAX_THREADS);
    let memory = SolverMemory::new(options.memory_mib);
    let proofs = Mutex::new(Vec::new());
    let new_solver = |number: usize| {
        let mut solver = Solver::new(graph.clone(), memory.table(), memory.values_mib / threads);
        let min_squares = options.min_proof_squares;
        solver.collect_proofs(ProofSink { min_squares, proofs: &proofs });
        if number > 0 {
            solver.perturb_ordering(number);
        }
        solver
    };
    let first_win_only = options.first_win_only;
    let (finished, helper_nodes) = (StopSignal::default(), AtomicU64::new(0));
    let root = Task::new(&graph, None, *position);
    // Helpers fill the table; only this thread answers.
    let helper = |number: usize| {
        let (mut solver, mut root) = (new_solver(number), root.rotated(number));
        search_in_rounds(&mut solver, &mut root, first_win_only, &mut |_, nodes, _| {
            helper_nodes.fetch_add(nodes, Ordering::Relaxed);
            !stop.is_stopped() && !finished.is_stopped()
        });
    };
    let stopwatch = Stopwatch::start();
    let mut report = |line: &[Move], nodes: u64, (tasks_done, tasks_total): TaskCount| {
        on_progress(&SolveProgress {
            line: line.to_vec(),
            nodes: nodes + helper_nodes.load(Ordering::Relaxed),
            time: stopwatch.elapsed(),
            new_proofs: mem::take(&mut *proofs.lock().unwrap_or_else(PoisonError::into_inner)),
            tasks_done,
            tasks_total,
        });
    };
    run_with_helpers(
        threads - 1,
        helper,
        || finished.stop(),
        || {
            let (mut solver, mut root) = (new_solver(0), root.clone());
            known.iter().for_each(|proof| solver.add_proof(*proof));
            let (mut nodes, mut last_report) = (0, Duration::ZERO);
            search_in_rounds(&mut solver, &mut root, first_win_only, &mut |line, more, tasks| {
                nodes += more;
                if stopwatch.elapsed() >= last_report + PROGRESS_INTERVAL {
                    last_report = stopwatch.elapsed();
                    report(line, nodes, tasks);
                }
                !stop.is_stopped()
            });
            report(&[], nodes, root.count());
            root.solution(nodes + helper_nodes.load(Ordering::Relaxed))
        },
    )
}

/// Searches the undecided tasks in rounds until all are decided. `go_on` is
/// called with the line being searched, the positions searched since its last call
/// and the count of tasks; it returns false to stop.
fn search_in_rounds(
    solver: &mut Solver<'_>,
    root: &mut Task,
    first_win_only: bool,
    go_on: &mut dyn FnMut(&[Move], u64, TaskCount) -> bool,
) {
    let mut budget = FIRST_BUDGET;
    while root.wins.is_none() && go_on(&[], 0, root.count()) {
        let tasks = root.count();
        // Several first moves lead to symmetric positions.
        let mut searched = HashMap::new();
        let mut search_leaf = |position: &Position, line: &[Move]| {
            let Some(state) = solver_state(solver.graph(), position) else { return (true, None) };
            let class = (solver.graph().code(free_squares(position)), position.side());
            if let Some(wins) = searched.get(&class) {
                return (true, *wins);
            }
            let (mut nodes, mut running) = (0, true);
            let wins = solver.solve(state, &mut || {
                nodes += 1;
                if nodes % STOP_CHECK_NODES == 0 {
                    running = go_on(line, STOP_CHECK_NODES, tasks);
                }
                running && nodes <= budget
            });
            searched.insert(class, wins);
            (running && go_on(line, nodes % STOP_CHECK_NODES, tasks), wins)
        };
        if !root.search_round(&mut Vec::new(), &mut search_leaf, first_win_only) {
            break;
        }
        budget = budget.saturating_mul(BUDGET_GROWTH);
    }
}

/// The memory of a solve: three quarters for the table, the rest for the values
/// of regions.
pub(super) struct SolverMemory {
    tables: TableMemory,
    pub(super) values_mib: usize,
}

impl SolverMemory {
    pub(super) fn new(mib: usize) -> Self {
        Self { tables: TableMemory::new(mib / 4 * 3, usize::MAX), values_mib: mib / 4 }
    }

    pub(super) fn table(&self) -> ProofTable<'_> {
        ProofTable::new(self.tables.first(usize::MAX))
    }
}

/// The legal moves in order; of moves to positions that look alike on the drawn board
/// only the first, and of first stones only one of each class.
pub(super) fn distinct_moves(graph: &BoardGraph, position: &Position) -> Vec<Move> {
    let mut moves = position.legal_moves();
    moves.sort_unstable();
    let mut seen = HashSet::new();
    moves.retain(|&mv| {
        let after = position_after(position, mv);
        seen.insert(if after.is_neighbourly() {
            position_class(graph, &after)
        } else {
            vec![graph.upright(free_squares(&after))]
        })
    });
    moves
}

/// Equal for positions with the same side to move that are symmetric or, where the
/// neighbourly rule binds, have symmetric positions after the replies. The rule
/// depends on the true coordinates, which most symmetries change.
fn position_class(graph: &BoardGraph, position: &Position) -> Vec<u64> {
    if !position.is_neighbourly() {
        return vec![graph.code(free_squares(position))];
    }
    let replies = position.legal_moves().into_iter();
    let mut codes: Vec<_> =
        replies.map(|mv| graph.code(free_squares(&position_after(position, mv)))).collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

pub(super) fn free_squares(position: &Position) -> u64 {
    position.free(Side::First) | position.free(Side::Second)
}

/// The position after a legal move.
pub(super) fn position_after(position: &Position, mv: Move) -> Position {
    let mut after = *position;
    _ = after.play(mv);
    after
}

/// The position for the solver. None if the free squares alone do not decide
/// what is legal: while the neighbourly rule binds the first reply, and where a
/// free square has no free neighbour.
pub(super) fn solver_state(graph: &BoardGraph, position: &Position) -> Option<SolverState> {
    let free = free_squares(position);
    let is_red_to_move = position.side() == Side::First;
    let is_empty = position.stones(Side::First) | position.stones(Side::Second) == 0;
    let is_bound = position.is_neighbourly() || is_empty && is_red_to_move;
    let has_isolated = BitIter(free).any(|square| graph.neighbours[square] & free == 0);
    (!is_bound && !has_isolated).then(|| SolverState::new(free, is_red_to_move))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabulae_games::tablaaza::LAKES;

    fn leaves(task: &Task) -> Vec<&Task> {
        if task.children.is_empty() {
            return vec![task];
        }
        task.children.iter().flat_map(leaves).collect()
    }

    #[test]
    fn the_start_has_13_classes_of_moves_and_35_positions_to_solve() {
        let graph = BoardGraph::new(&LAKES);
        let root = Task::new(&graph, None, Position::start());
        assert_eq!(root.children.len(), 13);
        let codes = |task| {
            let codes = leaves(task).into_iter();
            codes.map(|leaf| graph.code(free_squares(&leaf.position))).collect::<HashSet<_>>()
        };
        assert_eq!(codes(&root).len(), 35);
        // Every first move of the rules has a class here.
        for mv in Position::start().legal_moves() {
            let after = position_after(&Position::start(), mv);
            let class = position_class(&graph, &after);
            let is_here = |task: &Task| position_class(&graph, &task.position) == class;
            assert!(root.children.iter().any(is_here), "{mv}");
        }
    }

    #[test]
    fn three_first_moves_lose_to_their_mirror_images() {
        let graph = BoardGraph::new(&LAKES);
        for moves in [["b4", "a4"], ["d4", "e4"], ["h4", "g4"]] {
            let position = moves.iter().fold(Position::start(), |position, mv| {
                position_after(&position, position.parse_move(mv).expect("legal"))
            });
            assert!(graph.is_symmetry_loss(free_squares(&position)), "{moves:?}");
        }
    }
}
