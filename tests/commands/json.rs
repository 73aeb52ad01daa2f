//! `--json`: every line is an object with the documented fields.

use std::fs;

use serde_json::Value;

use crate::{
    common::program::{fail, line, path_arg, run_tabulae, succeed},
    read_file, record_path,
};

/// Each line of an output as an object.
fn objects(output: &str) -> Vec<Value> {
    let parse = |line: &str| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"));
    let objects: Vec<Value> = output.lines().map(parse).collect();
    assert!(objects.iter().all(Value::is_object), "{output}");
    objects
}

/// Checks that an object has exactly these fields.
fn assert_fields(object: &Value, fields: &str) {
    let mut found: Vec<_> = object.as_object().unwrap().keys().map(String::as_str).collect();
    let mut expected: Vec<_> = fields.split(' ').collect();
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected);
}

#[test]
fn check_prints_games_and_errors_as_objects() {
    let good = record_path("valid", "tablaaza.tab");
    let bad = record_path("invalid", "illegal-move.tab");
    let arguments = ["check", "--json", path_arg(&good), path_arg(&bad), "no-such-file.tab"];
    let run = run_tabulae(&arguments, "");
    assert_eq!((run.code, run.stderr.as_str()), (1, ""), "errors are in the objects");
    let games = read_file(&good).len();
    let objects = objects(&run.stdout);
    assert_eq!(objects.len(), games + 2, "{}", run.stdout);
    for object in &objects {
        assert_fields(object, "file game rules plies variations result reason proven_throws error");
    }
    let first = &objects[0];
    assert_eq!(first["file"], path_arg(&good));
    assert_eq!((&first["game"], &first["plies"]), (&1.into(), &46.into()));
    assert_eq!((&first["rules"], &first["result"]), (&"tablaaza".into(), &"0-1".into()));
    assert_eq!((&first["reason"], &first["error"]), (&"no-moves".into(), &Value::Null));
    let (wrong, missing) = (&objects[games], &objects[games + 1]);
    assert!(wrong["error"].as_str().unwrap().contains("illegal-move.tab:"), "{wrong}");
    assert!(wrong["game"] == 1 && wrong["result"].is_null(), "{wrong}");
    assert!(missing["game"].is_null(), "{missing}");
    assert!(missing["error"].as_str().unwrap().starts_with("cannot read"), "{missing}");
}

#[test]
fn analyse_prints_each_position_of_a_game() {
    let path = record_path("valid", "commented.tab");
    let record = &read_file(&path)[0];
    let objects = objects(&succeed(&["analyse", path_arg(&path), "--movetime", "5", "--json"]));
    assert_eq!(objects.len(), record.history().len() + 1);
    for (ply, object) in objects.iter().enumerate() {
        let fields = "kind file game rules ply side position played best cp mate depth exact error";
        assert_fields(object, fields);
        assert_eq!((&object["kind"], &object["ply"]), (&"position".into(), &ply.into()));
        assert_eq!(object["rules"], record.rules().id());
        let position = record.history().at(ply).unwrap();
        assert_eq!(object["position"], position.to_string());
        // On a busy machine the time may be too short for depth 1.
        if let Some(depth) = object["depth"].as_u64() {
            assert!(depth > 0, "{object}");
            assert!(object["cp"].is_null() != object["mate"].is_null(), "{object}");
        }
        let is_last = ply == record.history().len();
        assert_eq!(object["played"].is_null(), is_last, "{object}");
    }
    let error = fail(2, &["analyse", path_arg(&path), "--json", "--report"]);
    assert!(error.contains("--report"), "{error}");
}

