//! The Tablan engine's strength against simple players that are easy to
//! reproduce: *random* plays any legal move; *greedy* maximises captures, then
//! arrivals, then the furthest square.
//!
//! The long measurement plays thousands of games with a match's time limit:
//!
//! ```sh
//! GAMES=4000 cargo test --release -p tabulae-engines --test engines tablan_yardsticks -- \
//!     --ignored --nocapture
//! ```
//!
//! `RULES=tablan` or `RULES=tablan/ordered` selects one rule set, `LEVEL` another
//! level, `RIVAL=random`, `greedy`, `runner` or `prudent` one opponent, and `SEED`
//! other throws.
//!
//! Another measurement rolls out Master's decisions: `DECISIONS=1000 ROLLOUTS=36 cargo test
//! --release -p tabulae-engines --test engines equity_loss -- --ignored
//! --nocapture`.

use std::{
    cmp::Reverse,
    env,
    time::{Duration, Instant},
};

use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};
use tabulae_engines::{
    EngineOptions, Level, Request, SearchLimits, StopSignal, search,
    tablan::{rank_moves, roll_out, roll_out_moves},
};
use tabulae_games::{
    AnyMove, AnyPosition, Game, GameHistory, Ply, RuleSet, Side, Throw, Turn,
    tablan::{GOAL_ROW, Move, Position, opposite, steps},
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
    /// As `Greedy`, but right after captures come the fewest own pieces in reach: as many
    /// squares before an opponent's piece as one throw takes it or half a pair.
    Prudent,
}

impl SimplePlayer {
    const ALL: [Self; 4] = [Self::Random, Self::Greedy, Self::Runner, Self::Prudent];

    fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Greedy => "greedy",
            Self::Runner => "runner",
            Self::Prudent => "prudent",
        }
    }

    /// Chooses a move; at random among equal ones.
    fn choose(self, position: &Position, rng: &mut ChaCha8Rng) -> Move {
        let mut moves = position.legal_moves();
        moves.sort_unstable();
        if self != Self::Random {
            let most = moves.iter().map(|&mv| self.preference(position, mv)).max();
            moves.retain(|&mv| Some(self.preference(position, mv)) == most);
        }
        moves[rng.random_range(0..moves.len())]
    }

    /// What the player maximises.
    fn preference(self, position: &Position, mv: Move) -> (u32, Reverse<u32>, usize, u8) {
        let side = position.side();
        let places: Vec<_> = mv.piece_moves().map(|half| steps(side, half.to).unwrap()).collect();
        let arrivals = places.iter().filter(|&&place| GOAL_ROW >> place & 1 != 0).count();
        let distance = if self == Self::Runner { mv.step() } else { places[0] };
        let in_reach = if self == Self::Prudent { count_in_reach(position, mv) } else { 0 };
        (mv.captures(), Reverse(in_reach), arrivals, distance)
    }
}

