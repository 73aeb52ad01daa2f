//! `tabulae train`: solving puzzles.

use std::fs;

use tabulae_games::{Game, RuleSet};
use tabulae_session::puzzles::{
    Puzzle, PuzzleProgress, PuzzleTraining, SavedProgress, describe_task,
};

use crate::common::program::{fail, run_tabulae_in};

/// The puzzle that a new player gets first.
fn first_puzzle(rules: RuleSet) -> Puzzle {
    let mut training = PuzzleTraining::default();
    training.set_rules(rules);
    training.next_puzzle().expect("a puzzle").0
}

/// The solver's moves, a line each.
fn solution(puzzle: &Puzzle) -> String {
    puzzle.line.iter().step_by(2).map(|mv| format!("{mv}\n")).collect()
}

#[test]
fn puzzles_of_each_rule_set_are_solved_in_the_terminal_and_raise_the_rating() {
    for rules in RuleSet::ALL {
        let home = tempfile::tempdir().unwrap();
        let puzzle = first_puzzle(rules);
        let typed = format!("{}quit\nnever read", solution(&puzzle));
        let out = run_tabulae_in(home.path(), &["train", "--rules", rules.id()], &typed);
        assert_eq!((out.code, out.stderr.as_str()), (0, ""), "{rules}");
        assert!(out.stdout.contains(&describe_task(&puzzle)), "{rules}: {}", out.stdout);
        assert!(out.stdout.contains("Solved!\n"), "{rules}: {}", out.stdout);
        assert!(
            out.stdout.contains("Solved in a row, in all games: 1. Your best: 1."),
            "{rules}: {}",
            out.stdout
        );
        assert!(out.stdout.contains("?\n"), "{rules}: the rating is a guess: {}", out.stdout);
        // It is kept, and the next time another puzzle comes.
        let progress = SavedProgress::read(&home.path().join("puzzles.toml")).unwrap().of("");
        assert!(progress.rating(rules).rating > 1000.0 && progress.streak() == 1);
        let again = run_tabulae_in(home.path(), &["train", "--rules", rules.id()], "");
        let board = |out: &str| out.lines().skip(2).take(12).collect::<String>();
        assert_ne!(board(&again.stdout), board(&out.stdout), "{rules}");
    }
}

#[test]
fn a_wrong_try_in_the_terminal_counts_once_and_the_puzzle_stays() {
    let home = tempfile::tempdir().unwrap();
    let puzzle = first_puzzle(RuleSet::Tablaaza);
    let mut moves = puzzle.start.legal_moves();
    moves.retain(|mv| *mv != puzzle.line[0]);
    let typed = format!("a99\nt2\n{}\n{}\nsolution\n{}", moves[0], moves[1], solution(&puzzle));
    let out = run_tabulae_in(home.path(), &["train", "--rules", "tablaaza"], &typed).stdout;
    assert!(out.matches("Not allowed: ").count() >= 1, "{out}");
    assert_eq!(out.matches(" is not the solution").count(), 2, "{out}");
    assert!(out.contains(&format!("The solution is {}.", puzzle.line[0])), "{out}");
    assert!(out.contains("Solved, but not on the first try. This puzzle will come back."), "{out}");
    let progress = SavedProgress::read(&home.path().join("puzzles.toml")).unwrap().of("");
    assert_eq!(progress.streak(), 0);
    assert!(progress.is_due(&puzzle, PuzzleProgress::now()));
}

#[test]
fn a_theme_that_the_rules_do_not_have_is_named_and_so_is_damaged_progress() {
    let wrong = fail(2, &["train", "--rules", "tablaaza", "--theme", "escape"]);
    assert!(wrong.contains("no puzzle of tablaaza has the theme 'escape'"), "{wrong}");
    assert!(wrong.contains("parity"), "{wrong}");
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("puzzles.toml"), "streak = \"x\"").unwrap();
    let train = ["train", "--rules", "tablaaza", "--theme", "parity", "--language", "it"];
    let run = run_tabulae_in(home.path(), &train, "esci\n");
    assert_eq!(run.code, 0);
    assert!(run.stderr.contains("rinominato"), "{}", run.stderr);
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1, "nothing is lost");
}
