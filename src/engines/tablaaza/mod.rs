//! Thinking about Tablaaza.
//!
//! Only closed or free matters, so a position is one mask. With many squares
//! free an alpha-beta (`search`, `root`) looks ahead and judges (`node`); with fewer the
//! exact solver says who wins (`solver`, over `regions` and their `values`),
//! and in the last moves the alpha-beta sees the end of every line, to the ply.
//! `thought` puts them together, `skill` says what the levels lack of it, and
//! `solve` works on one question for as long as it takes.

mod bits;
mod node;
mod prove;
mod regions;
mod root;
mod search;
mod skill;
mod solve;
mod solver;
mod table;
mod thought;
mod tree;
mod values;

pub use prove::prove;
pub use solve::{MoveOutcome, ProvenPosition, Solution, SolveOptions, SolveProgress, solve};
pub(super) use thought::think;
