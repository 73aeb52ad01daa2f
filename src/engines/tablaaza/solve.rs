//! Solving: who wins, and by which moves, however long it takes.
//!
//! The moves of the position asked about, and where the neighbourly rule binds
//! the replies, are tasks for the exact solver. Each task is given more and
//! more positions to search, in rounds, so that what is easy is known soon.
//! What is proven of large positions on the way is told: a later run goes on
//! from there.

use std::{
    collections::HashSet,
    mem,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use super::{
    super::{StopSignal, timeman::Stopwatch, tt::TableMemory, worker::alongside},
    bits::{Bits, Geometry},
    solver::{Solver, State},
    table::Table,
};
use crate::games::{
    Game, Side,
    tablaaza::{Move, Position},
};

/// A proven position: its free squares as the board's bits, with Red to move,
/// and whether he wins. One with Green to move stands here in the mirror, with
/// the colours exchanged.
pub type Proof = (u64, bool);

/// How to solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolveSettings {
    /// Memory in MiB at most, about.
    pub memory_mib: usize,
    /// Threads at most.
    pub threads: usize,
    /// From how many free squares on proofs are told.
    pub told_from: u32,
    /// Whether one winning move is enough.
    pub first_only: bool,
}

/// How far it has come.
#[derive(Clone, Debug)]
pub struct SolveProgress {
    /// The moves to the position being searched; none at the end.
    pub at: Vec<Move>,
    /// Positions searched in all.
    pub nodes: u64,
    /// Time since it began.
    pub time: Duration,
    /// What has been proven since it was last told.
    pub proofs: Vec<Proof>,
    /// Tasks done, and tasks in all.
    pub tasks: (usize, usize),
}

/// What is known of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveOutcome {
    /// The move.
    pub mv: Move,
    /// Whether who plays it wins.
    pub wins: Option<bool>,
    /// Likewise of the replies, where each was a task of its own.
    pub replies: Vec<Self>,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// Who wins; none when it was stopped before it knew.
    pub winner: Option<Side>,
    /// The moves. Of moves that symmetry makes equal there is one.
    pub moves: Vec<MoveOutcome>,
    /// Positions searched.
    pub nodes: u64,
}

/// Nodes between two looks at the clock and the flag.
const STRIDE: u64 = 1024;
/// Time between two words about the progress.
const WORD: Duration = Duration::from_millis(100);
/// Positions a task may search in the first round; in each round four times as
/// many as in the one before.
const FIRST_ROUND: u64 = 1 << 16;
/// More threads than this are no help.
const MOST_THREADS: usize = 64;

/// A position among those to be solved.
#[derive(Clone, Debug)]
struct Task {
    /// What led here from its parent.
    mv: Option<Move>,
    position: Position,
    /// Whether the side to move wins.
    wins: Option<bool>,
    /// None where the solver is asked about the position itself.
    children: Vec<Self>,
}

impl Task {
    fn new(board: &Geometry, mv: Option<Move>, position: Position) -> Self {
        let mut task = Self { mv, position, wins: None, children: Vec::new() };
        // The root's moves are wanted one by one.
        if mv.is_none() || state(board, &position).is_none() {
            task.children = distinct_moves(board, &position)
                .into_iter()
                .map(|mv| Self::new(board, Some(mv), after(&position, mv)))
                .collect();
            task.conclude(true);
        }
        task
    }

    /// What follows from the children.
    fn conclude(&mut self, first_only: bool) {
        let outcomes = || self.children.iter().map(|child| child.wins);
        if outcomes().any(|wins| wins == Some(false)) && (first_only || self.mv.is_some()) {
            self.wins = Some(true);
        } else if outcomes().all(|wins| wins.is_some()) {
            self.wins = Some(outcomes().any(|wins| wins == Some(false)));
        }
    }

