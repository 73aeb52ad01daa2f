//! How well the points of an evaluation foretell the results of games.
//!
//! The measurement plays games of a level against itself, evaluates positions of them
//! as an analysis does, and fits the curve from points to win share by logistic
//! regression:
//!
//! ```sh
//! RULES=tablaaza GAMES=400 cargo test --release -p tabulae-engines --test engines win_share -- \
//!     --ignored --nocapture
//! ```
//!
//! `LEVEL` (expert), `NODES` (20000, of each evaluation), `EVERY` (3: every third position)
//! and `SEED` (1) may be set as well.

use std::{env, str::FromStr};

use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};
use tabulae_engines::{
    EngineOptions, EngineState, Level, Request, Score, SearchLimits, StopSignal, search_with_state,
};
use tabulae_games::{AnyPosition, GameHistory, GameKind, Ply, RuleSet, Side, Turn, tablan};

/// A game of so many plies is a draw.
const MAX_PLIES: usize = 1000;
/// Random moves at the start of a game without throws.
const OPENING_MOVES: usize = 4;
/// Resamplings of the games for the standard error.
const RESAMPLINGS: u64 = 100;

/// What is measured.
struct Plan {
    rules: RuleSet,
    level: Level,
    games: u64,
    nodes: u64,
    every: usize,
    seed: u64,
}

/// An evaluation and the result, both for the side to move.
#[derive(Clone, Copy)]
struct Sample {
    points: f64,
    result: f64,
}

fn setting<T: FromStr>(name: &str, default: T) -> T {
    match env::var(name) {
        Ok(text) => text.parse().ok().unwrap_or_else(|| panic!("{name}: {text}")),
        Err(_) => default,
    }
}

/// Plays a game of the level against itself; the history and the winner.
fn play(plan: &Plan, state: &EngineState, number: u64) -> (GameHistory<AnyPosition>, Option<Side>) {
    let seed = plan.seed.wrapping_mul(1_000_003).wrapping_add(number);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let opening = if plan.rules.game() == GameKind::Tablan { 0 } else { OPENING_MOVES };
    let mut history = GameHistory::new(AnyPosition::start(plan.rules));
    while history.len() < MAX_PLIES {
        let ply = match history.turn() {
            Turn::Over(end) => return (history, end.winner),
            Turn::Throw(_) => Ply::Throw(tablan::throw_of(rng.random_range(0..16))),
            Turn::Move(_) if history.len() < opening => {
                let moves = history.legal_moves();
                Ply::Move(moves[rng.random_range(0..moves.len())])
            }
            Turn::Move(_) => {
                let options = EngineOptions {
                    level: plan.level,
                    hash_mib: 8,
                    seed,
                    ..EngineOptions::default()
                };
                let limits = SearchLimits { nodes: Some(plan.nodes), ..SearchLimits::default() };
                let request = Request { history: history.clone(), limits, options };
                let best = search_with_state(state, &request, &StopSignal::default(), &mut |_| ());
                Ply::Move(best.expect("a move is due"))
            }
        };
        history.push(ply).expect("legal");
    }
    (history, None)
}

/// The samples of a game. Proven positions are none: they have no points.
fn samples(plan: &Plan, state: &EngineState, number: u64) -> Vec<Sample> {
    let (history, winner) = play(plan, state, number);
    let evaluate = |ply: usize| {
        let mut before = history.clone();
        before.truncate(ply);
        let Turn::Move(side) = before.turn() else { return None };
        let limits = SearchLimits { nodes: Some(plan.nodes), ..SearchLimits::default() };
        let request = Request { history: before, limits, options: EngineOptions::for_analysis(8) };
        let mut last = None;
        let mut on_info = |info: &tabulae_engines::Info| last = Some(info.score);
        search_with_state(state, &request, &StopSignal::default(), &mut on_info);
        let Some(Score::Points(points)) = last else { return None };
        let result = winner.map_or(0.5, |winner| f64::from(u8::from(winner == side)));
        Some(Sample { points: f64::from(points), result })
    };
    let first = usize::try_from(number).expect("a small number") % plan.every;
    (first..history.len()).step_by(plan.every).filter_map(evaluate).collect()
}

/// The mean logistic loss of these predictions.
fn log_loss(samples: &[Sample], share: impl Fn(f64) -> f64) -> f64 {
    let loss = |sample: &Sample| {
        let share = share(sample.points).clamp(1e-4, 1.0 - 1e-4);
        -(sample.result * share.ln() + (1.0 - sample.result) * (1.0 - share).ln())
    };
    samples.iter().map(loss).sum::<f64>() / samples.len() as f64
}

