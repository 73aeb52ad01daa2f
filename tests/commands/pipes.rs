//! `-` for standard input and output, and what is printed on pipes.

use std::fs;

use tabulae_records::read;

use crate::{
    common::program::{fail, line, path_arg, run_tabulae, succeed, succeed_with},
    read_file, record_path,
};

#[test]
fn a_dash_reads_the_record_from_stdin() {
    let text = fs::read_to_string(record_path("valid", "tablaaza.tab")).unwrap();
    let out = succeed_with(&["check", "-"], &text);
    assert!(out.starts_with("-: tablaaza, 46 plies, 0-1 (no-moves)\n"), "{out}");
    let game = "[Rules \"tablaaza\"]\n\n1. c7 *\n";
    let out = succeed_with(&["analyse", "-", "--movetime", "1"], game);
    assert_eq!(read(&out).unwrap()[0].history().len(), 1);
    let bad = run_tabulae(&["check", "-"], "[Rules \"tablaaza\"]\n\n1. c7 c7 *\n");
    assert_eq!(bad.code, 1);
    assert!(bad.stderr.starts_with("-:3:7: 'c7': "), "{}", bad.stderr);
    let run = run_tabulae(&["render", "-", "--out", "none.png", "--ply", "2"], game);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("ply 2 not found: game 1 of - has 1 ply"), "{}", run.stderr);
}

#[test]
fn a_dash_writes_the_file_to_stdout_and_all_else_to_stderr() {
    let games = line(
        "match --rules tablaaza --first novice --second novice --games 2 \
         --movetime 1 --out -",
        &[],
    );
    let run = run_tabulae(&games, "");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(read(&run.stdout).unwrap().len(), 2);
    assert!(run.stderr.contains("score of novice against novice: "), "{}", run.stderr);
}

#[test]
fn where_a_dash_cannot_work_it_is_bad_usage() {
    let game = record_path("valid", "tablaaza.tab");
    let game = path_arg(&game);
    for (arguments, reason) in [
        (&["play", "--record", "-"] as &[&str], "standard input is for your commands"),
        (&["--record", "-"], "the 3D game opens a file"),
        (&["check", "-", "-"], "twice"),
        (&["solve", "tablaaza", "--checkpoint", "-"], "read and written"),
        (&["render", game, "--frames", "-"], "a folder"),
        (&["render", game, "--out", "-", "--progress"], "both to stdout"),
        (
            &[
                "match", "--rules", "tablaaza", "--first", "novice", "--second", "novice",
                "--json", "--out", "-",
            ],
            "--json prints to stdout",
        ),
    ] {
        let error = fail(2, arguments);
        assert!(error.contains(reason), "{arguments:?}: {error}");
    }
}

/// `script` of util-linux runs a command on a terminal of its own.
#[cfg(target_os = "linux")]
fn run_on_a_terminal(command: &str) -> Option<(String, Option<i32>)> {
    let line = format!("{} {command}", env!("CARGO_BIN_EXE_tabulae"));
    let mut script = std::process::Command::new("script");
    script.args(["-qec", &line, "/dev/null"]).stdin(std::process::Stdio::null());
    let output = script.env("TERM", "xterm").env_remove("NO_COLOR").output().ok()?;
    Some((String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code()))
}

/// Without `script` there is nothing to test with.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_gets_progress() {
    let play = "match --rules tablaaza --first novice --second novice --games 2 --movetime 20";
    for (more, is_shown) in [("", true), (" --quiet", false), (" --json", false)] {
        let Some((out, code)) = run_on_a_terminal(&format!("{play}{more}")) else { return };
        assert_eq!(code, Some(0), "{out}");
        assert_eq!(out.contains(" of 2 games, "), is_shown, "{more}: {out}");
    }
}

#[test]
fn quiet_commands_print_the_result_only() {
    let play = ["match", "--rules", "tablaaza", "--first", "novice", "--second", "novice"];
    let few = ["--games", "2", "--movetime", "1", "--quiet"];
    let out = succeed(&[&play[..], &few[..]].concat());
    assert!(!out.contains("game 1 of 2") && out.contains("score of novice"), "{out}");
    let folder = tempfile::tempdir().unwrap();
    let two = folder.path().join("two.tab");
    let game = "[Rules \"tablaaza\"]\n\n1. c7 *\n\n";
    fs::write(&two, game.repeat(2)).unwrap();
    let render = ["render", path_arg(&two), "--out", "none.png", "--ply", "2"];
    assert!(fail(1, &render).contains("has 2 games: rendering the first"));
    assert!(!fail(1, &[&render[..], &["--quiet"]].concat()).contains("rendering the first"));
}

/// The escape sequences of colours and bold text begin so.
const ESCAPE: &str = "\u{1b}[";

#[test]
fn help_has_colour_only_where_it_is_wanted() {
    for command in ["", "check", "match"] {
        let help = |more: &[&str]| {
            let command = (!command.is_empty()).then_some(command);
            let words: Vec<&str> = command.into_iter().chain(more.iter().copied()).collect();
            succeed(&words)
        };
        assert!(!help(&["--help"]).contains(ESCAPE), "stdout is no terminal");
        assert!(help(&["--color", "always", "--help"]).contains(ESCAPE), "{command}");
        assert!(!help(&["--color=never", "--help"]).contains(ESCAPE), "{command}");
    }
    assert!(fail(2, &["check", "--color", "always"]).contains(ESCAPE));
    assert!(!fail(2, &["check", "--color", "never"]).contains(ESCAPE));
    assert!(fail(2, &["check", "--color", "sometimes", "x"]).contains("auto, always, never"));
    let game = record_path("valid", "tablaaza.tab");
    succeed(&["check", "--color", "always", path_arg(&game)]);
    succeed(&["--color", "always", "check", path_arg(&game)]);
}

