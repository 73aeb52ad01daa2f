//! `tune` for Tablut: the same games make the same network, and games once
//! played are kept.

use std::{fs, path::Path};

use crate::common::program::{fail, path_arg, succeed};

/// Tunes with few and shallow games; what it said.
fn tune(out: &Path, more: &[&str]) -> String {
    let few = ["tune", "--rules", "tablut/berkeley", "--games", "6", "--nodes", "300", "--out"];
    succeed(&[&few[..], &[path_arg(out)], more].concat())
}

#[test]
fn the_same_games_make_the_same_network_on_any_number_of_threads() {
    let dir = tempfile::tempdir().unwrap();
    let (one, other) = (dir.path().join("one.net"), dir.path().join("other.net"));
    let said = tune(&one, &["--check", "2"]);
    assert!(said.contains("6 games: White "), "{said}");
    assert!(said.contains("epoch 30: loss "), "{said}");
    assert!(said.contains("new network against old, 300 nodes a move: "), "{said}");
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
fn games_that_are_kept_are_not_played_again() {
    let dir = tempfile::tempdir().unwrap();
    let (net, kept) = (dir.path().join("x.net"), dir.path().join("games"));
    let keeping = |more: &[&str]| tune(&net, &[&["--positions", path_arg(&kept)], more].concat());
    assert!(keeping(&[]).contains("6 games: "));
    let (network, positions) = (fs::read(&net).unwrap(), fs::read(&kept).unwrap());
    assert!(positions.starts_with(b"positions of tablut/berkeley\n"));
    assert!(keeping(&[]).contains("0 games: "));
    assert!(fs::read(&net).unwrap() == network && fs::read(&kept).unwrap() == positions);
    // Killed while it wrote: what was cut short is played again.
    fs::write(&kept, &positions[..positions.len() - 9]).unwrap();
    assert!(keeping(&[]).contains("1 games: "));
    assert!(fs::read(&net).unwrap() == network && fs::read(&kept).unwrap() == positions);
    // Another round goes behind them.
    assert!(keeping(&["--seed", "4"]).contains("3 games: "));
    assert!(fs::read(&kept).unwrap().starts_with(&positions));
    assert!(fs::read(&net).unwrap() != network);
}

#[test]
fn what_cannot_be_tuned_with_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let [out, bad] = ["out.net", "bad"].map(|name| dir.path().join(name));
    fs::write(&bad, "nothing of the kind").unwrap();
    let few = ["tune", "--rules", "tablut/ashton", "--nodes", "20", "--out"];
    let refused = |more: &[&str]| fail(1, &[&few[..], &[path_arg(&out)], more].concat());
    let error = refused(&["--from", path_arg(&bad)]);
    assert!(error.contains("bad: no network to begin with: no network of Tablut"), "{error}");
    let error = refused(&["--positions", path_arg(&bad)]);
    assert!(error.contains("bad: no positions to learn from: it does not begin with"), "{error}");
    let error = refused(&["--from", "no/such.net"]);
    assert!(error.contains("cannot read no/such.net"), "{error}");
    assert!(!out.exists(), "nothing is left of what was refused");
    assert_eq!(fs::read(&bad).unwrap(), b"nothing of the kind");
    let error = fail(1, &[&few[..], &["no/such/x.net"]].concat());
    assert!(error.contains("cannot write no/such/x.net"), "{error}");
    // Before a game is played, not after the last.
    let error = refused(&["--positions", "no/such/games", "--games", "1000000"]);
    assert!(error.contains("cannot write no/such/games"), "{error}");
    let error = fail(2, &[&few[..], &[path_arg(&out), "--positions", path_arg(&out)]].concat());
    assert!(error.contains("--out and --positions are the same file"), "{error}");
    let other_way = dir.path().join("..").join(dir.path().file_name().unwrap()).join("out.net");
    let error =
        fail(2, &[&few[..], &[path_arg(&out), "--positions", path_arg(&other_way)]].concat());
    assert!(error.contains("--out and --positions are the same file"), "{error}");
    assert!(!out.exists(), "nothing is left of what was refused");
    let error = fail(2, &["tune", "--rules", "tablan", "--out", "x", "--counting"]);
    assert!(error.contains("--counting is for Tablut, not for tablan"), "{error}");
}
