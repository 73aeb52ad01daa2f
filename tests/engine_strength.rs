//! Every level from Casual on beats random play by far, in every rule set.
//!
//! The default run plays few games. The hundreds of games are `#[ignore]`d and
//! need a release build: `cargo test --release --test engine_strength --
//! --ignored --nocapture`.

use std::time::Duration;

use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};
use tabulae::{
    engines::{EngineOptions, Level, Request, SearchLimits, StopSignal, search},
    games::{AnyPosition, Game, GameHistory, Ply, RuleSet, Side, Throw, Turn},
};

/// A game of so many plies is a draw.
const MAX_PLIES: usize = 2000;

#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    won: u32,
    drawn: u32,
    lost: u32,
}

/// A random throw by the rules' weights.
fn random_throw(position: &AnyPosition, rng: &mut ChaCha8Rng) -> Throw {
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

/// Plays one game of the engine as `engine` against random play; returns the
/// winner.
fn play(
    rules: RuleSet,
    engine: Side,
    level: Level,
    limits: SearchLimits,
    seed: u64,
) -> Option<Side> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut history = GameHistory::new(AnyPosition::start(rules));
    while history.len() < MAX_PLIES {
        let ply = match history.turn() {
            Turn::Over(end) => return end.winner,
            Turn::Throw(_) => Ply::Throw(random_throw(history.position(), &mut rng)),
            Turn::Move(side) if side == engine => {
                let options =
                    EngineOptions { level, hash_mib: 8, seed, ..EngineOptions::default() };
                let request = Request { history: history.clone(), limits, options };
                let best = search(&request, &StopSignal::default(), &mut |_| ());
                Ply::Move(best.expect("a move is due"))
            }
            Turn::Move(_) => {
                let mut moves = history.legal_moves();
                moves.sort_unstable();
                Ply::Move(moves[rng.random_range(0..moves.len())])
            }
        };
        history.push(ply).expect("legal");
    }
    None
}

/// Plays `games` games with alternating sides.
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

/// The least score in percent; a draw is half a win. With the sticks, luck leaves
/// less room between random play and the best.
fn least_percent(rules: RuleSet, level: Level) -> u32 {
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
        u64::from(2 * tally.won + tally.drawn) * 50
            >= games * u64::from(least_percent(rules, level)),
        "{rules} {level}: {tally:?}"
    );
}

/// Few enough nodes that a dozen games take a second.
const FEW_NODES: SearchLimits = SearchLimits { movetime: None, depth: None, nodes: Some(20_000) };

#[test]
fn casual_beats_random_play_at_tablut() {
    for rules in [RuleSet::TablutBerkeley, RuleSet::TablutAshton, RuleSet::TablutLinnaeus] {
        check(rules, Level::Casual, FEW_NODES, 20);
    }
}

#[test]
fn casual_beats_random_play_at_tablan() {
    for rules in [RuleSet::Tablan, RuleSet::TablanOrdered] {
        check(rules, Level::Casual, FEW_NODES, 40);
    }
}

#[test]
fn casual_beats_random_play_at_tablaaza() {
    check(RuleSet::Tablaaza, Level::Casual, FEW_NODES, 40);
}

#[test]
#[ignore = "hundreds of games; needs a release build"]
fn novice_and_casual_beat_random_play_a_hundred_times() {
    for rules in RuleSet::ALL {
        for level in [Level::Novice, Level::Casual] {
            check(rules, level, level.limits(), 100);
        }
    }
}

#[test]
#[ignore = "hundreds of games; needs a release build"]
fn master_beats_random_play_a_hundred_times() {
    let limits =
        SearchLimits { movetime: Some(Duration::from_millis(20)), ..SearchLimits::default() };
    for rules in RuleSet::ALL {
        check(rules, Level::Master, limits, 100);
    }
}
