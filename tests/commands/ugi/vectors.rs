//! All test vectors through the protocol, with one process for each rule set.

use serde_json::Value;

use crate::common::{
    ugi::UgiScript,
    vectors::{cases, list, rows, text, words},
};

/// The captured squares of an answer to `query events`.
fn captured(answer: &str) -> Vec<&str> {
    answer.split(' ').filter_map(|word| word.strip_prefix("captured:")).collect()
}

fn equal<T: PartialEq + std::fmt::Debug>(found: &T, expected: &T) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{found:?} is not {expected:?}")) }
}

/// Checks the events of a Tablut ply: its captures (without the king, as in the
/// vectors) and its announcement.
fn check_tablut_events(
    script: &mut UgiScript,
    place: &str,
    captures: &Value,
    king: &Value,
    announce: Option<&Value>,
) {
    let captures: Vec<String> = words(captures).into_iter().map(str::to_owned).collect();
    let king = king.as_str().map(str::to_owned);
    let announce = announce.map(|word| word.as_str().unwrap_or("").to_owned());
    script.check("events", place, move |answer| {
        let mut found: Vec<_> = captured(answer).into_iter().map(str::to_owned).collect();
        if let Some(king) = &king {
            found.retain(|square| square != king);
        }
        found.sort();
        equal(&found, &captures)?;
        if let Some(announce) = &announce
            && !answer.contains("ended:")
        {
            let announced = answer.split(' ').find(|word| matches!(*word, "raichi" | "tuichi"));
            equal(&announced.unwrap_or(""), &announce.as_str())?;
        }
        Ok(())
    });
}

/// The king's square in a position of nine rows.
fn king_of(position: &Value) -> Value {
    words(position)
        .iter()
        .enumerate()
        .find_map(|(row, pieces)| {
            let file = b'a' + u8::try_from(pieces.find('K')?).unwrap();
            Some(Value::from(format!("{}{}", char::from(file), 9 - row)))
        })
        .unwrap_or(Value::Null)
}

fn check_tablut(name: &str) {
    let rules = format!("tablut/{name}");
    let mut script = UgiScript::new(&rules);
    check_tablut_games(&mut script, &rules, name);
    check_tablut_single_moves(&mut script, &rules, name);
    assert!(script.run() > 10_000);
}

/// Whole games, ply by ply.
fn check_tablut_games(script: &mut UgiScript, rules: &str, name: &str) {
    for case in cases(&format!("tablut-{name}-games.jsonl")) {
        let game = format!("{rules} game {}", case["id"]);
        let moves = words(&case["moves"]);
        let sides = if case["first"] == "W" { ["w", "b"] } else { ["b", "w"] };
        let position = |ply: usize| {
            format!("{} {}", rows(words(&case["positions"][ply]).into_iter(), '-'), sides[ply % 2])
        };
        // From the start, so that repetitions count; Linnaeus has no such rule.
        if name != "linnaeus" {
            script.send(&format!("position startpos moves {}", moves.join(" ")));
            script.expect("fen", &position(moves.len()), &game);
            let first_won = case["outcome"] == case["first"];
            let result = match text(&case["outcome"]) {
                "none" => "none",
                "D" => "draw",
                _ if first_won => "p1win",
                _ => "p2win",
            };
            script.expect("result", result, &game);
            script.expect("gameover", if result == "none" { "false" } else { "true" }, &game);
            let reason = text(&case["reason"]).to_owned();
            script.check("events", &game, move |answer| {
                let ended = answer.split(' ').find_map(|word| word.strip_prefix("ended:"));
                equal(&ended.unwrap_or("ply-limit"), &reason.as_str())
            });
        }
        for (ply, mv) in moves.iter().enumerate() {
            let place = format!("{game}, ply {ply} {mv}");
            let fen = position(ply);
            if let Some(legal) = case["legal"].get(ply.to_string()) {
                script.send(&format!("position fen {fen}"));
                script.expect("legal", &words(legal).join(" "), &place);
                script.expect("p1turn", if ply % 2 == 0 { "true" } else { "false" }, &place);
            }
            script.send(&format!("position fen {fen} moves {mv}"));
            script.expect("fen", &position(ply + 1), &place);
            let king = king_of(&case["positions"][ply]);
            let announce = case.get("announce").map(|words| &words[ply]);
            check_tablut_events(script, &place, &case["captures"][ply], &king, announce);
        }
    }
}

