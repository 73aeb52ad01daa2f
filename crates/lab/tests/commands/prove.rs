//! `tabulae-lab prove`: proofs, ledgers and their verifier.

use std::fs;

use tabulae_engines::read_ledger;
use tabulae_games::Side;

use crate::common::program::{fail, path_arg, run_tabulae, succeed, succeed_with};

/// 19 free squares; Red wins, but not with every move.
const ENDGAME: &str = "rgrprgrg/1rgr1rgr/1g~gr~r1/1r~r1~1r/rg~1r~1g/gr1rg1g1/1grg1g1g r";

fn prove(arguments: &[&str]) -> Vec<String> {
    let all: Vec<_> = ["prove", "tablaaza", "--memory", "8", "--quiet"]
        .iter()
        .chain(arguments)
        .copied()
        .collect();
    succeed(&all).lines().map(str::to_owned).collect()
}

#[test]
fn proof_is_written_and_verified() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("proof");
    let lines = prove(&["--from", ENDGAME, "--proof", path_arg(&path), "--floor", "10"]);
    assert!(lines.last().unwrap().contains(" moves written to "), "{lines:?}");
    let verified = succeed(&["prove", "tablaaza", "--verify", path_arg(&path)]);
    assert!(verified.contains("positions played through"), "{verified}");
    // Without its last move the proof is incomplete.
    let text = fs::read_to_string(&path).unwrap();
    let (short, _) = text.trim_end().rsplit_once('\n').unwrap();
    fs::write(&path, short).unwrap();
    let error = fail(1, &["prove", "tablaaza", "--verify", path_arg(&path)]);
    assert!(error.contains("no move for '"), "{error}");
    // The other side does not win.
    let other = match text.contains("winner r") {
        true => text.replace("winner r", "winner g"),
        false => text.replace("winner g", "winner r"),
    };
    fs::write(&path, other).unwrap();
    fail(1, &["prove", "tablaaza", "--verify", path_arg(&path)]);
}

/// What the verifier confirms is what the solver says, and both sides' wins are kept.
#[test]
fn ledger_holds_what_the_verifier_confirmed_of_each_move() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger");
    let from = "rg2r1rg/gr5r/2~g1~2/2~rg~2/r1~2~1g/g4rg1/1g1gr1r1 r";
    let ledger = ["--from", from, "--keep", "24", "--ledger"];
    let lines = prove(&[&ledger[..], &[path_arg(&path)]].concat());
    let (last, moves) = lines.split_last().unwrap();
    let file = fs::read(&path).unwrap();
    let (side, lost) = read_ledger(&file).unwrap();
    assert_eq!(side, Side::Second);
    assert!(last.starts_with(&format!("Red wins {from}: ")), "{last}");
    let written = format!("{} of them written to {}", lost.len(), path.display());
    assert!(last.ends_with(&written), "{last}");
    assert!(lost.iter().all(|free| free.count_ones() >= 24) && lost.len() > 2, "{lost:?}");
    // A line of the solver stands for several moves.
    let proof = folder.path().join("proof");
    let solved = prove(&["--from", from, "--proof", path_arg(&proof)]);
    let judged = |mv: &str| moves.iter().find(|line| line.starts_with(&format!("{mv} ")));
    let mut wins = [0; 2];
    for line in &solved[..solved.len() - 2] {
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
    let to_stdout = ["prove", "tablaaza", "--from", from, "--keep", "50", "--ledger", "-"];
    let run = run_tabulae(&to_stdout, "");
    assert_eq!(run.stdout, "# tabulae tablaaza ledger 1\n\u{1}");
    assert!(run.stderr.contains("Red wins"), "{}", run.stderr);
    // As JSON.
    let json = prove(&[&ledger[..], &[path_arg(&path), "--json"]].concat());
    let last: serde_json::Value = serde_json::from_str(json.last().unwrap()).unwrap();
    assert_eq!(last["kind"], "ledger");
    assert_eq!(last["winner"], "Red");
    assert_eq!(last["kept"], lost.len());
    let losing: Vec<serde_json::Value> =
        json.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let losing = losing.iter().find(|line| line["wins"] == false).unwrap();
    assert_eq!(losing["replies"][0]["wins"], true);
}

/// A later run adds to what an earlier one has proven.
#[test]
fn a_ledger_is_continued_move_by_move() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two, all] = ["one", "two", "all"].map(|name| folder.path().join(name));
    let from = "rg2r1rg/gr5r/2~g1~2/2~rg~2/r1~2~1g/g4rg1/1g1gr1r1 r";
    let run = |path, flags: &[&str]| {
        let ledger = ["--from", from, "--keep", "20", "--ledger", path_arg(path)];
        let lines = prove(&[&ledger, flags].concat());
        let (side, lost) = read_ledger(&fs::read(path).unwrap()).unwrap();
        assert_eq!(side, Side::Second);
        (lines, lost)
    };
    let (lines, first) = run(&one, &["--moves", "b2,a1"]);
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert!(lines[0].starts_with("b2 ") && lines[1].starts_with("a1 "), "{lines:?}");
    let (lines, second) = run(&two, &["--moves", "c1", "--known", path_arg(&one)]);
    // The other moves are not tried, so nobody is said to win.
    assert_eq!((lines.len(), lines[0].as_str()), (2, "c1 loses (d3 wins)"));
    assert!(!lines[1].contains("wins"), "{lines:?}");
    assert!(first.len() > 2 && second.len() > first.len(), "{first:?} {second:?}");
    assert!(first.iter().all(|free| second.contains(free)));
    // What is known is not verified again: no move is left to do.
    let known = ["--known", path_arg(&two), "--known", path_arg(&one), "--moves", "a1,b2,c1"];
    assert_eq!(run(&all, &known).1, second);
}