    /// Asks about everything open below; false when it is time to stop.
    fn round(&mut self, path: &mut Vec<Move>, ask: &mut Ask<'_>, first_only: bool) -> bool {
        if self.wins.is_some() {
            return true;
        }
        if self.children.is_empty() {
            let (go_on, wins) = ask(&self.position, path);
            self.wins = wins;
            return go_on;
        }
        for child in &mut self.children {
            path.extend(child.mv);
            let go_on = child.round(path, ask, first_only);
            path.pop();
            if !go_on {
                return false;
            }
            let enough = first_only || self.mv.is_some();
            if enough && child.wins == Some(false) {
                break;
            }
        }
        self.conclude(first_only);
        true
    }

    /// Leaves done and leaves in all.
    fn count(&self) -> (usize, usize) {
        if self.children.is_empty() {
            return (usize::from(self.wins.is_some()), 1);
        }
        let counts = self.children.iter().map(Self::count);
        let (done, all) = counts.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        if self.wins.is_some() { (all, all) } else { (done, all) }
    }

    fn outcome(&self) -> Option<MoveOutcome> {
        let replies = self.children.iter().filter_map(Self::outcome).collect();
        Some(MoveOutcome { mv: self.mv?, wins: self.wins.map(|wins| !wins), replies })
    }
}

/// Asks about a position: whether to go on, and who wins, if that was found.
type Ask<'a> = dyn FnMut(&Position, &[Move]) -> (bool, Option<bool>) + 'a;

/// Solves a position.
///
/// `known` are proofs of earlier runs; they are taken on trust. `on_progress`
/// is called some ten times a second and at the end. What is answered is exact
/// and depends on nothing but the position, however many threads there are.
///
/// ```
/// use tabulae::engines::{MoveOutcome, Solution, SolveProgress, SolveSettings, StopSignal, solve};
/// use tabulae::games::{AnyPosition, RuleSet, Side};
///
/// let text = "rgrgrgrg/grgrgrgr/rg~gr~rg/gr~rg~gr/rg~gr~rg/grgrgrgr/1grgrg1g r";
/// let AnyPosition::Tablaaza(position) = AnyPosition::parse(RuleSet::Tablaaza, text)? else {
///     unreachable!("those are its rules")
/// };
/// let settings = SolveSettings { memory_mib: 8, threads: 1, told_from: 99, first_only: false };
/// let mut told: Vec<SolveProgress> = Vec::new();
/// let tell = &mut |progress: &SolveProgress| told.push(progress.clone());
/// let solution: Solution = solve(&position, settings, &[], &StopSignal::default(), tell);
/// let wins = |outcome: &MoveOutcome| outcome.wins == Some(true);
/// assert_eq!(solution.winner == Some(Side::First), solution.moves.iter().any(wins));
/// assert!(solution.winner.is_some() && !told.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve(
    position: &Position,
    settings: SolveSettings,
    known: &[Proof],
    stop: &StopSignal,
    on_progress: &mut dyn FnMut(&SolveProgress),
) -> Solution {
    let board = Geometry::of(position.board());
    let threads = settings.threads.clamp(1, MOST_THREADS);
    let memory = TableMemory::new(settings.memory_mib / 4 * 3, usize::MAX);
    let table = Table::of(memory.first(usize::MAX));
    let share = settings.memory_mib / 4 / threads;
    let proofs = Mutex::new(Vec::new());
    let fresh = |number: usize| {
        let mut solver = Solver::new(board.clone(), table, share);
        solver.tell(settings.told_from, &proofs);
        if number > 0 {
            solver.disturb(number);
        }
        solver
    };
    let (finished, helped) = (StopSignal::default(), AtomicU64::new(0));
    let root = Task::new(&board, None, *position);
    // Helpers fill the table; only this thread answers.
    let helper = |number: usize| {
        let (mut solver, mut root) = (fresh(number), root.clone());
        let turned = number % root.children.len().max(1);
        root.children.rotate_left(turned);
        let go = |nodes: u64| {
            helped.fetch_add(nodes, Ordering::Relaxed);
            !stop.is_stopped() && !finished.is_stopped()
        };
        rounds(&mut solver, &mut root, settings.first_only, &mut |_, nodes, _| go(nodes));
    };
    alongside(threads - 1, helper, || {
        let clock = Stopwatch::start();
        let (mut solver, mut root) = (fresh(0), root.clone());
        for &proof in known {
            solver.learn(proof);
        }
        let (mut nodes, mut told) = (0, Duration::ZERO);
        let mut say = |at: &[Move], nodes, tasks| {
            let proofs = mem::take(&mut *proofs.lock().unwrap_or_else(PoisonError::into_inner));
            let nodes = nodes + helped.load(Ordering::Relaxed);
            on_progress(&SolveProgress {
                at: at.to_vec(),
                nodes,
                time: clock.elapsed(),
                proofs,
                tasks,
            });
        };
        rounds(&mut solver, &mut root, settings.first_only, &mut |at, more, tasks| {
            nodes += more;
            if clock.elapsed() >= told + WORD {
                told = clock.elapsed();
                say(at, nodes, tasks);
            }
            !stop.is_stopped()
        });
        finished.stop();
        say(&[], nodes, root.count());
        let side = position.side();
        let winner = root.wins.map(|wins| if wins { side } else { side.other() });
        let moves: Vec<_> = root.children.iter().filter_map(Task::outcome).collect();
        // One winning move answers it, whatever the others do.
        let winner = winner
            .or_else(|| moves.iter().any(|outcome| outcome.wins == Some(true)).then_some(side));
        Solution { winner, moves, nodes: nodes + helped.load(Ordering::Relaxed) }
    })
}

