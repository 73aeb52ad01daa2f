//! `tabulae solve`: outcomes and checkpoints.

use std::fs;

use crate::common::program::{fail, path_arg, succeed};

/// 19 free squares; Red wins, but not with every move.
const ENDGAME: &str = "rgrprgrg/1rgr1rgr/1g~gr~r1/1r~r1~1r/rg~1r~1g/gr1rg1g1/1grg1g1g r";

fn solve(arguments: &[&str]) -> Vec<String> {
    let all: Vec<_> =
        ["solve", "tablaaza", "--memory", "8"].iter().chain(arguments).copied().collect();
    succeed(&all).lines().map(str::to_owned).collect()
}

#[test]
fn small_positions_are_solved_move_by_move() {
    let text = "rgpgrgrg/2gr1rgr/rg~gr~rp/pr~2~gr/rg~1r~pg/2grg1gr/rgrgrgpg r";
    let lines = solve(&["--from", text]);
    assert_eq!(lines[..4], ["b2 wins", "b6 wins", "d4 wins", "f2 wins"]);
    assert!(lines[4].starts_with(&format!("Red wins {text} (")), "{lines:?}");
    // Two moves, and the line with the winner.
    let lines =
        solve(&["--from", "rgrgrgrg/grgrgrgr/rg~gr~rg/gr~rg~gr/rg~gr~rg/grgrgrgr/1grgrg1g r"]);
    assert_eq!(lines.len(), 3);
    // A side without a move has lost.
    let lines =
        solve(&["--from", "rgrgrgrg/grgrgrgr/rg~gr~rg/gr~rg~gr/rg~gr~rg/grgrgrgr/rgrgrgrg r"]);
    assert_eq!(lines.len(), 1);
    assert!(lines[0].starts_with("Green wins"), "{lines:?}");
}

#[test]
fn solve_continues_from_its_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint");
    let from = "8/8/2~2~2/1r~r1~gr/rg~gr~rg/grgrgrgr/rgrgrgrg g";
    let run = |more: &[&str]| {
        let all = ["--from", from, "--first", "--checkpoint", path_arg(&path)];
        let all: Vec<_> = all.iter().chain(more).copied().collect();
        solve(&all)
    };
    // Without any time nothing is solved, which is not an error.
    let none = run(&["--hours", "0"]);
    assert!(none.last().unwrap().starts_with("not solved"), "{none:?}");
    assert!(
        fs::read_to_string(&path).unwrap().starts_with("tabulae solve tablaaza checkpoint 1\n")
    );
    let without_nodes = |lines: &[String]| lines.join("\n").split(" (").next().unwrap().to_owned();
    let first = without_nodes(&run(&[]));
    assert!(first.contains("wins"), "{first}");
    assert_eq!(without_nodes(&run(&[])), first);
}

/// The number of positions searched.
fn nodes(lines: &[String]) -> u64 {
    let (_, count) = lines.last().unwrap().rsplit_once('(').unwrap();
    count.split(' ').next().unwrap().parse().unwrap()
}

#[test]
fn the_checkpoint_holds_the_proofs_of_a_quickly_solved_position() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint");
    let from = "8/8/2~2~2/1r~r1~gr/rg~gr~rg/grgrgrgr/rgrgrgrg g";
    let arguments = ["--from", from, "--checkpoint", path_arg(&path)];
    let first = solve(&arguments);
    let text = fs::read_to_string(&path).unwrap();
    let proofs = text.lines().skip(3).count();
    assert!(proofs > 0, "{text}");
    let second = solve(&arguments);
    assert!(nodes(&second) < nodes(&first), "{first:?}, then {second:?}");
}

#[test]
fn the_checkpoint_is_cut_to_the_positions_to_keep() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint");
    let from = "8/8/2~2~2/1r~r1~gr/rg~gr~rg/grgrgrgr/rgrgrgrg g";
    let arguments = ["--from", from, "--checkpoint", path_arg(&path)];
    let first = solve(&arguments);
    let sizes = || {
        let text = fs::read_to_string(&path).unwrap();
        let free = |line: &str| u64::from_str_radix(&line[..14], 16).unwrap().count_ones();
        text.lines().skip(3).map(free).collect::<Vec<_>>()
    };
    let all = sizes();
    let largest = *all.iter().max().unwrap();
    assert!(all.iter().any(|size| *size < largest), "{all:?}");
    let keep = largest.to_string();
    let second = solve(&[&arguments[..], &["--keep", &keep]].concat());
    assert!(nodes(&second) <= nodes(&first), "{first:?}, then {second:?}");
    assert!(sizes().iter().all(|size| *size >= largest), "{:?}", sizes());
    assert!(!sizes().is_empty());
    fail(2, &["solve", "tablaaza", "--keep", "30"]);
}

#[test]
fn invalid_input_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad");
    fs::write(&path, "tabulae solve tablaaza checkpoint 1\nnodes 1\nseconds 1\nxyz w\n").unwrap();
    let error = fail(1, &["solve", "tablaaza", "--from", ENDGAME, "--checkpoint", path_arg(&path)]);
    assert!(error.contains("bad: line 4: expected free squares"), "{error}");
    fail(1, &["solve", "tablaaza", "--from", "8/8 r"]);
    for arguments in [
        &["solve"] as &[&str],
        &["solve", "tablut/ashton"],
        &["solve", "tablaaza", "--threads", "0"],
        &["solve", "tablaaza", "--memory", "0"],
        &["solve", "tablaaza", "--hours", "-1"],
        &["solve", "tablaaza", "--keep", "10"],
    ] {
        fail(2, arguments);
    }
    // A checkpoint that cannot be written is an error before the search.
    let nowhere = folder.path().join("none/checkpoint");
    let nowhere = ["solve", "tablaaza", "--from", ENDGAME, "--checkpoint", path_arg(&nowhere)];
    let error = fail(1, &nowhere);
    assert!(error.starts_with("tabulae: cannot write "), "{error}");
}
