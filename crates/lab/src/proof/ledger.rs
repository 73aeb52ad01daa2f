//! `tabulae-lab prove --ledger`: proves who wins with each move, and writes what the engine
//! may know of it.

use std::cell::Cell;

use tabulae_command_line::CommandError;
use tabulae_engines::{
    Ledger, MoveOracle, MoveOutcome, SolveOptions, with_move_oracle, write_ledger,
};
use tabulae_games::{
    Game as _, Side,
    tablaaza::{LAKES, Move, Position},
};

use super::{
    free_squares::FreeSquaresGame,
    proof_file::{free_squares, is_neighbourly_phase},
    verifier::Verifier,
};

/// The ledger holds the verified positions with at least this many free squares, if
/// `--keep` says nothing else.
pub(crate) const MIN_LEDGER_SQUARES: u32 = 40;

/// What is proven so far.
#[derive(Debug)]
pub(crate) struct ProvenMoves {
    /// Moves that the verifier has confirmed; one that loses has the reply to which it does.
    pub(crate) moves: Vec<MoveOutcome>,
    /// Positions that were played through, with the loser to move.
    pub(crate) verified: usize,
    /// Positions in the ledger.
    pub(crate) kept: usize,
    /// The ledger as a file.
    pub(crate) ledger: Vec<u8>,
}

/// Finds out of each move whether it wins, and verifies it: plays the solver's moves
/// against every reply. The ledger holds the positions with at least `min_kept` free squares.
/// `known` are the positions of an earlier ledger, with Green to move; they are trusted.
/// Of the options the memory counts, and whether to stop at the first winning move.
///
/// `on_progress` is called with the move that is searched and verified and the number of
/// positions verified so far, `on_proven` after each move.
///
/// # Errors
/// The board is another, a free square has no free neighbour, the verifier found a move of
/// the solver that does not win, or the error of `on_proven`.
pub(crate) fn prove_moves(
    position: &Position,
    moves: &[Move],
    options: SolveOptions,
    min_kept: u32,
    known: &[u64],
    on_progress: &dyn Fn(Move, usize),
    on_proven: &mut dyn FnMut(&ProvenMoves) -> Result<(), CommandError>,
) -> Result<ProvenMoves, CommandError> {
    if *position.board() != LAKES {
        let reason = "the ledger is of another board";
        return Err(cannot_prove(position, reason));
    }
    let game = FreeSquaresGame::new(&LAKES);
    if game.has_isolated(free_squares(position)) {
        return Err(cannot_prove(position, "a free square has no free neighbour"));
    }
    let known_to_solver = Ledger::new(Side::Second, known).proofs();
    with_move_oracle(&LAKES, options, &known_to_solver, |oracle| {
        let current = Cell::new(None);
        let mut count = |verified| {
            if let Some(mv) = current.get() {
                on_progress(mv, verified);
            }
        };
        let mut verifier = Verifier::new(&game, min_kept, &mut count);
        known.iter().for_each(|&free| verifier.add_lost(free));
        let mut proven = ProvenMoves::new(Vec::new(), &verifier);
        let mut moves = moves.to_vec();
        if options.first_win_only && !is_neighbourly_phase(position) {
            // First the one that wins by the solver.
            let named = oracle(free_squares(position), position.side());
            moves.sort_by_key(|mv| named != Some(square_index(*mv)));
        }
        for mv in moves {
            current.set(Some(mv));
            on_progress(mv, proven.verified);
            let outcome =
                prove_move(position, mv, oracle, &mut verifier).map_err(CommandError::Failed)?;
            let wins = outcome.wins == Some(true);
            proven.moves.push(outcome);
            proven = ProvenMoves::new(proven.moves, &verifier);
            on_proven(&proven)?;
            if options.first_win_only && wins {
                break;
            }
        }
        Ok(proven)
    })
}

impl ProvenMoves {
    fn new(moves: Vec<MoveOutcome>, verifier: &Verifier<'_>) -> Self {
        let (verified, kept) = (verifier.verified(), verifier.kept.len());
        let ledger = write_ledger(Side::Second, verifier.kept.iter().copied());
        Self { moves, verified, kept, ledger }
    }
}

fn cannot_prove(position: &Position, reason: &str) -> CommandError {
    CommandError::Failed(format!("cannot prove '{position}': {reason}"))
}

/// Whether a move wins; if not, with the reply to which it loses.
fn prove_move(
    position: &Position,
    mv: Move,
    oracle: &mut MoveOracle<'_>,
    verifier: &mut Verifier<'_>,
) -> Result<MoveOutcome, String> {
    let answered = after(position, mv)?;
    let (replier, mut replies) = (answered.side(), answered.legal_moves());
    replies.sort_unstable();
    // The neighbourly rule binds these replies, and no later move.
    let replies =
        replies.into_iter().map(|reply| Ok((reply, free_squares(&after(&answered, reply)?))));
    let mut replies = replies.collect::<Result<Vec<_>, String>>()?;
    // A reply that makes the position its own mirror image takes no search.
    let mirrors = Ledger::new(Side::First, &[]);
    let is_mirror =
        |reply: Move| after(&answered, reply).is_ok_and(|position| mirrors.is_loss(&position));
    replies.sort_by_key(|&(reply, _)| !is_mirror(reply));
    for &(reply, free) in &replies {
        if oracle(free, replier.other()).is_none() {
            verifier.verify_loss(free, replier, oracle)?;
            let reply = MoveOutcome { mv: reply, wins: Some(true), replies: Vec::new() };
            return Ok(MoveOutcome { mv, wins: Some(false), replies: vec![reply] });
        }
    }
    for (_, free) in replies {
        verifier.verify_win(free, replier.other(), oracle)?;
    }
    Ok(MoveOutcome { mv, wins: Some(true), replies: Vec::new() })
}

/// The move's square, as the bit of a bitboard.
fn square_index(mv: Move) -> u32 {
    let square = mv.square();
    u32::from(8 * square.rank + square.file)
}

/// The position after a move.
fn after(position: &Position, mv: Move) -> Result<Position, String> {
    let mut after = *position;
    after.play(mv).map_err(|illegal| format!("illegal move {mv} in '{position}': {illegal}"))?;
    Ok(after)
}
