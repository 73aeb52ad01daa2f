//! `tabulae tournament`.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Command, Stdio},
};

use serde_json::Value;
use tabulae_games::Ply;
use tabulae_records::Record;

use crate::{
    common::program::{fail, path_arg, run_tabulae, succeed},
    read_file,
};

/// A tournament of three quick levels that plays the same games each time.
const LEVELS: [&str; 13] = [
    "tournament",
    "--rules",
    "tablaaza",
    "--player",
    "novice",
    "--player",
    "casual",
    "--player",
    "quick=club",
    "--nodes",
    "200",
    "--seed",
    "7",
];

fn with<'a>(arguments: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [arguments, more].concat()
}

/// The rows of the table, without its head.
fn table(out: &str) -> Vec<Vec<&str>> {
    let rows = out.lines().skip_while(|line| !line.starts_with("#  player")).skip(1);
    rows.map(|row| row.split_whitespace().collect()).collect()
}

/// The table as it is printed.
fn table_text(out: &str) -> &str {
    &out[out.find("\n#  player").expect("a table")..]
}

/// The games by their numbers in the tournament.
fn moves(records: &[Record]) -> Vec<(usize, Vec<Ply<tabulae_games::AnyMove>>)> {
    let round = |record: &Record| {
        let (_, round) = record.tags().iter().find(|(name, _)| name == "Round").unwrap();
        round.parse().unwrap()
    };
    let mut games: Vec<_> =
        records.iter().map(|record| (round(record), record.history().plies().collect())).collect();
    games.sort_by_key(|(round, _)| *round);
    games
}

#[test]
fn a_round_robin_pairs_all_players_and_prints_their_table() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("games.tab");
    let more = ["--games", "4", "--concurrency", "2", "--out", path_arg(&path)];
    let out = succeed(&with(&LEVELS, &more));
    let first = "tablaaza: round-robin of 3 players, 12 games, 200 nodes a move, seed 7\n";
    assert!(out.starts_with(first), "{out}");
    assert_eq!(out.lines().filter(|line| line.starts_with("game ")).count(), 12, "{out}");
    let rows = table(&out);
    assert_eq!(rows.len(), 3, "{out}");
    let mut points = 0.0;
    for (rank, row) in (1..).zip(&rows) {
        assert_eq!((row[0], row[3]), (rank.to_string().as_str(), "8"), "{out}");
        let own: f64 = row[2].parse().unwrap();
        points += own;
        // The last columns have the points against each opponent.
        let against = row[row.len() - 3..].iter().filter_map(|cell| cell.parse::<f64>().ok());
        assert_eq!((against.clone().count(), against.sum::<f64>()), (2, own), "{out}");
    }
    assert_eq!(points, 12.0, "{out}");
    let mut names: Vec<_> = rows.iter().map(|row| row[1]).collect();
    names.sort_unstable();
    assert_eq!(names, ["casual", "novice", "quick"]);

    let records = read_file(&path);
    let games = moves(&records);
    assert!(games.iter().map(|(round, _)| *round).eq(1..=12));
    // The first round: every pairing plays the first opening with both sides.
    for pair in 1..3 {
        assert_eq!(games[2 * pair].1[..4], games[0].1[..4], "one opening");
        assert_eq!(games[2 * pair + 1].1[..4], games[0].1[..4], "one opening");
    }
    assert_ne!(games[6].1[..4], games[0].1[..4]);
    let players = |round: usize| {
        let is_it = |record: &&Record| record.tags().contains(&("Round".into(), round.to_string()));
        records.iter().find(is_it).unwrap().players.clone()
    };
    assert_eq!(players(1), ["novice", "casual"]);
    assert_eq!(players(2), ["casual", "novice"]);
    assert_eq!(players(3), ["novice", "quick"]);
    assert_eq!(players(5), ["casual", "quick"]);
}

#[test]
fn in_a_gauntlet_the_first_player_plays_each_of_the_others() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("games/");
    let more = ["--format", "gauntlet", "--quiet", "--out", path_arg(&folder)];
    let out = succeed(&with(&LEVELS, &more));
    assert!(!out.contains("\ngame "), "{out}");
    let mut played: Vec<_> = table(&out).iter().map(|row| (row[1], row[3])).collect();
    played.sort_unstable();
    assert_eq!(played, [("casual", "2"), ("novice", "4"), ("quick", "2")], "{out}");
    // Each game has a file of its own.
    for game in 1..=4 {
        let records = read_file(&folder.join(format!("{game:04}.tab")));
        assert_eq!(records.len(), 1);
        assert!(records[0].players.iter().any(|player| player == "novice"));
    }
    assert_eq!(fs::read_dir(folder).unwrap().count(), 4);
}