#[test]
fn analyse_prints_luck_and_errors_in_tablan() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("short.tab");
    let text = "[Rules \"tablan\"]\n\n1. t2 2. t1 b4-a3 t3 3. t1 l1-k2 t1 *\n";
    fs::write(&path, text).unwrap();
    let objects = objects(&succeed(&["analyse", path_arg(&path), "--json"]));
    let of_kind = |kind: &str| -> Vec<&Value> {
        objects.iter().filter(|object| object["kind"] == kind).collect()
    };
    let (throws, positions, totals) = (of_kind("throw"), of_kind("position"), of_kind("totals"));
    assert_eq!((throws.len(), positions.len(), totals.len()), (5, 3, 2));
    for throw in throws {
        assert_fields(throw, "kind file game rules ply side throw before luck");
        assert!(throw["luck"].as_f64().unwrap().abs() <= 200.0, "{throw}");
    }
    for total in totals {
        assert_fields(total, "kind file game rules side luck error choices");
    }
    // The last throw is still to be used.
    let last = positions[2];
    assert_eq!((&last["ply"], &last["played"]), (&7.into(), &Value::Null));
    assert!(last["cp"].is_i64() && last["best"].is_string() && last["error"].is_null(), "{last}");
    assert!(positions[0]["error"].as_f64().unwrap() >= 0.0, "{}", positions[0]);
}

#[test]
fn match_prints_its_games_and_its_score() {
    let arguments = line(
        "match --rules tablaaza --first novice --second casual --games 2 \
         --movetime 1 --seed 7 --sprt 0,20 --json",
        &[],
    );
    let objects = objects(&succeed(&arguments));
    let [first, second, score] = &objects[..] else { panic!("{objects:?}") };
    for (number, game) in [(1, first), (2, second)] {
        let fields = "kind game rules players seed plies result reason points error";
        assert_fields(game, fields);
        assert_eq!((&game["kind"], &game["game"]), (&"game".into(), &number.into()));
        assert_eq!((&game["seed"], &game["error"]), (&7.into(), &Value::Null));
        assert!(game["plies"].as_u64().unwrap() > 4, "{game}");
    }
    assert_eq!(first["players"], serde_json::json!(["novice", "casual"]));
    assert_eq!(second["players"], serde_json::json!(["casual", "novice"]));
    assert_fields(
        score,
        "kind rules players seed movetime_ms games wins draws losses points elo elo_low elo_high \
         pentanomial mean_time_s longest_time_s forfeits sprt",
    );
    assert_eq!((&score["kind"], &score["games"]), (&"score".into(), &2.into()));
    let points = first["points"].as_f64().unwrap() + second["points"].as_f64().unwrap();
    assert_eq!(score["points"].as_f64(), Some(points));
    assert_eq!(score["pentanomial"].as_array().unwrap().len(), 5);
    assert_eq!(score["forfeits"], serde_json::json!([0, 0]));
    assert_fields(&score["sprt"], "elo0 elo1 llr bound verdict");
    assert_eq!(score["sprt"]["verdict"], "open");
}

#[test]
fn perft_prints_its_counts() {
    let objects = objects(&succeed(&["perft", "tablaaza", "2", "--divide", "--json"]));
    let (total, moves) = objects.split_last().unwrap();
    assert_eq!(moves.len(), 25);
    for object in &objects {
        assert_fields(object, "rules position depth move nodes");
        assert_eq!((&object["rules"], &object["depth"]), (&"tablaaza".into(), &2.into()));
    }
    assert!(total["move"].is_null(), "{total}");
    assert_eq!(total["nodes"], 163);
    let sum: u64 = moves.iter().map(|object| object["nodes"].as_u64().unwrap()).sum();
    assert_eq!(sum, 163);
}

#[test]
fn solve_prints_its_moves_and_its_result() {
    let text = "rgpgrgrg/2gr1rgr/rg~gr~rp/pr~2~gr/rg~1r~pg/2grg1gr/rgrgrgpg r";
    let solve = ["solve", "tablaaza", "--memory", "8", "--json", "--from", text];
    let solved = objects(&succeed(&solve));
    let [moves @ .., result] = &solved[..] else { panic!("{solved:?}") };
    assert_eq!(moves.len(), 4);
    for object in moves {
        assert_fields(object, "kind move wins replies");
        assert_eq!((&object["kind"], &object["wins"]), (&"move".into(), &true.into()));
        assert!(object["replies"].is_array(), "{object}");
    }
    assert_fields(result, "kind position winner nodes");
    assert_eq!((&result["position"], &result["winner"]), (&text.into(), &"Red".into()));
}
