//! Tablaaza: lakes, corridors and pavilions (Andrew Perkis, 2005).
//!
//! Red and Green play stones in turn, each on squares of their own colour. When a
//! player's squares in the corridors of a free square of the opponent's colour are
//! all taken, that player raises a pavilion on it. The side that cannot play loses.
//!
//! [`Board`] is the geometry, drawn as text and parsed at compile time;
//! [`Position`] has the stones and pavilions; [`Move`] is a stone on a square.
//! [`Side::First`](super::Side::First) is Red.
//!
//! ```
//! use tabulae_games::{Game, GameHistory, Ply, tablaaza};
//!
//! let mut game = GameHistory::new(tablaaza::Position::start());
//! assert_eq!(game.legal_moves().len(), 25);
//! let first = game.parse("c7").unwrap();
//! game.push(first).unwrap();
//! // Green's first stone must be a neighbour of Red's.
//! assert!(matches!(game.parse("b7"), Ok(Ply::Move(_))));
//! assert!(game.position().parse_move("h1").is_err());
//! assert_eq!(game.position().to_string(), "2r5/8/2~2~2/2~2~2/2~2~2/8/8 g");
//! ```

mod board;
mod position;
mod rules;
mod text;

use std::fmt;

pub use board::{Board, LAKES};
pub use position::{Cell, Position};

use super::Square;

/// A stone played on a square. The pavilions that it raises follow from the
/// position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Move(Square);

impl Move {
    /// The move to `square`, legal or not.
    pub const fn new(square: Square) -> Self {
        Self(square)
    }

    /// The square of the stone.
    pub const fn square(self) -> Square {
        self.0
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
