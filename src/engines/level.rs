//! How well the computer plays.

use std::{fmt, str::FromStr, time::Duration};

use thiserror::Error;

use super::Limits;

/// A strength, from weakest to strongest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Sees captures, often not the answer to them.
    Novice,
    /// Looks at the answer, judges roughly.
    Casual,
    /// A regular's play.
    #[default]
    Club,
    /// Judges as well as it can, within a bounded depth.
    Expert,
    /// All it has.
    Master,
}

/// What a level lacks. Each engine counts the depth in its own plies;
/// Tablaaza's has a table of its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Skill {
    /// Plies it looks ahead at most; none for no bound.
    pub(super) depth: Option<u32>,
    /// How often of 100 moves it looks one ply less: an oversight.
    pub(super) oversights: u32,
    /// How far its judgement of a move may be off, in hundredths of a piece
    /// either way; 0 for exact.
    pub(super) doubt: i32,
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

    pub(super) const fn skill(self) -> Skill {
        match self {
            Self::Novice => Skill { depth: Some(2), oversights: 20, doubt: 30 },
            Self::Casual => Skill { depth: Some(2), oversights: 5, doubt: 15 },
            Self::Club => Skill { depth: Some(4), oversights: 0, doubt: 5 },
            Self::Expert => Skill { depth: Some(6), oversights: 0, doubt: 0 },
            Self::Master => Skill { depth: None, oversights: 0, doubt: 0 },
        }
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
    fn stronger_levels_see_more_and_doubt_less() {
        for pair in Level::ALL.windows(2) {
            let (weak, strong) = (pair[0].skill(), pair[1].skill());
            assert!(weak.depth.unwrap_or(u32::MAX) <= strong.depth.unwrap_or(u32::MAX));
            assert!(weak.oversights >= strong.oversights && weak.doubt >= strong.doubt);
            assert!(pair[0].limits().movetime <= pair[1].limits().movetime);
        }
    }
}
