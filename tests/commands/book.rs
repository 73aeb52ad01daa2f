//! `tabulae book`: making books and looking positions up.

use std::fs;

use tabulae_games::{AnyPosition, RuleSet};
use tabulae_session::Book;

use crate::common::program::{fail, path_arg, run_tabulae, succeed};

const GAMES: &str = "\
[Rules \"tablut/ashton\"]
[White \"Aili\"]
[Black \"Carl\"]
[Termination \"resignation\"]
[Result \"1-0\"]

1. e4-f4 d1-d4 1-0

[Rules \"tablut/ashton\"]
[Termination \"resignation\"]
[Result \"0-1\"]

1. e6-d6 f9-f6 2. d5-d4 0-1

[Rules \"tablaaza\"]

1. c7 c6 *
";

#[test]
fn a_book_of_records_counts_symmetric_positions_as_one() {
    let folder = tempfile::tempdir().unwrap();
    let [games, book] = ["games.tab", "own.book"].map(|name| folder.path().join(name));
    fs::write(&games, GAMES).unwrap();
    let (games, book) = (path_arg(&games), path_arg(&book));
    let make = ["book", "--rules", "tablut/ashton", "--games", "0", "--min-games", "1"];
    let make = [&make[..], &["--nodes", "2000", "--from", games, "--out", book]].concat();
    let run = run_tabulae(&make, "");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains(": tablut/ashton, 4 positions, "), "{}", run.stdout);
    let note = "games.tab: 1 of 3 games left out: by tablaaza, not by tablut/ashton\n";
    assert!(run.stderr.starts_with("tabulae: ") && run.stderr.ends_with(note), "{}", run.stderr);
    let shown = succeed(&["book", "--show", "--rules", "tablut/ashton", "--book", book]);
    let lines: Vec<_> = shown.lines().skip(2).collect();
    assert!(lines[0].contains("games") && lines[0].contains("White"), "{shown}");
    // e6-d6 is the same after half a turn.
    assert_eq!(lines.len(), 2, "{shown}");
    assert!(lines[1].contains("    2   50.0%   50.0%    0.0%  cp "), "{shown}");
    let read = Book::read(&fs::read(book).unwrap()).unwrap();
    assert!(read.origin().contains("games of records 2"), "{}", read.origin());
    let start = AnyPosition::start(RuleSet::TablutAshton);
    assert_eq!(read.counts(&start).unwrap().wins, [1, 1]);
    let wrong = fail(1, &["book", "--show", "--rules", "tablaaza", "--book", book]);
    assert!(wrong.contains("in a book of tablut/ashton"), "{wrong}");
    let json = succeed(&["book", "--json", "--show", games, "--ply", "1", "--book", book]);
    let line: serde_json::Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    assert_eq!((&line["move"], &line["games"]), (&"d1-d4".into(), &2.into()), "{json}");
}

#[test]
fn the_same_seed_makes_the_same_book() {
    let folder = tempfile::tempdir().unwrap();
    let make = |rules: &str, name: &str| {
        let path = folder.path().join(name);
        let run = ["book", "--rules", rules, "--games", "2", "--plies", "6", "--nodes", "50"];
        succeed(&[&run[..], &["--min-games", "1", "--out", path_arg(&path)]].concat());
        fs::read(path).unwrap()
    };
    for rules in ["tablut/linnaeus", "tablan/ordered", "tablaaza"] {
        let book = make(rules, "one.book");
        assert!(Book::read(&book).unwrap().len() > 1);
        assert_eq!(book, make(rules, "two.book"), "{rules}");
    }
}

#[test]
fn the_games_that_reached_a_position_are_listed_and_damaged_files_named() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("a.tab", GAMES), ("b.tab", "[Rules \"tablut/ashton\"]\n\n1. a1-a2 *")] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    fs::write(folder.path().join("notes.txt"), "no games").unwrap();
    let games = folder.path().join("a.tab");
    let show = ["book", "--show", path_arg(&games), "--ply", "2"];
    let run = run_tabulae(&[&show[..], &["--search", path_arg(folder.path())]].concat(), "");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("b.tab: ") && !run.stderr.contains("notes"), "{}", run.stderr);
    assert!(run.stdout.contains("2 of 3 games reached it"), "{}", run.stdout);
    assert!(run.stdout.contains("a.tab: game 1, ply 2, White Aili - Black Carl, 1-0"));
    assert!(run.stdout.contains("a.tab: game 2, ply 2, White ? - Black ?, 0-1"));
    // What was played there: after half a turn, d5-d4 is f5-f6.
    assert!(run.stdout.contains("f5-f6"), "{}", run.stdout);
}
