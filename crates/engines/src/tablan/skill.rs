//! The limits of each level at Tablan.

use tabulae_games::RuleSet;

use crate::{Level, rule_sets::tablan_data};

/// The strength parameters of a level. Weaker levels err as people do: bounded
/// noise makes them choose one of several sensible moves, and the weakest do
/// not see what the opponent's next throw can capture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Skill {
    /// Maximum number of decisions of look-ahead; the level's own move is the first.
    pub(super) max_depth: u32,
    /// Largest error of a move's evaluation in either direction, in equity.
    pub(super) eval_noise: f32,
    /// Whether it overlooks threats against its own pieces.
    pub(super) ignores_threats: bool,
    /// Whether it solves the endgame exactly.
    pub(super) solves_bearoff: bool,
}

impl Skill {
    /// The parameters of a level.
    pub(super) fn of(level: Level, ordered: bool) -> Self {
        let static_only =
            Self { max_depth: 1, eval_noise: 0.0, ignores_threats: false, solves_bearoff: false };
        let rules = if ordered { RuleSet::TablanOrdered } else { RuleSet::Tablan };
        let noise = tablan_data(rules).map_or(&[][..], |data| &data.noise);
        let Some(&eval_noise) = noise.get(level as usize) else {
            return Self { max_depth: u32::MAX, solves_bearoff: true, ..static_only };
        };
        Self {
            eval_noise,
            ignores_threats: level.number() <= Level::Casual.number(),
            ..static_only
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stronger_levels_have_less_noise_and_more_depth() {
        for ordered in [false, true] {
            for pair in Level::ALL.windows(2) {
                let (weak, strong) = (Skill::of(pair[0], ordered), Skill::of(pair[1], ordered));
                assert!(weak.eval_noise > strong.eval_noise, "{pair:?}");
                assert!(
                    weak.ignores_threats >= strong.ignores_threats
                        && weak.max_depth <= strong.max_depth
                );
            }
            assert_eq!(Skill::of(Level::Master, ordered).eval_noise, 0.0);
        }
    }
}
