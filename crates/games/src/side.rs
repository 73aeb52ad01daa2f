//! Sides, turns and throws.

use std::fmt;

use super::End;

/// One of the two sides, in the order of their first moves.
///
/// The first side is Black in `tablut/berkeley` and `tablut/saami`, White in the other Tabluts, South
/// in Tablan and Red in Tablaaza; see [`super::RuleSet::side_name`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Side {
    /// The side that moves first, `p1` in UGI.
    First,
    /// The side that moves second, `p2` in UGI.
    Second,
}

impl Side {
    /// Both sides, in order.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// 0 for first, 1 for second.
    pub const fn index(self) -> usize {
        match self {
            Self::First => 0,
            Self::Second => 1,
        }
    }
}

/// What is due next, and from which side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// This side is to move.
    Move(Side),
    /// This side is to throw the sticks.
    Throw(Side),
    /// Nothing: the game is over.
    Over(End),
}

impl Turn {
    /// The end, if the game is over.
    pub const fn end(self) -> Option<End> {
        match self {
            Self::Over(end) => Some(end),
            Self::Move(_) | Self::Throw(_) => None,
        }
    }

    /// The side to move or to throw; `None` once the game is over.
    pub const fn side(self) -> Option<Side> {
        match self {
            Self::Move(side) | Self::Throw(side) => Some(side),
            Self::Over(_) => None,
        }
    }
}

/// A throw of the four casting sticks: the number of plain sides up, 0 to 4.
///
/// ```
/// use tabulae_games::Throw;
///
/// assert_eq!(Throw::ALL.map(Throw::score), [12, 2, 0, 0, 8]);
/// assert_eq!(Throw::parse("t4").map(Throw::plain), Some(4));
/// assert_eq!(Throw::parse("t5"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "u8", into = "u8"))]
pub struct Throw(u8);

impl Throw {
    /// All five throws, by plain sides up.
    pub const ALL: [Self; 5] = [Self(0), Self(1), Self(2), Self(3), Self(4)];

    /// The throw with `plain` plain sides up; `None` above 4.
    pub const fn new(plain: u8) -> Option<Self> {
        if plain <= 4 { Some(Self(plain)) } else { None }
    }

    /// Plain sides up, 0 to 4.
    pub const fn plain(self) -> u8 {
        self.0
    }

    /// The score in squares: 12, 2, 0, 0, 8 for 0 to 4 plain sides (rule 8).
    pub const fn score(self) -> u8 {
        match self.0 {
            0 => 12,
            1 => 2,
            4 => 8,
            _ => 0,
        }
    }

    /// Parses `t0` to `t4`.
    pub fn parse(text: &str) -> Option<Self> {
        let plain = text.strip_prefix('t')?;
        match plain.as_bytes() {
            [digit @ b'0'..=b'4'] => Some(Self(digit - b'0')),
            _ => None,
        }
    }
}

impl fmt::Display for Throw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t{}", self.0)
    }
}
