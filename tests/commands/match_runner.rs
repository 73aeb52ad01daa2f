//! `tabulae match`.

#[cfg(unix)]
use std::{fs, thread};

use tabulae_games::{Ply, RuleSet, Side};
use tabulae_records::{GameResult, Record};

use crate::{
    common::program::{fail, line, path_arg, succeed},
    read_file,
};

#[test]
fn a_match_prints_its_score_and_writes_its_records() {
    let dir = tempfile::tempdir().unwrap();
    for rules in RuleSet::ALL {
        let path = dir.path().join("games.tab");
        let out = succeed(&line(
            "match --rules {} --first novice --second casual --games 4 --movetime 1 \
             --concurrency 2 --plies 40 --seed 7 --out {}",
            &[rules.id(), path_arg(&path)],
        ));
        let lines: Vec<_> = out.lines().collect();
        assert_eq!(lines.len(), 1 + 4 + 5, "{out}");
        assert!(lines[0].ends_with("4 games, 1 ms a move, seed 7"), "{out}");
        assert!(lines[5].starts_with("score of novice against casual: +"), "{out}");
        assert!(lines[5].contains(" of 4 ("), "{out}");
        assert!(lines[6].starts_with("Elo difference: "), "{out}");
        assert!(lines[7].starts_with("Ptnml(0-2): "), "{out}");
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
        // The games of a pair have the same opening; other pairs have others.
        let opening = |record: &Record| {
            let plies = record.history().plies();
            plies.filter(|ply| matches!(ply, Ply::Move(_))).take(4).collect::<Vec<_>>()
        };
        assert_eq!(opening(&records[0]), opening(&records[1]));
        assert_ne!(opening(&records[0]), opening(&records[2]));
    }
}

#[test]
fn tablan_has_no_random_opening_by_default() {
    let dir = tempfile::tempdir().unwrap();
    let games = |more: &[&str]| {
        let path = dir.path().join("games.tab");
        let mut words = vec!["match", "--rules", "tablan", "--first", "casual", "--second"];
        words.extend(["novice", "--games", "2", "--seed", "3", "--out", path_arg(&path)]);
        words.extend(more);
        succeed(&words);
        read_file(&path).into_iter().map(|game| game.history().clone()).collect::<Vec<_>>()
    };
    let plain = games(&[]);
    assert_eq!(plain, games(&["--openings", "0"]));
    assert_ne!(plain, games(&["--openings", "4"]));
    // The largest number allowed is 20.
    let words = ["match", "--rules", "tablan", "--first", "casual", "--second", "novice"];
    let error = fail(2, &[&words[..], &["--openings", "21"]].concat());
    assert!(error.contains("--openings") && error.contains("21"), "{error}");
}

/// With a limit of nodes the same seed gives the same games; clocks give any.
#[test]
fn a_match_may_be_limited_by_nodes_or_clocks() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("games/");
    let play = |limit: [&str; 2]| {
        let base = ["match", "--rules", "tablut/berkeley", "--first", "new=club", "--second"];
        let more = ["expert", "--games", "2", "--seed", "3", "--plies", "30", "--out"];
        let out = succeed(&[&base[..], &more, &[path_arg(&path)], &limit].concat());
        let games = ["0001.tab", "0002.tab"].map(|name| read_file(&path.join(name)).remove(0));
        (out, games.map(|game| (game.players.clone(), game.history().clone())))
    };
    let (out, games) = play(["--nodes", "300"]);
    assert!(out.contains("new - expert, 2 games, 300 nodes a move, seed 3\n"), "{out}");
    assert_eq!(games[0].0, ["new", "expert"]);
    assert_eq!(play(["--nodes", "300"]).1, games);
    let (out, _) = play(["--tc", "10+0.1"]);
    assert!(out.contains("10+0.1 s a game") && !out.contains("forfeit"), "{out}");
}

