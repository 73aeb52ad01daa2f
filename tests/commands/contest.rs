//! `tabulae match`.

#[cfg(unix)]
use std::thread;

use tabulae::{
    games::{Ply, RuleSet, Side},
    records::{GameResult, Record},
};

use crate::{
    common::program::{arg, fail, succeed},
    read_file,
};

#[test]
fn a_match_is_played_counted_and_recorded() {
    let dir = tempfile::tempdir().unwrap();
    for rules in RuleSet::ALL {
        let path = dir.path().join("games.tab");
        let out = succeed(&[
            "match",
            "--rules",
            rules.id(),
            "--first",
            "novice",
            "--second",
            "casual",
            "--games",
            "4",
            "--movetime",
            "1",
            "--concurrency",
            "2",
            "--plies",
            "40",
            "--seed",
            "7",
            "--out",
            arg(&path),
        ]);
        let lines: Vec<_> = out.lines().collect();
        assert_eq!(lines.len(), 1 + 4 + 4, "{out}");
        assert!(lines[0].ends_with("4 games, 1 ms a move, seed 7"), "{out}");
        assert!(lines[5].starts_with("score of novice against casual: +"), "{out}");
        assert!(lines[5].contains(" of 4 ("), "{out}");
        assert!(lines[6].starts_with("Elo difference: "), "{out}");
        let records = read_file(&path);
        assert_eq!(records.len(), 4);
        let mut points = [0.0, 0.0];
        for (number, record) in records.iter().enumerate() {
            let novice = if number % 2 == 0 { Side::First } else { Side::Second };
            assert_eq!(record.players[novice.index()], "novice");
            assert_eq!(record.players[novice.other().index()], "casual");
            assert_eq!(record.seed, rules.has_sticks().then_some(7 + number as u64 / 2));
            assert!(lines[1 + number].starts_with(&format!("game {} of 4: ", number + 1)));
            match record.result() {
                GameResult::Won(side) => points[usize::from(side != novice)] += 1.0,
                GameResult::Drawn => points = points.map(|points| points + 0.5),
                GameResult::Unknown => panic!("no result: {record}"),
            }
        }
        assert!(lines[5].contains(&format!(", {} of 4 (", points[0])), "{out}");
        if rules.has_sticks() {
            continue;
        }
        // A pair has the same opening, another pair another one.
        let opening = |record: &Record| {
            let plies = record.history().plies();
            plies.filter(|ply| matches!(ply, Ply::Move(_))).take(4).collect::<Vec<_>>()
        };
        assert_eq!(opening(&records[0]), opening(&records[1]));
        assert_ne!(opening(&records[0]), opening(&records[2]));
    }
}

#[test]
fn a_game_of_tablan_begins_at_the_start() {
    let dir = tempfile::tempdir().unwrap();
    let games = |more: &[&str]| {
        let path = dir.path().join("games.tab");
        let mut words = vec!["match", "--rules", "tablan", "--first", "casual", "--second"];
        words.extend(["novice", "--games", "2", "--seed", "3", "--out", arg(&path)]);
        words.extend(more);
        succeed(&words);
        read_file(&path).into_iter().map(|game| game.history().clone()).collect::<Vec<_>>()
    };
    let plain = games(&[]);
    assert_eq!(plain, games(&["--openings", "0"]));
    assert_ne!(plain, games(&["--openings", "4"]));
    // More would end too many games.
    let words = ["match", "--rules", "tablan", "--first", "casual", "--second", "novice"];
    let error = fail(2, &[&words[..], &["--openings", "21"]].concat());
    assert!(error.contains("--openings") && error.contains("21"), "{error}");
}

#[test]
fn any_program_that_speaks_the_protocol_may_play() {
    let engine = format!("cmd:\"{}\" engine", env!("CARGO_BIN_EXE_tabulae"));
    for rules in ["tablaaza", "tablan", "tablut/linnaeus"] {
        let out = succeed(&[
            "match",
            "--rules",
            rules,
            "--first",
            &engine,
            "--second",
            "novice",
            "--games",
            "2",
            "--movetime",
            "2",
            "--plies",
            "30",
        ]);
        assert!(!out.contains("forfeit"), "{out}");
    }
}

#[test]
fn a_player_that_fails_loses_the_game() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("games.tab");
    // It ends at once; and it is no program at all.
    let ends = format!("cmd:\"{}\" rules", env!("CARGO_BIN_EXE_tabulae"));
    for (player, words) in [(ends.as_str(), "has ended"), ("cmd:no-such-engine", "cannot be")] {
        let out = succeed(&[
            "match",
            "--rules",
            "tablaaza",
            "--first",
            player,
            "--second",
            "novice",
            "--games",
            "2",
            "--movetime",
            "1",
            "--out",
            arg(&path),
        ]);
        assert!(out.contains(words), "{out}");
        assert!(out.contains("+0 =0 -2"), "{out}");
        assert!(out.contains("forfeits of "), "{out}");
        for record in read_file(&path) {
            assert_eq!(record.termination(), Some("forfeit"));
            assert!(record.comments(record.history().len())[0].contains(words), "{record}");
        }
    }
}

