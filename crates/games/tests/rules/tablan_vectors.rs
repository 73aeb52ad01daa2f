//! Tablan against games, positions and hand-made cases of independent programs
//! (`tests/vectors/tablan-*.jsonl`).

use serde_json::Value;
use tabulae_games::{
    Announcement, End, EndReason, Event, Game, GameHistory, Ply, RuleSet, Side, Throw, Turn,
    tablan::{self, Position, Rules},
};

use crate::vectors::cases;

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn number(value: &Value) -> u8 {
    value.as_u64().and_then(|number| u8::try_from(number).ok()).expect("a small number")
}

fn rules(case: &Value) -> &'static Rules {
    match text(&case["variant"]) {
        "basic" => tablan::PLAIN,
        "ordered" => tablan::ORDERED,
        other => panic!("unknown variant {other}"),
    }
}

fn side(value: &Value) -> Side {
    match text(value) {
        "S" => Side::First,
        "N" => Side::Second,
        other => panic!("unknown side {other}"),
    }
}

/// Rows with dots for empty squares and a side, as a position's text.
fn position_text(drawn: &str) -> String {
    let (rows, side) = drawn.split_once(' ').expect("rows and a side");
    let rows: Vec<_> = rows
        .split('/')
        .map(|row| {
            let mut out = String::new();
            let mut rest = row;
            while let Some(piece) = rest.chars().next() {
                let empty = rest.len() - rest.trim_start_matches('.').len();
                if empty > 0 {
                    out += &empty.to_string();
                    rest = &rest[empty..];
                } else {
                    out.push(piece);
                    rest = &rest[1..];
                }
            }
            out
        })
        .collect();
    format!("{} {} -", rows.join("/"), side.to_lowercase())
}

fn position(case: &Value) -> Position {
    let text = position_text(text(&case["pos"]));
    let position = Position::parse(rules(case), &text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(position.to_string(), text);
    position
}

fn moves(position: &Position, side: Side, score: u8) -> Vec<String> {
    let mut moves = Vec::new();
    position.append_moves(side, score, &mut moves);
    let mut texts: Vec<_> = moves.iter().map(ToString::to_string).collect();
    texts.sort();
    assert_eq!(!texts.is_empty(), position.can_use(side, score));
    texts
}

fn end(position: &Position, expect: &Value) -> End {
    for (name, side) in [("S", Side::First), ("N", Side::Second)] {
        assert_eq!(position.goal_count(side), u32::from(number(&expect[name])), "{name}'s score");
    }
    let reason = EndReason::ALL.iter().find(|reason| reason.id() == text(&expect["reason"]));
    let winner = match text(&expect["winner"]) {
        "draw" => None,
        _ => Some(side(&expect["winner"])),
    };
    End { winner, reason: *reason.expect("a known reason") }
}

fn play_game(case: &Value) {
    let list = |value: &Value| value.as_array().expect("a list").clone();
    let opening = list(&case["opening"]);
    let first = side(&opening[0][0]);
    let mut line = GameHistory::new(Position::with_first_thrower(rules(case), first));
    let (_, before_start) = opening.split_last().expect("somebody throws");
    for thrown in before_start {
        let (side, throw) = (side(&thrown[0]), Throw::new(number(&thrown[1])).expect("a throw"));
        assert_eq!(line.turn(), Turn::Throw(side));
        let events = line.push(Ply::Throw(throw)).expect("a throw is due");
        assert_eq!(events, [Event::Thrown { side, throw }]);
        assert!(line.position().throwing_off());
    }
    for (index, thrown) in list(&case["throws"]).iter().enumerate() {
        let (player, throw) =
            (side(&thrown["player"]), Throw::new(number(&thrown["plain"])).expect("a throw"));
        assert_eq!(line.turn(), Turn::Throw(player), "throw {index}");
        assert_eq!(throw.score(), number(&thrown["score"]), "throw {index}");
        let mut expect = vec![Event::Thrown { side: player, throw }];
        if index == 0 {
            expect.push(Event::Announced(Announcement::Starts(player)));
        }
        match thrown["move"].as_str() {
            None => expect.push(Event::Passed { side: player }),
            Some("lost") => expect.push(Event::Lost { side: player }),
            Some(_) => {}
        }
        let events = line.push(Ply::Throw(throw)).expect("a throw is due");
        assert_eq!(events, expect, "throw {index}");
        if let Some(mv) = thrown["move"].as_str().filter(|&mv| mv != "lost") {
            play_move(&mut line, index, mv, thrown);
        }
        let after = line.position();
        let expect = position_text(text(&thrown["pos"]));
        let expect = if after.end().is_some() {
            // The vectors name no side to throw in a finished game.
            assert_eq!(index + 1, list(&case["throws"]).len());
            expect.split(' ').next().expect("the rows").to_owned()
        } else {
            expect
        };
        assert!(after.to_string().starts_with(&expect), "throw {index}: {after} is not {expect}");
    }
    let expect = end(line.position(), &case["result"]);
    assert_eq!(line.turn(), Turn::Over(expect));
    assert_eq!(line.events(line.len()).last(), Some(&Event::Ended(expect)));
}

fn play_move(line: &mut GameHistory<Position>, index: usize, mv: &str, thrown: &Value) {
    let legal = line.legal_moves();
    assert_eq!(legal.len(), usize::from(number(&thrown["legal"])), "throw {index}");
    let ply = line.parse(mv).unwrap_or_else(|error| panic!("throw {index}, {mv}: {error}"));
    assert_eq!(ply.to_string(), mv);
    assert_eq!(line.parse(&mv.replace('x', "-")), Ok(ply));
    assert!(legal.iter().any(|&legal| Ply::Move(legal) == ply));
    let events = line.push(ply).expect("a legal move");
    let captured: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            Event::Captured { at, .. } => Some(at.to_string()),
            _ => None,
        })
        .collect();
    assert_eq!(serde_json::json!(captured), thrown["captures"], "throw {index}");
}

#[test]
fn whole_games_replay() {
    for name in ["tablan-basic-games.jsonl", "tablan-ordered-games.jsonl"] {
        for case in cases(name) {
            println!("{}", case["id"]);
            play_game(&case);
        }
    }
}

#[test]
fn legal_moves_of_every_score() {
    for name in ["tablan-basic-legal.jsonl", "tablan-ordered-legal.jsonl"] {
        for case in cases(name) {
            let position = position(&case);
            for score in tablan::SCORES {
                let legal = moves(&position, side(&case["side"]), score);
                let expect = &case["legal"][score.to_string()];
                assert_eq!(serde_json::json!(legal), *expect, "{}, score {score}", case["id"]);
            }
        }
    }
}

#[test]
fn hand_made_cases() {
    for case in cases("tablan-tricky.jsonl") {
        let legal = moves(&position(&case), side(&case["side"]), number(&case["score"]));
        assert_eq!(serde_json::json!(legal), case["expect"], "{}: {}", case["name"], case["why"]);
    }
}

#[test]
fn ends_of_games() {
    for case in cases("tablan-outcomes.jsonl") {
        let position = position(&case);
        let expect = match &case["expect"] {
            Value::Null => None,
            expect => Some(end(&position, expect)),
        };
        assert_eq!(position.turn().end(), expect, "{}", case["name"]);
    }
}

#[test]
fn the_rule_sets_have_their_names() {
    assert_eq!(tablan::PLAIN.set, RuleSet::Tablan);
    assert_eq!(tablan::ORDERED.set, RuleSet::TablanOrdered);
}