#[test]
fn any_ugi_engine_can_play() {
    let engine = format!("cmd:\"{}\" engine", env!("CARGO_BIN_EXE_tabulae"));
    for rules in ["tablaaza", "tablan", "tablut/linnaeus"] {
        let out = succeed(&line(
            "match --rules {} --first {} --second novice --games 2 --movetime 2 \
             --plies 30",
            &[rules, &engine],
        ));
        assert!(!out.contains("forfeit"), "{out}");
    }
}

#[test]
fn an_engine_that_ends_at_once_loses_the_game() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("games.tab");
    let player = format!("cmd:\"{}\" rules", env!("CARGO_BIN_EXE_tabulae"));
    let out = succeed(&line(
        "match --rules tablaaza --first {} --second novice --games 2 --movetime 1 \
         --out {}",
        &[&player, path_arg(&path)],
    ));
    assert!(out.contains("has ended"), "{out}");
    assert!(out.contains("+0 =0 -2"), "{out}");
    assert!(out.contains("forfeits of "), "{out}");
    for record in read_file(&path) {
        assert_eq!(record.termination(), Some("forfeit"));
        assert!(record.comments(record.history().len())[0].contains("has ended"), "{record}");
    }
}

/// Such a command is a mistake of the user, not a lost game: nothing is played
/// or written.
#[test]
fn a_command_that_cannot_be_started_is_an_error_before_the_first_game() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("games.tab");
    for (kind, other) in [("--first", "--second"), ("--second", "--first")] {
        for player in ["cmd:no-such-engine -x", "bologna:no-such-engine {port}"] {
            let words = ["match", "--rules", "tablut/ashton", kind, player, other, "novice"];
            let more = ["--openings", "0", "--movetime", "1", "--out", path_arg(&path)];
            let error = fail(1, &[&words[..], &more[..]].concat());
            let expected = format!("tabulae: cannot start 'no-such-engine' ({kind}): ");
            assert!(error.starts_with(&expected), "{error}");
            assert!(!path.exists(), "no file is written");
        }
    }
}

/// Plays two games of Tablaaza between a level and a shell script; returns the
/// output.
#[cfg(unix)]
fn play_against_script(script: &str, patience: &str) -> String {
    let player = format!("cmd:sh -c '{script}'");
    succeed(&line(
        "match --rules tablaaza --first novice --second {} --games 2 --movetime 1 \
         --patience {} --concurrency 2",
        &[&player, patience],
    ))
}

/// A program may do something each time it starts, so nothing but a game starts it.
#[cfg(unix)]
#[test]
fn a_program_is_started_once_for_each_game() {
    let dir = tempfile::tempdir().unwrap();
    let starts = dir.path().join("starts");
    let script = format!(
        "echo started >> {}; exec {} engine",
        starts.display(),
        env!("CARGO_BIN_EXE_tabulae")
    );
    play_against_script(&script, "60000");
    assert_eq!(fs::read_to_string(&starts).unwrap(), "started\n".repeat(2));
}

