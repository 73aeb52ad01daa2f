//! Playing strength.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr};
use thiserror::Error;

use super::SearchLimits;

/// A playing strength, from weakest to strongest. Each game's `Skill` holds the
/// parameters of a level.
///
/// ```
/// use tabulae_engines::{Level, ParseLevelError};
///
/// assert_eq!("expert".parse(), Ok(Level::Expert));
/// assert!(Level::Novice.limits().movetime < Level::Master.limits().movetime);
/// assert_eq!("god".parse::<Level>(), Err(ParseLevelError("god".to_owned())));
/// ```
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Display,
    EnumString,
    IntoStaticStr,
    Serialize,
    Deserialize,
)]
#[serde(rename_all = "kebab-case")]
#[strum(
    serialize_all = "kebab-case",
    parse_err_ty = ParseLevelError,
    parse_err_fn = unknown_level
)]
pub enum Level {
    /// Knows the rules: likes captures, and often overlooks what is about to happen.
    Newcomer,
    /// Overlooks less, but still looks at its own move only.
    Beginner,
    /// Sees captures, but often not the reply.
    Novice,
    /// Sees the reply and evaluates roughly.
    Casual,
    /// Evaluates better.
    Regular,
    /// Plays like a regular club player.
    #[default]
    Club,
    /// Misjudges less than a club player.
    Advanced,
    /// Looks some moves ahead and seldom misjudges.
    Expert,
    /// Looks further ahead than an expert, and misjudges least.
    Candidate,
    /// Full strength.
    Master,
}

impl Level {
    /// All levels, weakest first.
    pub const ALL: [Self; 10] = [
        Self::Newcomer,
        Self::Beginner,
        Self::Novice,
        Self::Casual,
        Self::Regular,
        Self::Club,
        Self::Advanced,
        Self::Expert,
        Self::Candidate,
        Self::Master,
    ];

    /// The step of the ladder, from 1, the weakest, to 10.
    ///
    /// ```
    /// use tabulae_engines::Level;
    ///
    /// assert_eq!((Level::Newcomer.number(), Level::Master.number()), (1, 10));
    /// assert_eq!(Level::from_number(4), Some(Level::Casual));
    /// assert_eq!(Level::from_number(0), None);
    /// ```
    pub const fn number(self) -> u8 {
        self as u8 + 1
    }

    /// The level with this [`number`](Self::number); `None` unless it is 1 to 10.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.number() == number)
    }

    /// The names of all levels, weakest first, separated by commas.
    pub fn names() -> String {
        Self::ALL.map(Self::id).join(", ")
    }

    /// The display name, in English.
    pub fn title(self) -> String {
        format!("{self:?}")
    }

    /// The name in protocols and files, in lower case.
    pub fn id(self) -> &'static str {
        self.into()
    }

    /// The default limits. A weaker level also limits its depth, so it usually answers
    /// long before its time is over.
    pub const fn limits(self) -> SearchLimits {
        let time = match self {
            Self::Newcomer | Self::Beginner | Self::Novice | Self::Casual | Self::Regular => 400,
            Self::Club => 700,
            Self::Advanced => 900,
            Self::Expert => 1200,
            Self::Candidate => 1600,
            Self::Master => 2000,
        };
        SearchLimits {
            movetime: Some(Duration::from_millis(time)),
            depth: None,
            nodes: None,
            solver_nodes: None,
        }
    }
}

/// The text is not the name of a level.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown level '{0}' (one of {names})", names = Level::names())]
pub struct ParseLevelError(pub String);

fn unknown_level(text: &str) -> ParseLevelError {
    ParseLevelError(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_parse_back_to_their_level() {
        for level in Level::ALL {
            assert_eq!(level.to_string().parse(), Ok(level));
        }
        assert!("Grandmaster".parse::<Level>().is_err());
    }

    #[test]
    fn levels_are_numbered_from_the_weakest() {
        for (number, level) in (1..).zip(Level::ALL) {
            assert_eq!((level.number(), Level::from_number(number)), (number, Some(level)));
        }
        assert!(Level::ALL.is_sorted());
        assert_eq!(Level::from_number(11), None);
    }

    #[test]
    fn stronger_levels_take_more_time() {
        for pair in Level::ALL.windows(2) {
            assert!(pair[0].limits().movetime <= pair[1].limits().movetime);
        }
    }
}
