//! Counting against playing.

use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};

use super::*;
use crate::perft;

/// Counts by making every move.
fn count_by_playing(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let after = |mv| {
        let mut child = position.clone();
        child.play(mv).expect("a legal move");
        count_by_playing(&child, depth - 1)
    };
    position.legal_moves().into_iter().map(after).sum()
}

/// In random games, with captures, camps that were left, kings on the castle and
/// off it, and ends of every kind.
#[test]
fn counting_agrees_with_playing_in_random_games() {
    for rules in rule_sets() {
        let mut rng = ChaCha8Rng::seed_from_u64(rules.set as u64);
        for game in 0..if cfg!(debug_assertions) { 12 } else { 60 } {
            let mut position = Position::start(rules);
            for ply in 0..200 {
                let legal = position.legal_moves();
                assert_eq!(perft(&position, 1), legal.len() as u64);
                let (text, two) = (position.to_string(), count_by_playing(&position, 2));
                assert_eq!(perft(&position, 2), two, "{} {text}", rules.set);
                if game == 0 && ply % 50 == 0 {
                    let three = count_by_playing(&position, 3);
                    assert_eq!(perft(&position, 3), three, "{} {text}", rules.set);
                }
                if legal.is_empty() {
                    break;
                }
                position.apply(legal[rng.random_range(0..legal.len())]);
            }
        }
    }
}

/// The sets of rules are data, and others than the named can be described.
#[test]
fn counting_follows_other_rules_than_the_named_ones() {
    static RULES: Rules = Rules { closed: Bitboard::of("e4 d3"), ..*BERKELEY }.with_tables();
    let start = Position::start(&RULES);
    assert_eq!(perft(&start, 3), count_by_playing(&start, 3));
    assert_ne!(perft(&start, 1), perft(&Position::start(BERKELEY), 1));
}