/// Positions with all their legal moves, each played alone.
fn check_tablut_single_moves(script: &mut UgiScript, rules: &str, name: &str) {
    for case in cases(&format!("tablut-{name}-onemove.jsonl")) {
        let side = text(&case["turn"]).to_lowercase();
        let fen = format!("{} {side}", rows(words(&case["position"]).into_iter(), '-'));
        let place = format!("{rules} one-move {}: {fen}", case["id"]);
        let moves = case["moves"].as_object().unwrap();
        let mut names: Vec<_> = moves.keys().map(String::as_str).collect();
        names.sort_unstable();
        script.send(&format!("position fen {fen}"));
        script.expect("fen", &fen, &place);
        script.expect("legal", &names.join(" "), &place);
        let king = king_of(&case["position"]);
        for (mv, effect) in moves {
            let place = format!("{place} {mv}");
            script.send(&format!("position fen {fen} moves {mv}"));
            let announce = (name == "linnaeus").then(|| &effect["announce"]);
            check_tablut_events(script, &place, &effect["c"], &king, announce);
            let win = effect["win"].as_str().unwrap_or("").to_owned();
            // In these cases only the king's escape or capture ends the game.
            script.check("events", &place, move |answer| {
                let ended = answer.split(' ').find_map(|word| match word {
                    "ended:escape" => Some("W"),
                    "ended:king-captured" => Some("B"),
                    _ => None,
                });
                equal(&ended.unwrap_or(""), &win.as_str())
            });
        }
    }
}

#[test]
fn berkeley_vectors_through_the_protocol() {
    check_tablut("berkeley");
}

#[test]
fn ashton_vectors_through_the_protocol() {
    check_tablut("ashton");
}

#[test]
fn linnaeus_vectors_through_the_protocol() {
    check_tablut("linnaeus");
}

/// The text of a position drawn as `rows S` with dots, with this pending throw.
fn tablan_fen(drawn: &str, throw: &str) -> String {
    let (board, side) = drawn.split_once(' ').unwrap();
    format!("{} {} {throw}", rows(board.split('/'), '.'), side.to_lowercase())
}

/// Whole games, throw by throw.
fn check_tablan_games(script: &mut UgiScript, file: &str) {
    for case in cases(file) {
        let opening = list(&case["opening"]);
        // `startpos` has South throwing first.
        let start = "NNNNNNNNNNNN/12/12/SSSSSSSSSSSS";
        let mut game = match text(&opening[0][0]) {
            "S" => "position startpos moves".to_owned(),
            _ => format!("position fen {start} ?n - moves"),
        };
        for thrown in &opening[..opening.len() - 1] {
            game += &format!(" t{}", thrown[1]);
            script.send(&game);
            script.expect("events", "", text(&case["id"]));
            script.expect("legal", "", text(&case["id"]));
        }
        let throws = list(&case["throws"]);
        let mut before = None;
        for (index, thrown) in throws.iter().enumerate() {
            let place = format!("{}, throw {index}", text(&case["id"]));
            // From the previous position, for speed; the whole game follows at
            // the end.
            let from = match &before {
                None => game.clone(),
                Some(fen) => format!("position fen {fen} moves"),
            };
            game += &check_tablan_throw(script, thrown, &from, &place);
            let last = index + 1 == throws.len();
            let fen = tablan_fen(text(&thrown["pos"]), "-");
            if last {
                // The vectors do not say who would throw next in a finished game.
                let board = fen.split(' ').next().unwrap().to_owned();
                script.check("fen", &place, move |answer| {
                    equal(&answer.split(' ').next().unwrap(), &board.as_str())
                });
            } else {
                script.expect("fen", &fen, &place);
            }
            before = Some(fen);
        }
        let place = format!("{}, the end", text(&case["id"]));
        script.send(&game);
        let result = match text(&case["result"]["winner"]) {
            "S" => "p1win",
            "N" => "p2win",
            _ => "draw",
        };
        script.expect("result", result, &place);
        let reason = format!("ended:{}", text(&case["result"]["reason"]));
        script.check("events", &place, move |answer| {
            equal(&answer.split(' ').next_back(), &Some(reason.as_str()))
        });
    }
}

