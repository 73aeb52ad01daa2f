//! The engine's own positions against the rules.

use std::fs;

use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};
use serde_json::Value;

use super::{
    ground::Ground,
    ground_of,
    network::Network,
    selfplay::{Terms, play},
    squares::square,
    state::{Move, State},
};
use crate::games::{
    Game as _, GameHistory, Ply, Square,
    tablut::{ASHTON, Army, BERKELEY, LINNAEUS, Move as RulesMove, Position, Rules},
};

const ALL: [&Rules; 3] = [ASHTON, BERKELEY, LINNAEUS];

fn moves(state: &State, ground: &Ground) -> Vec<Move> {
    let mut moves = Vec::new();
    state.each_move(ground, |mv| moves.push(mv));
    moves
}

/// All that the engine knows of a position is what the rules say.
fn compare(position: &Position, state: &State) {
    let ground = ground_of(position);
    let fresh = State::of(position, ground);
    assert_eq!(state.key, fresh.key, "{position}");
    assert_eq!(state.sums, fresh.sums, "{position}");
    assert_eq!((state.rows, state.columns), (fresh.rows, fresh.columns), "{position}");
    assert_eq!((state.whites, state.blacks), (fresh.whites, fresh.blacks), "{position}");
    let squares = |of: &mut dyn Iterator<Item = Square>| of.collect::<Vec<_>>();
    let told = [
        squares(&mut position.white_soldiers().squares()),
        squares(&mut position.black_soldiers().squares()),
        squares(&mut position.king().into_iter()),
    ];
    assert_eq!(state.squares(), told, "{position}");
    let Some(king) = position.king() else { return };
    if position.king_end().is_some() {
        return;
    }
    let legal = position.legal_moves();
    let mut ours: Vec<_> = moves(state, ground).into_iter().map(Move::to_rules).collect();
    ours.sort();
    let mut theirs = legal.clone();
    theirs.sort();
    assert_eq!(ours, theirs, "{position}");
    assert_eq!(state.has_move(ground), !legal.is_empty(), "{position}");
    let loud = state.capture_squares(ground);
    let mut wins = Vec::new();
    for mv in legal {
        let ours = Move::of(mv);
        assert!(state.is_legal(ground, ours), "{position}: {mv}");
        let mut after = position.clone();
        let taken = after.apply(mv);
        let child = state.after(ground, ours);
        let fresh = State::of(&after, ground);
        // A king who was taken may still lie on the rules' board.
        if after.king().is_some() {
            assert_eq!(child.key, fresh.key, "{position}: {mv}");
        }
        assert_eq!(child.squares(), fresh.squares(), "{position}: {mv}");
        let soldiers = taken.len() - u32::from(taken.contains(king));
        let is_armed = mv.from() != king || ground.armed_king;
        if soldiers > 0 && is_armed {
            assert!(loud & super::squares::bit(ours.to()) != 0, "{position}: {mv}");
        }
        if after.king_end().is_some() {
            wins.push(mv);
        }
    }
    let winning = state.winning_move(ground).map(Move::to_rules);
    assert_eq!(winning.is_some(), !wins.is_empty(), "{position}: {wins:?}");
    assert!(winning.is_none_or(|mv| wins.contains(&mv)), "{position}: {winning:?}");
    let ways = state.king_ways(ground);
    if position.to_move() == Army::White {
        let homes = position.king_escapes();
        assert_eq!(ways.open > 0, homes > 0, "{position}");
        assert_eq!(ways.open > 0, state.king_is_free(ground), "{position}");
        if position.rules().escapes().len() != 32 || king.file % 8 != 0 && king.rank % 8 != 0 {
            assert_eq!(ways.open, homes, "{position}");
        }
    }
}

