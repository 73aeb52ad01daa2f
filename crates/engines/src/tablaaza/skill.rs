//! The limits of each level at Tablaaza.
//!
//! Much of the strength comes from how early a player sees the end of the game:
//! parity cannot be judged, only calculated. The weaker levels see it later, evaluate
//! less exactly and sometimes blunder. The weakest like to raise pavilions, which helps
//! the opponent, and overlook that the game is about to end. None of them plays at
//! random.
//!
//! `docs/benchmarks.md` has the steps between the levels. Only Master is limited by
//! time, so only its strength depends on the machine.

use super::super::Level;

/// The strength parameters of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Skill {
    /// Maximum search depth in plies, before the endgame; none for no limit.
    pub(super) max_depth: Option<u32>,
    /// Percentage of moves searched one ply less and not to the end.
    pub(super) blunder_percent: u32,
    /// Largest error of a move's value in either direction, in hundredths of a free
    /// square.
    pub(super) eval_noise: i32,
    /// How much better a move looks that raises a pavilion, in hundredths of a free
    /// square.
    pub(super) pavilion_bonus: i32,
    /// Whether it takes the race the wrong way round, as people do in their first games:
    /// it wants to keep its own squares free.
    pub(super) misreads_race: bool,
    /// Percentage of moves for which it does not see that the game is about to end.
    pub(super) missed_ends_percent: u32,
    /// Maximum number of free squares at which it sees the end of the game.
    pub(super) endgame_squares: u32,
    /// Maximum number of nodes of the exact solver; none for no limit.
    pub(super) max_solver_nodes: Option<u64>,
}

/// Full strength: nothing limits it.
const FULL: Skill = Skill {
    max_depth: None,
    blunder_percent: 0,
    eval_noise: 0,
    pavilion_bonus: 0,
    misreads_race: false,
    missed_ends_percent: 0,
    endgame_squares: 64,
    max_solver_nodes: None,
};

impl Skill {
    pub(super) const fn of(level: Level) -> Self {
        const FEW_NODES: Option<u64> = Some(50_000);
        match level {
            Level::Newcomer => {
                Self { misreads_race: true, ..Self::blind(9000, 100, Self::limited(1, 60, 100, 0)) }
            }
            Level::Beginner => Self::blind(400, 100, Self::limited(1, 60, 600, 1)),
            Level::Novice => Self::blind(120, 30, Self::limited(1, 35, 350, 4)),
            Level::Casual => Self::blind(30, 0, Self::limited(1, 28, 180, 8)),
            Level::Regular => Self::limited(2, 20, 62, 10),
            Level::Club => Self::limited(2, 9, 28, 12),
            Level::Advanced => Self::limited(3, 5, 14, 14),
            Level::Expert => Self::limited(4, 1, 5, 17),
            Level::Candidate => Self { max_solver_nodes: FEW_NODES, ..Self::limited(5, 0, 0, 20) },
            Level::Master => FULL,
        }
    }

    /// The skill of a level that likes pavilions and overlooks ends.
    const fn blind(pavilion_bonus: i32, missed_ends_percent: u32, skill: Self) -> Self {
        Self { pavilion_bonus, missed_ends_percent, ..skill }
    }

    const fn limited(
        max_depth: u32,
        blunder_percent: u32,
        eval_noise: i32,
        endgame_squares: u32,
    ) -> Self {
        Self { max_depth: Some(max_depth), blunder_percent, eval_noise, endgame_squares, ..FULL }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stronger_levels_search_deeper_and_err_less() {
        for pair in Level::ALL.windows(2) {
            let (weak, strong) = (Skill::of(pair[0]), Skill::of(pair[1]));
            assert!(weak.max_depth.unwrap_or(u32::MAX) <= strong.max_depth.unwrap_or(u32::MAX));
            assert!(weak.blunder_percent >= strong.blunder_percent);
            // What Newcomer judges by is wrong, so less noise makes it weaker.
            assert!(weak.misreads_race || weak.eval_noise >= strong.eval_noise);
            assert!(weak.endgame_squares < strong.endgame_squares);
        }
    }
}