#[cfg(target_os = "linux")]
#[test]
fn on_a_terminal_no_color_is_honoured() {
    let Some((help, _)) = run_on_a_terminal("check --help") else { return };
    assert!(help.contains(ESCAPE), "{help:?}");
    let line = format!("NO_COLOR=1 {} check --help", env!("CARGO_BIN_EXE_tabulae"));
    let mut script = std::process::Command::new("script");
    script.args(["-qec", &line, "/dev/null"]).stdin(std::process::Stdio::null());
    let output = script.env("TERM", "xterm").output().unwrap();
    assert!(!String::from_utf8_lossy(&output.stdout).contains(ESCAPE), "{output:?}");
}

#[test]
fn help_lines_wrap() {
    for command in ["check", "match", "solve", "engine"] {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_tabulae"))
            .args([command, "--help"])
            .env("COLUMNS", "60")
            .stdin(std::process::Stdio::null())
            .output()
            .unwrap();
        for line in String::from_utf8(output.stdout).unwrap().lines() {
            // The usage line and single words stay whole.
            let is_whole = line.starts_with("Usage: ") || line.split_whitespace().count() < 2;
            assert!(line.chars().count() <= 60 || is_whole, "{command}: {line}");
        }
    }
}

/// Runs the program with files as its standard input, output and error.
#[cfg(target_os = "linux")]
fn run_with_files(arguments: &[&str], [input, output, error]: [fs::File; 3]) -> Option<i32> {
    let home = tempfile::tempdir().unwrap();
    let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_tabulae"));
    program.args(arguments).env("TABULAE_HOME", home.path());
    program.stdin(input).stdout(output).stderr(error).status().unwrap().code()
}

/// Nothing can be written to it.
#[cfg(target_os = "linux")]
fn full() -> fs::File {
    fs::OpenOptions::new().write(true).open("/dev/full").unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn a_stderr_that_cannot_be_written_changes_no_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let run = |arguments: &[&str], name: &str| {
        let nothing = fs::File::open("/dev/null").unwrap();
        run_with_files(arguments, [nothing, fs::File::create(path(name)).unwrap(), full()])
    };
    fs::write(path("bad.tab"), "no record").unwrap();
    let bad = path("bad.tab");
    assert_eq!(run(&["check", path_arg(&bad)], "out"), Some(1));
    assert_eq!(run(&["check", "no-such-file.tab"], "out"), Some(1));
    assert_eq!(run(&["diagram"], "out"), Some(2));
    let player = ["--first", "novice", "--second", "novice", "--nodes", "10", "--games", "2"];
    let play = [&["match", "--rules", "tablaaza", "--out", "-"], &player[..]].concat();
    assert_eq!(run(&play, "games"), Some(0));
    assert_eq!(read(&fs::read_to_string(path("games")).unwrap()).unwrap().len(), 2);
    let player = ["--player", "novice", "--player", "casual", "--nodes", "10"];
    let play = [&["tournament", "--rules", "tablaaza", "--out", "-"], &player[..]].concat();
    assert_eq!(run(&play, "games"), Some(0));
    assert_eq!(read(&fs::read_to_string(path("games")).unwrap()).unwrap().len(), 2);
}

#[cfg(target_os = "linux")]
#[test]
fn a_stdout_that_cannot_be_written_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let run = |arguments: &[&str], input: &str| {
        fs::write(path("in"), input).unwrap();
        let input = fs::File::open(path("in")).unwrap();
        let error = fs::File::create(path("err")).unwrap();
        let code = run_with_files(arguments, [input, full(), error]);
        (code, fs::read_to_string(path("err")).unwrap())
    };
    for (arguments, input) in [
        (&["--help"] as &[&str], ""),
        (&["match", "--help"], ""),
        (&["--version"], ""),
        (&["rules", "tablaaza"], ""),
        (&["engine"], "go depth 1"),
        (&["engine"], "go depth 1\nquit"),
        (&["engine"], "go infinite\nstop\nisready"),
    ] {
        let (code, error) = run(arguments, input);
        assert_eq!(code, Some(1), "{arguments:?}: {error}");
        assert!(error.starts_with("tabulae: cannot write to stdout: "), "{arguments:?}: {error}");
    }
    // The old records stay, since no game is played.
    fs::write(path("games.tab"), "[Rules \"tablaaza\"]\n\n1. c7 *\n").unwrap();
    let games = path("games.tab");
    let players = ["--first", "novice", "--second", "novice", "--nodes", "10"];
    let play = ["match", "--rules", "tablaaza", "--out", path_arg(&games)];
    assert_eq!(run(&[&play[..], &players].concat(), "").0, Some(1));
    let players = ["--player", "novice", "--player", "casual", "--nodes", "10"];
    let play = ["tournament", "--rules", "tablaaza", "--out", path_arg(&games)];
    assert_eq!(run(&[&play[..], &players].concat(), "").0, Some(1));
    assert_eq!(read_file(&games).len(), 1);
    assert_eq!(read_file(&games)[0].history().len(), 1);
}
