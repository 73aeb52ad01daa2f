//! Every level from Casual on beats random play by far, in every rule set.
//!
//! The everyday run plays few games; the full hundreds are `#[ignore]`d and
//! want a release build: `cargo test --release --test engine_strength --
//! --ignored --nocapture`.

use std::time::Duration;

use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};
use tabulae::{
    engines::{EngineOptions, Level, Request, SearchLimits, StopSignal, search},
    games::{AnyPosition, Game, Line, Ply, RuleSet, Side, Throw, Turn},
};

/// Plies after which an undecided game counts as a draw.
const LONGEST: usize = 2000;

#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    won: u32,
    drawn: u32,
    lost: u32,
}

/// A throw by the rules' weights.
fn thrown(position: &AnyPosition, rng: &mut ChaCha8Rng) -> Throw {
    let outcomes = position.outcomes();
    let mut at = rng.random_range(0..outcomes.iter().map(|(_, weight)| weight).sum::<u32>());
    for &(throw, weight) in outcomes {
        match at.checked_sub(weight) {
            None => return throw,
            Some(rest) => at = rest,
        }
    }
    unreachable!("the weights add up")
}

/// One game of the engine as `engine` against random play; who won.
fn play(
    rules: RuleSet,
    engine: Side,
    level: Level,
    limits: SearchLimits,
    seed: u64,
) -> Option<Side> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut line = Line::new(AnyPosition::start(rules));
    while line.len() < LONGEST {
        let ply = match line.turn() {
            Turn::Over(end) => return end.winner,
            Turn::Throw(_) => Ply::Throw(thrown(line.position(), &mut rng)),
            Turn::Move(side) if side == engine => {
                let options =
                    EngineOptions { level, hash_mib: 8, seed, ..EngineOptions::default() };
                let request = Request { line: line.clone(), limits, options };
                let best = search(&request, &StopSignal::default(), &mut |_| ());
                Ply::Move(best.expect("a move is due"))
            }
            Turn::Move(_) => {
                let mut moves = line.legal_moves();
                moves.sort_unstable();
                Ply::Move(moves[rng.random_range(0..moves.len())])
            }
        };
        line.push(ply).expect("legal");
    }
    None
}

/// `games` games, sides changing.
fn tally(rules: RuleSet, level: Level, limits: SearchLimits, games: u64) -> Tally {
    let mut tally = Tally::default();
    for seed in 0..games {
        let engine = if seed % 2 == 0 { Side::First } else { Side::Second };
        match play(rules, engine, level, limits, seed) {
            Some(winner) if winner == engine => tally.won += 1,
            Some(_) => tally.lost += 1,
            None => tally.drawn += 1,
        }
    }
    tally
}

/// Points of 100 that are wanted: a win 1, a draw a half. The sticks are kind
/// to everybody, and from random play to the best there is less room.
fn wanted(rules: RuleSet, level: Level) -> u32 {
    match (rules.has_sticks(), level) {
        (false, _) => 95,
        (true, Level::Novice) => 45,
        (true, Level::Casual) => 60,
        (true, _) => 85,
    }
}

fn check(rules: RuleSet, level: Level, limits: SearchLimits, games: u64) {
    let tally = tally(rules, level, limits, games);
    println!("{rules} {level}: {tally:?}");
    assert!(
        u64::from(2 * tally.won + tally.drawn) * 50 >= games * u64::from(wanted(rules, level)),
        "{rules} {level}: {tally:?}"
    );
}

/// Little enough that a dozen games take a second.
const GLANCE: SearchLimits = SearchLimits { movetime: None, depth: None, nodes: Some(20_000) };

#[test]
fn casual_beats_random_play_at_tablut() {
    for rules in [RuleSet::TablutBerkeley, RuleSet::TablutAshton, RuleSet::TablutLinnaeus] {
        check(rules, Level::Casual, GLANCE, 20);
    }
}

#[test]
fn casual_beats_random_play_at_tablan() {
    for rules in [RuleSet::Tablan, RuleSet::TablanOrdered] {
        check(rules, Level::Casual, GLANCE, 40);
    }
}

#[test]
fn casual_beats_random_play_at_tablaaza() {
    check(RuleSet::Tablaaza, Level::Casual, GLANCE, 40);
}

#[test]
#[ignore = "hundreds of games; wants a release build"]
fn novice_and_casual_beat_random_play_a_hundred_times() {
    for rules in RuleSet::ALL {
        for level in [Level::Novice, Level::Casual] {
            check(rules, level, level.limits(), 100);
        }
    }
}

#[test]
#[ignore = "hundreds of games; wants a release build"]
fn master_beats_random_play_a_hundred_times() {
    let limits =
        SearchLimits { movetime: Some(Duration::from_millis(20)), ..SearchLimits::default() };
    for rules in RuleSet::ALL {
        check(rules, Level::Master, limits, 100);
    }
}
