//! How well the computer plays.

use std::{fmt, str::FromStr, time::Duration};

use thiserror::Error;

use super::Limits;

/// A strength, from weakest to strongest. What a level sees of a game is that
/// game's own affair.
///
/// ```
/// use tabulae::engines::{Level, ParseLevelError};
///
/// assert_eq!("expert".parse(), Ok(Level::Expert));
/// assert!(Level::Novice.limits().movetime < Level::Master.limits().movetime);
/// assert_eq!("god".parse::<Level>(), Err(ParseLevelError("god".to_owned())));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Sees captures, often not the answer to them.
    Novice,
    /// Looks at the answer, judges roughly.
    Casual,
    /// A regular's play.
    #[default]
    Club,
    /// Looks some moves ahead and seldom misjudges.
    Expert,
    /// All it has.
    Master,
}

impl Level {
    /// All of them, weakest first.
    pub const ALL: [Self; 5] = [Self::Novice, Self::Casual, Self::Club, Self::Expert, Self::Master];

    /// The name people read.
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

    /// The name other programs use, in lower case.
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

    /// What the level plays with when nothing else is asked. How far it looks
    /// ahead is the level's own affair, whatever the limits: the weaker ones
    /// answer long before their time is over.
    #[must_use]
    pub const fn limits(self) -> Limits {
        let time = match self {
            Self::Novice | Self::Casual => 400,
            Self::Club => 700,
            Self::Expert => 1200,
            Self::Master => 2000,
        };
        Limits { movetime: Some(Duration::from_millis(time)), depth: None, nodes: None }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

/// A text that names no level.
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
    fn names_read_back() {
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
