//! Help, bad usage, and the commands that need no file.

use std::fs;

use tabulae_games::RuleSet;

use crate::common::{
    program::{fail, path_arg, succeed},
    ugi::EngineProcess,
};

const COMMANDS: [&str; 11] = [
    "play",
    "engine",
    "perft",
    "match",
    "tournament",
    "bologna",
    "check",
    "analyse",
    "render",
    "rules",
    "solve",
];

#[test]
fn every_command_has_help() {
    let all = succeed(&["--help"]);
    for command in COMMANDS {
        assert!(all.contains(&format!("  {command} ")), "{command} is not in the list");
        let help = succeed(&[command, "--help"]);
        assert!(help.contains(&format!("Usage: tabulae {command}")), "{help}");
    }
    assert!(succeed(&["--version"]).starts_with("tabulae "));
}

#[test]
fn bad_usage_exits_with_code_2() {
    for arguments in [
        &["dance"] as &[&str],
        &["analyze", "x.tab"],
        // Commands of tabulae-lab.
        &["tune", "--rules", "tablan", "--out", "x"],
        &["solve", "tablaaza", "--proof", "x"],
        &["book", "--rules", "tablan", "--out", "x"],
        &["x.tab", "y.tab"],
        &["--rules", "tablan", "x.tab"],
        &["--record", "x.tab", "y.tab"],
        &["--rules", "chess"],
        &["perft"],
        &["perft", "tablut", "3"],
        &["perft", "tablaaza", "deep"],
        &["perft", "tablut/ashton", "51"],
        &["perft", "tablut/ashton", "4294967295", "--divide"],
        &["rules", "chess"],
        &["check"],
        &["bologna"],
        &["bologna", "--role", "white", "--time", "0"],
        &["bologna", "--role", "white", "--time", "-1"],
        &["bologna", "--role", "white", "--threads", "0"],
        &["bologna", "--role", "white", "--hash", "0"],
        &["play"],
        &["play", "--rules", "tablaaza", "--first", "champion"],
        &["match", "--rules", "tablaaza", "--first", "club"],
        &["match", "--rules", "tablaaza", "--first", "club", "--second", "nobody"],
        &["match", "--rules", "tablaaza", "--first", "club", "--second", "cmd:"],
        &["match", "--rules", "tablaaza", "--first", "club", "--second", "club", "--games", "0"],
        &["analyse", "x.tab", "--movetime", "0"],
        &["render", "x.tab"],
        &["render", "x.tab", "--out", "x.png", "--size", "huge"],
        &["render", "x.tab", "--out", "x.png", "--size", "0x100"],
        &["render", "x.tab", "--out", "x.png", "--frame-report"],
    ] {
        fail(2, arguments);
    }
    let error = fail(2, &["play", "--rules", "tablut", "--clock", "soon"]);
    assert!(error.contains("'soon'") && error.contains("expected seconds, like 600"), "{error}");
    let error = fail(2, &["perft", "chess", "1"]);
    assert!(error.contains("'chess'") && error.contains("<RULES>"), "{error}");
    assert!(error.contains("tablut/berkeley, tablut/ashton, tablut/linnaeus"), "{error}");
}

#[test]
fn a_misspelt_command_gets_the_nearest_one() {
    let error = fail(2, &["analyze", "x.tab"]);
    assert!(error.contains("'analyze'") && error.contains("'analyse'"), "{error}");
}

/// `tabulae FILE`, as desktops start the program, and `--record FILE`.
#[test]
fn a_record_that_cannot_be_opened_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("bad.tab"), "[Rules \"tablaaza\"]\n\n1. a1 a9 *\n").unwrap();
    fs::write(path("table.tab"), [0xff, 0xfe, 0x00]).unwrap();
    for name in ["none.tab", "bad.tab", "table.tab", "."] {
        let path = path(name);
        for arguments in [&["--report", path_arg(&path)] as &[&str], &["--record", path_arg(&path)]]
        {
            let error = fail(1, arguments);
            assert!(error.contains(path_arg(&path)), "{arguments:?}: {error}");
        }
    }
}