/// The win share of a log-odds.
fn logistic(value: f64) -> f64 {
    1.0 / (1.0 + (-value).exp())
}

/// The log-odds of points per factor: of Tablan's equity, or of points.
fn log_odds(game: GameKind, points: f64) -> f64 {
    if game == GameKind::Tablan {
        let share = (0.5 + points / 200.0).clamp(1e-3, 1.0 - 1e-3);
        (share / (1.0 - share)).ln()
    } else {
        points
    }
}

/// The factor on the log-odds with the least log loss: where its slope, which rises with the
/// factor, is 0.
fn fit(game: GameKind, samples: &[Sample]) -> f64 {
    let odds: Vec<_> =
        samples.iter().map(|sample| (log_odds(game, sample.points), sample.result)).collect();
    let slope = |factor: f64| -> f64 {
        odds.iter().map(|(value, result)| (logistic(factor * value) - result) * value).sum()
    };
    let (mut low, mut high) = (0.0, if game == GameKind::Tablan { 10.0 } else { 0.1 });
    for _ in 0..40 {
        let middle = f64::midpoint(low, high);
        if slope(middle) < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

/// The factor and its standard error, by resampling whole games.
fn fit_with_error(game: GameKind, games: &[Vec<Sample>]) -> (f64, f64) {
    let resampled = |seed| {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let draw = |_| games[rng.random_range(0..games.len())].clone();
        fit(game, &(0..games.len()).flat_map(draw).collect::<Vec<_>>())
    };
    let factors: Vec<f64> = (0..RESAMPLINGS).map(resampled).collect();
    let mean = factors.iter().sum::<f64>() / factors.len() as f64;
    let squares = factors.iter().map(|factor| (factor - mean) * (factor - mean)).sum::<f64>();
    (fit(game, &games.concat()), (squares / (factors.len() - 1) as f64).sqrt())
}

#[test]
#[ignore = "a measurement; needs a release build"]
fn fit_the_win_share_to_the_results_of_games() {
    let plan = Plan {
        rules: setting("RULES", RuleSet::Tablaaza),
        level: setting("LEVEL", Level::Expert),
        games: setting("GAMES", 400),
        nodes: setting("NODES", 20_000),
        every: setting("EVERY", 3),
        seed: setting("SEED", 1),
    };
    let (game, state) = (plan.rules.game(), EngineState::new());
    let games: Vec<_> = (0..plan.games).map(|number| samples(&plan, &state, number)).collect();
    let (factor, error) = fit_with_error(game, &games);
    // The loss is measured on games that the fit has not seen.
    let half = |from: usize| games.iter().skip(from).step_by(2).cloned().collect::<Vec<_>>();
    let fits = [0, 1].map(|from| fit(game, &half(from).concat()));
    let tested = |share: &dyn Fn(f64, f64) -> f64| {
        let loss = |from: usize| {
            let samples = half(from).concat();
            log_loss(&samples, |points| share(points, fits[1 - from])) * samples.len() as f64
        };
        (loss(0) + loss(1)) / games.concat().len() as f64
    };
    let shown = tested(&|points, _| f64::from(Score::Points(points as i32).win_share(game)));
    let fitted = tested(&|points, factor| logistic(factor * log_odds(game, points)));
    let even = tested(&|_, _| 0.5);
    println!(
        "{} {}, {} games, {} positions: log loss {even:.4} of an even guess, {shown:.4} as shown, \
         {fitted:.4} fitted",
        plan.rules,
        plan.level,
        plan.games,
        games.concat().len()
    );
    if game == GameKind::Tablan {
        println!("factor on the log-odds of the equity: {factor:.3} ± {error:.3}");
    } else {
        let [low, scale, high] = [factor + error, factor, factor - error].map(f64::recip);
        println!("points for a factor of e: {scale:.0} ({low:.0} to {high:.0})");
        for points in [150.0, 250.0] {
            let loss = tested(&|score, _| logistic(score / points));
            println!("with {points} points: log loss {loss:.4}");
        }
    }
    for low in (-600..600).step_by(100) {
        let bin: Vec<_> = games
            .concat()
            .into_iter()
            .filter(|sample| (f64::from(low)..f64::from(low + 100)).contains(&sample.points))
            .collect();
        if bin.len() > 20 {
            let mean = bin.iter().map(|bin| bin.result).sum::<f64>() / bin.len() as f64;
            println!("{low} to {}: {} positions, share {mean:.3}", low + 100, bin.len());
        }
    }
}
