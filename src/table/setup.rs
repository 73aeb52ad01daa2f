//! What a game at a table begins with, and how it can end.

use std::str::FromStr;

use thiserror::Error;

use crate::{
    engines::Level,
    games::{AnyPosition, End, RuleSet, Side},
};

use super::clock::TimeControl;

/// Who plays a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Seat {
    /// A person at this screen.
    Person,
    /// An engine of this level.
    Engine(Level),
}

impl Seat {
    /// What the seat is called in records.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::Person => "Person".to_owned(),
            Self::Engine(level) => format!("Tabulae {}", level.title()),
        }
    }
}

/// A text that names no seat.
///
/// ```
/// use tabulae::table::{ParseSeatError, Seat};
///
/// assert_eq!("person".parse(), Ok(Seat::Person));
/// assert_eq!("cat".parse::<Seat>(), Err(ParseSeatError("cat".to_owned())));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown player '{0}' (person, novice, casual, club, expert or master)")]
pub struct ParseSeatError(pub String);

impl FromStr for Seat {
    type Err = ParseSeatError;

    /// Reads `person` or a level's name.
    fn from_str(text: &str) -> Result<Self, ParseSeatError> {
        if text == "person" {
            return Ok(Self::Person);
        }
        text.parse().map(Self::Engine).map_err(|_| ParseSeatError(text.to_owned()))
    }
}

/// What a game begins with: [`Setup::new`], and what is to be otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The rules.
    pub rules: RuleSet,
    /// Who plays which side, by [`Side::index`].
    pub seats: [Seat; 2],
    /// The sticks' seed; none takes one from the system's randomness.
    pub seed: Option<u64>,
    /// Where to begin; none is the rules' own start, and in Tablan the lot,
    /// drawn from the seed, says who throws off first.
    pub start: Option<AnyPosition>,
    /// Whether the sticks are thrown by hand, off the screen, and the table is
    /// told what they show.
    pub by_hand: bool,
    /// How much time the players have; none plays without clocks.
    pub clock: Option<TimeControl>,
    /// Who throws off first in Tablan; none leaves it to the lot.
    pub first: Option<Side>,
}

impl Setup {
    /// Two persons from the rules' own start, as much by lot as the rules
    /// leave to it, without clocks.
    #[must_use]
    pub const fn new(rules: RuleSet) -> Self {
        Self {
            rules,
            seats: [Seat::Person; 2],
            seed: None,
            start: None,
            by_hand: false,
            clock: None,
            first: None,
        }
    }
}

/// How a game at a table ended: by the rules, by a person's word, or by the
/// clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The rules ended it.
    Ended(End),
    /// This side gave up.
    Resigned(Side),
    /// Both sides agreed on a draw.
    Agreed,
    /// This side used up its time.
    TimedOut(Side),
}

impl Outcome {
    /// The winner; none for a draw.
    #[must_use]
    pub const fn winner(self) -> Option<Side> {
        match self {
            Self::Ended(end) => end.winner,
            Self::Resigned(side) | Self::TimedOut(side) => Some(side.other()),
            Self::Agreed => None,
        }
    }
}