/// Checks a throw and the move after it; returns both as `position` takes them.
fn check_tablan_throw(script: &mut UgiScript, thrown: &Value, from: &str, place: &str) -> String {
    let throw = format!("t{}", thrown["plain"]);
    let event = match thrown["move"].as_str() {
        None => "passed",
        Some("lost") => "lost",
        Some(_) => "",
    };
    script.send(&format!("{from} {throw}"));
    script.expect("events", event, place);
    let Some(mv) = thrown["move"].as_str().filter(|mv| *mv != "lost") else {
        return format!(" {throw}");
    };
    let (count, played) = (thrown["legal"].as_u64().unwrap(), mv.to_owned());
    script.check("legal", place, move |answer| {
        let legal: Vec<_> = answer.split(' ').collect();
        equal(&(legal.len() as u64), &count)?;
        if legal.contains(&played.as_str()) { Ok(()) } else { Err(format!("{played} is missing")) }
    });
    script.send(&format!("{from} {throw} {mv}"));
    let captures: Vec<_> = words(&thrown["captures"]).into_iter().map(str::to_owned).collect();
    script.check("events", place, move |answer| {
        equal(&captured(answer), &captures.iter().map(String::as_str).collect())
    });
    format!(" {throw} {mv}")
}

/// Checks the legal moves for one score.
fn check_tablan_legal_moves(
    script: &mut UgiScript,
    pos: &Value,
    score: &str,
    expect: &Value,
    place: &str,
) {
    let throw = match score {
        "2" => "t1",
        "8" => "t4",
        "12" => "t0",
        other => panic!("no throw scores {other}"),
    };
    let fen = tablan_fen(text(pos), "-");
    script.send(&format!("position fen {fen} moves {throw}"));
    script.expect("legal", &words(expect).join(" "), place);
    script.expect("events", if list(expect).is_empty() { "lost" } else { "" }, place);
}

fn check_tablan(rules: &str, variant: &str) {
    let mut script = UgiScript::new(rules);
    check_tablan_games(&mut script, &format!("tablan-{variant}-games.jsonl"));
    for case in cases(&format!("tablan-{variant}-legal.jsonl")) {
        for (score, expect) in case["legal"].as_object().unwrap() {
            let place = format!("{}, score {score}", text(&case["id"]));
            check_tablan_legal_moves(&mut script, &case["pos"], score, expect, &place);
        }
    }
    let of_variant = |case: &Value| case["variant"] == variant;
    for case in cases("tablan-tricky.jsonl").into_iter().filter(of_variant) {
        let place = format!("{}: {}", text(&case["name"]), text(&case["why"]));
        let score = case["score"].to_string();
        check_tablan_legal_moves(&mut script, &case["pos"], &score, &case["expect"], &place);
    }
    for case in cases("tablan-outcomes.jsonl").into_iter().filter(of_variant) {
        let place = text(&case["name"]);
        script.send(&format!("position fen {}", tablan_fen(text(&case["pos"]), "-")));
        let result = match case["expect"]["winner"].as_str() {
            None => "none",
            Some("S") => "p1win",
            Some("N") => "p2win",
            Some(_) => "draw",
        };
        script.expect("result", result, place);
        script.expect("gameover", if result == "none" { "false" } else { "true" }, place);
    }
    assert!(script.run() > 3_000);
}

#[test]
fn plain_tablan_vectors_through_the_protocol() {
    check_tablan("tablan", "basic");
}

#[test]
fn ordered_tablan_vectors_through_the_protocol() {
    check_tablan("tablan/ordered", "ordered");
}

#[test]
fn tablaaza_vectors_through_the_protocol() {
    let mut script = UgiScript::new("tablaaza");
    for case in cases("tablaaza-games.jsonl") {
        let moves = words(&case["moves"]);
        for ply in 0..=moves.len() {
            let place = format!("tablaaza game {}, ply {ply}", case["id"]);
            script.send(&format!("position startpos moves {}", moves[..ply].join(" ")));
            script.expect("fen", text(&case["positions"][ply]), &place);
            if let Some(legal) = case["legal"].get(ply.to_string()) {
                script.expect("legal", &words(legal).join(" "), &place);
            }
            let Some(last) = ply.checked_sub(1) else { continue };
            let mut said: Vec<_> = words(&case["raised"][last])
                .into_iter()
                .map(|square| format!("pavilion:{square}"))
                .collect();
            if ply == moves.len() {
                said.push("ended:no-moves".to_owned());
                let won = if case["winner"] == "R" { "p1win" } else { "p2win" };
                script.expect("result", won, &place);
            }
            script.expect("events", &said.join(" "), &place);
        }
    }
    for case in cases("tablaaza-endgames.jsonl") {
        let fen = text(&case["fen"]);
        script.send(&format!("position fen {fen}"));
        script.expect("fen", fen, fen);
        script.expect("p1turn", if case["to_move"] == "R" { "true" } else { "false" }, fen);
    }
    assert!(script.run() > 1_800);
}
