//! What a position is worth, and what is told about a thought.

use std::{fmt, time::Duration};

use serde::{Deserialize, Serialize};

use crate::games::AnyMove;

/// A position's worth for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Score {
    /// Hundredths of a piece, about: in Tablut 150 make a win *e* times as likely
    /// as a loss; in Tablan hundredths of equity, the average over
    /// the throws to come: 100 is a sure win, 0 even, -100 a sure loss.
    Points(i32),
    /// Wins in this many plies at most, whatever the opponent does.
    Win(u32),
    /// Loses in this many plies at most against best play.
    Loss(u32),
}

impl Score {
    /// A value of the search: points, or the distance from [`MATE`].
    pub(super) const fn of(value: i32) -> Self {
        if value >= SURE {
            Self::Win((MATE - value) as u32)
        } else if value <= -SURE {
            Self::Loss((MATE + value) as u32)
        } else {
            Self::Points(value)
        }
    }
}

/// The value of a win on the spot; a win in `n` plies is worth `n` less.
pub(super) const MATE: i32 = 30_000;
/// Values from here on are sure wins.
pub(super) const SURE: i32 = MATE - 1_000;

/// A value as a table remembers it: distances are counted from the root in the
/// search, from the position in the table.
pub(super) fn to_memo(value: i32, ply: usize) -> i16 {
    let value = match value {
        SURE.. => value + ply as i32,
        _ if value <= -SURE => value - ply as i32,
        _ => value,
    };
    value.clamp(-MATE, MATE) as i16
}

/// What a remembered value means `ply` plies from the root.
pub(super) const fn from_memo(value: i16, ply: usize) -> i32 {
    match value as i32 {
        value @ SURE.. => value - ply as i32,
        value if value <= -SURE => value + ply as i32,
        value => value,
    }
}

impl fmt::Display for Score {
    /// As UGI writes it: `cp` and hundredths, or `mate` and moves.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Points(points) => write!(f, "cp {points}"),
            Self::Win(plies) => write!(f, "mate {}", plies.div_ceil(2)),
            Self::Loss(plies) => write!(f, "mate -{}", plies.div_ceil(2)),
        }
    }
}

/// How far a thought has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info {
    /// Plies looked ahead in full.
    pub depth: u32,
    /// The position's worth for the side to move.
    pub score: Score,
    /// Positions looked at.
    pub nodes: u64,
    /// Time since it began.
    pub time: Duration,
    /// The play it expects, from the position asked about; in Tablan only the
    /// move, since a throw follows.
    pub pv: Vec<AnyMove>,
    /// Whether the score is proven.
    pub exact: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_written_as_the_protocol_wants() {
        let texts = [Score::Points(-35), Score::Win(1), Score::Win(5), Score::Loss(2)]
            .map(|score| score.to_string());
        assert_eq!(texts, ["cp -35", "mate 1", "mate 3", "mate -1"]);
        assert_eq!(Score::of(MATE - 3), Score::Win(3));
        assert_eq!(Score::of(4 - MATE), Score::Loss(4));
        assert_eq!(Score::of(-250), Score::Points(-250));
    }
}
