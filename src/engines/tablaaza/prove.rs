//! Writing a proof down: the winner's moves.

use std::{collections::HashSet, time::Duration};

use super::{
    super::{StopSignal, timeman::Stopwatch, tt::TableMemory},
    bits::Geometry,
    solve::{Proof, SolveSettings, after, state},
    solver::Solver,
    table::Table,
};
use crate::games::{
    Game, Side,
    tablaaza::{Move, Position},
};

/// Nodes between two looks at the flag.
const STRIDE: u64 = 1024;
/// Time between two words about the progress.
const WORD: Duration = Duration::from_secs(10);

/// The winner's moves in a position that `winner` wins: for every position
/// with more than `floor` free squares that can arise where he plays them, the
/// free squares as the board's bits and the move.
///
/// None when it was stopped, when there would be more than `most` moves, or
/// when `winner` does not win. `on_word` hears now and then how many there are.
///
/// ```
/// use tabulae::engines::{Proof, SolveSettings, StopSignal, prove};
/// use tabulae::games::{AnyPosition, RuleSet, Side};
///
/// let text = "rgrgrgrg/grgrgrgr/rg~gr~rg/gr~rg~gr/rg~gr~rg/grgrgrgr/1grgrg1g r";
/// let AnyPosition::Tablaaza(position) = AnyPosition::parse(RuleSet::Tablaaza, text)? else {
///     unreachable!("those are its rules")
/// };
/// let settings = SolveSettings { memory_mib: 8, threads: 1, told_from: 99, first_only: true };
/// let known: [Proof; 0] = [];
/// let by = |winner| {
///     prove(&position, winner, 0, 100, settings, &known, &StopSignal::default(), &mut |_| ())
/// };
/// // One of them wins, and only that one's moves can be had.
/// assert_ne!(by(Side::First).is_some(), by(Side::Second).is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn prove(
    position: &Position,
    winner: Side,
    floor: u32,
    most: usize,
    settings: SolveSettings,
    known: &[Proof],
    stop: &StopSignal,
    on_word: &mut dyn FnMut(usize),
) -> Option<Vec<(u64, Move)>> {
    let clock = Stopwatch::start();
    let memory = TableMemory::new(settings.memory_mib / 4 * 3, usize::MAX);
    let table = Table::of(memory.first(usize::MAX));
    let board = Geometry::of(position.board());
    let mut solver = Solver::new(board.clone(), table, settings.memory_mib / 4);
    for &proof in known {
        solver.learn(proof);
    }
    let mut nodes = 0_u64;
    let mut enter = || {
        nodes += 1;
        !nodes.is_multiple_of(STRIDE) || !stop.is_stopped()
    };
    let (mut moves, mut seen) = (Vec::new(), HashSet::new());
    let (mut open, mut told) = (vec![*position], Duration::ZERO);
    while let Some(position) = open.pop() {
        let free = position.free(Side::First) | position.free(Side::Second);
        let settled = free.count_ones() <= floor && state(&board, &position).is_some();
        if settled || !seen.insert((free, position.side())) {
            continue;
        }
        if position.side() != winner {
            open.extend(position.legal_moves().into_iter().map(|mv| after(&position, mv)));
            continue;
        }
        let mv = winning_move(&mut solver, &position, &mut enter)?;
        moves.push((free, mv));
        if moves.len() > most || stop.is_stopped() {
            return None;
        }
        open.push(after(&position, mv));
        if clock.elapsed() >= told + WORD {
            told = clock.elapsed();
            on_word(moves.len());
        }
    }
    Some(moves)
}

/// A winning move of the side to move; none when there is none, or when it was
/// stopped.
fn winning_move(
    solver: &mut Solver<'_>,
    position: &Position,
    enter: &mut dyn FnMut() -> bool,
) -> Option<Move> {
    let mut moves = position.legal_moves();
    moves.sort_unstable();
    if let Some(state) = state(solver.board(), position) {
        // Finds it in the order that has proven quick.
        if !solver.wins(state, enter)? {
            return None;
        }
        let at = |mv: &Move| mv.square().rank * 8 + mv.square().file;
        let known = moves.iter().find(|mv| solver.known_after(state, at(mv)) == Some(false));
        if known.is_some() {
            return known.copied();
        }
    }
    for mv in moves {
        if !wins(solver, &after(position, mv), enter)? {
            return Some(mv);
        }
    }
    None
}

/// Whether the side to move wins.
fn wins(
    solver: &mut Solver<'_>,
    position: &Position,
    enter: &mut dyn FnMut() -> bool,
) -> Option<bool> {
    if let Some(state) = state(solver.board(), position) {
        return solver.wins(state, enter);
    }
    for mv in position.legal_moves() {
        if !wins(solver, &after(position, mv), enter)? {
            return Some(true);
        }
    }
    Some(false)
}
