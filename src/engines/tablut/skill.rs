//! What the weaker levels lack in Tablut.
//!
//! A level is bounded by depth and nodes, never by time, so its strength does
//! not hang on the machine. Its mistakes are a person's: it looks less far, it
//! judges roughly, and now and then it does not notice a move that comes from
//! far away.

use super::super::Level;

/// What a level lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Skill {
    /// Plies it looks ahead at most.
    pub(super) depth: Option<u32>,
    /// Positions it looks at, at most.
    pub(super) nodes: Option<u64>,
    /// How often of 100 moves it looks one ply less: an oversight.
    pub(super) oversights: u32,
    /// How far its judgement of a move may be off, in hundredths of a white
    /// soldier either way; 0 for exact.
    pub(super) doubt: i32,
    /// How much less than an even game it holds a draw to be worth: it plays on
    /// where a repetition would do for a lesser player.
    pub(super) pride: i32,
}

impl Skill {
    pub(super) const fn of(level: Level) -> Self {
        match level {
            Level::Novice => {
                Self { depth: Some(2), nodes: None, oversights: 40, doubt: 60, pride: 0 }
            }
            Level::Casual => {
                Self { depth: Some(2), nodes: None, oversights: 5, doubt: 20, pride: 0 }
            }
            Level::Club => Self { depth: Some(4), nodes: None, oversights: 0, doubt: 8, pride: 0 },
            Level::Expert => {
                Self { depth: Some(6), nodes: None, oversights: 0, doubt: 0, pride: 0 }
            }
            Level::Master => Self { depth: None, nodes: None, oversights: 0, doubt: 0, pride: 100 },
        }
    }

    /// Whether this level chooses by its own, blurred judgement.
    pub(super) const fn is_blurred(self) -> bool {
        self.doubt > 0 || self.oversights > 0
    }
}
