//! The rules of the three games, as pure values.
//!
//! A [`Game`] is a position: only rules make one, and [`Game::play`] either
//! applies a legal move or leaves the position as it was. A [`GameHistory`] is a game
//! so far: a start, the plies played from it, and the ends that need a memory
//! (repetition). [`AnyPosition`] and [`AnyMove`] are the closed enums that meet
//! the three games where a layer must hold any of them.
//!
//! ```
//! use tabulae::games::{AnyPosition, Game, GameHistory, RuleSet, Side, Turn};
//!
//! for rules in RuleSet::ALL {
//!     let line = GameHistory::new(AnyPosition::start(rules));
//!     match line.turn() {
//!         Turn::Move(side) => assert_eq!(side, Side::First),
//!         // Tablan begins with the sticks.
//!         Turn::Throw(_) => assert!(rules.has_sticks()),
//!         Turn::Over(_) => unreachable!(),
//!     }
//!     let text = line.position().to_string();
//!     assert_eq!(AnyPosition::parse(rules, &text).as_ref(), Ok(line.position()));
//! }
//! ```
//!
//! Architecture invariant: nothing here reads a clock, draws a random number
//! or touches a file. Chance is an actor: [`Game::outcomes`] lists what may be
//! thrown, with weights; somebody else draws.

mod any;
mod error;
mod event;
mod history;
mod perft;
mod rule_set;
mod side;
mod square;
pub mod tablaaza;
pub mod tablan;
pub mod tablut;

use std::{fmt, hash::Hash};

pub use any::{AnyMove, AnyPosition};
pub use error::{Illegal, PositionError};
pub use event::{Announcement, End, EndReason, Event};
pub use history::{GameHistory, Ply, Repetition};
pub use perft::{divide, perft};
pub use rule_set::{GameKind, ParseRuleSetError, RuleSet};
pub use side::{Side, Throw, Turn};
pub use square::{ParseSquareError, Square};

/// A position of one game, and what may be done in it.
///
/// `Eq` and `Hash` mean "the same position" under the game's own repetition
/// rule: pieces and the side to move (and, in Tablan, the state of the throw).
/// `Display` is the position's text; the inherent `parse` of each position
/// reads it back equal.
pub trait Game: Clone + Eq + Hash + fmt::Debug + fmt::Display + Send + Sync + 'static {
    /// A move that is legal in some position. `Display` is its canonical text
    /// (Tablut `e4-f4`, Tablan `a1xc1` or `l1-l2+k1-l1`, Tablaaza `c7`).
    type Move: Copy + Eq + Ord + Hash + fmt::Debug + fmt::Display + Send + Sync + 'static;

    /// The side whose turn it is; at the end, the side that would be on turn.
    fn side(&self) -> Side;

    /// Who acts next, by the position alone (repetition is the [`GameHistory`]'s).
    fn turn(&self) -> Turn;

    /// All legal moves, in no promised order; empty unless [`Turn::Move`].
    fn legal_moves(&self) -> Vec<Self::Move>;

    /// What may be thrown, with integer weights; empty unless [`Turn::Throw`].
    fn outcomes(&self) -> &'static [(Throw, u32)];

    /// Plays a legal move and says what happened, in order.
    ///
    /// # Errors
    /// The move is not legal here; the position is unchanged.
    fn play(&mut self, mv: Self::Move) -> Result<Vec<Event>, Illegal>;

    /// Applies a throw. A null score passes the sticks and a score nobody can
    /// use is lost, both within this one ply.
    ///
    /// # Errors
    /// No throw is due here; the position is unchanged.
    fn throw(&mut self, throw: Throw) -> Result<Vec<Event>, Illegal>;

    /// Reads a move, with or without its capture part; a capture part that is
    /// there must be right.
    ///
    /// # Errors
    /// The text is no move, or no legal one here; the reason says which.
    fn parse_move(&self, text: &str) -> Result<Self::Move, Illegal>;

    /// The move as records write it: with what it captures or raises
    /// (`e4-f4xf5`, `c7^c6^d7`). `mv` should be legal here.
    fn notation(&self, mv: Self::Move) -> String {
        mv.to_string()
    }

    /// How this game treats a position that comes back.
    fn repetition(&self) -> Repetition;

    /// A 64-bit key: equal positions have equal keys.
    fn key(&self) -> u64;
}
