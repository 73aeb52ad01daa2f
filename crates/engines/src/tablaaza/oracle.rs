//! Names winning moves, for proofs that do not trust the solver.

use super::{
    graph::BoardGraph,
    solve::{SolveOptions, SolverMemory},
    solver::{ProvenPosition, Solver},
    state::SolverState,
};
use tabulae_games::{Side, tablaaza::Board};

/// Names the square of a winning move in a position, given by its free squares, as the
/// board's bits, and the side to move; none if no move wins.
pub type MoveOracle<'a> = dyn FnMut(u64, Side) -> Option<u32> + 'a;

/// Calls `body` with an oracle that solves the positions it is asked about. It keeps what
/// it proves for the next question. The neighbourly rule must no longer bind, and each free
/// square must share a corridor with a free one of the other colour, as in all positions
/// that arise. `known` are proofs of earlier runs; of the options the memory counts.
///
/// ```
/// use tabulae_engines::{MoveOracle, ProvenPosition, SolveOptions, with_move_oracle};
/// use tabulae_games::{Side, tablaaza::LAKES};
///
/// let options = SolveOptions {
///     memory_mib: 8,
///     threads: 1,
///     min_proof_squares: 99,
///     first_win_only: true,
/// };
/// // No square is free: the side to move has lost.
/// let known = [ProvenPosition { free: 0, wins: false }];
/// // a1 and b1 are free. Whoever is to move closes both.
/// let answers = with_move_oracle(&LAKES, options, &known, |oracle: &mut MoveOracle<'_>| {
///     [oracle(0b11, Side::First), oracle(0b11, Side::Second)]
/// });
/// assert_eq!(answers, [Some(0), Some(1)]);
/// ```
pub fn with_move_oracle<R>(
    board: &Board,
    options: SolveOptions,
    known: &[ProvenPosition],
    body: impl FnOnce(&mut MoveOracle<'_>) -> R,
) -> R {
    let memory = SolverMemory::new(options.memory_mib);
    let mut solver = Solver::new(BoardGraph::new(board), memory.table(), memory.values_mib);
    for &proof in known {
        solver.add_proof(proof);
    }
    body(&mut |free, side| {
        let state = SolverState::new(free, side == Side::First);
        solver.winning_move(state, &mut || true)?.map(u32::from)
    })
}
