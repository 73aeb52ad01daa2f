//! `tabulae book`: looking positions up.

use std::{collections::BTreeMap, fs};

use tabulae_engines::Score;
use tabulae_games::RuleSet;
use tabulae_session::{Book, BookEntry, position_key};

use crate::common::program::{fail, path_arg, run_tabulae, succeed};

const GAMES: &str = include_str!("../records/book.tab");

#[test]
fn a_book_is_looked_up_and_symmetric_moves_are_one() {
    let folder = tempfile::tempdir().unwrap();
    let [games, book] = ["games.tab", "own.book"].map(|name| folder.path().join(name));
    fs::write(&games, GAMES).unwrap();
    let mut entries = BTreeMap::new();
    let read = tabulae_records::read(GAMES).unwrap();
    for record in read.iter().filter(|record| record.rules() == RuleSet::TablutAshton) {
        for ply in 0..=2 {
            let key = position_key(record.history().at(ply).unwrap());
            let new = BookEntry { key, games: 0, wins: [1, 1], value: Some(Score::Points(7)) };
            entries.entry(key).or_insert(new).games += 1;
        }
    }
    let entries = entries.into_values().collect();
    fs::write(&book, Book::new(RuleSet::TablutAshton, "two games", entries).write()).unwrap();
    let (games, book) = (path_arg(&games), path_arg(&book));
    let shown = succeed(&["book", "--show", "--rules", "tablut/ashton", "--book", book]);
    let lines: Vec<_> = shown.lines().skip(2).collect();
    assert!(lines[0].contains("games") && lines[0].contains("White"), "{shown}");
    // e6-d6 is the same after half a turn.
    assert_eq!(lines.len(), 2, "{shown}");
    assert!(lines[1].contains("    2   50.0%   50.0%    0.0%  cp "), "{shown}");
    let wrong = fail(1, &["book", "--show", "--rules", "tablaaza", "--book", book]);
    assert!(wrong.contains("in a book of tablut/ashton"), "{wrong}");
    let json = succeed(&["book", "--json", "--show", games, "--ply", "1", "--book", book]);
    let line: serde_json::Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    assert_eq!((&line["move"], &line["games"]), (&"d1-d4".into(), &2.into()), "{json}");
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
