//! The Tablan engine's strength against simple players that are easy to
//! reproduce: *random* plays any legal move; *greedy* maximises captures, then
//! arrivals, then the furthest square. Master knows the game so far, as in any
//! game, and so can recognise its opponent's style.
//!
//! The long measurement plays thousands of games with a match's time limit:
//!
//! ```sh
//! GAMES=4000 cargo test --release --no-default-features --test tablan_yardsticks -- \
//!     --ignored --nocapture
//! ```
//!
//! `RULES=tablan` or `RULES=tablan/ordered` selects one rule set, `LEVEL` another
//! level, `RIVAL=random`, `greedy` or `runner` one opponent, and `SEED` other
//! throws.

use std::{
    env,
    time::{Duration, Instant},
};

use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};
use tabulae::{
    engines::{EngineOptions, Level, Request, SearchLimits, StopSignal, search},
    games::{
        AnyMove, AnyPosition, Game, GameHistory, Ply, RuleSet, Side, Throw, Turn,
        tablan::{GOAL_ROW, Move, Position, steps},
    },
};

/// A player without an engine.
#[derive(Clone, Copy, Debug, PartialEq)]
enum SimplePlayer {
    /// Any legal move.
    Random,
    /// Maximises captures, then arrivals, then the furthest square reached.
    Greedy,
    /// As `Greedy`, but the longest step of one piece comes last.
    Runner,
}

impl SimplePlayer {
    const ALL: [Self; 3] = [Self::Random, Self::Greedy, Self::Runner];

    fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Greedy => "greedy",
            Self::Runner => "runner",
        }
    }

    /// Chooses a move; at random among equal ones.
    fn choose(self, position: &Position, rng: &mut ChaCha8Rng) -> Move {
        let mut moves = position.legal_moves();
        moves.sort_unstable();
        if self != Self::Random {
            let most = moves.iter().map(|&mv| self.preference(position.side(), mv)).max();
            moves.retain(|&mv| Some(self.preference(position.side(), mv)) == most);
        }
        moves[rng.random_range(0..moves.len())]
    }

    /// What the player maximises.
    fn preference(self, side: Side, mv: Move) -> (u32, usize, u8) {
        let places: Vec<_> = mv.piece_moves().map(|half| steps(side, half.to).unwrap()).collect();
        let arrivals = places.iter().filter(|&&place| GOAL_ROW >> place & 1 != 0).count();
        let distance = if self == Self::Runner { mv.step() } else { places[0] };
        (mv.captures(), arrivals, distance)
    }
}

/// The results of a series of games, from the engine's side.
#[derive(Debug, Default)]
struct Tally {
    games: u32,
    won: u32,
    drawn: u32,
    moves: u32,
    time: Duration,
    slowest: Duration,
}

impl Tally {
    /// The score in percent: a win counts 1, a draw a half.
    fn percent(&self) -> f64 {
        50.0 * f64::from(2 * self.won + self.drawn) / f64::from(self.games)
    }

    /// Half the width of the 95 % confidence interval, in percent.
    fn margin(&self) -> f64 {
        let (games, mean) = (f64::from(self.games), self.percent() / 100.0);
        let squares = f64::from(self.won) + f64::from(self.drawn) / 4.0;
        196.0 * ((squares / games - mean * mean) / games).sqrt()
    }
}

/// Plays a game and returns the winner.
fn play(
    start: AnyPosition,
    engine: Side,
    opponent: SimplePlayer,
    settings: (Level, SearchLimits),
    seed: u64,
    tally: &mut Tally,
) -> Option<Side> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut history = GameHistory::new(start);
    loop {
        let ply = match history.turn() {
            Turn::Over(end) => return end.winner,
            // Four fair sticks.
            Turn::Throw(_) => {
                Ply::Throw(Throw::ALL[(rng.random::<u8>() & 15).count_ones() as usize])
            }
            Turn::Move(side) if side == engine => {
                let (level, limits) = settings;
                let options =
                    EngineOptions { level, hash_mib: 16, seed, ..EngineOptions::default() };
                let request = Request { history: history.clone(), limits, options };
                let start = Instant::now();
                let best = search(&request, &StopSignal::default(), &mut |_| ());
                let time = start.elapsed();
                tally.moves += 1;
                tally.time += time;
                tally.slowest = tally.slowest.max(time);
                Ply::Move(best.expect("a move is due"))
            }
            Turn::Move(_) => {
                let AnyPosition::Tablan(position) = history.position() else { unreachable!() };
                Ply::Move(AnyMove::Tablan(opponent.choose(position, &mut rng)))
            }
        };
        history.push(ply).expect("legal");
    }
}

/// Plays games in pairs with the same throws; the engine starts one of each.
fn measure(
    rules: RuleSet,
    opponent: SimplePlayer,
    (level, limits): (Level, SearchLimits),
    games: u32,
    seed: u64,
) -> Tally {
    let mut tally = Tally { games, ..Tally::default() };
    for game in 0..games {
        let starter = Side::First;
        let engine = if game % 2 == 0 { starter } else { starter.other() };
        let mut start = AnyPosition::start(rules);
        // The game starts with a throw of 1 (rule 7).
        start.throw(Throw::ALL[1]).expect("a throw is due");
        let number = seed.wrapping_add(u64::from(game / 2));
        match play(start, engine, opponent, (level, limits), number, &mut tally) {
            Some(winner) if winner == engine => tally.won += 1,
            Some(_) => {}
            None => tally.drawn += 1,
        }
    }
    tally
}

/// Few games prove no strength, but they detect an engine that plays badly.
#[test]
fn the_engine_beats_greedy_and_random_play() {
    let limits = SearchLimits { depth: Some(1), ..SearchLimits::default() };
    for rules in [RuleSet::Tablan, RuleSet::TablanOrdered] {
        for (opponent, least) in [(SimplePlayer::Random, 80.0), (SimplePlayer::Greedy, 55.0)] {
            let tally = measure(rules, opponent, (Level::Master, limits), 60, 1);
            assert!(tally.percent() >= least, "{rules} {}: {tally:?}", opponent.name());
        }
    }
}

#[test]
#[ignore = "plays thousands of games; run in a release build"]
fn measure_master_against_simple_players() {
    let variable = |name: &str| env::var(name).ok();
    let games = variable("GAMES").map_or(4000, |text| text.parse().expect("a number"));
    let seed = variable("SEED").map_or(2026, |text| text.parse().expect("a number"));
    let level = variable("LEVEL").map_or(Level::Master, |text| text.parse().expect("a level"));
    // The default of `tabulae match`.
    let limits =
        SearchLimits { movetime: Some(Duration::from_millis(100)), ..SearchLimits::default() };
    for rules in [RuleSet::Tablan, RuleSet::TablanOrdered] {
        for opponent in SimplePlayer::ALL {
            if variable("RULES").is_some_and(|only| only != rules.id())
                || variable("RIVAL").is_some_and(|only| only != opponent.name())
            {
                continue;
            }
            let tally = measure(rules, opponent, (level, limits), games, seed);
            println!(
                "{rules}, {level} against {}: {:.1} % of the points (95 %: ±{:.1}), +{} ={} -{}, \
                 {:.2} ms a move, the slowest {:.0} ms",
                opponent.name(),
                tally.percent(),
                tally.margin(),
                tally.won,
                tally.drawn,
                tally.games - tally.won - tally.drawn,
                tally.time.as_secs_f64() * 1000.0 / f64::from(tally.moves.max(1)),
                tally.slowest.as_secs_f64() * 1000.0,
            );
        }
    }
}
