//! What the levels lack at Tablan.

use crate::engines::Level;

/// How well a level plays. The weaker ones err as people do: they misjudge,
/// within bounds, so that they take one of several sensible moves and not any,
/// and they don't see what the opponent's next throw can take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Skill {
    /// Decisions it looks ahead, its own move the first.
    pub(super) depth: u32,
    /// How far its judgement of a move may be off either way, in equity.
    pub(super) doubt: f32,
    /// Whether it overlooks its own pieces being in reach.
    pub(super) blind: bool,
    /// Whether it works out the run-in.
    pub(super) solves: bool,
    /// Whether it reads how the other side plays, and makes use of it.
    pub(super) reads: bool,
}

impl Skill {
    /// What a level is able to. The ordered game forgives less, so that the
    /// same errors would cost more there.
    pub(super) const fn of(level: Level, ordered: bool) -> Self {
        let glance = Self { depth: 1, doubt: 0.0, blind: false, solves: false, reads: false };
        let (novice, casual, club, expert) =
            if ordered { (0.55, 0.24, 0.14, 0.06) } else { (0.70, 0.24, 0.12, 0.05) };
        match level {
            Level::Novice => Self { doubt: novice, blind: true, ..glance },
            Level::Casual => Self { doubt: casual, blind: true, ..glance },
            Level::Club => Self { doubt: club, ..glance },
            Level::Expert => Self { doubt: expert, ..glance },
            Level::Master => Self { depth: u32::MAX, solves: true, reads: true, ..glance },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stronger_levels_lack_less() {
        for ordered in [false, true] {
            for pair in Level::ALL.windows(2) {
                let (weak, strong) = (Skill::of(pair[0], ordered), Skill::of(pair[1], ordered));
                assert!(weak.doubt > strong.doubt, "{pair:?}");
                assert!(weak.blind >= strong.blind && weak.depth <= strong.depth);
            }
            assert_eq!(Skill::of(Level::Master, ordered).doubt, 0.0);
        }
    }
}
