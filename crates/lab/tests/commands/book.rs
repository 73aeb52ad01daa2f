//! `tabulae-lab book`: making books.

use std::fs;

use tabulae_games::{AnyPosition, RuleSet};
use tabulae_session::Book;

use crate::common::program::{path_arg, run_tabulae, succeed};

const GAMES: &str = include_str!("../../../../tests/records/book.tab");

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
    let read = Book::read(&fs::read(book).unwrap()).unwrap();
    assert!(read.origin().contains("games of records 2"), "{}", read.origin());
    let start = AnyPosition::start(RuleSet::TablutAshton);
    assert_eq!(read.counts(&start).unwrap().wins, [1, 1]);
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
