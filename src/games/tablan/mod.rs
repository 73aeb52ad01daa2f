//! Tablan, the running fight of Mysore: twelve pieces a side on four rows of
//! twelve squares, moved by the throw of four casting sticks.
//!
//! The rules are Damian Walker's leaflet's; rule numbers in this module are
//! the leaflet's. Plain and ordered Tablan differ in one value of [`Rules`].
//!
//! [`Position`] is the whole state of a game: the pieces, whose turn it is, and
//! what the sticks are waiting for. A throw and the move it pays for are two
//! plies. A [`Move`] is one piece moving the full score or two moving half
//! each; a pair always plays the piece further along its course first, which
//! is legal whenever any order is: only the leader can leave the square its
//! follower lands on, and only the leader can enter the last row ahead of it.
//!
//! ```
//! use tabulae::games::{Game, Throw, Turn, Side, tablan};
//!
//! let mut position = tablan::Position::start(tablan::PLAIN);
//! assert_eq!(position.to_string(), "NNNNNNNNNNNN/12/12/SSSSSSSSSSSS ?s -");
//!
//! // South throws off with a 1: he starts, and the throw is his first.
//! position.throw(Throw::new(1).unwrap()).unwrap();
//! assert_eq!(position.turn(), Turn::Move(Side::First));
//!
//! let pair = position.parse_move("k1-l1 + l1-l2").unwrap();
//! assert_eq!(pair.to_string(), "l1-l2+k1-l1");
//! position.play(pair).unwrap();
//! assert_eq!(position.to_string(), "NNNNNNNNNNNN/12/11S/SSSSSSSSSS1S s -");
//! ```
//!
//! Architecture invariant: nothing here draws a throw; [`Game::outcomes`]
//! lists them, and somebody else throws.
//!
//! [`Game::outcomes`]: super::Game::outcomes

mod course;
mod legality;
mod moves;
mod notation;
mod position;
mod rules;
#[cfg(test)]
mod tests;

pub use course::{COURSE, GOAL_ROW, START_ROW, course, opposite, path, steps};
pub use moves::{Move, PieceMove};
pub use position::{Position, ThrowResult, ThrowState};
pub use rules::{ORDERED, PLAIN, Rules, SCORES};
