//! Proofs of who wins a position of Tablaaza, and their verifier.
//!
//! - `checkpoint`: the positions proven so far, from which a later run continues.
//! - `proof_file`: the winner's moves, which are played against every reply.
//! - `ledger`: proves who wins with each move, and writes what the engine may know of it.
//! - `free_squares`, `game_values`, `verifier`: the game by the rules alone, written
//!   without the engine's code, so that an error in either is found out.

pub(crate) mod checkpoint;
mod free_squares;
mod game_values;
pub(crate) mod ledger;
pub(crate) mod proof_file;
mod verifier;
