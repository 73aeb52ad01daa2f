//! The limits of each level at Tablut.
//!
//! A level is limited by depth, never by time, so its strength does not depend
//! on the machine. Its mistakes are human: it searches less deep and it evaluates
//! roughly. The weakest look at their own move only; they like captures, and overlook
//! wins and threats.

use super::super::{
    Level, SearchLimits,
    rule_sets::{TablutLevel, tablut_data},
};
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

/// Full strength: nothing limits it.
const FULL: Skill = Skill { max_depth: None, eval_noise: 0, contempt: 500, static_choice: None };

impl Skill {
    /// The parameters of a level, as measured for each rule set.
    pub(super) fn of(level: Level, rules: RuleSet) -> Self {
        let below_master = usize::from(level.number()) - 1;
        let levels = tablut_data(rules).map_or(&[][..], |data| &data.levels);
        match levels.get(below_master) {
            None => FULL,
            Some(&TablutLevel::Searching { depth, noise }) => Self::searching(depth, noise),
            Some(&TablutLevel::Static { noise, missed_wins, missed_replies, capture_bonus }) => {
                let static_choice = StaticChoice {
                    missed_wins_percent: missed_wins,
                    missed_replies_percent: missed_replies,
                    capture_bonus,
                };
                Self { static_choice: Some(static_choice), ..Self::searching(1, noise) }
            }
        }
    }

    const fn searching(max_depth: u32, eval_noise: i32) -> Self {
        Self { max_depth: Some(max_depth), eval_noise, contempt: 0, static_choice: None }
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
        for rules in RuleSet::ALL.into_iter().filter(|&rules| tablut_data(rules).is_some()) {
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
