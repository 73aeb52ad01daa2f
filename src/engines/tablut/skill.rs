//! What the weaker levels lack in Tablut.
//!
//! A level is bounded by depth and nodes, never by time, so its strength does
//! not hang on the machine. Its mistakes are a person's: it looks less far, it
//! judges roughly, and the weakest does not always notice a reply that comes
//! from far away.

use super::super::Level;
use crate::games::RuleSet;

/// What a level lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Skill {
    /// Plies it looks ahead at most.
    pub(super) depth: Option<u32>,
    /// Positions it looks at, at most.
    pub(super) nodes: Option<u64>,
    /// How often of 100 it does not notice a reply from far away.
    pub(super) blind: u32,
    /// How far its judgement of a move may be off, in points
    /// either way; 0 for exact.
    pub(super) doubt: i32,
    /// How much less than an even game it holds a draw to be worth: it plays on
    /// where a repetition would do for a lesser player.
    pub(super) contempt: i32,
}

impl Skill {
    /// Measured for each rule set by itself, so that a level beats the one below
    /// by about as much whatever the rules.
    pub(super) const fn of(level: Level, rules: RuleSet) -> Self {
        let all = Self { depth: None, nodes: None, blind: 0, doubt: 0, contempt: 0 };
        // For each level below Master the depth and the doubt. By Ashton's rules
        // Black has so much the better of it that it takes great errors to turn a
        // game: with depth 8 and no doubt he won all ten games against Master.
        let (blind, levels) = match rules {
            RuleSet::TablutBerkeley => (40, [(2, 90), (2, 30), (3, 12), (5, 0)]),
            RuleSet::TablutLinnaeus => (8, [(2, 44), (3, 44), (4, 10), (7, 0)]),
            _ => (70, [(2, 450), (2, 160), (3, 80), (4, 30)]),
        };
        let (depth, doubt) = match level {
            Level::Novice => levels[0],
            Level::Casual => levels[1],
            Level::Club => levels[2],
            Level::Expert => levels[3],
            Level::Master => return Self { contempt: 500, ..all },
        };
        let blind = if matches!(level, Level::Novice) { blind } else { 0 };
        Self { depth: Some(depth), blind, doubt, ..all }
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
        for rules in [RuleSet::TablutAshton, RuleSet::TablutBerkeley, RuleSet::TablutLinnaeus] {
            for pair in Level::ALL.windows(2) {
                let [weak, strong] = [pair[0], pair[1]].map(|level| Skill::of(level, rules));
                assert!(weak.depth.unwrap_or(u32::MAX) <= strong.depth.unwrap_or(u32::MAX));
                assert!(weak.nodes.unwrap_or(u64::MAX) <= strong.nodes.unwrap_or(u64::MAX));
                assert!(weak.blind >= strong.blind && weak.doubt >= strong.doubt);
            }
            // From Casual on nothing a child sees is missed.
            assert_eq!(Skill::of(Level::Casual, rules).blind, 0);
        }
    }
}