#[test]
fn random_games_are_the_same_by_the_rules_and_by_the_engine() {
    for rules in ALL {
        let mut compared = 0;
        for seed in 0..60 {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let mut line = GameHistory::new(Position::start(rules));
            let mut state = State::of(line.position(), ground_of(line.position()));
            while line.len() < 120 {
                compare(line.position(), &state);
                compared += 1;
                let moves = line.legal_moves();
                if moves.is_empty() {
                    break;
                }
                // Captures and ends more often than chance would have them.
                let mut mv = moves[rng.random_range(0..moves.len())];
                if rng.random_range(0..3) == 0 {
                    let taking = |mv: &&RulesMove| !line.position().captures(**mv).is_empty();
                    mv = moves.iter().find(taking).copied().unwrap_or(mv);
                }
                state = state.after(ground_of(line.position()), Move::of(mv));
                line.push(Ply::Move(mv)).unwrap();
            }
        }
        assert!(compared > 2000, "{:?}: {compared}", rules.set);
    }
}

/// Men thrown on the board at random, king included.
#[test]
fn random_boards_are_the_same_by_the_rules_and_by_the_engine() {
    for rules in ALL {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let mut compared = 0;
        for _ in 0..3000 {
            let mut board = [[' '; 9]; 9];
            let mut put = |letter: char, count: u32, rng: &mut ChaCha8Rng| {
                for _ in 0..count {
                    let (file, rank) = (rng.random_range(0..9), rng.random_range(0..9));
                    if board[rank][file] == ' ' && (file, rank) != (4, 4) {
                        board[rank][file] = letter;
                    }
                }
            };
            let (whites, blacks) = (rng.random_range(0..9), rng.random_range(1..17));
            put('W', whites, &mut rng);
            put('B', blacks, &mut rng);
            // Half of the kings stand near the castle, where his rules differ.
            let near = [(4, 4), (3, 4), (4, 3), (5, 4), (4, 5)];
            let (file, rank) = match rng.random_range(0..2) {
                0 => near[rng.random_range(0..near.len())],
                _ => (rng.random_range(0..9), rng.random_range(0..9)),
            };
            board[rank][file] = 'K';
            let rows: Vec<_> = board
                .iter()
                .map(|row| {
                    let row = String::from_iter(row);
                    (1..=9)
                        .rev()
                        .fold(row, |row, run| row.replace(&" ".repeat(run), &run.to_string()))
                })
                .collect();
            let side = if rng.random_range(0..2) == 0 { "w" } else { "b" };
            let text = format!("{} {side}", rows.join("/"));
            let Ok(position) = Position::parse(rules, &text) else { continue };
            compare(&position, &State::of(&position, ground_of(&position)));
            compared += 1;
        }
        assert!(compared > 500, "{:?}: {compared}", rules.set);
    }
}

#[test]
fn the_vectors_moves_are_the_engines() {
    for (rules, name) in [(ASHTON, "ashton"), (BERKELEY, "berkeley"), (LINNAEUS, "linnaeus")] {
        let path =
            format!("{}/tests/vectors/tablut-{name}-onemove.jsonl", env!("CARGO_MANIFEST_DIR"));
        for line in fs::read_to_string(path).unwrap().lines() {
            let case: Value = serde_json::from_str(line).unwrap();
            let rows: Vec<_> = case["position"]
                .as_array()
                .unwrap()
                .iter()
                .map(|row| {
                    let row = row.as_str().unwrap().to_owned();
                    (1..=9)
                        .rev()
                        .fold(row, |row, run| row.replace(&"-".repeat(run), &run.to_string()))
                })
                .collect();
            let side = case["turn"].as_str().unwrap().to_lowercase();
            let position = Position::parse(rules, &format!("{} {side}", rows.join("/"))).unwrap();
            let ground = ground_of(&position);
            let state = State::of(&position, ground);
            let told = case["moves"].as_object().unwrap();
            let mut ours: Vec<_> = if position.king_end().is_some() {
                Vec::new()
            } else {
                moves(&state, ground).into_iter().map(|mv| mv.to_rules().to_string()).collect()
            };
            ours.sort();
            assert_eq!(ours.iter().collect::<Vec<_>>(), told.keys().collect::<Vec<_>>());
            for mv in moves(&state, ground) {
                let what = &told[&mv.to_rules().to_string()];
                let child = state.after(ground, mv);
                let (men, left) = if state.black_to_move {
                    (state.white, child.white)
                } else {
                    (state.black, child.black)
                };
                let taken: Vec<_> =
                    super::squares::each(men & !left).map(|at| square(at).to_string()).collect();
                let mut captured: Vec<_> =
                    what["c"].as_array().unwrap().iter().map(|at| at.as_str().unwrap()).collect();
                captured.sort_unstable();
                assert_eq!(taken, captured, "{position} {}", mv.to_rules());
            }
        }
    }
}

