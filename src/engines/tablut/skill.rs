//! What the weaker levels lack in Tablut.
//!
//! A level is bounded by depth and nodes, never by time, so its strength does
//! not hang on the machine. Its mistakes are a person's: it looks less far, it
//! judges roughly, and the weakest does not always notice a reply that comes
//! from far away.

use super::super::Level;

/// What a level lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Skill {
    /// Plies it looks ahead at most.
    pub(super) depth: Option<u32>,
    /// Positions it looks at, at most.
    pub(super) nodes: Option<u64>,
    /// How often of 100 it does not notice a reply from far away.
    pub(super) blind: u32,
    /// How far its judgement of a move may be off, in hundredths of a white
    /// soldier either way; 0 for exact.
    pub(super) doubt: i32,
    /// How much less than an even game it holds a draw to be worth: it plays on
    /// where a repetition would do for a lesser player.
    pub(super) contempt: i32,
}

impl Skill {
    pub(super) const fn of(level: Level) -> Self {
        let all = Self { depth: None, nodes: None, blind: 0, doubt: 0, contempt: 0 };
        match level {
            Level::Novice => Self { depth: Some(2), blind: 50, doubt: 120, ..all },
            Level::Casual => Self { depth: Some(2), doubt: 30, ..all },
            Level::Club => Self { depth: Some(3), doubt: 12, ..all },
            Level::Expert => Self { depth: Some(5), ..all },
            Level::Master => Self { contempt: 250, ..all },
        }
    }

    /// Whether this level chooses by its own, blurred judgement.
    pub(super) const fn is_blurred(self) -> bool {
        self.doubt > 0 || self.blind > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stronger_levels_see_more_and_doubt_less() {
        for pair in Level::ALL.windows(2) {
            let (weak, strong) = (Skill::of(pair[0]), Skill::of(pair[1]));
            assert!(weak.depth.unwrap_or(u32::MAX) <= strong.depth.unwrap_or(u32::MAX));
            assert!(weak.nodes.unwrap_or(u64::MAX) <= strong.nodes.unwrap_or(u64::MAX));
            assert!(weak.blind >= strong.blind && weak.doubt >= strong.doubt);
        }
        // From Casual on nothing a child sees is missed.
        assert_eq!(Skill::of(Level::Casual).blind, 0);
    }
}