#[test]
fn a_file_that_cannot_be_written_is_an_error_before_the_search() {
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().join("none/file");
    let proof = folder.path().join("proof");
    for flags in
        [&["--proof"] as &[&str], &["--proof", path_arg(&proof), "--checkpoint"], &["--ledger"]]
    {
        let arguments = [&["prove", "tablaaza", "--from", ENDGAME], flags, &[path_arg(&nowhere)]];
        let arguments = arguments.concat();
        let error = fail(1, &arguments);
        assert!(error.starts_with("tabulae-lab: cannot write "), "{flags:?}: {error}");
    }
    // Looking leaves no file, and changes none.
    let [new, old] = ["new", "old"].map(|name| folder.path().join(name));
    fs::write(&old, "my notes").unwrap();
    for path in [&new, &old] {
        let hours = ["prove", "tablaaza", "--from", ENDGAME, "--hours", "0", "--proof"];
        let run = run_tabulae(&[&hours[..], &[path_arg(path)]].concat(), "");
        assert!(run.stderr.contains("no winner is proven"), "{}", run.stderr);
    }
    assert!(!new.exists());
    assert_eq!(fs::read_to_string(&old).unwrap(), "my notes");
}

#[test]
fn invalid_input_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad");
    fs::write(&path, "no proof").unwrap();
    let error = fail(1, &["prove", "tablaaza", "--verify", path_arg(&path)]);
    assert!(error.contains("line 1: expected 'tabulae solve tablaaza proof 1'"), "{error}");
    let error = fail(1, &["prove", "tablaaza", "--verify", path_arg(&folder.path().join("none"))]);
    assert!(error.starts_with("tabulae-lab: cannot read ") && error.contains("none: "), "{error}");
    for arguments in [
        &["prove"] as &[&str],
        &["prove", "tablaaza"],
        &["prove", "tablut/ashton", "--proof", "x"],
        &["prove", "tablaaza", "--floor", "10"],
        &["prove", "tablaaza", "--proof", "x", "--keep", "10"],
        &["prove", "tablaaza", "--verify", "x", "--proof", "y"],
        &["prove", "tablaaza", "--json", "--proof", "-"],
        &["prove", "tablaaza", "--proof", "x", "--moves", "a1"],
        &["prove", "tablaaza", "--proof", "x", "--known", "y"],
    ] {
        fail(2, arguments);
    }
    let isolated = "rgrgrgrg/grgrgrgr/rg~gr~rg/gr~rg~gr/rg~gr~rg/grgrgrgr/1grgrgrg r";
    let ledger = folder.path().join("ledger");
    let error = fail(1, &["prove", "tablaaza", "--from", isolated, "--ledger", path_arg(&ledger)]);
    assert!(error.contains("a free square has no free neighbour"), "{error}");
    let make = ["prove", "tablaaza", "--ledger", path_arg(&ledger)];
    let error = fail(1, &[&make[..], &["--moves", "a1,a2"]].concat());
    assert!(error.contains("illegal move a2"), "{error}");
    let error = fail(1, &[&make[..], &["--known", path_arg(&path)]].concat());
    assert!(error.contains("invalid ledger") && error.contains("not a ledger"), "{error}");
}

#[test]
fn a_proof_on_stdout_can_be_verified_from_stdin() {
    let to_stdout = ["prove", "tablaaza", "--memory", "8", "--from", ENDGAME, "--proof", "-"];
    let proof = run_tabulae(&to_stdout, "");
    assert_eq!(proof.code, 0, "{}", proof.stderr);
    assert!(proof.stdout.starts_with("tabulae solve tablaaza proof 1\n"), "{}", proof.stdout);
    assert!(proof.stderr.contains("Red wins ") && proof.stderr.contains(" moves written to -"));
    let verified = succeed_with(&["prove", "tablaaza", "--verify", "-"], &proof.stdout);
    assert!(verified.starts_with("Red wins "), "{verified}");
}

#[test]
fn a_proof_and_its_verification_are_printed_as_json() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("proof");
    let text = "rgpgrgrg/2gr1rgr/rg~gr~rp/pr~2~gr/rg~1r~pg/2grg1gr/rgrgrgpg r";
    let objects = |arguments: &[&str]| -> Vec<serde_json::Value> {
        let lines = prove(&[&["--json"], arguments].concat());
        lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let proven = objects(&["--from", text, "--proof", path_arg(&path), "--floor", "2"]);
    let [moves @ .., result, proof] = &proven[..] else { panic!("{proven:?}") };
    assert_eq!(moves.len(), 4);
    assert_eq!((&result["kind"], &result["winner"]), (&"result".into(), &"Red".into()));
    assert_eq!((&proof["kind"], &proof["file"]), (&"proof".into(), &path_arg(&path).into()));
    let verified = &objects(&["--verify", path_arg(&path)])[0];
    assert_eq!((&verified["kind"], &verified["winner"]), (&"verification".into(), &"Red".into()));
    assert!(verified["played"].is_u64() && verified["searched"].is_u64(), "{verified}");
}
