//! The limits of each level at Tablan.

use crate::engines::Level;

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
    /// Whether it recognises and exploits a weak opponent.
    pub(super) models_opponent: bool,
}

impl Skill {
    /// The parameters of a level. Ordered Tablan forgives less: the same errors
    /// would cost more there, so its noise is lower.
    pub(super) const fn of(level: Level, ordered: bool) -> Self {
        let static_only = Self {
            max_depth: 1,
            eval_noise: 0.0,
            ignores_threats: false,
            solves_bearoff: false,
            models_opponent: false,
        };
        let (novice, casual, club, expert) =
            if ordered { (0.55, 0.24, 0.14, 0.06) } else { (0.70, 0.24, 0.12, 0.05) };
        match level {
            Level::Novice => Self { eval_noise: novice, ignores_threats: true, ..static_only },
            Level::Casual => Self { eval_noise: casual, ignores_threats: true, ..static_only },
            Level::Club => Self { eval_noise: club, ..static_only },
            Level::Expert => Self { eval_noise: expert, ..static_only },
            Level::Master => Self {
                max_depth: u32::MAX,
                solves_bearoff: true,
                models_opponent: true,
                ..static_only
            },
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
