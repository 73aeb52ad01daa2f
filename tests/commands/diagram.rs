//! `tabulae diagram`: the drawn position is the one asked for, and wrong input is named.

use std::collections::BTreeSet;

use tabulae_games::{AnyPosition, RuleSet};

use crate::{
    common::program::{fail, path_arg, succeed, succeed_with},
    read_file, record_path,
};

/// The pieces of a diagram, each with its square.
fn drawn(svg: &str) -> BTreeSet<String> {
    let pieces = svg.split("data-piece=\"").skip(1);
    pieces.map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
}

#[test]
fn a_record_is_drawn_after_the_ply() {
    let path = record_path("valid", "tablut-ashton.tab");
    let (file, record) = (path_arg(&path), &read_file(&path)[0]);
    let position = record.history().at(14).unwrap();
    let of_record = succeed(&["diagram", file, "--ply", "14"]);
    let text = position.to_string();
    assert!(of_record.contains(&format!("<desc>{text}</desc>")), "{of_record}");
    // The squares of the last move are framed.
    let frames =
        of_record.lines().filter(|line| line.starts_with("<rect") && line.contains("=\"3\""));
    assert_eq!(frames.count(), 2);
    let of_position = ["diagram", "--rules", "tablut", "--position", &text];
    let of_position = succeed(&[&of_position[..], &["--view", "far"]].concat());
    assert_eq!(drawn(&of_position), drawn(&of_record));
    assert_ne!(drawn(&succeed(&["diagram", file, "--ply", "13"])), drawn(&of_record));
    // It captured a piece. A position has no last move.
    let crosses = |svg: &str| svg.matches("data-captured=").count();
    assert_eq!((crosses(&of_record), crosses(&of_position)), (1, 0));
    assert_eq!(
        succeed_with(&["diagram", "-", "--ply", "14"], &std::fs::read_to_string(&path).unwrap()),
        of_record
    );
}

#[test]
fn without_a_record_the_initial_position_is_drawn() {
    for rules in RuleSet::ALL {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("start.svg");
        let out = succeed(&["diagram", "--rules", rules.id(), "--out", path_arg(&path)]);
        assert_eq!(out, "");
        let svg = std::fs::read_to_string(path).unwrap();
        let start = AnyPosition::start(rules).to_string();
        assert!(svg.contains(&format!("<desc>{start}</desc>")), "{svg}");
    }
}

#[test]
fn wrong_input_is_named() {
    let file = record_path("valid", "tablaaza.tab");
    let error = fail(1, &["diagram", path_arg(&file), "--ply", "47"]);
    assert!(error.contains("ply 47 not found: game 1 of "), "{error}");
    let error = fail(1, &["diagram", path_arg(&file), "--game", "99"]);
    assert!(error.contains("game 99 not found: "), "{error}");
    let error = fail(1, &["diagram", "--rules", "tablan", "--position", "x"]);
    assert!(error.contains("invalid position 'x'"), "{error}");
    for arguments in [
        &["diagram"] as &[&str],
        &["diagram", path_arg(&file), "--rules", "tablan"],
        &["diagram", path_arg(&file), "--position", "x"],
        &["diagram", "--rules", "tablan", "--ply", "1"],
    ] {
        fail(2, arguments);
    }
}
