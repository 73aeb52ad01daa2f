//! `tabulae-lab puzzles`: finding and checking.

use std::fs;

use tabulae_games::RuleSet;
use tabulae_session::{position_key, puzzles::read_puzzles};

use crate::common::program::{fail, path_arg, run_tabulae, succeed, succeed_with};

/// Black captures the king at once on d3, and nowhere else.
const CAPTURE: &str = "\
# tabulae puzzles 1
# rules tablut/berkeley
969;win 1;king-hunt;4B4/9/2B1B4/3B5/B6BB/3B5/4KB3/9/5B3 b;d4-d3;130.44
";

fn mine(rules: &str, count: &str, seed: &str, more: &[&str]) -> String {
    let all = ["puzzles", "--rules", rules, "--count", count, "--seed", seed, "--out", "-"];
    let all: Vec<_> = all.iter().chain(["--nodes", "2000"].iter()).chain(more).copied().collect();
    let run = run_tabulae(&all, "");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let (start, end) = (format!("-: {rules}, "), [" puzzle\n", " puzzles\n"]);
    let is_result =
        run.stderr.starts_with(&start) && end.iter().any(|ending| run.stderr.ends_with(ending));
    assert!(is_result && run.stderr.lines().count() == 1, "{}", run.stderr);
    run.stdout
}

#[test]
fn puzzles_of_each_game_are_found_again_by_their_seed_and_pass_the_check() {
    for rules in ["tablut/linnaeus", "tablan/ordered", "tablaaza"] {
        let text = mine(rules, "2", "7", &[]);
        let (read, puzzles) = read_puzzles(&text).unwrap();
        assert_eq!((read.id(), puzzles.len()), (rules, 2), "{text}");
        assert!(text.contains("# seed 7, count 2, nodes 2000"), "{text}");
        let names: Vec<_> = puzzles.iter().map(|(_, it)| position_key(&it.start)).collect();
        assert_ne!(names[0], names[1]);
        let check = ["puzzles", "--check", "-", "--nodes", "20000"];
        assert_eq!(succeed_with(&check, &text), format!("-: {rules}, 2 puzzles\n"));
        assert_eq!(mine(rules, "2", "7", &[]), text, "{rules}");
    }
}

#[test]
fn records_are_mined_and_other_rules_are_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.tab");
    let game = "[Rules \"tablut/berkeley\"]\n\
        [Position \"4B4/9/2B1B4/3B5/B6BB/3B5/4KB3/9/5B3 b\"]\n\n1. a5-a6 *\n";
    fs::write(&path, game).unwrap();
    let text = mine("tablut/berkeley", "5", "1", &["--from", path_arg(&path)]);
    let (_, puzzles) = read_puzzles(&text).unwrap();
    let sources: Vec<_> = puzzles.iter().map(|(_, it)| it.source.as_str()).collect();
    assert_eq!(sources, ["games.1.0"], "{text}");
    let ashton = ["puzzles", "--rules", "tablut/ashton", "--from", path_arg(&path), "--out", "-"];
    let run = run_tabulae(&ashton, "");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(read_puzzles(&run.stdout).unwrap(), (RuleSet::TablutAshton, Vec::new()));
    let note = "games.tab: 1 of 1 game left out: by tablut/berkeley, not by tablut/ashton\n";
    assert!(run.stderr.contains(note), "{}", run.stderr);
}

#[test]
fn the_check_names_the_line_of_each_wrong_puzzle() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("all.txt");
    fs::write(&path, CAPTURE).unwrap();
    let shown = succeed(&["puzzles", "--check", path_arg(&path), "--nodes", "500"]);
    assert_eq!(shown, format!("{}: tablut/berkeley, 1 puzzle\n", path.display()));
    for (wrong, reason) in [
        (CAPTURE.replace("d4-d3", "d4-c4"), ":3: d4-d3 is another solution"),
        (CAPTURE.replace("4KB3/9", "5B3/4K4"), ":3: the solution does not reach the goal"),
        (CAPTURE.replace("king-hunt", "escape"), ":3: the themes are not those of the position"),
        (CAPTURE.replace("win 1", "gain 20"), ":3: the goal does not fit the position"),
        (CAPTURE.replace("d4-d3", "d4-z3"), ":3: invalid move 'd4-z3'"),
        (CAPTURE.replace("969;", ""), ":3: expected 'rating;goal;"),
        (CAPTURE.replace("puzzles 1", "puzzles 2"), ":1: expected '# tabulae puzzles 1'"),
        (CAPTURE.replace("tablut/", "chess/"), ":2: expected '# tabulae puzzles 1'"),
        (
            format!(
                "{CAPTURE}969;win 1;king-hunt;4B4/9/4B1B2/5B3/BB6B/5B3/3BK4/9/3B5 b;f4-f3;mirrored\n"
            ),
            ":4: the same as line 3",
        ),
    ] {
        fs::write(&path, &wrong).unwrap();
        let error = fail(1, &["puzzles", "--check", path_arg(&path), "--nodes", "500"]);
        assert!(error.contains(reason), "{error}, expected {reason}");
    }
}

#[test]
fn bad_usage_and_files_are_reported() {
    for arguments in [
        &["puzzles"] as &[&str],
        &["puzzles", "--rules", "tablaaza"],
        &["puzzles", "--rules", "chess", "--out", "-"],
        &["puzzles", "--rules", "tablaaza", "--count", "0", "--out", "-"],
        &["puzzles", "--rules", "tablaaza", "--nodes", "0", "--out", "-"],
        &["puzzles", "--check", "x", "--rules", "tablaaza"],
        &["puzzles", "--check", "-", "-"],
    ] {
        fail(2, arguments);
    }
    let none = tempfile::tempdir().unwrap().path().join("none/puzzles.txt");
    let mine = ["puzzles", "--rules", "tablaaza", "--out", path_arg(&none)];
    for arguments in [&mine as &[&str], &["puzzles", "--check", path_arg(&none)]] {
        let run = run_tabulae(arguments, "");
        assert_eq!(run.code, 1, "{}", run.stderr);
        assert!(run.stderr.contains("none/puzzles.txt"), "{}", run.stderr);
    }
}

#[test]
fn a_file_of_puzzles_that_cannot_be_read_does_not_hold_up_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let [good, bad, none] =
        ["good.txt", "bad.txt", "none.txt"].map(|name| folder.path().join(name));
    fs::write(&good, CAPTURE).unwrap();
    fs::write(&bad, b"\xff\xfe").unwrap();
    let check = ["puzzles", "--nodes", "2000", "--check"];
    let files = [path_arg(&bad), path_arg(&none), path_arg(&good)];
    let run = run_tabulae(&[&check[..], &files].concat(), "");
    assert_eq!(run.code, 1);
    assert_eq!(run.stdout, format!("{}: tablut/berkeley, 1 puzzle\n", good.display()));
    let errors: Vec<_> = run.stderr.lines().collect();
    assert_eq!(errors.len(), 2, "{errors:?}");
    assert!(errors[0].contains("bad.txt: expected text in UTF-8"), "{errors:?}");
    assert!(errors[1].contains("cannot read ") && errors[1].contains("none.txt"), "{errors:?}");
    // What is wrong in a line is said with what was expected.
    fs::write(&bad, CAPTURE.replace("win 1", "win soon")).unwrap();
    let error = fail(1, &["puzzles", "--check", path_arg(&bad)]);
    assert!(error.contains("bad.txt:3: invalid goal 'win soon': expected 'win PLIES'"), "{error}");
}
