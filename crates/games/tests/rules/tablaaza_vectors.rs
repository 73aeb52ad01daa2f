//! Tablaaza against games and endgames of independent programs.

use std::collections::HashMap;

use serde_json::Value;
use tabulae_games::{EndReason, Event, Game, GameHistory, Side, Turn, perft, tablaaza::Position};

use crate::vectors::cases;

fn texts(value: &Value) -> Vec<String> {
    let list = value.as_array().expect("a list");
    list.iter().map(|text| text.as_str().expect("a text").to_owned()).collect()
}

fn legal(position: &Position) -> Vec<String> {
    let mut legal: Vec<_> = position.legal_moves().iter().map(ToString::to_string).collect();
    legal.sort();
    legal
}

fn side(letter: &Value) -> Side {
    match letter.as_str() {
        Some("R") => Side::First,
        Some("G") => Side::Second,
        _ => panic!("no side: {letter}"),
    }
}

#[test]
fn games_replay_exactly() {
    let games = cases("tablaaza-games.jsonl");
    assert_eq!(games.len(), 20);
    for game in &games {
        let (moves, positions) = (texts(&game["moves"]), texts(&game["positions"]));
        let mut line = GameHistory::new(Position::start());
        for number in 0..=moves.len() {
            let at = format!("game {} after {number} plies", game["id"]);
            let position = *line.position();
            assert_eq!(position.to_string(), positions[number], "{at}");
            assert_eq!(Position::parse(&positions[number]), Ok(position), "{at}");
            if let Some(expected) = game["legal"].get(number.to_string()) {
                assert_eq!(legal(&position), texts(expected), "{at}");
            }
            let Some(text) = moves.get(number) else { break };
            let raised = texts(&game["raised"][number]);
            let long = std::iter::once(text.clone()).chain(raised.clone()).collect::<Vec<_>>();
            let ply = line.parse(text).unwrap_or_else(|error| panic!("{at}: {text}: {error}"));
            assert_eq!(line.parse(&long.join("^")), Ok(ply), "{at}");
            let events = line.push(ply).unwrap_or_else(|error| panic!("{at}: {text}: {error}"));
            let seen: Vec<_> = events
                .iter()
                .filter_map(|event| match event {
                    Event::PavilionRaised { at, .. } => Some(at.to_string()),
                    _ => None,
                })
                .collect();
            assert_eq!(seen, raised, "{at}: {text}");
            assert_eq!(line.notation(number + 1), Some(long.join("^")), "{at}");
        }
        let end = line.turn().end().expect("the game is over");
        assert_eq!((end.winner, end.reason), (Some(side(&game["winner"])), EndReason::NoMoves));
        for (letter, who) in [("R", Side::First), ("G", Side::Second)] {
            let pavilions = u64::from(line.position().pavilions(who));
            assert_eq!(Some(pavilions), game["pavilions"][letter].as_u64(), "game {}", game["id"]);
        }
    }
}

/// Whether the side to move wins, by exhaustive search.
fn wins(position: Position, known: &mut HashMap<(u64, Side), bool>) -> bool {
    let key = (position.closed(), position.side());
    if let Some(won) = known.get(&key) {
        return *won;
    }
    let won = position.legal_moves().into_iter().any(|mv| {
        let mut after = position;
        after.play(mv).expect("legal");
        !wins(after, known)
    });
    known.insert(key, won);
    won
}

#[test]
fn endgames_have_these_winners_and_winning_moves() {
    let mut solved = 0;
    for case in cases("tablaaza-endgames.jsonl") {
        let text = case["fen"].as_str().expect("a position");
        let position = Position::parse(text).expect("a position");
        assert_eq!(position.side(), side(&case["to_move"]), "{text}");
        let empties = Side::BOTH.map(|side| position.free(side).count_ones()).iter().sum::<u32>();
        assert_eq!(Some(u64::from(empties)), case["empties"].as_u64(), "{text}");
        if empties > 16 {
            continue;
        }
        let mut known = HashMap::new();
        let winner =
            if wins(position, &mut known) { position.side() } else { position.side().other() };
        assert_eq!(winner, side(&case["winner"]), "{text}");
        let mut winning: Vec<_> = position
            .legal_moves()
            .into_iter()
            .filter(|mv| {
                let mut after = position;
                after.play(*mv).expect("legal");
                !wins(after, &mut known)
            })
            .map(|mv| mv.to_string())
            .collect();
        winning.sort();
        assert_eq!(winning, texts(&case["winning_moves"]), "{text}");
        solved += 1;
    }
    assert_eq!(solved, 4);
}

#[test]
fn perft_from_the_start() {
    let start = Position::start();
    assert!(matches!(start.turn(), Turn::Move(Side::First)));
    for (depth, count) in [(1, 25), (2, 163), (3, 3912), (4, 93_888)] {
        assert_eq!(perft(&start, depth), count, "depth {depth}");
    }
}

#[test]
#[ignore = "takes seconds"]
fn perft_from_the_start_deep() {
    for (depth, count) in [(5, 2_159_424), (6, 49_666_752)] {
        assert_eq!(perft(&Position::start(), depth), count, "depth {depth}");
    }
}
