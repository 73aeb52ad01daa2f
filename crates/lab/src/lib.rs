//! Research on the three games: training, proofs, and the mining of puzzles and books.
//!
//! The program `tabulae-lab` makes what Tabulae ships in `assets`: networks, the ledger of
//! positions proven in Tablaaza, puzzles and opening books. Players need none of it, so it
//! is not installed with the game.
//!
//! - [`puzzles`]: a [`Miner`](puzzles::Miner) finds positions with one best move, and
//!   [`verify`](puzzles::verify) checks them.
//! - [`BookBuilder`]: counts games for an opening book.
//! - [`play_corpus_game`]: games of self-play with the engine's values.
//! - `proof`: proofs of who wins a position of Tablaaza, and their verifier.
//! - [`commands`]: the program.
//!
//! ```
//! use tabulae_engines::EngineState;
//! use tabulae_games::RuleSet;
//! use tabulae_lab::puzzles::{Effort, MinePlan, Miner, verify};
//!
//! let mut miner = Miner::new(MinePlan { rules: RuleSet::Tablaaza, seed: 1, count: 1, nodes: 500 });
//! while !miner.is_full() {
//!     miner.play_game();
//! }
//! let puzzle = &miner.puzzles()[0];
//! assert_eq!(verify(&EngineState::new(), puzzle, Effort::checking(10_000)), Ok(()));
//! ```
//!
//! Training needs the engines' own boards and weights, and stands beside them
//! ([`tabulae_engines::train_tablut`], [`tabulae_engines::tablan::Training`]).

mod book_builder;
pub mod commands;
mod corpus;
mod proof;
pub mod puzzles;
mod self_play;

pub use book_builder::{BookBuilder, BookPlan};
pub use corpus::{CorpusGame, CorpusPlan, play_corpus_game};
