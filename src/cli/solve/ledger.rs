//! `tabulae solve --ledger`: proves the whole game, and writes what the engine may know
//! of it.

use crate::{
    engines::{SolveOptions, with_move_oracle, write_ledger},
    games::{
        Game as _, Side,
        tablaaza::{Move, Position},
    },
};

use super::{
    proof::free_squares,
    verifier::{FreeSquaresGame, Verifier},
};

/// The ledger holds the verified positions with at least this many free squares.
const MIN_SQUARES: u32 = 40;

/// What the verifier confirmed.
#[derive(Debug)]
pub(super) struct ProvenGame {
    /// The first move with which Red wins.
    pub(super) first: Move,
    /// Positions with Green to move that were played through.
    pub(super) verified: usize,
    /// Positions in the ledger.
    pub(super) kept: usize,
    /// The ledger as a file.
    pub(super) ledger: Vec<u8>,
}

/// Finds a first move that wins for Red, and verifies that it does: it plays the solver's
/// moves against every reply. `on_progress` is called with the first move that is
/// searched or verified and the number of positions verified so far.
///
/// # Errors
/// No first move wins, or the verifier found a move of the solver that does not.
pub(super) fn prove_game(
    options: SolveOptions,
    on_progress: &mut dyn FnMut(Move, usize),
) -> Result<ProvenGame, String> {
    let start = Position::start();
    let game = FreeSquaresGame::new(start.board());
    let mut moves = start.legal_moves();
    moves.sort_unstable();
    with_move_oracle(start.board(), options, &[], |oracle| {
        for first in moves {
            on_progress(first, 0);
            // The neighbourly rule binds these replies, and no later move.
            let answered = after(&start, first)?;
            let replies = answered.legal_moves().into_iter().map(|reply| after(&answered, reply));
            let positions = replies.collect::<Result<Vec<_>, _>>()?;
            let is_won = |position| oracle(free_squares(position), Side::First).is_some();
            if !positions.iter().all(is_won) {
                continue;
            }
            let mut count = |verified| on_progress(first, verified);
            let mut verifier = Verifier::new(&game, Side::First, MIN_SQUARES, &mut count);
            for position in &positions {
                verifier.verify(free_squares(position), oracle)?;
            }
            let (verified, kept) = (verifier.verified(), verifier.kept().len());
            let ledger = write_ledger(Side::Second, verifier.kept().iter().copied());
            return Ok(ProvenGame { first, verified, kept, ledger });
        }
        Err("no first move wins for Red".to_owned())
    })
}

/// The position after a move.
fn after(position: &Position, mv: Move) -> Result<Position, String> {
    let mut after = *position;
    after.play(mv).map_err(|illegal| format!("illegal move {mv} in '{position}': {illegal}"))?;
    Ok(after)
}
