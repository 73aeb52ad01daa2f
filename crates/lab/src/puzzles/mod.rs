//! Finds puzzles in games, checks them, and says how hard they are and what about.

mod miner;
mod rating;
mod themes;
mod verify;

pub use miner::{MinePlan, Miner};
pub use rating::rate;
pub use verify::{Effort, Flaw, verify};

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use tabulae_engines::EngineState;
    use tabulae_games::{RuleSet, Side};
    use tabulae_session::{
        position_key,
        puzzles::{Puzzle, shipped},
    };

    /// `tabulae-lab puzzles --check` verifies all of them with more effort.
    #[test]
    fn shipped_puzzles_are_many_different_balanced_and_sampled_ones_hold() {
        for rules in RuleSet::ALL {
            let puzzles = shipped(rules);
            let least = if rules == RuleSet::TablutSaami { 60 } else { 300 };
            assert!(puzzles.len() >= least, "{rules}: {}", puzzles.len());
            let different: HashSet<_> =
                puzzles.iter().map(|puzzle| position_key(&puzzle.start)).collect();
            assert_eq!(different.len(), puzzles.len(), "{rules}");
            let ids: HashSet<_> = puzzles.iter().map(Puzzle::id).collect();
            assert_eq!(ids.len(), puzzles.len(), "{rules}");
            for side in Side::BOTH {
                let own = puzzles.iter().filter(|puzzle| puzzle.side() == side).count();
                assert!(10 * own >= 3 * puzzles.len(), "{rules}: {own} of {}", puzzles.len());
            }
            assert!(puzzles.iter().all(|puzzle| !puzzle.themes.is_empty()), "{rules}");
            for puzzle in puzzles.iter().step_by(40) {
                // As `--check` does by default.
                let effort = Effort::checking(200_000);
                assert_eq!(verify(&EngineState::new(), puzzle, effort), Ok(()), "{puzzle}");
                assert_eq!(rate(puzzle), puzzle.rating, "{puzzle}");
            }
        }
    }
}
