//! How a game is set up, and how it can end.

use std::str::FromStr;

use thiserror::Error;

use crate::{
    engines::Level,
    games::{AnyPosition, End, RuleSet, Side},
};

use super::time_control::TimeControls;

/// Who plays a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Seat {
    /// A person at this screen.
    Person,
    /// An engine of this level.
    Engine(Level),
}

impl Seat {
    /// The player's name in records.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::Person => "Person".to_owned(),
            Self::Engine(level) => format!("Tabulae {}", level.title()),
        }
    }
}

/// The error of parsing a [`Seat`]: the text.
///
/// ```
/// use tabulae::table::{ParseSeatError, Seat};
///
/// assert_eq!("person".parse(), Ok(Seat::Person));
/// assert_eq!("cat".parse::<Seat>(), Err(ParseSeatError("cat".to_owned())));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown player '{0}' (person or one of {names})", names = Level::names())]
pub struct ParseSeatError(pub String);

impl FromStr for Seat {
    type Err = ParseSeatError;

    /// Parses `person` or the name of a level.
    fn from_str(text: &str) -> Result<Self, ParseSeatError> {
        if text == "person" {
            return Ok(Self::Person);
        }
        text.parse().map(Self::Engine).map_err(|_| ParseSeatError(text.to_owned()))
    }
}

/// The settings of a new game. Start from [`Setup::new`] and change fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The rule set.
    pub rules: RuleSet,
    /// The players, by [`Side::index`].
    pub seats: [Seat; 2],
    /// The seed of the throws; `None` draws one from the system's randomness.
    pub seed: Option<u64>,
    /// The first position; `None` is the rules' start.
    pub start: Option<AnyPosition>,
    /// Whether real sticks are thrown and their throws entered.
    pub by_hand: bool,
    /// The time controls; `None` plays without clocks.
    pub clock: Option<TimeControls>,
    /// The side that throws off first in Tablan; `None` draws a lot from the seed.
    pub first: Option<Side>,
    /// How many games the match has; 1 is a single game.
    pub games: usize,
}

impl Setup {
    /// The same with the players in each other's seats, and each with its own clock.
    #[must_use]
    pub const fn swapped(mut self) -> Self {
        self.seats = [self.seats[1], self.seats[0]];
        if let Some(clock) = self.clock {
            self.clock = Some(clock.swapped());
        }
        self
    }

    /// A single game of two persons from the rules' start, with a random seed and without clocks.
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
            games: 1,
        }
    }
}

/// How a game ended: by the rules, by the players or by the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The rules ended it.
    Ended(End),
    /// This side resigned.
    Resigned(Side),
    /// Both sides agreed on a draw.
    Agreed,
    /// This side lost on time.
    TimedOut(Side),
}

impl Outcome {
    /// The winner; `None` for a draw.
    #[must_use]
    pub const fn winner(self) -> Option<Side> {
        match self {
            Self::Ended(end) => end.winner,
            Self::Resigned(side) | Self::TimedOut(side) => Some(side.other()),
            Self::Agreed => None,
        }
    }
}