#[test]
fn perft_counts_match_known_values() {
    for (rules, counts) in [
        ("tablut/berkeley", [80, 4_400]),
        ("tablut/ashton", [56, 4_408]),
        ("tablut/linnaeus", [56, 3_968]),
        ("tablut/saami", [80, 4_400]),
        ("tablaaza", [25, 163]),
    ] {
        assert_eq!(succeed(&["perft", rules, "0"]), "1\n");
        for (depth, count) in (1..).zip(counts) {
            let depth = depth.to_string();
            assert_eq!(succeed(&["perft", rules, &depth]), format!("{count}\n"));
            let divided = succeed(&["perft", rules, &depth, "--divide"]);
            let lines: Vec<_> = divided.lines().collect();
            let (total, moves) = lines.split_last().unwrap();
            assert_eq!(*total, count.to_string());
            assert_eq!(moves.len(), counts[0]);
            let numbers = moves.iter().map(|line| line.split(' ').nth(1).unwrap());
            assert_eq!(numbers.map(|count| count.parse::<usize>().unwrap()).sum::<usize>(), count);
        }
    }
    let position = "8/8/2~2~2/2~2~2/2~2~2/8/r7 g";
    assert_eq!(succeed(&["perft", "tablaaza", "1", "--position", position]), "4\n");
}

/// A count as deep as that would never end, and one much deeper ran out of stack.
#[test]
fn perft_has_a_largest_depth() {
    let error = fail(2, &["perft", "tablut/ashton", "1000000"]);
    assert!(error.contains("1000000 is not in 0..=50") && error.contains("<DEPTH>"), "{error}");
    let full = "9/9/9/9/K8/9/9/9/9 b";
    assert_eq!(succeed(&["perft", "tablut/ashton", "50", "--position", full]), "0\n");
}

#[test]
fn perft_refuses_games_with_throws_and_bad_positions() {
    for rules in ["tablan", "tablan/ordered"] {
        let error = fail(2, &["perft", rules, "2"]);
        assert!(error.contains("not for dice"), "{error}");
    }
    let error = fail(1, &["perft", "tablaaza", "1", "--position", "8/8 r"]);
    assert!(error.contains("invalid position '8/8 r'"), "{error}");
}

#[test]
fn rules_of_every_rule_set_are_complete() {
    let list = succeed(&["rules"]);
    for rules in RuleSet::ALL {
        assert!(list.contains(rules.id()));
        let text = succeed(&["rules", rules.id()]);
        assert!(text.starts_with(&format!("{}\n", rules.title())), "{text}");
        let mut headings = text.lines().filter(|line| !line.is_empty() && !line.starts_with(' '));
        for chapter in ["The board", "The end", "Writing moves"] {
            // In this order: the board comes before the end.
            assert!(headings.any(|line| line.starts_with(chapter)), "{rules} has no {chapter}");
        }
        assert!(text.lines().all(|line| line.len() <= 80), "{rules}");
    }
}

/// A reader may close our output early.
#[test]
fn a_closed_stdout_is_no_error() {
    use std::{
        io::Write,
        process::{Command, Stdio},
    };
    for arguments in
        [&["engine"] as &[&str], &["play", "--rules", "tablaaza", "--second", "person"]]
    {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tabulae"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        // Fails if the program has already ended.
        _ = child.stdin.take().unwrap().write_all(b"isready\nisready\nisready\n");
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.stderr, b"", "{arguments:?}");
        assert!(output.status.success(), "{arguments:?}");
    }
    assert_eq!(EngineProcess::start().ask("isready"), "readyok");
}

#[test]
fn numbers_that_are_too_small_or_too_large_are_told_what_was_expected() {
    let game = ["match", "--rules", "tablaaza", "--first", "novice", "--second", "novice"];
    for flag in ["--games", "--movetime", "--nodes", "--depth", "--patience", "--threads"] {
        for number in ["0", "-1", "x"] {
            let error = fail(2, &[&game[..], &[&format!("{flag}={number}")]].concat());
            assert!(error.contains("expected a number above 0"), "{flag} {number}: {error}");
        }
        let error = fail(2, &[&game[..], &[flag, "99999999999999999999"]].concat());
        assert!(error.contains("expected a smaller number"), "{flag}: {error}");
    }
    for number in ["0", "257", "18446744073709551616"] {
        let error = fail(2, &[&game[..], &["--concurrency", number]].concat());
        assert!(error.contains("expected a number from 1 to 256"), "{number}: {error}");
    }
    for arguments in [
        &["solve", "tablaaza", "--memory", "0"] as &[&str],
        &["solve", "tablaaza", "--threads", "0"],
        &["bologna", "--role", "white", "--port", "0"],
    ] {
        let error = fail(2, arguments);
        assert!(error.contains("expected a number above 0"), "{arguments:?}: {error}");
    }
    let error = fail(2, &["solve", "tablaaza", "--threads", "65536"]);
    assert!(error.contains("expected a smaller number"), "{error}");
    let error = fail(2, &["diagram"]);
    assert!(error.contains("give a FILE, or --rules"), "{error}");
}