/// How many of the mover's pieces one throw of the opponent's may reach after the move.
fn count_in_reach(position: &Position, mv: Move) -> u32 {
    let side = position.side();
    let mut after = position.clone();
    after.apply(mv).expect("a legal move");
    // Those that have arrived are safe.
    let own = opposite(after.places(side) & !GOAL_ROW);
    let reach = [1, 2, 4, 6, 8, 12].map(|steps| after.places(side.other()) << steps);
    (own & reach.into_iter().fold(0, |all, squares| all | squares)).count_ones()
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

/// What Master's moves lose, by rollouts.
#[derive(Debug, Default)]
struct Losses {
    decisions: u32,
    sum: f64,
    squares: f64,
}

impl Losses {
    fn add(&mut self, loss: f64) {
        self.decisions += 1;
        self.sum += loss;
        self.squares += loss * loss;
    }

    /// The mean loss and its standard error.
    fn mean(&self) -> (f64, f64) {
        let count = f64::from(self.decisions.max(1));
        let mean = self.sum / count;
        (mean, ((self.squares / count - mean * mean).max(0.0) / count).sqrt())
    }
}

/// Measures Master's decisions in its games against itself. In each, the other moves
/// that look almost as good are rolled out with Master's; the best of them by these
/// rollouts is compared with Master's move by others, so that choosing it among several
/// does not bias the mean. A move that looks worse by more than `GAP` counts as worse.
fn measure_losses(rules: RuleSet, decisions: u32, games: u32, seed: u64) -> Losses {
    const GAP: f32 = 0.08;
    const OTHERS: usize = 3;
    let mut losses = Losses::default();
    for game in 0.. {
        let mut rng = ChaCha8Rng::seed_from_u64(seed.wrapping_add(game));
        let mut history = GameHistory::new(AnyPosition::start(rules));
        loop {
            let ply = match history.turn() {
                Turn::Over(_) => break,
                Turn::Throw(_) => {
                    Ply::Throw(Throw::ALL[(rng.random::<u8>() & 15).count_ones() as usize])
                }
                Turn::Move(_) => {
                    let limits = SearchLimits { nodes: Some(2000), ..SearchLimits::default() };
                    let options = EngineOptions { hash_mib: 16, ..EngineOptions::default() };
                    let options = EngineOptions { level: Level::Master, ..options };
                    let request = Request { history: history.clone(), limits, options };
                    let best = search(&request, &StopSignal::default(), &mut |_| ());
                    let Some(AnyMove::Tablan(master)) = best else { panic!("a move is due") };
                    let AnyPosition::Tablan(position) = history.position() else {
                        unreachable!("those are the rules")
                    };
                    let ranked = rank_moves(position);
                    // One decision of five, so that they come from more games.
                    if ranked.len() > 1 && rng.random_range(0..5) == 0 {
                        let rolls = rng.random();
                        losses.add(loss(position, master, &ranked, (GAP, OTHERS), games, rolls));
                        if losses.decisions == decisions {
                            return losses;
                        }
                    }
                    Ply::Move(AnyMove::Tablan(master))
                }
            };
            history.push(ply).expect("legal");
        }
    }
    losses
}

/// The equity that a move loses to the best of the other moves; 0 if there is none.
fn loss(
    position: &Position,
    master: Move,
    ranked: &[(Move, f32)],
    (gap, others): (f32, usize),
    games: u32,
    seed: u64,
) -> f64 {
    let best = ranked[0].1;
    let mut moves: Vec<_> = ranked.iter().filter(|(_, it)| best - it <= gap).collect();
    moves.retain(|(mv, _)| *mv != master);
    moves.truncate(others);
    if moves.is_empty() {
        return 0.0;
    }
    let moves: Vec<_> = moves.into_iter().map(|(mv, _)| *mv).chain([master]).collect();
    let chosen = roll_out_moves(position, &moves, games, seed)[0].mv;
    if chosen == master {
        return 0.0;
    }
    f64::from(roll_out(position, [chosen, master], 2 * games, !seed).mean)
}

#[test]
fn a_bad_move_loses_equity_by_rollouts_and_the_best_none() {
    let mut start = AnyPosition::start(RuleSet::Tablan);
    start.throw(Throw::ALL[1]).expect("a throw is due");
    let AnyPosition::Tablan(position) = start else { unreachable!("those are the rules") };
    let ranked = rank_moves(&position);
    let (best, worst) = (ranked[0].0, ranked[ranked.len() - 1].0);
    assert!(loss(&position, worst, &ranked, (9.0, 3), 50, 1) > 0.0);
    assert_eq!(loss(&position, best, &ranked[..1], (9.0, 3), 4, 1), 0.0);
}

#[test]
#[ignore = "rolls out a thousand decisions; run in a release build"]
fn measure_masters_equity_loss() {
    let variable = |name: &str| env::var(name).ok();
    let number = |name: &str, default: u32| {
        variable(name).map_or(default, |text| text.parse().expect("a number"))
    };
    let (decisions, games) = (number("DECISIONS", 1000), number("ROLLOUTS", 36));
    for rules in [RuleSet::Tablan, RuleSet::TablanOrdered] {
        if variable("RULES").is_some_and(|only| only != rules.id()) {
            continue;
        }
        let losses = measure_losses(rules, decisions, games, number("SEED", 2026).into());
        let (mean, error) = losses.mean();
        println!(
            "{rules}: mean loss {mean:.4} ± {error:.4} of equity in {} decisions, {games} and {} \
             rollouts",
            losses.decisions,
            2 * games
        );
    }
}
