//! `tabulae-lab tune`: reproducible networks, resumed runs, and errors.

use std::{fs, path::Path};

use crate::common::program::{fail, line, path_arg, succeed};

/// Tunes with few and shallow games; returns the output.
fn tune(out: &Path, more: &[&str]) -> String {
    let few = ["tune", "--rules", "tablut/berkeley", "--games", "6", "--nodes", "300", "--out"];
    succeed(&[&few[..], &[path_arg(out)], more].concat())
}

#[test]
fn tuning_is_reproducible_with_any_number_of_threads() {
    let dir = tempfile::tempdir().unwrap();
    let (one, other) = (dir.path().join("one.net"), dir.path().join("other.net"));
    let output = tune(&one, &["--check", "2"]);
    assert!(output.contains("6 games: White "), "{output}");
    assert!(output.contains("epoch 30: loss "), "{output}");
    assert!(output.contains("new network against old, 300 nodes a move: "), "{output}");
    let bytes = fs::read(&one).unwrap();
    assert!(bytes.starts_with(b"tablutn1"));
    let made = |more: &[&str]| {
        tune(&other, more);
        fs::read(&other).unwrap()
    };
    assert!(made(&["--threads", "2"]) == bytes);
    assert!(made(&["--seed", "2"]) != bytes);
    assert!(made(&["--counting"]) != bytes);
    assert!(made(&["--from", path_arg(&one)]) != bytes);
}

#[test]
fn tuning_resumes_from_saved_positions() {
    let dir = tempfile::tempdir().unwrap();
    let (net, saved) = (dir.path().join("x.net"), dir.path().join("games"));
    let resume = |more: &[&str]| tune(&net, &[&["--positions", path_arg(&saved)], more].concat());
    assert!(resume(&[]).contains("6 games: "));
    let (network, positions) = (fs::read(&net).unwrap(), fs::read(&saved).unwrap());
    assert!(positions.starts_with(b"positions of tablut/berkeley\n"));
    assert!(resume(&[]).contains("0 games: "));
    assert!(fs::read(&net).unwrap() == network && fs::read(&saved).unwrap() == positions);
    // A run killed while writing: the truncated game is played again.
    fs::write(&saved, &positions[..positions.len() - 9]).unwrap();
    assert!(resume(&[]).contains("1 games: "));
    assert!(fs::read(&net).unwrap() == network && fs::read(&saved).unwrap() == positions);
    // Another round is appended.
    assert!(resume(&["--seed", "4"]).contains("3 games: "));
    assert!(fs::read(&saved).unwrap().starts_with(&positions));
    assert!(fs::read(&net).unwrap() != network);
}

#[test]
fn tuning_begins_with_the_openings_of_records() {
    let dir = tempfile::tempdir().unwrap();
    let [net, record] = ["x.net", "game.tab"].map(|name| dir.path().join(name));
    fs::write(&record, "[Rules \"tablut/berkeley\"]\n\n1. a4-b4 e3-f3 *\n").unwrap();
    let openings = ["--start-from", path_arg(&record)];
    tune(&net, &[]);
    let without = fs::read(&net).unwrap();
    tune(&net, &openings);
    assert!(fs::read(&net).unwrap() != without);
    // By other rules they are of no use.
    fs::write(&record, "[Rules \"tablut/ashton\"]\n\n1. e4-f4 d1-d4 *\n").unwrap();
    let few = ["tune", "--rules", "tablut/berkeley", "--out", path_arg(&net)];
    let error = fail(1, &[&few[..], &openings].concat());
    assert!(error.contains("a game of tablut/ashton, not of tablut/berkeley"), "{error}");
    fs::write(&record, "[Rules \"tablut/berkeley\"]\n\n*\n").unwrap();
    let error = fail(1, &[&few[..], &openings].concat());
    assert!(error.contains("no opening can be played: all are over"), "{error}");
    // The only position after the start is over: the king has escaped.
    let won =
        "[Rules \"tablut/berkeley\"]\n[Position \"4B4/9/9/9/9/9/4K4/9/9 w\"]\n\n1. e3-a3 0-1\n";
    fs::write(&record, won).unwrap();
    let positions = dir.path().join("games.pos");
    let with_positions = ["--positions", path_arg(&positions)];
    let error = fail(1, &[&few[..], &openings, &with_positions].concat());
    assert!(error.contains("no opening can be played: all are over"), "{error}");
    assert!(!positions.exists(), "a refused run leaves no file");
    let error = fail(2, &["tune", "--rules", "tablan", "--out", "x", "--start-from", "y"]);
    assert!(error.contains("cannot use --start-from with tablan"), "{error}");
}