fn perft(state: &State, ground: &Ground, depth: u32) -> u64 {
    let over = state.king == super::squares::NOWHERE
        || super::squares::bit(state.king) & ground.homes != 0;
    match depth {
        0 => 1,
        _ if over => 0,
        _ => moves(state, ground)
            .into_iter()
            .map(|mv| perft(&state.after(ground, mv), ground, depth - 1))
            .sum(),
    }
}

#[test]
fn the_shipped_networks_are_read() {
    for (rules, bytes) in [
        (ASHTON, include_bytes!("../../../assets/engines/tablut-ashton.net")),
        (BERKELEY, include_bytes!("../../../assets/engines/tablut-berkeley.net")),
        (LINNAEUS, include_bytes!("../../../assets/engines/tablut-linnaeus.net")),
    ] {
        let read = super::network::Network::read(bytes);
        assert_eq!(read.map(|network| network.to_bytes()).as_deref(), Ok(bytes.as_slice()));
        // Soldiers are worth something to their side.
        let ground = ground_of(&Position::start(rules));
        let start = State::of(&Position::start(rules), ground);
        let without = |white: usize, black: usize| {
            let left = |men: u128, fewer: usize| {
                super::squares::each(men)
                    .skip(fewer)
                    .fold(0, |set, at| set | super::squares::bit(at))
            };
            let (white, black) = (left(start.white, white), left(start.black, black));
            State::new(ground, white, black, start.king, false).evaluate(ground)
        };
        assert!(without(0, 8) > without(0, 0) && without(0, 0) > without(4, 0), "{:?}", rules.set);
    }
}

#[test]
fn what_was_learnt_beats_counting_soldiers() {
    let terms = Terms { nodes: 100, opening: (2, 4), thinned: 0 };
    for rules in ALL {
        let learnt = ground_of(&Position::start(rules));
        let counting = &Ground::new(rules, Network::counting());
        // Each opening twice, the network once White and once Black.
        let points: f32 = (0..8)
            .map(|seed| {
                let white = play([learnt, counting], terms, seed).result;
                white + 1.0 - play([counting, learnt], terms, seed).result
            })
            .sum();
        assert!(points >= 10.5, "{:?}: {points} of 16", rules.set);
    }
}

#[test]
fn perft_from_the_start() {
    for (rules, counts) in [
        (ASHTON, [56, 4408, 248_456]),
        (BERKELEY, [80, 4400, 353_200]),
        (LINNAEUS, [56, 3968, 225_224]),
    ] {
        let position = Position::start(rules);
        let ground = ground_of(&position);
        let state = State::of(&position, ground);
        for (depth, count) in (1..).zip(counts) {
            assert_eq!(perft(&state, ground, depth), count, "{:?} {depth}", rules.set);
        }
    }
}

/// `cargo test --release perft_is_deep -- --ignored --nocapture`
#[test]
#[ignore = "the longer counts"]
fn perft_is_deep() {
    for (rules, count) in [(ASHTON, 19_159_224), (BERKELEY, 19_913_864), (LINNAEUS, 16_171_000)] {
        let position = Position::start(rules);
        let ground = ground_of(&position);
        assert_eq!(perft(&State::of(&position, ground), ground, 4), count, "{:?}", rules.set);
    }
}
