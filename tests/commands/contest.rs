//! `tabulae match`.

use tabulae::{
    games::{Ply, RuleSet, Side},
    records::{Outcome, Record},
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
                Outcome::Won(side) => points[usize::from(side != novice)] += 1.0,
                Outcome::Drawn => points = points.map(|points| points + 0.5),
                Outcome::Open => panic!("no result: {record}"),
            }
        }
        assert!(lines[5].contains(&format!(", {} of 4 (", points[0])), "{out}");
        // A pair has the same opening, another pair another one.
        let opening = |record: &Record| {
            let plies = record.line().plies();
            plies.filter(|ply| matches!(ply, Ply::Move(_))).take(4).collect::<Vec<_>>()
        };
        assert_eq!(opening(&records[0]), opening(&records[1]));
        assert_ne!(opening(&records[0]), opening(&records[2]));
    }
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
            assert!(record.comments(record.line().len())[0].contains(words), "{record}");
        }
    }
}

#[cfg(unix)]
#[test]
fn an_illegal_move_loses_the_game() {
    let script = r#"cmd:sh -c 'echo ugiok; echo readyok; echo bestmove a1-z9; cat >/dev/null'"#;
    let out = succeed(&[
        "match",
        "--rules",
        "tablut/ashton",
        "--first",
        "novice",
        "--second",
        script,
        "--games",
        "2",
        "--movetime",
        "1",
    ]);
    assert!(out.contains("plays 'a1-z9': "), "{out}");
    assert!(out.contains("+2 =0 -0") && out.contains("Elo difference: +inf"), "{out}");
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
            "club",
            "--second",
            "novice",
            "--games",
            "60",
            "--movetime",
            "2",
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