/// Two games of Tablaaza between a broken program and a level: what was said.
#[cfg(unix)]
fn against(script: &str, patience: &str) -> String {
    let player = format!("cmd:sh -c '{script}'");
    succeed(&[
        "match",
        "--rules",
        "tablaaza",
        "--first",
        "novice",
        "--second",
        &player,
        "--games",
        "2",
        "--movetime",
        "1",
        "--patience",
        patience,
        "--concurrency",
        "2",
    ])
}

/// A broken program loses its games, and the match goes on to its end.
#[cfg(unix)]
#[test]
fn a_program_that_hangs_or_lies_loses_the_game_and_not_the_match() {
    let hello = "echo ugiok; echo readyok;";
    let mut cases = Vec::new();
    // Who is waited for is waited for in vain; the others may take the time
    // that a busy machine takes to start them.
    let (vain, slow) = ("3000", "60000");
    for (what, script, patience, words) in [
        ("says nothing", "cat >/dev/null", vain, "does not answer ugiok in 3.0 s"),
        ("reads nothing", "exec sleep 60", vain, "does not answer ugiok in 3.0 s"),
        ("hangs at its move", &format!("{hello} cat >/dev/null"), vain, "does not answer"),
        ("floods us", &format!("{hello} exec yes info string hm"), vain, "does not answer"),
        ("never ends a line", &format!("{hello} exec cat /dev/zero"), vain, "does not answer"),
        ("moves illegally", &format!("{hello} echo bestmove a1-z9; cat"), slow, "plays 'a1-z9': "),
        ("moves nothing", &format!("{hello} echo bestmove; cat"), slow, "plays '': "),
        ("gives up", &format!("{hello} echo bestmove none; cat"), slow, "plays 'none': "),
        ("throws", &format!("{hello} echo bestmove t1; cat"), slow, "which is a throw"),
        ("complains", &format!("{hello} echo error I am lost; cat"), slow, "says 'error I am"),
        ("closes its output", &format!("{hello} exec >&-; cat"), slow, "has ended"),
        ("ends at its move", &format!("{hello} exit 3"), slow, "has ended"),
        ("is killed", &format!("{hello} kill -9 $$"), slow, "has ended"),
    ] {
        let script = script.to_owned();
        cases.push(thread::spawn(move || {
            let out = against(&script, patience);
            assert!(out.matches(words).count() == 2, "{what}: {out}");
            assert!(out.contains("+2 =0 -0"), "{what}: {out}");
            assert!(out.contains("Elo difference: +inf"), "{what}: {out}");
            assert!(out.contains("game 2 of 2: "), "{what}: {out}");
            assert!(out.contains("forfeits of sh -c "), "{what}: {out}");
        }));
    }
    for case in cases {
        case.join().unwrap();
    }
}

/// What isn't text says nothing, and what is said too late is not heard.
#[cfg(unix)]
#[test]
fn noise_around_the_answers_does_no_harm() {
    let engine = env!("CARGO_BIN_EXE_tabulae");
    for script in [
        format!(r"printf \\377\\376\\n; exec {engine} engine"),
        format!("{engine} engine; echo bestmove z9; echo error too late; yes"),
    ] {
        let out = against(&script, "60000");
        assert!(!out.contains("forfeit"), "{script}: {out}");
    }
}

/// A program's words are shown, and never obeyed by a terminal.
#[cfg(unix)]
#[test]
fn a_fault_is_one_plain_line() {
    let shouts = r#"echo ugiok; echo readyok; printf "error \\033[2J\\007\\n"; cat"#;
    let out = against(shouts, "60000");
    assert!(out.contains(r"says 'error \u{1b}[2J\u{7}'"), "{out:?}");
    assert!(!out.replace('\n', "").contains(char::is_control), "{out:?}");
}

#[test]
fn a_match_that_cannot_be_recorded_is_not_played() {
    let error = fail(
        1,
        &[
            "match",
            "--rules",
            "tablaaza",
            "--first",
            "novice",
            "--second",
            "novice",
            "--out",
            "no/such/folder/games.tab",
        ],
    );
    assert!(error.contains("cannot write no/such/folder/games.tab"), "{error}");
}

#[test]
fn a_test_ends_the_match_as_soon_as_enough_is_known() {
    let arguments = |sprt| {
        [
            "match",
            "--rules",
            "tablaaza",
            "--first",
            "expert",
            "--second",
            "novice",
            "--games",
            "60",
            "--movetime",
            "25",
            "--seed",
            "3",
            "--sprt",
            sprt,
        ]
    };
    let out = succeed(&arguments("-400,0"));
    let games = out.lines().filter(|line| line.starts_with("game ")).count();
    assert!((4..60).contains(&games), "{out}");
    assert!(out.contains("SPRT -400 or +0: rather +0, log-likelihood ratio +"), "{out}");
    assert!(fail(2, &arguments("20,0")).contains("the lower first"));
}
