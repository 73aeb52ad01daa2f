//! The limits of each level at Tablut.
//!
//! A level is limited by depth, never by time, so its strength does not depend
//! on the machine. Its mistakes are human: it searches less deep, it evaluates
//! roughly, and the weakest overlooks some replies from far away.

use super::{
    super::{Level, SearchLimits},
    board::{Board, Move},
    params::OVERSIGHT_MIN_DISTANCE,
};
use crate::games::RuleSet;

/// The strength parameters of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Skill {
    /// Maximum depth in plies.
    pub(super) max_depth: Option<u32>,
    /// Percentage of long-distance replies that it overlooks.
    pub(super) oversight_percent: u32,
    /// Largest error of a move's value in either direction, in points; 0 for none.
    pub(super) eval_noise: i32,
    /// Contempt: how much less than 0 a draw is worth, in points.
    pub(super) contempt: i32,
}

impl Skill {
    /// The parameters are measured for each rule set, so that a level beats the one
    /// below by about as much in all of them.
    pub(super) const fn of(level: Level, rules: RuleSet) -> Self {
        // Depth and noise of each level below Master. By Ashton's rules Black has such
        // an advantage that only large errors turn a game: with depth 8 and no noise
        // Black won all ten games against Master.
        let (oversight, levels) = match rules {
            RuleSet::TablutBerkeley => (40, [(2, 90), (2, 30), (3, 12), (5, 0)]),
            RuleSet::TablutLinnaeus => (8, [(2, 44), (3, 44), (4, 10), (7, 0)]),
            _ => (70, [(2, 450), (2, 160), (3, 80), (4, 30)]),
        };
        let (max_depth, eval_noise) = match level {
            Level::Novice => levels[0],
            Level::Casual => levels[1],
            Level::Club => levels[2],
            Level::Expert => levels[3],
            Level::Master => {
                return Self {
                    max_depth: None,
                    oversight_percent: 0,
                    eval_noise: 0,
                    contempt: 500,
                };
            }
        };
        let oversight_percent = if matches!(level, Level::Novice) { oversight } else { 0 };
        Self { max_depth: Some(max_depth), oversight_percent, eval_noise, contempt: 0 }
    }

    /// Whether this level chooses by values with random errors.
    pub(super) const fn is_noisy(self) -> bool {
        self.eval_noise > 0 || self.oversight_percent > 0
    }

    /// The limits, capped by the level's own.
    pub(super) fn within(self, limits: SearchLimits) -> SearchLimits {
        SearchLimits { depth: limits.depth.into_iter().chain(self.max_depth).min(), ..limits }
    }
}

/// Which long-distance replies a weak level overlooks: the same ones throughout a
/// search.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Oversight {
    /// The percentage that is overlooked.
    pub(super) percent: u32,
    pub(super) seed: u64,
}

impl Oversight {
    /// Whether the opponent's reply, a move of ply 1, is overlooked.
    #[inline]
    pub(super) fn overlooks(self, board: &Board, mv: Move, ply: usize) -> bool {
        self.percent > 0
            && ply == 1
            && mv.distance() >= OVERSIGHT_MIN_DISTANCE
            && (board.key ^ self.seed ^ u64::from(mv.0)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32
                < u64::from(self.percent) * (1 << 32) / 100
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stronger_levels_search_deeper_and_err_less() {
        for rules in [RuleSet::TablutAshton, RuleSet::TablutBerkeley, RuleSet::TablutLinnaeus] {
            for pair in Level::ALL.windows(2) {
                let [weak, strong] = [pair[0], pair[1]].map(|level| Skill::of(level, rules));
                assert!(weak.max_depth.unwrap_or(u32::MAX) <= strong.max_depth.unwrap_or(u32::MAX));
                assert!(weak.oversight_percent >= strong.oversight_percent);
                assert!(weak.eval_noise >= strong.eval_noise);
            }
            // From Casual on nothing that a child sees is overlooked.
            assert_eq!(Skill::of(Level::Casual, rules).oversight_percent, 0);
        }
    }
}
