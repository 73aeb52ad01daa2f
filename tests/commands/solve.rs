//! `tabulae solve`: outcomes, checkpoints, proofs and their verifier.

use std::fs;

use tabulae_engines::read_ledger;
use tabulae_games::Side;

use crate::common::program::{fail, path_arg, run_tabulae, succeed};

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
fn proof_is_written_and_verified() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("proof");
    let lines = solve(&["--from", ENDGAME, "--proof", path_arg(&path), "--floor", "10"]);
    assert!(lines.last().unwrap().contains(" moves written to "), "{lines:?}");
    let verified = succeed(&["solve", "tablaaza", "--verify", path_arg(&path)]);
    assert!(verified.contains("positions played through"), "{verified}");
    // Without its last move the proof is incomplete.
    let text = fs::read_to_string(&path).unwrap();
    let (short, _) = text.trim_end().rsplit_once('\n').unwrap();
    fs::write(&path, short).unwrap();
    let error = fail(1, &["solve", "tablaaza", "--verify", path_arg(&path)]);
    assert!(error.contains("no move for '"), "{error}");
    // The other side does not win.
    let other = match text.contains("winner r") {
        true => text.replace("winner r", "winner g"),
        false => text.replace("winner g", "winner r"),
    };
    fs::write(&path, other).unwrap();
    fail(1, &["solve", "tablaaza", "--verify", path_arg(&path)]);
}

/// What the verifier confirms is what the solver says, and both sides' wins are kept.
#[test]
fn ledger_holds_what_the_verifier_confirmed_of_each_move() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger");
    let from = "rg2r1rg/gr5r/2~g1~2/2~rg~2/r1~2~1g/g4rg1/1g1gr1r1 r";
    let ledger = ["--from", from, "--quiet", "--keep", "24", "--ledger"];
    let lines = solve(&[&ledger[..], &[path_arg(&path)]].concat());
    let (last, moves) = lines.split_last().unwrap();
    let file = fs::read(&path).unwrap();
    let (side, lost) = read_ledger(&file).unwrap();
    assert_eq!(side, Side::Second);
    assert!(last.starts_with(&format!("Red wins {from}: ")), "{last}");
    let written = format!("{} of them written to {}", lost.len(), path.display());
    assert!(last.ends_with(&written), "{last}");
    assert!(lost.iter().all(|free| free.count_ones() >= 24) && lost.len() > 2, "{lost:?}");
    // A line of the solver stands for several moves.
    let solved = solve(&["--from", from]);
    let judged = |mv: &str| moves.iter().find(|line| line.starts_with(&format!("{mv} ")));
    let mut wins = [0; 2];
    for line in &solved[..solved.len() - 1] {
        let (mv, verdict) = line.split_once(' ').unwrap();
        let judged = judged(mv).unwrap_or_else(|| panic!("{mv}: {moves:?}"));
        let wins_here = verdict.starts_with("wins");
        assert_eq!(judged.ends_with(" wins"), wins_here, "{judged}");
        if !wins_here {
            // "c5 loses (d5 wins)"
            assert!(judged.starts_with(&format!("{mv} loses (")), "{judged}");
        }
        wins[usize::from(wins_here)] += 1;
    }
    assert!(wins[0] > 0 && wins[1] > 0, "{wins:?}");
    // The file on stdout, here an empty ledger of Green to move; all else on stderr.
    let to_stdout = ["solve", "tablaaza", "--from", from, "--keep", "50", "--ledger", "-"];
    let run = run_tabulae(&to_stdout, "");
    assert_eq!(run.stdout, "# tabulae tablaaza ledger 1\n\u{1}");
    assert!(run.stderr.contains("Red wins"), "{}", run.stderr);
    // As JSON.
    let json = solve(&[&ledger[..], &[path_arg(&path), "--json"]].concat());
    let last: serde_json::Value = serde_json::from_str(json.last().unwrap()).unwrap();
    assert_eq!(last["kind"], "ledger");
    assert_eq!(last["winner"], "Red");
    assert_eq!(last["kept"], lost.len());
    let losing: Vec<serde_json::Value> =
        json.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let losing = losing.iter().find(|line| line["wins"] == false).unwrap();
    assert_eq!(losing["replies"][0]["wins"], true);
}

#[test]
fn invalid_input_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad");
    fs::write(&path, "tabulae solve tablaaza checkpoint 1\nnodes 1\nseconds 1\nxyz w\n").unwrap();
    let error = fail(1, &["solve", "tablaaza", "--from", ENDGAME, "--checkpoint", path_arg(&path)]);
    assert!(error.contains("bad: line 4: expected free squares"), "{error}");
    let error = fail(1, &["solve", "tablaaza", "--verify", path_arg(&path)]);
    assert!(error.contains("line 1: expected 'tabulae solve tablaaza proof 1'"), "{error}");
    let error = fail(1, &["solve", "tablaaza", "--verify", path_arg(&folder.path().join("none"))]);
    assert!(error.starts_with("tabulae: cannot read ") && error.contains("none: "), "{error}");
    fail(1, &["solve", "tablaaza", "--from", "8/8 r"]);
    for arguments in [
        &["solve"] as &[&str],
        &["solve", "tablut/ashton"],
        &["solve", "tablaaza", "--threads", "0"],
        &["solve", "tablaaza", "--memory", "0"],
        &["solve", "tablaaza", "--hours", "-1"],
        &["solve", "tablaaza", "--floor", "10"],
        &["solve", "tablaaza", "--keep", "10"],
    ] {
        fail(2, arguments);
    }
    let isolated = "rgrgrgrg/grgrgrgr/rg~gr~rg/gr~rg~gr/rg~gr~rg/grgrgrgr/1grgrgrg r";
    let ledger = folder.path().join("ledger");
    let error = fail(1, &["solve", "tablaaza", "--from", isolated, "--ledger", path_arg(&ledger)]);
    assert!(error.contains("a free square has no free neighbour"), "{error}");
    // A checkpoint that cannot be written stops the search.
    let nowhere = folder.path().join("none/checkpoint");
    let run = run_tabulae(
        &["solve", "tablaaza", "--from", ENDGAME, "--checkpoint", path_arg(&nowhere)],
        "",
    );
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("cannot write"), "{}", run.stderr);
}

#[test]
fn a_file_that_cannot_be_written_is_an_error_before_the_search() {
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().join("none/file");
    for flag in ["--proof", "--checkpoint", "--ledger"] {
        let arguments = ["solve", "tablaaza", "--from", ENDGAME, flag, path_arg(&nowhere)];
        let error = fail(1, &arguments);
        assert!(error.starts_with("tabulae: cannot write "), "{flag}: {error}");
    }
    // Looking leaves no file, and changes none.
    let [new, old] = ["new", "old"].map(|name| folder.path().join(name));
    fs::write(&old, "my notes").unwrap();
    for path in [&new, &old] {
        let hours = ["solve", "tablaaza", "--from", ENDGAME, "--hours", "0", "--proof"];
        let run = run_tabulae(&[&hours[..], &[path_arg(path)]].concat(), "");
        assert!(run.stderr.contains("no winner is proven"), "{}", run.stderr);
    }
    assert!(!new.exists());
    assert_eq!(fs::read_to_string(&old).unwrap(), "my notes");
}