/// Works on the tasks until all is known or `go` says to stop. `go` is told
/// where the search is, how many positions it has searched since the last
/// time, and how many tasks are done.
fn rounds(
    solver: &mut Solver<'_>,
    root: &mut Task,
    first_only: bool,
    go: &mut dyn FnMut(&[Move], u64, (usize, usize)) -> bool,
) {
    let mut most = FIRST_ROUND;
    while root.wins.is_none() && go(&[], 0, root.count()) {
        let tasks = root.count();
        let mut ask = |position: &Position, path: &[Move]| {
            let Some(state) = state(solver.board(), position) else { return (true, None) };
            let (mut nodes, mut going) = (0, true);
            let wins = solver.wins(state, &mut || {
                nodes += 1;
                if nodes % STRIDE == 0 {
                    going = go(path, STRIDE, tasks);
                }
                going && nodes <= most
            });
            (going && go(path, nodes % STRIDE, tasks), wins)
        };
        if !root.round(&mut Vec::new(), &mut ask, first_only) {
            break;
        }
        most = most.saturating_mul(4);
    }
}

/// A position's moves in order, and of those that symmetry makes equal the
/// first.
fn distinct_moves(board: &Geometry, position: &Position) -> Vec<Move> {
    let mut moves = position.legal_moves();
    moves.sort_unstable();
    let mut seen = HashSet::new();
    moves.retain(|&mv| {
        let next = after(position, mv);
        // The first stone's place, which the answer depends on, is told by the
        // only square that is not free.
        seen.insert(board.region(next.free(Side::First) | next.free(Side::Second)))
    });
    moves
}

pub(super) fn after(position: &Position, mv: Move) -> Position {
    let mut next = *position;
    // The moves come from the position itself.
    _ = next.play(mv);
    next
}

/// The position as the solver takes it; none where the rules have more to say
/// than free squares tell: before the neighbourly answer, and where a square
/// has no neighbour left yet is still free.
pub(super) fn state(board: &Geometry, position: &Position) -> Option<State> {
    let free = position.free(Side::First) | position.free(Side::Second);
    let bare = position.stones(Side::First) | position.stones(Side::Second) == 0;
    let bound = position.is_neighbourly() || bare && position.side() == Side::First;
    let lonely = Bits(free).any(|at| board.near[at] & free == 0);
    (!bound && !lonely).then(|| State::new(free, position.side() == Side::First))
}
