//! What the levels lack of Tablaaza.
//!
//! Much of the game's strength is from how many free squares on a player sees
//! the end: parity cannot be judged, only worked out. The weaker levels see it
//! later, judge less surely, and now and then overlook it. None of them plays
//! at random.
//!
//! Points of a level against the one below, as measured by `tabulae match
//! --rules tablaaza --first LEVEL --second LEVEL --games 200 --movetime 5000
//! --seed 5`: Casual 82.0 %, Club 82.0 %, Expert 86.5 %; Master, with 40 games
//! and 1000 ms, 85.0 %. All but Master are bounded by what they look at, not by
//! time, so the machine matters only to him.

use super::super::Level;

/// A level's strength at Tablaaza.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Skill {
    /// Plies it looks ahead at most while it judges; none for no bound.
    pub(super) depth: Option<u32>,
    /// Of 100 moves, how often it looks one ply less and not to the end.
    pub(super) oversights: u32,
    /// How far its judgement may be off either way, in hundredths of a square.
    pub(super) doubt: i32,
    /// From how many free squares on it sees the end.
    pub(super) end: u32,
    /// Positions the exact solver may search; none for no bound.
    pub(super) solving: Option<u64>,
}

/// Nothing lacks.
const FULL: Skill = Skill { depth: None, oversights: 0, doubt: 0, end: 64, solving: None };

impl Skill {
    pub(super) const fn of(level: Level) -> Self {
        match level {
            Level::Novice => Self { depth: Some(1), oversights: 25, doubt: 80, end: 9, ..FULL },
            Level::Casual => Self { depth: Some(2), oversights: 10, doubt: 30, end: 12, ..FULL },
            Level::Club => Self { depth: Some(3), oversights: 3, doubt: 10, end: 15, ..FULL },
            Level::Expert => Self { depth: Some(4), end: 19, solving: Some(50_000), ..FULL },
            Level::Master => FULL,
        }
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
            assert!(weak.oversights >= strong.oversights && weak.doubt >= strong.doubt);
            assert!(weak.end < strong.end);
        }
    }
}
