//! Every level from Regular on beats random play by far, in every rule set, and the
//! lowest level loses to a player that looks one ply ahead.
//!
//! The default run plays few games. The hundreds of games are `#[ignore]`d and
//! need a release build: `cargo test --release -p tabulae-engines --test engines
//! strength -- --ignored --nocapture`.

use std::time::Duration;

use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};
use tabulae_engines::{EngineOptions, Level, Request, SearchLimits, StopSignal, Yardstick, search};
use tabulae_games::{AnyPosition, GameHistory, GameKind, Ply, RuleSet, Side, Turn, tablan};

/// A game of so many plies is a draw.
const MAX_PLIES: usize = 2000;

#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    won: u32,
    drawn: u32,
    lost: u32,
}

impl Tally {
    /// The score in percent; a draw is half a win.
    fn percent(self) -> f64 {
        50.0 * f64::from(2 * self.won + self.drawn) / f64::from(self.won + self.drawn + self.lost)
    }
}

/// Plays one game of the engine as `engine` against a yardstick; returns the winner.
fn play(
    rules: RuleSet,
    opponent: Yardstick,
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
            Turn::Throw(_) => Ply::Throw(tablan::throw_of(rng.random_range(0..16))),
            Turn::Move(side) if side == engine => {
                let options =
                    EngineOptions { level, hash_mib: 8, seed, ..EngineOptions::default() };
                let request = Request { history: history.clone(), limits, options };
                let best = search(&request, &StopSignal::default(), &mut |_| ());
                Ply::Move(best.expect("a move is due"))
            }
            Turn::Move(_) => {
                Ply::Move(opponent.choose_move(&history, seed).expect("a move is due"))
            }
        };
        history.push(ply).expect("legal");
    }
    None
}

/// Plays `games` games with alternating sides.
fn tally(
    rules: RuleSet,
    opponent: Yardstick,
    level: Level,
    limits: SearchLimits,
    games: u64,
) -> Tally {
    let mut tally = Tally::default();
    for seed in 0..games {
        let engine = if seed % 2 == 0 { Side::First } else { Side::Second };
        match play(rules, opponent, engine, level, limits, seed) {
            Some(winner) if winner == engine => tally.won += 1,
            Some(_) => tally.lost += 1,
            None => tally.drawn += 1,
        }
    }
    tally
}

/// The least score in percent. With the sticks, luck leaves less room between random
/// play and the best. In Tablaaza most moves lose nothing until the end, which Regular
/// sees late.
fn least_percent(rules: RuleSet, level: Level) -> f64 {
    match (rules, level) {
        (RuleSet::Tablaaza, Level::Regular) => 80.0,
        (RuleSet::Tablan | RuleSet::TablanOrdered, Level::Regular) => 65.0,
        (RuleSet::Tablan | RuleSet::TablanOrdered, Level::Club) => 75.0,
        (RuleSet::Tablan | RuleSet::TablanOrdered, _) => 85.0,
        (_, Level::Regular) => 90.0,
        (_, _) => 95.0,
    }
}

fn check(rules: RuleSet, level: Level, limits: SearchLimits, games: u64) {
    let tally = tally(rules, Yardstick::Random, level, limits, games);
    println!("{rules} {level}: {tally:?}");
    assert!(tally.percent() >= least_percent(rules, level), "{rules} {level}: {tally:?}");
}

/// Few enough nodes that a dozen games take a second.
const FEW_NODES: SearchLimits =
    SearchLimits { movetime: None, depth: None, nodes: Some(20_000), solver_nodes: None };

#[test]
fn regular_beats_random_play_at_tablut() {
    for rules in RuleSet::ALL.into_iter().filter(|rules| rules.game() == GameKind::Tablut) {
        check(rules, Level::Regular, FEW_NODES, 20);
    }
}

#[test]
fn regular_beats_random_play_at_tablan() {
    for rules in [RuleSet::Tablan, RuleSet::TablanOrdered] {
        check(rules, Level::Regular, FEW_NODES, 40);
    }
}

#[test]
fn regular_beats_random_play_at_tablaaza() {
    check(RuleSet::Tablaaza, Level::Regular, FEW_NODES, 40);
}

#[test]
#[ignore = "hundreds of games; needs a release build"]
fn regular_and_club_beat_random_play_a_hundred_times() {
    for rules in RuleSet::ALL {
        for level in [Level::Regular, Level::Club] {
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

/// The most that the lowest level may score in percent, with room for the luck of a
/// short series: over many games it scores less.
const MOST_AGAINST_GREEDY: f64 = 60.0;

fn check_newcomer(rules: RuleSet, games: u64) {
    let tally = tally(rules, Yardstick::Greedy, Level::Newcomer, FEW_NODES, games);
    println!("{rules} newcomer against greedy: {tally:?}");
    assert!(tally.percent() <= MOST_AGAINST_GREEDY, "{rules}: {tally:?}");
}

#[test]
fn newcomer_does_not_beat_a_player_that_looks_one_ply_ahead() {
    for rules in RuleSet::ALL {
        check_newcomer(rules, 40);
    }
}

#[test]
#[ignore = "thousands of games; needs a release build"]
fn newcomer_does_not_beat_a_player_that_looks_one_ply_ahead_in_many_games() {
    for rules in RuleSet::ALL {
        check_newcomer(rules, 1000);
    }
}
