//! The commands of `tabulae-lab` as processes: their output, error messages and exit codes.

mod book;
mod common;
mod corpus;
mod docs;
mod prove;
mod puzzles;
mod tune;

use std::fs;

use common::program::{fail, path_arg, run_tabulae, run_tabulae_in, succeed};

#[test]
fn every_command_has_help_that_wraps() {
    let all = succeed(&["--help"]);
    for command in ["tune", "prove", "puzzles", "book"] {
        assert!(all.contains(&format!("  {command} ")), "{command} is not in the list");
        let help = succeed(&[command, "--help"]);
        assert!(help.contains(&format!("Usage: tabulae-lab {command}")), "{help}");
        // The flags of a search, which a command shares, do not replace its own text.
        assert!(!help.contains("flags of a search"), "{help}");
    }
    assert!(succeed(&["--version"]).starts_with("tabulae-lab "));
}

#[test]
fn bad_usage_exits_with_code_2() {
    for arguments in [
        &[] as &[&str],
        &["dance"],
        &["solve", "tablaaza"],
        &["tune", "--rules", "tablan"],
        &["tune", "--rules", "tablaaza", "--out", "x"],
        &["tune", "--rules", "tablut/ashton", "--out", "x", "--positions", "-"],
        &["book", "--rules", "tablan"],
        &["book", "--rules", "tablan", "--out", "x", "--from", "-", "-"],
    ] {
        fail(2, arguments);
    }
    for arguments in [
        &["puzzles", "--rules", "tablan", "--out", "x", "--count", "0"] as &[&str],
        &["book", "--rules", "tablan", "--out", "x", "--nodes", "0"],
        &["tune", "--rules", "tablan", "--out", "x", "--games", "0"],
        &["prove", "tablaaza", "--proof", "x", "--memory", "0"],
    ] {
        let error = fail(2, arguments);
        assert!(error.contains("expected a number above 0"), "{arguments:?}: {error}");
    }
}

/// A network is binary, which `run_tabulae` does not read.
#[test]
fn a_network_can_be_written_to_a_pipe() {
    for rules in ["tablan", "tablut/berkeley"] {
        let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_tabulae-lab"));
        program.args(["tune", "--rules", rules, "--games", "6", "--out", "-"]);
        if rules != "tablan" {
            program.args(["--nodes", "100"]);
        }
        let output = program.output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let title: &[u8] = if rules == "tablan" { b"tablnet1" } else { b"tablutn1" };
        assert!(output.stdout.starts_with(title), "{rules}");
        assert!(String::from_utf8(output.stderr).unwrap().contains("6"), "{rules}");
    }
}

/// A command that would overwrite what it reads is refused.
#[test]
fn a_file_is_not_both_read_and_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.tab");
    let game = "[Rules \"tablut/ashton\"]\n\n1. e4-f4 *\n";
    fs::write(&path, game).unwrap();
    let file = path_arg(&path);
    for other in [path.clone(), folder.path().join("./games.tab")] {
        let other = path_arg(&other);
        for arguments in [
            &["puzzles", "--rules", "tablut/ashton", "--from", file, "--out", other] as &[&str],
            &["book", "--rules", "tablut/ashton", "--from", file, "--out", other],
            &["prove", "tablaaza", "--checkpoint", file, "--proof", other],
            &["tune", "--rules", "tablut/ashton", "--start-from", file, "--out", other],
            &["tune", "--rules", "tablut/ashton", "--from", file, "--out", other],
        ] {
            let error = fail(2, arguments);
            assert!(error.contains("are the same file"), "{arguments:?}: {error}");
        }
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), game);
    // They need not exist.
    let [new, same] = ["new", "./new"].map(|name| folder.path().join(name));
    let prove = ["prove", "tablaaza", "--checkpoint", path_arg(&new), "--proof", path_arg(&same)];
    assert!(fail(2, &prove).contains("are the same file"));
}

#[test]
fn an_invalid_game_of_a_file_is_left_out_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let [games, out] = ["three.tab", "book"].map(|name| folder.path().join(name));
    let game = |moves: &str| format!("[Rules \"tablaaza\"]\n\n{moves} *\n\n");
    fs::write(&games, [game("1. c7"), game("1. c7 h1"), game("1. c7 c6")].concat()).unwrap();
    let book = ["book", "--rules", "tablaaza", "--from", path_arg(&games), "--games", "0"];
    let few = ["--min-games", "1", "--nodes", "10", "--quiet", "--out", path_arg(&out)];
    let run = run_tabulae(&[&book[..], &few].concat(), "");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("book: tablaaza, "), "{}", run.stdout);
    let left_out = format!("tabulae: game 2 left out: {}:7:7: 'h1': ", path_arg(&games));
    assert!(run.stderr.starts_with(&left_out), "{}", run.stderr);
}

/// Control characters in file names, records and puzzles would be obeyed by a terminal.
#[test]
fn no_control_character_of_a_stranger_reaches_the_terminal() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let bad = home.join("bad");
    fs::write(&bad, "\u{1b}[31m;\u{9b}\n").unwrap();
    let missing = home.join("no\u{1b}]0;title\u{7}\n\u{9b}31m\u{7f}.tab");
    let missing = path_arg(&missing);
    for file in [path_arg(&bad), missing] {
        for arguments in [
            &["puzzles", "--check", file] as &[&str],
            &["puzzles", "--rules", "tablaaza", "--from", file, "--out", missing],
            &["book", "--rules", "tablaaza", "--from", file, "--out", missing],
            &["prove", "tablaaza", "--verify", file],
            &["tune", "--rules", "tablut/ashton", "--from", file, "--out", missing],
        ] {
            let run = run_tabulae_in(home, arguments, "");
            let text = run.stdout + &run.stderr;
            let is_harmless = |sign: char| !sign.is_control() || sign == '\n' || sign == '\t';
            assert!(text.chars().all(is_harmless), "{arguments:?}: {text:?}");
        }
    }
}

#[test]
fn a_quiet_training_prints_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let net = folder.path().join("x.net");
    let tune = ["tune", "--rules", "tablan", "--games", "6", "--quiet", "--out", path_arg(&net)];
    let out = succeed(&tune);
    assert_eq!(out.lines().count(), 1, "{out}");
    assert!(out.starts_with("game 6 of 6: "), "{out}");
}
