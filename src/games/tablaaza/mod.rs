//! Tablaaza: lakes, corridors and pavilions (Andrew Perkis, 2005).
//!
//! Red and Green set stones in turn, each on squares of their own colour.
//! Where a player has closed every one of his squares in the corridors of a
//! free square of the opponent's colour, a pavilion rises on it. Whoever cannot
//! play has lost.
//!
//! [`Board`] is the geometry, drawn as text and read at compile time;
//! [`Position`] is what stands on it; [`Move`] is a stone on a square.
//! [`Side::First`](super::Side::First) is Red.
//!
//! ```
//! use tabulae::games::{Game, GameHistory, Ply, tablaaza};
//!
//! let mut line = GameHistory::new(tablaaza::Position::start());
//! assert_eq!(line.legal_moves().len(), 25);
//! let first = line.parse("c7").unwrap();
//! line.push(first).unwrap();
//! // Green's first stone keeps near Red's.
//! assert!(matches!(line.parse("b7"), Ok(Ply::Move(_))));
//! assert!(line.position().parse_move("h1").is_err());
//! assert_eq!(line.position().to_string(), "2r5/8/2~2~2/2~2~2/2~2~2/8/8 g");
//! ```

mod board;
mod position;
mod text;

use std::fmt;

pub use board::{Board, LAKES};
pub use position::{Cell, Position};

use super::Square;

/// A stone played on a square. The pavilions it raises follow from the
/// position, so they are no part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(Square);

impl Move {
    /// A stone on `square`; whether it is legal is the position's word.
    #[must_use]
    pub const fn new(square: Square) -> Self {
        Self(square)
    }

    /// Where the stone goes.
    #[must_use]
    pub const fn square(self) -> Square {
        self.0
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