#[test]
fn unusable_files_and_flags_are_reported() {
    let dir = tempfile::tempdir().unwrap();
    let [out, bad] = ["out.net", "bad"].map(|name| dir.path().join(name));
    fs::write(&bad, "nothing of the kind").unwrap();
    let few = ["tune", "--rules", "tablut/ashton", "--nodes", "20", "--out"];
    let refused = |more: &[&str]| fail(1, &[&few[..], &[path_arg(&out)], more].concat());
    let error = refused(&["--from", path_arg(&bad)]);
    assert!(
        error.contains("invalid network ") && error.contains("bad: no network of Tablut"),
        "{error}"
    );
    let error = refused(&["--positions", path_arg(&bad)]);
    assert!(
        error.contains("invalid positions ") && error.contains("bad: it does not begin with"),
        "{error}"
    );
    let error = refused(&["--from", "no/such.net"]);
    assert!(error.contains("cannot read no/such.net"), "{error}");
    assert!(!out.exists(), "a refused run leaves no file");
    assert_eq!(fs::read(&bad).unwrap(), b"nothing of the kind");
    let error = fail(1, &[&few[..], &["no/such/x.net"]].concat());
    assert!(error.contains("cannot write no/such/x.net"), "{error}");
    // Reported before the first game, not after the last.
    let error = refused(&["--positions", "no/such/games", "--games", "1000000"]);
    assert!(error.contains("cannot write no/such/games"), "{error}");
    let error = fail(2, &[&few[..], &[path_arg(&out), "--positions", path_arg(&out)]].concat());
    assert!(error.contains("--out and --positions are the same file"), "{error}");
    let other_way = dir.path().join("..").join(dir.path().file_name().unwrap()).join("out.net");
    let error =
        fail(2, &[&few[..], &[path_arg(&out), "--positions", path_arg(&other_way)]].concat());
    assert!(error.contains("--out and --positions are the same file"), "{error}");
    assert!(!out.exists(), "a refused run leaves no file");
    let error = fail(2, &["tune", "--rules", "tablan", "--out", "x", "--counting"]);
    assert!(error.contains("cannot use --counting with tablan: it is for Tablut only"), "{error}");
}

#[test]
fn tuning_with_the_same_seed_writes_the_same_network() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("weights.net");
    let train = |rules, seed| {
        let out = succeed(&line(
            "tune --rules {} --seed {} --games 8 --out {}",
            &[rules, seed, path_arg(&path)],
        ));
        assert!(out.contains("game 8 of 8: RMS error of the predicted equity 0."), "{out}");
        assert!(out.lines().last().unwrap().ends_with(" (win +1, loss -1)"), "{out}");
        fs::read(&path).unwrap()
    };
    let one = train("tablan", "1");
    assert!(one.starts_with(b"tablnet1"));
    assert_eq!(train("tablan", "1"), one);
    assert_ne!(train("tablan", "2"), one);
    assert_ne!(train("tablan/ordered", "1"), one);
    let error = fail(1, &["tune", "--rules", "tablan", "--out", "no/such/folder/x.net"]);
    assert!(error.contains("cannot write no/such/folder/x.net"), "{error}");
}
