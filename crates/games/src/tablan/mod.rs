//! Tablan, a running-fight game of Mysore: twelve pieces a side on four rows of
//! twelve squares, moved by throws of four casting sticks.
//!
//! The rules and their numbers are those of Damian Walker's leaflet; where it is silent,
//! `assets/rules` says what is decided here. Plain and
//! ordered Tablan differ in one value of [`Rules`].
//!
//! A [`Position`] has the pieces, the side on turn and the state of the sticks. A
//! throw and the move that uses it are two plies. A [`Move`] is one piece moving
//! the full score, or a pair moving half of it each. Of a pair the piece further
//! along its course always moves first. That order is legal whenever any is: only
//! the leader can leave the square that its follower lands on, and only the leader
//! can enter the goal row ahead of it.
//!
//! ```
//! use tabulae_games::{Game, Throw, Turn, Side, tablan};
//!
//! let mut position = tablan::Position::start(tablan::PLAIN);
//! assert_eq!(position.to_string(), "NNNNNNNNNNNN/12/12/SSSSSSSSSSSS ?s -");
//!
//! // South throws off with a 1, so it starts, with that throw to use.
//! position.throw(Throw::new(1).unwrap()).unwrap();
//! assert_eq!(position.turn(), Turn::Move(Side::First));
//!
//! let pair = position.parse_move("k1-l1 + l1-l2").unwrap();
//! assert_eq!(pair.to_string(), "l1-l2+k1-l1");
//! position.play(pair).unwrap();
//! assert_eq!(position.to_string(), "NNNNNNNNNNNN/12/11S/SSSSSSSSSS1S s -");
//! ```
//!
//! Architecture invariant: nothing here draws a throw. [`Game::outcomes`] lists
//! the possible ones, and the caller draws: [`throw_of`] names the throw of a random word.
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
pub use moves::{Move, MoverBoard, PieceMove, next_entry};
pub use position::{Position, ThrowResult, ThrowState};
pub use rules::{ORDERED, OUTCOMES, PLAIN, Rules, SCORES, score_weight, throw_of};