#[test]
fn json_has_every_game_pairing_and_player() {
    let out = succeed(&with(&LEVELS, &["--json"]));
    let objects: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kinds: Vec<_> = objects.iter().map(|object| object["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, [["game"; 6].as_slice(), &["pairing"; 3], &["player"; 3]].concat());
    let points = |kind: &str| -> f64 {
        let objects = objects.iter().filter(|object| object["kind"] == kind);
        objects.map(|object| object["points"].as_f64().unwrap()).sum()
    };
    assert_eq!(points("player"), 6.0);
    assert_eq!(objects[6]["players"], serde_json::json!(["novice", "casual"]));
    assert_eq!(objects[9]["rank"], 1);
}

/// Starts the tournament, kills it after so many lines of games, and returns them.
fn kill_after(arguments: &[&str], games: usize) -> usize {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tabulae"))
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let seen = lines.filter(|line| line.starts_with("game ")).take(games).count();
    child.kill().unwrap();
    child.wait().unwrap();
    seen
}

#[test]
fn a_killed_tournament_continues_and_ends_as_if_nothing_had_happened() {
    let dir = tempfile::tempdir().unwrap();
    let (whole, parts) = (dir.path().join("whole.tab"), dir.path().join("parts.tab"));
    let state = dir.path().join("state");
    let base = with(&LEVELS, &["--games", "6"]);
    let expected = succeed(&with(&base, &["--out", path_arg(&whole)]));
    let more = ["--state", path_arg(&state), "--out", path_arg(&parts), "--concurrency", "2"];
    let resumed = with(&base, &more);
    for games in [1, 3, 2] {
        kill_after(&resumed, games);
    }
    // As if killed while it wrote: the state has half a line, the records have a game
    // that is not in the state.
    let half = fs::read(&state).unwrap();
    fs::write(&state, [&half[..], b"{\"game\":1"].concat()).unwrap();
    let records = fs::read_to_string(&parts).unwrap();
    fs::write(&parts, format!("{records}\n[Rules \"tab")).unwrap();
    // Without a seed, that of the state holds.
    let without_seed: Vec<_> =
        resumed.iter().copied().filter(|word| !["--seed", "7"].contains(word)).collect();
    let out = succeed(&without_seed);
    assert!(out.contains(", seed 7\ncontinuing after "), "{out}");
    assert_eq!(table_text(&out), table_text(&expected));
    assert_eq!(moves(&read_file(&parts)), moves(&read_file(&whole)), "each game once");
    // A finished one prints its table again, and plays nothing.
    let again = succeed(&resumed);
    assert!(again.contains("continuing after 18 games\n#  player"), "{again}");
    assert_eq!(table_text(&again), table_text(&expected));
    assert_eq!(read_file(&parts).len(), 18);
}

#[test]
fn a_damaged_or_foreign_state_file_is_an_error_that_names_it() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("state");
    let run = with(&LEVELS, &["--quiet", "--state", path_arg(&path)]);
    succeed(&run);
    let state = fs::read_to_string(&path).unwrap();
    let lines: Vec<_> = state.lines().collect();
    assert_eq!(lines.len(), 1 + 6);
    let write = |lines: &[&str]| fs::write(&path, lines.join("\n") + "\n").unwrap();
    let refused = |run: &[&str], text: &str| {
        let before = fs::read(&path).unwrap();
        let error = fail(1, run);
        let start = format!("tabulae: cannot use the state file {}: ", path.display());
        assert!(error.starts_with(&start) && error.contains(text), "{text}: {error}");
        assert_eq!(fs::read(&path).unwrap(), before, "it stays as it was");
    };
    for (lines, text) in [
        (&["Dear Aili,", "how are you?"] as &[&str], "line 1: expected the settings"),
        (&["{}"], "line 1: expected the settings"),
        (&[lines[0], lines[1], "?", lines[2]], "line 3: expected the result of a game"),
        (&[lines[0], lines[1], lines[1]], "line 3: game 1 stands twice"),
        (
            &[lines[0], r#"{"game":7,"half_points":1,"forfeit":null,"records":0}"#],
            "line 2: expected a game from 1 to 6",
        ),
        (
            &[lines[0], r#"{"game":1,"half_points":3,"forfeit":null,"records":0}"#],
            "line 2: expected a game from 1 to 6",
        ),
        (
            &[lines[0], r#"{"game":1,"half_points":1,"forfeit":2,"records":0}"#],
            "line 2: expected a game from 1 to 6",
        ),
    ] {
        write(lines);
        refused(&run, text);
    }
    fs::write(&path, "a letter").unwrap();
    refused(&run, "line 1: expected the settings");
    write(&lines);
    refused(&with(&run, &["--games", "4"]), "another tournament, with games 2, not 4");
    let other_seed: Vec<_> =
        run.iter().map(|word| if *word == "7" { "8" } else { *word }).collect();
    refused(&other_seed, "another tournament, with seed 7, not 8");
    refused(&with(&run, &["--player", "expert"]), "another tournament, with players [");
}

#[test]
fn records_that_are_shorter_than_the_state_says_are_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let (state, games) = (dir.path().join("state"), dir.path().join("games.tab"));
    let run = with(&LEVELS, &["--state", path_arg(&state), "--out", path_arg(&games)]);
    succeed(&run);
    fs::write(&games, "").unwrap();
    let error = fail(1, &run);
    assert!(error.contains("cannot continue the records in") && error.contains("games.tab"));
}

/// Its games are lost, and the others are played.
#[test]
fn a_player_that_fails_forfeits_its_games_and_the_tournament_goes_on() {
    let broken = format!("broken=cmd:\"{}\" rules", env!("CARGO_BIN_EXE_tabulae"));
    let dir = tempfile::tempdir().unwrap();
    let state = dir.path().join("state");
    let run = with(&LEVELS, &["--player", &broken, "--state", path_arg(&state)]);
    let out = succeed(&run);
    assert_eq!(out.matches(" has ended\n").count(), 6, "{out}");
    let rows = table(&out);
    let last = rows.last().unwrap();
    assert_eq!(last[..7], ["4", "broken", "0", "6", "0", "0", "6"], "{out}");
    assert_eq!(last[last.len() - 5], "6", "forfeits: {out}");
    assert_eq!(table_text(&succeed(&run)), table_text(&out), "the state has the forfeits");
}

/// A program that never answers does not hold up the others.
#[cfg(unix)]
#[test]
fn a_player_that_hangs_loses_by_patience_or_by_its_clock() {
    let hello = "echo ugiok; echo readyok;";
    let hangs = format!("hangs=cmd:sh -c '{hello} cat >/dev/null'");
    let play = |more: &[&str]| {
        let base = ["tournament", "--rules", "tablaaza", "--player", "novice", "--player", &hangs];
        succeed(&with(&base, more))
    };
    let out = play(&["--nodes", "100", "--patience", "3000"]);
    assert_eq!(out.matches("does not answer bestmove in 3.0 s").count(), 2, "{out}");
    let out = play(&["--tc", "2+0.1", "--margin", "500", "--patience", "60000"]);
    assert_eq!(out.matches("does not answer bestmove in 2.5 s").count(), 2, "{out}");
    assert!(out.contains("2+0.1 s a game"), "{out}");
}

#[test]
fn engines_and_levels_play_by_clocks_and_by_depth() {
    let engine = format!("engine=cmd:\"{}\" engine", env!("CARGO_BIN_EXE_tabulae"));
    let base = ["tournament", "--rules", "tablut/linnaeus", "--player", "club", "--player"];
    for limit in [["--tc", "5+0.05"], ["--depth", "2"]] {
        let more = [&engine, limit[0], limit[1], "--plies", "20", "--margin", "5000"];
        let more = if limit[0] == "--tc" { &more[..] } else { &more[..5] };
        let out = succeed(&with(&base, more));
        assert!(!out.contains("forfeit)"), "{out}");
        let games = out.lines().filter(|line| line.starts_with("game "));
        assert_eq!(games.count(), 2, "{out}");
    }
}

#[test]
fn a_tournament_that_cannot_be_played_is_an_error_before_the_first_game() {
    let dir = tempfile::tempdir().unwrap();
    let state = dir.path().join("state");
    let more = ["--player", "cmd:no-such-engine -x", "--state", path_arg(&state)];
    let error = fail(1, &with(&LEVELS, &more));
    assert!(error.starts_with("tabulae: cannot start 'no-such-engine' (--player): "), "{error}");
    assert!(!Path::new(&state).exists());
    let base = ["tournament", "--rules", "tablut/ashton", "--player", "club"];
    for (more, text) in [
        (&[] as &[&str], "one player: give --player again"),
        (&["--player", "club"], "two players are named 'club'"),
        (&["--player", "club=expert"], "two players are named 'club'"),
        (&["--player", "=expert"], "expected a name"),
        (&["--player", "x=nobody"], "expected a level"),
        (&["--player", "expert", "--games", "3"], "--games must be even"),
        (&["--player", "expert", "--games", "0"], "--games"),
        (&["--player", "expert", "--games", "18446744073709551614"], "at most 10000000 in all"),
        (&["--player", "expert", "--format", "knockout"], "round-robin, gauntlet"),
        (&["--player", "expert", "--tc", "soon"], "like 60 or 60+0.5"),
        (&["--player", "expert", "--tc", "60", "--movetime", "5"], "--movetime"),
        (&["--player", "expert", "--margin", "5"], "--tc"),
        (&["--player", "expert", "--state", "-"], "--state"),
        (&["--player", "expert", "--state", "x", "--out", "x"], "the same file"),
        (&["--player", "expert", "--json", "--out", "-"], "--json prints to stdout"),
        (&["--player", "bologna:no {port}", "--openings", "0", "--tc", "9"], "--movetime"),
    ] {
        let error = fail(2, &with(&base, more));
        assert!(error.contains(text), "{more:?}: {error}");
    }
}

/// Two runs on one file would both count the same games.
#[cfg(unix)]
#[test]
fn a_state_file_in_use_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let state = dir.path().join("state");
    let hangs = "hangs=cmd:sh -c 'echo ugiok; echo readyok; cat >/dev/null'";
    let run = with(&LEVELS, &["--player", hangs, "--state", path_arg(&state)]);
    let mut child = Command::new(env!("CARGO_BIN_EXE_tabulae"))
        .args(&run)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // The first line comes after the file is locked.
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let error = run_tabulae(&run, "").stderr;
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(error.contains("another tournament is using it"), "{error}");
}

/// The records are cut after the last game that counts: a wrong place would lose games.
#[test]
fn a_state_file_with_wrong_ends_of_the_records_changes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let (state, games) = (dir.path().join("state"), dir.path().join("games.tab"));
    let run = with(&LEVELS, &["--quiet", "--state", path_arg(&state), "--out", path_arg(&games)]);
    succeed(&run);
    let [whole, records] = [&state, &games].map(|path| fs::read_to_string(path).unwrap());
    let lines: Vec<_> = whole.lines().collect();
    let end = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        line["records"].as_u64().unwrap()
    };
    let moved = |line: &str, to: u64| {
        let old = format!("\"records\":{}", end(line));
        line.replace(&old, &format!("\"records\":{to}"))
    };
    let last = lines[6];
    for (name, damaged) in [
        ("1", [&lines[..6], &[moved(last, 1).as_str()]].concat()),
        ("0", [&lines[..6], &[moved(last, 0).as_str()]].concat()),
        ("one less", [&lines[..6], &[moved(last, end(last) - 1).as_str()]].concat()),
        ("the only one", vec![lines[0], &moved(lines[1], 1)]),
        ("another order", vec![lines[0], lines[1], lines[2], lines[4], lines[3], lines[5], last]),
        ("reversed", [&lines[..1], &lines[1..].iter().rev().copied().collect::<Vec<_>>()].concat()),
        ("one missing", [&lines[..3], &lines[4..]].concat()),
    ] {
        let text = damaged.join("\n") + "\n";
        fs::write(&state, &text).unwrap();
        let error = fail(1, &run);
        assert!(error.contains("cannot continue the records in"), "{name}: {error}");
        assert_eq!(fs::read_to_string(&games).unwrap(), records, "{name}");
        assert_eq!(fs::read_to_string(&state).unwrap(), text, "{name}");
    }
    fs::write(&state, &whole).unwrap();
    succeed(&run);
    assert_eq!(fs::read_to_string(&games).unwrap(), records);
}

#[test]
fn a_tournament_is_continued_with_the_same_file_of_records() {
    let dir = tempfile::tempdir().unwrap();
    let (state, games) = (dir.path().join("state"), dir.path().join("games.tab"));
    let base = with(&LEVELS, &["--quiet", "--state", path_arg(&state)]);
    succeed(&with(&base, &["--out", path_arg(&games)]));
    succeed(&with(&base, &["--out", path_arg(&dir.path().join("./games.tab"))]));
    let error = fail(1, &base);
    let named = format!("another tournament, with --out {}, not no --out", games.display());
    assert!(error.contains(&named), "{error}");
    let other = dir.path().join("other.tab");
    let error = fail(1, &with(&base, &["--out", path_arg(&other)]));
    assert!(error.contains("games.tab, not --out ") && error.contains("other.tab"), "{error}");
    assert!(!other.exists());
}

/// It would be read for ever.
#[cfg(target_os = "linux")]
#[test]
fn a_device_is_no_state_file() {
    let error = fail(1, &with(&LEVELS, &["--state", "/dev/full"]));
    assert!(error.contains("cannot use the state file /dev/full: expected a file"), "{error}");
}
