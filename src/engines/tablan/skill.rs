//! What each level can do at Tablan.

use crate::engines::Level;

/// The strength parameters of a level. Weaker levels err as people do: bounded
/// noise makes them choose one of several sensible moves, and the weakest do
/// not see what the opponent's next throw can capture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Skill {
    /// Decisions of look-ahead; the level's own move is the first.
    pub(super) depth: u32,
    /// Largest error of a move's evaluation in either direction, in equity.
    pub(super) noise: f32,
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
        let one_ply = Self {
            depth: 1,
            noise: 0.0,
            ignores_threats: false,
            solves_bearoff: false,
            models_opponent: false,
        };
        let (novice, casual, club, expert) =
            if ordered { (0.55, 0.24, 0.14, 0.06) } else { (0.70, 0.24, 0.12, 0.05) };
        match level {
            Level::Novice => Self { noise: novice, ignores_threats: true, ..one_ply },
            Level::Casual => Self { noise: casual, ignores_threats: true, ..one_ply },
            Level::Club => Self { noise: club, ..one_ply },
            Level::Expert => Self { noise: expert, ..one_ply },
            Level::Master => {
                Self { depth: u32::MAX, solves_bearoff: true, models_opponent: true, ..one_ply }
            }
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
                assert!(weak.noise > strong.noise, "{pair:?}");
                assert!(
                    weak.ignores_threats >= strong.ignores_threats && weak.depth <= strong.depth
                );
            }
            assert_eq!(Skill::of(Level::Master, ordered).noise, 0.0);
        }
    }
}
