//! The engine for Tablaaza.
//!
//! Only free and closed squares matter, so a position is one bitboard. With many
//! squares free, an alpha-beta search (`search`, over `node`) with a static
//! evaluation chooses the move. With fewer, the exact solver decides who wins
//! (`solver` with its move `ordering` and `proof_table`, over the board's `graph`
//! with its `symmetry`, its `regions` and their combinatorial `values`). In the last
//! moves the alpha-beta search reaches the end of every line. `engine` combines them,
//! and `skill` holds the limits of each level.
//! `solve` serves `tabulae solve`: it solves one position for as long as it takes. `oracle`
//! names the moves that `tabulae-lab prove` plays and verifies. `ledger` holds what was proven
//! so of the game from the empty board.

mod bits;
mod engine;
mod graph;
mod ledger;
mod node;
mod oracle;
mod ordering;
mod proof_table;
mod regions;
mod search;
mod skill;
mod solve;
mod solver;
mod solver_cache;
mod state;
mod symmetry;
mod values;

pub(super) use engine::search_position;
pub use ledger::{Ledger, LedgerError, read_ledger, write_ledger};
pub use oracle::{MoveOracle, with_move_oracle};
pub use solve::{MoveOutcome, Solution, SolveOptions, SolveProgress, solve};
pub use solver::ProvenPosition;
pub(super) use solver_cache::SolverCache;

use std::sync::LazyLock;

use graph::BoardGraph;

use tabulae_games::tablaaza::LAKES;

/// A code of free squares, the same for all sets that the symmetries of the corridors
/// make equal.
///
/// ```
/// use tabulae_engines::tablaaza_symmetry_code as symmetry_code;
///
/// // As many squares are free in the code.
/// assert_eq!(symmetry_code(0b1011).count_ones(), 3);
/// ```
pub fn symmetry_code(free: u64) -> u64 {
    static GRAPH: LazyLock<BoardGraph> = LazyLock::new(|| BoardGraph::new(&LAKES));
    GRAPH.code(free)
}
