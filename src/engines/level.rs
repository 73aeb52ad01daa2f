//! Playing strength.

use std::{fmt, str::FromStr, time::Duration};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::SearchLimits;

/// A playing strength, from weakest to strongest. Each game's `Skill` holds the
/// parameters of a level.
///
/// ```
/// use tabulae::engines::{Level, ParseLevelError};
///
/// assert_eq!("expert".parse(), Ok(Level::Expert));
/// assert!(Level::Novice.limits().movetime < Level::Master.limits().movetime);
/// assert_eq!("god".parse::<Level>(), Err(ParseLevelError("god".to_owned())));
/// ```
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// Sees captures, but often not the reply.
    Novice,
    /// Sees the reply and evaluates roughly.
    Casual,
    /// Plays like a regular club player.
    #[default]
    Club,
    /// Looks some moves ahead and seldom misjudges.
    Expert,
    /// Full strength.
    Master,
}

impl Level {
    /// All levels, weakest first.
    pub const ALL: [Self; 5] = [Self::Novice, Self::Casual, Self::Club, Self::Expert, Self::Master];

    /// The display name, in English.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Novice => "Novice",
            Self::Casual => "Casual",
            Self::Club => "Club",
            Self::Expert => "Expert",
            Self::Master => "Master",
        }
    }

    /// The name in protocols and files, in lower case.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Novice => "novice",
            Self::Casual => "casual",
            Self::Club => "club",
            Self::Expert => "expert",
            Self::Master => "master",
        }
    }

    /// The default limits. A weaker level also limits its depth, so it usually answers
    /// long before its time is over.
    #[must_use]
    pub const fn limits(self) -> SearchLimits {
        let time = match self {
            Self::Novice | Self::Casual => 400,
            Self::Club => 700,
            Self::Expert => 1200,
            Self::Master => 2000,
        };
        SearchLimits { movetime: Some(Duration::from_millis(time)), depth: None, nodes: None }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

/// The text is not the name of a level.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown level '{0}' (one of novice, casual, club, expert, master)")]
pub struct ParseLevelError(pub String);

impl FromStr for Level {
    type Err = ParseLevelError;

    fn from_str(text: &str) -> Result<Self, ParseLevelError> {
        Self::ALL
            .into_iter()
            .find(|level| level.id() == text)
            .ok_or_else(|| ParseLevelError(text.to_owned()))
    }
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
    fn stronger_levels_take_more_time() {
        for pair in Level::ALL.windows(2) {
            assert!(pair[0].limits().movetime <= pair[1].limits().movetime);
        }
    }
}
