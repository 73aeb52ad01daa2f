//! Tablut against test vectors of independent programs, and perft.

use std::collections::BTreeMap;

use serde_json::Value;
use tabulae_games::{
    Announcement, Event, Game, GameHistory, Ply, RuleSet, Side, Square, Turn, perft,
    tablut::{ASHTON, Army, BERKELEY, LINNAEUS, Position, Rules, SAAMI},
};

use crate::vectors::cases;

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|item| item.as_str().unwrap()).collect()
}

/// A board of the vectors as the text of our position.
fn text(rows: &Value, army: Army) -> String {
    let mut text = String::new();
    for (number, row) in strings(rows).into_iter().enumerate() {
        if number > 0 {
            text.push('/');
        }
        let mut empty = 0;
        for letter in row.chars() {
            if letter == '-' {
                empty += 1;
                continue;
            }
            if empty > 0 {
                text += &empty.to_string();
                empty = 0;
            }
            text.push(letter);
        }
        if empty > 0 {
            text += &empty.to_string();
        }
    }
    text + if army == Army::White { " w" } else { " b" }
}

fn sorted_moves(position: &Position) -> Vec<String> {
    let mut moves: Vec<_> = position.legal_moves().iter().map(ToString::to_string).collect();
    moves.sort();
    moves
}

/// The captured soldiers of a ply; the vectors leave the king out.
fn soldiers(events: &[Event], before: &Position) -> Vec<String> {
    events
        .iter()
        .filter_map(|event| match event {
            Event::Captured { at, .. } if before.king() != Some(*at) => Some(at.to_string()),
            _ => None,
        })
        .collect()
}

fn announced(events: &[Event]) -> &'static str {
    events
        .iter()
        .find_map(|event| match event {
            Event::Announced(Announcement::Raichi) => Some("raichi"),
            Event::Announced(Announcement::Tuichi) => Some("tuichi"),
            _ => None,
        })
        .unwrap_or("")
}

fn letter(rules: &Rules, winner: Option<Side>) -> &'static str {
    match winner.map(|side| rules.army(side)) {
        Some(Army::White) => "W",
        Some(Army::Black) => "B",
        None => "D",
    }
}

/// The square of the king that a ply captured.
fn king_taken(events: &[Event], before: &Position) -> Option<Square> {
    let king = before.king()?;
    events
        .iter()
        .any(|event| matches!(event, Event::Captured { at, .. } if *at == king))
        .then_some(king)
}

fn whole_game(rules: &'static Rules, case: &Value) {
    let game = format!("{} game {}", rules.set, case["id"]);
    let mut line = GameHistory::new(Position::start(rules));
    // The Linnaeus games ignore the repetition rule.
    let remembers = rules.set != RuleSet::TablutLinnaeus;
    let mut position = Position::start(rules);
    let mut end = None;
    let moves = strings(&case["moves"]);
    for (ply, written) in moves.iter().enumerate() {
        let place = format!("{game}, ply {ply} {written}");
        assert_eq!(end, None, "{place}: the game is over");
        assert_eq!(
            position.to_string(),
            text(&case["positions"][ply], position.to_move()),
            "{place}"
        );
        if let Some(legal) = case["legal"].get(ply.to_string()) {
            assert_eq!(sorted_moves(&position), strings(legal), "{place}");
        }
        let captures = strings(&case["captures"][ply]);
        let with_captures = captures.iter().fold((*written).to_owned(), |text, at| text + "x" + at);
        let mv = position.parse_move(&with_captures).unwrap_or_else(|why| panic!("{place}: {why}"));
        let before = position.clone();
        let events = position.play(mv).unwrap();
        assert_eq!(soldiers(&events, &before), captures, "{place}");
        if let Some(announce) = case.get("announce") {
            assert_eq!(announced(&events), announce[ply].as_str().unwrap_or(""), "{place}");
        }
        if let Some(square) = king_taken(&events, &before) {
            assert_eq!(case["king_captured_on"], Value::from(square.to_string()), "{place}");
        }
        end = position.turn().end();
        if remembers {
            line.push(Ply::Move(mv)).unwrap();
            end = line.turn().end();
        }
    }
    let last = text(&case["positions"][moves.len()], position.to_move());
    assert_eq!(position.to_string(), last, "{game}, last position");
    match end {
        None => assert_eq!(case["outcome"], "none", "{game}"),
        Some(end) => {
            assert_eq!(case["outcome"], letter(rules, end.winner), "{game}");
            assert_eq!(case["reason"], end.reason.id(), "{game}");
        }
    }
}

fn every_move(rules: &'static Rules, case: &Value) {
    let army = if case["turn"] == "W" { Army::White } else { Army::Black };
    let text = text(&case["position"], army);
    let place = format!("{} one-move {}: {text}", rules.set, case["id"]);
    let position = Position::parse(rules, &text).unwrap();
    assert_eq!(position.to_string(), text, "{place}");
    let expected: BTreeMap<_, _> = case["moves"].as_object().unwrap().iter().collect();
    let names: Vec<_> = expected.keys().map(|name| name.as_str()).collect();
    assert_eq!(sorted_moves(&position), names, "{place}");
    for (name, effect) in expected {
        let place = format!("{place} {name}");
        let mut after = position.clone();
        let events = after.play(position.parse_move(name).unwrap()).unwrap();
        assert_eq!(soldiers(&events, &position), strings(&effect["c"]), "{place}");
        // These cases have only the ends by the king.
        let winner = after.king_end().map_or("", |end| letter(rules, end.winner));
        assert_eq!(winner, effect["win"].as_str().unwrap_or(""), "{place}");
        if !matches!(after.turn(), Turn::Over(_)) {
            assert_eq!(announced(&events), effect["announce"].as_str().unwrap_or(""), "{place}");
        }
    }
}

fn all(rules: &'static Rules, name: &str) {
    let games = cases(&format!("tablut-{name}-games.jsonl"));
    let moves = cases(&format!("tablut-{name}-onemove.jsonl"));
    assert_eq!((games.len(), moves.len()), (15, 150));
    games.iter().for_each(|case| whole_game(rules, case));
    moves.iter().for_each(|case| every_move(rules, case));
}

#[test]
fn berkeley_vectors() {
    all(BERKELEY, "berkeley");
}

#[test]
fn ashton_vectors() {
    all(ASHTON, "ashton");
}

#[test]
fn linnaeus_vectors() {
    all(LINNAEUS, "linnaeus");
}

/// Perft from the start position, by depth from 1.
const COUNTS: [(&Rules, [u64; 4]); 4] = [
    (BERKELEY, [80, 4_400, 353_200, 19_913_864]),
    (ASHTON, [56, 4_408, 248_456, 19_159_224]),
    (LINNAEUS, [56, 3_968, 225_224, 16_171_000]),
    // By Berkeley's rules from here on: no king is captured, and nothing beside his castle.
    (SAAMI, [80, 4_400, 353_200, 19_913_864]),
];

fn count(depth: u32) {
    for (rules, counts) in COUNTS {
        let counted = perft(&Position::start(rules), depth);
        assert_eq!(counted, counts[depth as usize - 1], "{} at depth {depth}", rules.set);
    }
}

#[test]
fn perft_to_depth_3() {
    (1..=3).for_each(count);
}

#[test]
#[ignore = "55 million leaves: for a release build"]
fn perft_at_depth_4() {
    count(4);
}
