//! Solving: who wins, and by which moves, however long it takes.
//!
//! [`solve`] asks the exact solver about each move of a position. What it
//! proves of large positions on the way is told, so that a later run can go on
//! from there.

use std::{
    collections::HashMap,
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use super::{
    super::{Stop, clock::Clock, worker::alongside},
    bits::Geometry,
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
}

/// How far it has come.
#[derive(Clone, Debug)]
pub struct SolveProgress<'a> {
    /// The moves to the position being searched.
    pub at: &'a [Move],
    /// Positions searched in all.
    pub nodes: u64,
    /// Time since it began.
    pub time: Duration,
    /// What has been proven since it was last told.
    pub proofs: Vec<Proof>,
    /// Of the moves of the position asked about: whether the side to move wins
    /// by it. Only those that are known.
    pub moves: &'a [(Move, bool)],
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// Who wins; none when it was stopped before it knew.
    pub winner: Option<Side>,
    /// The moves, and whether the side to move wins by them; none when not
    /// known. Of moves that symmetry makes equal there is one.
    pub moves: Vec<(Move, Option<bool>)>,
    /// Positions searched.
    pub nodes: u64,
}

/// Nodes between two looks at the clock and the flag.
const STRIDE: u64 = 4096;
/// Time between two words about the progress.
const WORD: Duration = Duration::from_secs(1);

/// Solves a position: all its moves, those after a winning one too unless
/// `first_only`.
///
/// `known` are proofs of earlier runs. `on_progress` is called about once a
/// second and after each move solved. The answer is exact; it depends on
/// nothing but the position, however many threads there are.
pub fn solve(
    position: &Position,
    settings: SolveSettings,
    known: &[Proof],
    first_only: bool,
    stop: &Stop,
    on_progress: &mut dyn FnMut(&SolveProgress<'_>),
) -> Solution {
    let board = Geometry::of(position.board());
    let threads = settings.threads.clamp(1, 64);
    let table = Table::new(settings.memory_mib / 4 * 3);
    let share = settings.memory_mib / 4 / threads;
    let proofs = Mutex::new(Vec::new());
    let fresh = || {
        let mut solver = Solver::new(board.clone(), &table, share);
        solver.tell(settings.told_from, &proofs);
        solver
    };
    let (finished, helped) = (Stop::default(), AtomicU64::new(0));
    let moves = distinct_moves(&board, position);
    let helper = |number: usize| {
        let mut solver = fresh();
        solver.disturb(number);
        let mut nodes = 0_u64;
        let mut enter = || {
            nodes += 1;
            if nodes.is_multiple_of(STRIDE) {
                helped.fetch_add(STRIDE, Ordering::Relaxed);
                return !stop.is_stopped() && !finished.is_stopped();
            }
            true
        };
        for &(mv, _) in &moves {
            let mut path = vec![mv];
            if outcome(&mut solver, &after(position, mv), &mut path, &mut |_| enter()).is_none() {
                break;
            }
        }
    };
    alongside(threads - 1, helper, || {
        let clock = Clock::start();
        let mut solver = fresh();
        for &proof in known {
            solver.learn(proof);
        }
        let mut moves: Vec<(Move, Option<bool>)> =
            moves.iter().map(|(mv, _)| (*mv, None)).collect();
        let mut decided: Vec<(Move, bool)> = Vec::new();
        let (mut nodes, mut told) = (0_u64, Duration::ZERO);
        let mut say = |at: &[Move], nodes: u64, decided: &[(Move, bool)]| {
            let proofs = proofs.lock().map(|mut proofs| std::mem::take(&mut *proofs));
            on_progress(&SolveProgress {
                at,
                nodes: nodes + helped.load(Ordering::Relaxed),
                time: clock.elapsed(),
                proofs: proofs.unwrap_or_default(),
                moves: decided,
            });
        };
        for (mv, wins) in &mut moves {
            let mut path = vec![*mv];
            let mut enter = |path: &[Move]| {
                nodes += 1;
                if nodes.is_multiple_of(STRIDE) {
                    if clock.elapsed() >= told + WORD {
                        told = clock.elapsed();
                        say(path, nodes, &decided);
                    }
                    return !stop.is_stopped();
                }
                true
            };
            let found = outcome(&mut solver, &after(position, *mv), &mut path, &mut enter);
            let Some(found) = found else { break };
            *wins = Some(!found);
            decided.push((*mv, !found));
            say(&path, nodes, &decided);
            if first_only && !found {
                break;
            }
        }
        finished.stop();
        say(&[], nodes, &decided);
        let side = position.side();
        let winner = match moves.iter().map(|(_, wins)| *wins).max() {
            Some(Some(true)) => Some(side),
            _ if moves.iter().all(|(_, wins)| *wins == Some(false)) => Some(side.other()),
            _ => None,
        };
        Solution { winner, moves, nodes: nodes + helped.load(Ordering::Relaxed) }
    })
}

/// A position's moves, and of those that symmetry makes equal the first.
fn distinct_moves(board: &Geometry, position: &Position) -> Vec<(Move, u64)> {
    let mut moves = position.legal_moves();
    moves.sort_unstable();
    let mut seen = HashMap::new();
    let mut distinct = Vec::new();
    for mv in moves {
        let next = after(position, mv);
        let free = board.region(next.free(Side::First) | next.free(Side::Second));
        // The first move's own place matters to the answer: it is a closed
        // square, which the free ones tell.
        if seen.insert(free, mv).is_none() {
            distinct.push((mv, free));
        }
    }
    distinct
}

fn after(position: &Position, mv: Move) -> Position {
    let mut next = *position;
    // The moves come from the position itself.
    _ = next.play(mv);
    next
}

/// The position as the solver takes it; none when the rules have more to say
/// than free squares tell: before the neighbourly answer, and where a square
/// has no neighbour left yet is still free.
pub(super) fn state(board: &Geometry, position: &Position) -> Option<State> {
    let free = position.free(Side::First) | position.free(Side::Second);
    let bare = position.stones(Side::First) | position.stones(Side::Second) == 0;
    let lonely = super::bits::Bits(free).any(|at| board.near[at] & free == 0);
    if bare || position.is_neighbourly() || lonely {
        return None;
    }
    Some(State::new(free, position.side() == Side::First))
}

/// Whether the side to move wins.
pub(super) fn outcome(
    solver: &mut Solver<'_>,
    position: &Position,
    path: &mut Vec<Move>,
    enter: &mut dyn FnMut(&[Move]) -> bool,
) -> Option<bool> {
    if let Some(state) = state(solver.board(), position) {
        return solver.wins(state, &mut || enter(path));
    }
    for (mv, _) in distinct_moves(solver.board(), position) {
        path.push(mv);
        let replied = outcome(solver, &after(position, mv), path, enter);
        path.pop();
        if !replied? {
            return Some(true);
        }
    }
    Some(false)
}
