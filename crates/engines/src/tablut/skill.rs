//! The limits of each level at Tablut.
//!
//! A level is limited by depth, never by time, so its strength does not depend
//! on the machine. Its mistakes are human: it searches less deep and it evaluates
//! roughly. The weakest look at their own move only; they like captures, and overlook
//! wins and threats.

use super::super::{Level, SearchLimits};
use tabulae_games::RuleSet;

/// The strength parameters of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Skill {
    /// Maximum depth in plies.
    pub(super) max_depth: Option<u32>,
    /// Largest error of a move's value in either direction, in points; 0 for none.
    pub(super) eval_noise: i32,
    /// Contempt: how much less than 0 a draw is worth, in points.
    pub(super) contempt: i32,
    /// How it plays without looking ahead; none for a level that searches.
    pub(super) static_choice: Option<StaticChoice>,
}

/// How a level chooses that evaluates the position after each move without a search. It also
/// looks whether the opponent could win at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StaticChoice {
    /// Percentage of its own immediate wins that it overlooks.
    pub(super) missed_wins_percent: u32,
    /// Percentage of the opponent's winning replies that it overlooks.
    pub(super) missed_replies_percent: u32,
    /// How much better a move looks for each soldier that it captures, in points.
    pub(super) capture_bonus: i32,
}

/// No limits.
const FULL: Skill = Skill { max_depth: None, eval_noise: 0, contempt: 500, static_choice: None };

impl Skill {
    /// The parameters are measured for each rule set, so that the steps between the
    /// levels are about even, or grow a little towards the top; see
    /// `docs/benchmarks.md`.
    pub(super) const fn of(level: Level, rules: RuleSet) -> Self {
        // By Ashton's rules Black has such an advantage that only large errors turn a
        // game: with depth 8 and no noise Black won all ten games against Master.
        let levels = match rules {
            RuleSet::TablutBerkeley => [
                Self::static_choice(300, 83, 93, 200),
                Self::static_choice(250, 28, 45, 150),
                Self::static_choice(65, 0, 6, 20),
                Self::searching(1, 400),
                Self::searching(2, 360),
                Self::searching(3, 170),
                Self::searching(3, 95),
                Self::searching(3, 35),
                Self::searching(5, 0),
            ],
            RuleSet::TablutLinnaeus => [
                Self::static_choice(330, 82, 95, 200),
                Self::static_choice(250, 30, 50, 150),
                Self::static_choice(60, 0, 4, 10),
                Self::searching(1, 400),
                Self::searching(2, 330),
                Self::searching(2, 130),
                Self::searching(2, 48),
                Self::searching(3, 40),
                Self::searching(5, 5),
            ],
            _ => [
                Self::static_choice(300, 84, 94, 200),
                Self::static_choice(240, 32, 52, 150),
                Self::static_choice(95, 0, 11, 40),
                Self::searching(1, 800),
                Self::searching(1, 380),
                Self::searching(2, 270),
                Self::searching(3, 160),
                Self::searching(3, 80),
                Self::searching(4, 30),
            ],
        };
        let below_master = level.number() as usize - 1;
        if below_master < levels.len() { levels[below_master] } else { FULL }
    }

    const fn searching(max_depth: u32, eval_noise: i32) -> Self {
        Self { max_depth: Some(max_depth), eval_noise, contempt: 0, static_choice: None }
    }

    const fn static_choice(
        eval_noise: i32,
        missed_wins_percent: u32,
        missed_replies_percent: u32,
        capture_bonus: i32,
    ) -> Self {
        let static_choice =
            StaticChoice { missed_wins_percent, missed_replies_percent, capture_bonus };
        Self { static_choice: Some(static_choice), ..Self::searching(1, eval_noise) }
    }

    /// Whether this level chooses by values with random errors.
    pub(super) const fn is_noisy(self) -> bool {
        self.eval_noise > 0
    }

    /// The limits, capped by the level's own.
    pub(super) fn within(self, limits: SearchLimits) -> SearchLimits {
        SearchLimits { depth: limits.depth.into_iter().chain(self.max_depth).min(), ..limits }
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
                let [least, most] = [weak, strong].map(|skill| skill.max_depth.unwrap_or(u32::MAX));
                assert!(least <= most, "{rules} {pair:?}");
                match (weak.static_choice, strong.static_choice) {
                    (Some(weak), Some(strong)) => assert!(
                        weak.missed_wins_percent > strong.missed_wins_percent
                            || weak.missed_replies_percent > strong.missed_replies_percent
                    ),
                    (static_choice, None) => assert!(
                        static_choice.is_some()
                            || least < most
                            || weak.eval_noise > strong.eval_noise,
                        "{rules} {pair:?}"
                    ),
                    (None, Some(_)) => panic!("{rules} {pair:?}"),
                }
            }
        }
    }
}
