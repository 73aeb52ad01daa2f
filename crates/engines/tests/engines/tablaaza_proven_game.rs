//! Games of Tablaaza that begin with the proven first move.

use std::{env, time::Duration};

use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};
use tabulae_engines::{
    EngineOptions, EngineState, Info, Level, Request, SearchLimits, StopSignal, search_with_state,
};
use tabulae_games::{AnyPosition, GameHistory, Ply, RuleSet, Side, Turn, tablaaza::Position};

fn position(game: &GameHistory<AnyPosition>) -> &Position {
    match game.position() {
        AnyPosition::Tablaaza(position) => position,
        other => unreachable!("{other}"),
    }
}

fn free(position: &Position) -> u32 {
    (position.free(Side::First) | position.free(Side::Second)).count_ones()
}

/// The game so far, searched with these limits: the last report, if there was one.
fn play(
    game: &mut GameHistory<AnyPosition>,
    state: &EngineState,
    limits: SearchLimits,
    seed: u64,
) -> Option<Info> {
    let options = EngineOptions { level: Level::Master, seed, ..EngineOptions::default() };
    let request = Request { history: game.clone(), limits, options };
    let mut last = None;
    let mut on_info = |info: &Info| last = Some(info.clone());
    let best = search_with_state(state, &request, &StopSignal::default(), &mut on_info);
    game.push(Ply::Move(best.expect("a move"))).expect("legal");
    last
}

fn play_at_random(game: &mut GameHistory<AnyPosition>, rng: &mut ChaCha8Rng) {
    let moves = game.legal_moves();
    game.push(Ply::Move(moves[rng.random_range(0..moves.len())])).expect("legal");
}

/// At its last position that the ledger knows, Master solves what may follow, so the next
/// search has little left to do.
#[test]
fn the_solver_looks_ahead_where_the_ledger_ends() {
    let limits =
        SearchLimits { movetime: Some(Duration::from_secs(3600)), ..SearchLimits::default() };
    for seed in 0..3 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let (state, new_state) = (EngineState::new(), EngineState::new());
        let mut game = GameHistory::new(AnyPosition::start(RuleSet::Tablaaza));
        while free(position(&game)) > 32 {
            play(&mut game, &state, limits, seed);
            play_at_random(&mut game, &mut rng);
        }
        let [known, unknown] = [&state, &new_state].map(|state| {
            let info = play(&mut game.clone(), state, limits, seed).expect("a report");
            assert!(info.exact, "{info:?}");
            info.nodes
        });
        assert!(2 * known < unknown, "seed {seed}: {known} {unknown}");
    }
}

/// What one search of a game proves, the next one knows.
#[test]
fn the_solver_remembers_what_it_has_proven() {
    let state = EngineState::new();
    let text = "rg2r1rg/gr5r/2~g1~2/2~rg~2/r1~2~1g/g4rg1/1g1gr1r1 r";
    let start = AnyPosition::parse(RuleSet::Tablaaza, text).expect("a position");
    let limits =
        SearchLimits { movetime: Some(Duration::from_secs(3600)), ..SearchLimits::default() };
    let nodes = || {
        let mut game = GameHistory::new(start.clone());
        let info = play(&mut game, &state, limits, 1).expect("a report");
        assert!(info.exact, "{info:?}");
        info.nodes
    };
    let (first, second) = (nodes(), nodes());
    assert!(second < first, "{second} {first}");
}

/// `GAMES` games of Master as Red from the start with `MS` milliseconds a move, against
/// itself after `RANDOM` random moves of Green; prints how many Red won, and how many of
/// Red's results were exact, by the number of free squares.
#[test]
#[ignore = "minutes; wants a release build"]
fn measure_red_from_the_start() {
    let number = |name: &str, default| {
        env::var(name).map_or(default, |text| text.parse::<u64>().expect("a number"))
    };
    let (games, millis) = (number("GAMES", 100), number("MS", 25));
    let (random, first_seed) = (number("RANDOM", 5), number("SEED", 1));
    let movetime = Some(Duration::from_millis(millis));
    let limits = SearchLimits { movetime, ..SearchLimits::default() };
    let states = [EngineState::new(), EngineState::new()];
    let (mut won, mut exact) = (0, vec![[0; 2]; 51]);
    for seed in first_seed..first_seed + games {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut game = GameHistory::new(AnyPosition::start(RuleSet::Tablaaza));
        while let Turn::Move(side) = game.turn() {
            if side == Side::Second && game.len() < 2 * random as usize {
                play_at_random(&mut game, &mut rng);
                continue;
            }
            let free = free(position(&game)) as usize;
            let info = play(&mut game, &states[side.index()], limits, seed);
            if side == Side::First {
                exact[free][usize::from(info.is_some_and(|info| info.exact))] += 1;
            }
        }
        let winner = game.turn().end().and_then(|end| end.winner);
        won += u64::from(winner == Some(Side::First));
        if winner != Some(Side::First) {
            let moves: Vec<_> = (0..game.len()).filter_map(|ply| game.notation(ply)).collect();
            println!("seed {seed} is lost: {}", moves.join(" "));
        }
    }
    for (free, [unproven, proven]) in exact.iter().enumerate().rev() {
        if unproven + proven > 0 {
            println!("{free} free: {proven} of {} exact", proven + unproven);
        }
    }
    println!("{won} of {games} won, {millis} ms a move, {random} random moves");
}
