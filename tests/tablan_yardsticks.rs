//! How strong the Tablan engine is, against two players that anybody can
//! rebuild: *random*, who plays any legal move, and *greedy*, who captures
//! rather than not, then gets home, then goes furthest. Master knows the game
//! so far, as in any game, and so learns whom he has before him.
//!
//! The long measurement, thousands of games with Master as it plays under the
//! clock of a match:
//!
//! ```sh
//! GAMES=4000 cargo test --release --no-default-features --test tablan_yardsticks -- \
//!     --ignored --nocapture
//! ```
//!
//! `RULES=tablan` or `RULES=tablan/ordered` takes one rule set alone, `LEVEL`
//! another level, `RIVAL=random`, `greedy` or `runner` one rival alone, `SEED`
//! other throws.

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
enum Rival {
    /// Any legal move.
    Random,
    /// Most captures, then most arrivals, then the furthest square reached.
    Greedy,
    /// The same, but of the last the longest way by one piece.
    Runner,
}

impl Rival {
    const ALL: [Self; 3] = [Self::Random, Self::Greedy, Self::Runner];

    fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Greedy => "greedy",
            Self::Runner => "runner",
        }
    }

    /// Chooses; among equals by lot.
    fn choose(self, position: &Position, rng: &mut ChaCha8Rng) -> Move {
        let mut moves = position.legal_moves();
        moves.sort_unstable();
        if self != Self::Random {
            let most = moves.iter().map(|&mv| self.wish(position.side(), mv)).max();
            moves.retain(|&mv| Some(self.wish(position.side(), mv)) == most);
        }
        moves[rng.random_range(0..moves.len())]
    }

    fn wish(self, side: Side, mv: Move) -> (u32, usize, u8) {
        let places: Vec<_> = mv.piece_moves().map(|half| steps(side, half.to).unwrap()).collect();
        let arrivals = places.iter().filter(|&&place| GOAL_ROW >> place & 1 != 0).count();
        let distance = if self == Self::Runner { mv.step() } else { places[0] };
        (mv.captures(), arrivals, distance)
    }
}

/// What was counted.
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
    /// Points of a hundred: a win 1, a draw a half.
    fn percent(&self) -> f64 {
        50.0 * f64::from(2 * self.won + self.drawn) / f64::from(self.games)
    }

    /// Half the width of the interval that the true value is in with 95 %.
    fn margin(&self) -> f64 {
        let (games, mean) = (f64::from(self.games), self.percent() / 100.0);
        let squares = f64::from(self.won) + f64::from(self.drawn) / 4.0;
        196.0 * ((squares / games - mean * mean) / games).sqrt()
    }
}

/// Plays a game; who won.
fn play(
    start: AnyPosition,
    engine: Side,
    rival: Rival,
    settings: (Level, SearchLimits),
    seed: u64,
    tally: &mut Tally,
) -> Option<Side> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut line = GameHistory::new(start);
    loop {
        let ply = match line.turn() {
            Turn::Over(end) => return end.winner,
            // Fair sticks: each falls on either side.
            Turn::Throw(_) => {
                Ply::Throw(Throw::ALL[(rng.random::<u8>() & 15).count_ones() as usize])
            }
            Turn::Move(side) if side == engine => {
                let (level, limits) = settings;
                let options =
                    EngineOptions { level, hash_mib: 16, seed, ..EngineOptions::default() };
                let request = Request { line: line.clone(), limits, options };
                let begun = Instant::now();
                let best = search(&request, &StopSignal::default(), &mut |_| ());
                let time = begun.elapsed();
                tally.moves += 1;
                tally.time += time;
                tally.slowest = tally.slowest.max(time);
                Ply::Move(best.expect("a move is due"))
            }
            Turn::Move(_) => {
                let AnyPosition::Tablan(position) = line.position() else { unreachable!() };
                Ply::Move(AnyMove::Tablan(rival.choose(position, &mut rng)))
            }
        };
        line.push(ply).expect("legal");
    }
}

/// Games in pairs, the engine and its rival each once the starter.
fn measure(
    rules: RuleSet,
    rival: Rival,
    (level, limits): (Level, SearchLimits),
    games: u32,
    seed: u64,
) -> Tally {
    let mut tally = Tally { games, ..Tally::default() };
    for game in 0..games {
        let starter = Side::First;
        let engine = if game % 2 == 0 { starter } else { starter.other() };
        let mut start = AnyPosition::start(rules);
        // The throw that starts is a 1 (rule 7).
        start.throw(Throw::ALL[1]).expect("a throw is due");
        let number = seed.wrapping_add(u64::from(game / 2));
        match play(start, engine, rival, (level, limits), number, &mut tally) {
            Some(winner) if winner == engine => tally.won += 1,
            Some(_) => {}
            None => tally.drawn += 1,
        }
    }
    tally
}

/// In the everyday run: no goal is proven by a few games, but an engine that
/// has forgotten how to play is found out.
#[test]
fn the_engine_is_ahead_of_greedy_and_random_play() {
    let limits = SearchLimits { depth: Some(1), ..SearchLimits::default() };
    for rules in [RuleSet::Tablan, RuleSet::TablanOrdered] {
        for (rival, wanted) in [(Rival::Random, 80.0), (Rival::Greedy, 55.0)] {
            let tally = measure(rules, rival, (Level::Master, limits), 60, 1);
            assert!(tally.percent() >= wanted, "{rules} {}: {tally:?}", rival.name());
        }
    }
}

#[test]
#[ignore = "thousands of games; wants a release build"]
fn master_against_greedy_and_random_play() {
    let asked = |name: &str| env::var(name).ok();
    let games = asked("GAMES").map_or(4000, |text| text.parse().expect("a number"));
    let seed = asked("SEED").map_or(2026, |text| text.parse().expect("a number"));
    let level = asked("LEVEL").map_or(Level::Master, |text| text.parse().expect("a level"));
    // As `tabulae match` asks by default.
    let limits =
        SearchLimits { movetime: Some(Duration::from_millis(100)), ..SearchLimits::default() };
    for rules in [RuleSet::Tablan, RuleSet::TablanOrdered] {
        for rival in Rival::ALL {
            if asked("RULES").is_some_and(|only| only != rules.id())
                || asked("RIVAL").is_some_and(|only| only != rival.name())
            {
                continue;
            }
            let tally = measure(rules, rival, (level, limits), games, seed);
            println!(
                "{rules}, {level} against {}: {:.1} % of the points (95 %: ±{:.1}), +{} ={} -{}, \
                 {:.2} ms a move, the slowest {:.0} ms",
                rival.name(),
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
