//! The rules of the three games, as pure values.
//!
//! A [`Game`] is a position: only the rules make one, and [`Game::play`] either
//! applies a legal move or leaves the position unchanged. A [`GameHistory`] is a
//! game so far: a start position and the plies played from it, with the ends that
//! depend on earlier positions (repetition). [`AnyPosition`] and [`AnyMove`] are
//! closed enums over the three games.
//!
//! ```
//! use tabulae_games::{AnyPosition, Game, GameHistory, RuleSet, Side, Turn};
//!
//! for rules in RuleSet::ALL {
//!     let game = GameHistory::new(AnyPosition::start(rules));
//!     match game.turn() {
//!         Turn::Move(side) => assert_eq!(side, Side::First),
//!         // Tablan begins with the sticks.
//!         Turn::Throw(_) => assert!(rules.has_sticks()),
//!         Turn::Over(_) => unreachable!(),
//!     }
//!     let text = game.position().to_string();
//!     assert_eq!(AnyPosition::parse(rules, &text).as_ref(), Ok(game.position()));
//! }
//! ```
//!
//! With the feature `serde`, moves, plies, positions and games can be sent. A position is
//! sent as its text, a game as its start and its plies; what is received is checked by the
//! rules.
//!
//! Architecture invariant: nothing here reads a clock, draws a random number or
//! touches a file. Chance is a player: [`Game::outcomes`] lists the possible throws
//! with their weights, and the caller draws one.

mod any;
mod error;
mod event;
mod history;
mod perft;
mod reason;
pub mod reasons;
mod rule_set;
#[cfg(feature = "serde")]
mod serde_forms;
mod side;
mod square;
pub mod tablaaza;
pub mod tablan;
pub mod tablut;

use std::{fmt, hash::Hash};

pub use any::{AnyMove, AnyPosition, AnyRules, MoveNumbering};
pub use error::{Illegal, PositionError};
pub use event::{Announcement, End, EndReason, Event};
pub use history::{GameHistory, Ply, Repetition};
pub use perft::{divide, perft};
pub use reason::{Reason, ReasonText, ReasonValue, excerpt};
pub use rule_set::{GameKind, ParseRuleSetError, RuleSet};
pub use side::{Side, Throw, Turn};
pub use square::{ParseSquareError, Square, write_rank, write_ranks};

/// A position of one game and its legal plies.
///
/// `Eq` and `Hash` mean the same position under the game's own repetition rule: the
/// same pieces and side to move (and, in Tablan, state of the sticks). `Display`
/// writes the position's text; the inherent `parse` of each position type parses
/// it back equal.
pub trait Game: Clone + Eq + Hash + fmt::Debug + fmt::Display + Send + Sync + 'static {
    /// A move that is legal in some position. `Display` is its canonical text
    /// (Tablut `e4-f4`, Tablan `a1xc1` or `l1-l2+k1-l1`, Tablaaza `c7`).
    type Move: Copy + Eq + Ord + Hash + fmt::Debug + fmt::Display + Send + Sync + 'static;

    /// The side on turn; once the game is over, the side that would be.
    fn side(&self) -> Side;

    /// What is due next, by the position alone. Only [`GameHistory`] knows of
    /// repetition.
    fn turn(&self) -> Turn;

    /// Calls `visit` with each legal move, in unspecified order, and allocates nothing;
    /// never unless [`Turn::Move`].
    fn for_each_legal_move(&self, visit: impl FnMut(Self::Move));

    /// All legal moves, in the order of [`Self::for_each_legal_move`].
    fn legal_moves(&self) -> Vec<Self::Move> {
        let mut moves = Vec::with_capacity(96);
        self.for_each_legal_move(|mv| moves.push(mv));
        moves
    }

    /// The number of legal moves.
    fn legal_move_count(&self) -> usize {
        let mut count = 0;
        self.for_each_legal_move(|_| count += 1);
        count
    }

    /// The possible throws with integer weights; empty unless [`Turn::Throw`].
    fn outcomes(&self) -> &'static [(Throw, u32)];

    /// Plays a legal move and returns its events in order.
    ///
    /// # Errors
    /// The move is not legal here; the position is unchanged.
    fn play(&mut self, mv: Self::Move) -> Result<Vec<Event>, Illegal>;

    /// Plays a move that is known to be legal, without events: for searches and counts,
    /// which have the move from [`Self::for_each_legal_move`]. Another move gives a
    /// meaningless position, or none.
    fn play_unchecked(&mut self, mv: Self::Move);

    /// Applies a throw. A null score passes the sticks, and a score without a legal use
    /// is lost, both within this ply.
    ///
    /// # Errors
    /// No throw is due here; the position is unchanged.
    fn throw(&mut self, throw: Throw) -> Result<Vec<Event>, Illegal>;

    /// Parses a move, with or without its captures; captures in the text must be right.
    ///
    /// # Errors
    /// The text is not a move, or the move is not legal here.
    fn parse_move(&self, text: &str) -> Result<Self::Move, Illegal>;

    /// The notation of a move in records, with what it captures or raises
    /// (`e4-f4xf5`, `c7^c6^d7`). The move should be legal here.
    fn notation(&self, mv: Self::Move) -> String {
        mv.to_string()
    }

    /// The repetition rule.
    fn repetition(&self) -> Repetition;

    /// A 64-bit hash key; equal positions have equal keys.
    fn key(&self) -> u64;

    /// The number of sequences of `depth` legal moves; see [`perft()`].
    fn perft(&self, depth: u32) -> u64 {
        perft::count(self, depth)
    }
}

/// The increment of a SplitMix64 generator.
pub const GOLDEN_GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// The finalizer of SplitMix64 (Steele, Lea and Flood 2014): spreads every bit of
/// a word over all 64, without collisions.
pub const fn splitmix64(word: u64) -> u64 {
    let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