/// A broken engine loses its games, and the match still ends.
#[cfg(unix)]
#[test]
fn a_broken_engine_loses_its_games_and_the_match_goes_on() {
    let hello = "echo ugiok; echo readyok;";
    let mut cases = Vec::new();
    // Engines that never answer get a short patience; the others one that is
    // enough to start on a busy machine.
    let (short, long) = ("3000", "60000");
    for (what, script, patience, words) in [
        ("says nothing", "cat >/dev/null", short, "does not answer ugiok in 3.0 s"),
        ("reads nothing", "exec sleep 60", short, "does not answer ugiok in 3.0 s"),
        ("hangs at its move", &format!("{hello} cat >/dev/null"), short, "does not answer"),
        ("floods us", &format!("{hello} exec yes info string hm"), short, "does not answer"),
        ("never ends a line", &format!("{hello} exec cat /dev/zero"), short, "does not answer"),
        ("moves illegally", &format!("{hello} echo bestmove a1-z9; cat"), long, "plays 'a1-z9': "),
        ("moves nothing", &format!("{hello} echo bestmove; cat"), long, "plays '': "),
        ("gives up", &format!("{hello} echo bestmove none; cat"), long, "plays 'none': "),
        ("throws", &format!("{hello} echo bestmove t1; cat"), long, "which is a throw"),
        ("complains", &format!("{hello} echo error I am lost; cat"), long, "says 'error I am"),
        ("closes its output", &format!("{hello} exec >&-; cat"), long, "has ended"),
        ("ends at its move", &format!("{hello} exit 3"), long, "has ended"),
        ("is killed", &format!("{hello} kill -9 $$"), long, "has ended"),
    ] {
        let script = script.to_owned();
        cases.push(thread::spawn(move || {
            let out = play_against_script(&script, patience);
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

/// Bytes that are no text, and lines after the last answer.
#[cfg(unix)]
#[test]
fn noise_around_the_answers_is_ignored() {
    let engine = env!("CARGO_BIN_EXE_tabulae");
    for script in [
        format!(r"printf \\377\\376\\n; exec {engine} engine"),
        format!("{engine} engine; echo bestmove z9; echo error too late; yes"),
    ] {
        let out = play_against_script(&script, "60000");
        assert!(!out.contains("forfeit"), "{script}: {out}");
    }
}

/// An engine's control characters are escaped, so that they cannot act on the
/// terminal.
#[cfg(unix)]
#[test]
fn a_forfeit_is_printed_as_one_line_without_control_characters() {
    let escapes = r#"echo ugiok; echo readyok; printf "error \\033[2J\\007\\n"; cat"#;
    let out = play_against_script(escapes, "60000");
    assert!(out.contains(r"says 'error \u{1b}[2J\u{7}'"), "{out:?}");
    assert!(!out.replace('\n', "").contains(char::is_control), "{out:?}");
}

#[test]
fn a_match_whose_records_cannot_be_written_is_not_played() {
    let error = fail(
        1,
        &line(
            "match --rules tablaaza --first novice --second novice --out \
             no/such/folder/games.tab",
            &[],
        ),
    );
    assert!(error.contains("cannot write no/such/folder/games.tab"), "{error}");
}

#[test]
fn a_decided_sprt_ends_the_match() {
    let arguments = |sprt| {
        line(
            "match --rules tablaaza --first expert --second novice --games 60 \
             --movetime 25 --seed 3 --sprt {}",
            &[sprt],
        )
    };
    let out = succeed(&arguments("-400,0"));
    let games = out.lines().filter(|line| line.starts_with("game ")).count();
    assert!((4..60).contains(&games), "{out}");
    assert!(out.contains("SPRT -400 or +0: rather +0, log-likelihood ratio +"), "{out}");
    assert!(fail(2, &arguments("20,0")).contains("the lower first"));
}

/// Both players forfeit as the side that moves first, so that each wins one game
/// of every pair: the players are equal, and the pairs show it.
#[cfg(unix)]
#[test]
fn elo_and_sprt_count_pairs_of_games_with_swapped_sides() {
    // It is asked for a move in its games as the first side only.
    let player = "cmd:sh -c 'echo ugiok; echo readyok; echo bestmove none; cat'";
    let play = |games: &str, sprt: &str| {
        let mut words = vec!["match", "--rules", "tablaaza", "--first", player, "--second", player];
        words.extend(["--games", games, "--openings", "0", "--patience", "60000"]);
        words.extend(["--concurrency", "2", "--sprt", sprt]);
        succeed(&words)
    };
    let out = play("11", "0,20");
    assert!(out.contains(": +5 =0 -6, 5 of 11 ("), "{out}");
    assert!(out.contains("\nPtnml(0-2): 0, 0, 5, 0, 0\n"), "the last game has no partner: {out}");
    assert!(out.contains("Elo difference: +0 (no interval, all pairs of games scored alike)"));
    assert!(out.contains("SPRT +0 or +20: not decided"), "{out}");
    // 8 pairs are enough to rule out 100 Elo; games taken as independent would
    // need about 75.
    let out = play("40", "0,100");
    assert!(out.contains("SPRT +0 or +100: rather +0, log-likelihood ratio -"), "{out}");
    assert!(out.contains("\nPtnml(0-2): 0, 0, 8, 0, 0\n"), "{out}");
}
