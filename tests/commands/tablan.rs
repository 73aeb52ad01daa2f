//! Tablan: `tune`, and luck and errors in `analyse`.

use std::{
    fs,
    ops::Range,
    path::{Path, PathBuf},
};

use tabulae_games::{Game as _, GameHistory, Ply, Turn};
use tabulae_records::{Record, read};

use crate::{
    common::program::{fail, path_arg, succeed},
    read_file, record_path,
};

/// The number after a word in a comment.
fn number(comment: &str, word: &str) -> f64 {
    let (_, rest) = comment.split_once(word).unwrap_or_else(|| panic!("no {word} in {comment}"));
    let text = rest.trim_start().split([' ', ',']).next().unwrap();
    text.parse().unwrap_or_else(|_| panic!("{text} in {comment}"))
}

/// The comment at a position that begins with a word; there must be only one.
fn comment_with<'a>(record: &'a Record, at: usize, word: &str) -> Option<&'a str> {
    let mut found = record.comments(at).iter().filter(|text| text.starts_with(word));
    let one = found.next().map(String::as_str);
    assert_eq!(found.next(), None, "{word} twice at {at}");
    one
}

/// Writes some plies of a recorded game to a file of their own.
fn excerpt(dir: &Path, name: &str, plies: Range<usize>) -> PathBuf {
    let whole = &read_file(&record_path("valid", name))[0];
    let mut line = GameHistory::new(whole.history().at(plies.start).unwrap().clone());
    for at in plies {
        line.push(whole.history().ply(at + 1).unwrap()).unwrap();
    }
    let mut excerpt = Record::new(line);
    excerpt.players = whole.players.clone();
    let path = dir.join(format!("excerpt-{name}"));
    fs::write(&path, excerpt.to_string()).unwrap();
    path
}

/// Writes the last plies of a game; analysing all of it would take longer.
fn excerpt_of_end(dir: &Path, name: &str) -> PathBuf {
    let all = read_file(&record_path("valid", name))[0].history().len();
    excerpt(dir, name, all - 60..all)
}

#[test]
fn analyse_comments_luck_and_errors_in_tablan() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["tablan.tab", "tablan-ordered.tab"] {
        for path in [excerpt(dir.path(), name, 0..40), excerpt_of_end(dir.path(), name)] {
            let out = succeed(&["analyse", path_arg(&path)]);
            let (before, after) = (&read_file(&path)[0], &read(&out).unwrap()[0]);
            assert_eq!(after.history(), before.history());
            check_comments(after);
            assert_eq!(succeed(&["analyse", path_arg(&path)]), out, "the same each time");
        }
    }
}

fn check_comments(record: &Record) {
    let line = record.history();
    // By side: luck and errors, added up from the comments.
    let (mut luck, mut errors, mut choices) = ([0.0; 2], [0.0; 2], [0; 2]);
    for at in 1..=line.len() {
        let side = line.at(at - 1).unwrap().turn().side().unwrap().index();
        match line.ply(at).unwrap() {
            Ply::Throw(throw) => {
                let this = number(comment_with(record, at, "luck").unwrap(), "luck");
                assert!(this.abs() <= 200.0, "{throw}: {this}");
                luck[side] += this;
            }
            Ply::Move(mv) => {
                let opinion = comment_with(record, at - 1, "cp").unwrap();
                let equity = number(opinion, "cp");
                assert!((-100.0..=100.0).contains(&equity), "{opinion}");
                let best = opinion.split_once("best ").unwrap().1;
                let best = best.trim_end_matches(", exact");
                assert!(line.at(at - 1).unwrap().parse_move(best).is_ok(), "{opinion}");
                let error =
                    comment_with(record, at, "error").map_or(0.0, |text| number(text, "error"));
                assert!(error <= 0.0 && (error == 0.0 || best != mv.to_string()), "ply {at}");
                errors[side] += error;
                let several = line.at(at - 1).unwrap().legal_moves().len() > 1;
                choices[side] += usize::from(several);
            }
        }
    }
    for (side, name) in ["South", "North"].into_iter().enumerate() {
        let sums = comment_with(record, line.len(), name).unwrap();
        let tolerance = 0.05 * line.len() as f64 + 0.1;
        assert!((number(sums, "luck") - luck[side]).abs() < tolerance, "{sums} {luck:?}");
        assert!((number(sums, "errors") - errors[side]).abs() < tolerance, "{sums} {errors:?}");
        assert!(sums.ends_with(&format!("in {} choices", choices[side])), "{sums} {choices:?}");
    }
}

#[test]
fn the_last_evaluation_of_a_game_is_exact() {
    let dir = tempfile::tempdir().unwrap();
    let record = &read(&succeed(&["analyse", path_arg(&excerpt_of_end(dir.path(), "tablan.tab"))]))
        .unwrap()[0];
    let last =
        (0..record.history().len()).rev().find_map(|at| comment_with(record, at, "cp")).unwrap();
    assert!(last.ends_with(", exact"), "{last}");
}

#[test]
fn a_throw_that_is_still_to_be_used_is_evaluated() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("unfinished.tab");
    let whole = &read_file(&record_path("valid", "tablan.tab"))[0];
    let mut line = GameHistory::new(whole.history().start().clone());
    while line.len() < 10 || !matches!(line.turn(), Turn::Move(_)) {
        line.push(whole.history().ply(line.len() + 1).unwrap()).unwrap();
    }
    let moves = line.plies().filter(|ply| matches!(ply, Ply::Move(_))).count();
    fs::write(&path, Record::new(line.clone()).to_string()).unwrap();
    let after = &read(&succeed(&["analyse", path_arg(&path)])).unwrap()[0];
    assert_eq!(after.history(), &line);
    check_comments(after);
    let opinion = comment_with(after, line.len(), "cp").expect("an evaluation");
    let best = opinion.split_once("best ").unwrap().1.trim_end_matches(", exact");
    assert!(line.parse(best).is_ok(), "{opinion}");
    let evaluated = (0..=line.len()).filter(|at| comment_with(after, *at, "cp").is_some());
    assert_eq!(evaluated.count(), moves + 1);
}

#[test]
fn a_report_has_a_line_for_each_throw_and_the_totals() {
    let dir = tempfile::tempdir().unwrap();
    let path = excerpt_of_end(dir.path(), "tablan.tab");
    let report = succeed(&["analyse", path_arg(&path), "--report"]);
    let record = &read_file(&path)[0];
    let throws = record.history().plies().filter(|ply| matches!(ply, Ply::Throw(_))).count();
    let lines: Vec<_> = report.lines().collect();
    assert!(lines[0].starts_with("tablan: South (club) - North (club), 0-1"), "{report}");
    // Four lines of heading, and at the end an empty one and two of totals. The
    // excerpt may begin with a move.
    let begun = usize::from(matches!(record.history().ply(1), Some(Ply::Move(_))));
    assert_eq!(lines.len(), 4 + begun + throws + 3, "{report}");
    assert!(lines[lines.len() - 2].starts_with("South: luck "), "{report}");
    assert!(lines[lines.len() - 1].starts_with("North: luck "), "{report}");
    let other = super::record_path("valid", "tablaaza.tab");
    let error = fail(1, &["analyse", path_arg(&other), "--report"]);
    assert!(error.contains("tablaaza.tab (tablaaza): --report is for Tablan only"), "{error}");
}
