//! Long files are read in time that grows with their length. With a search through all
//! that was read before, each of these would take minutes.

use std::fmt::Write as _;

use tabulae_games::{AnyPosition, RuleSet};
use tabulae_records::{Record, opentafl, read, read_any, read_games};

/// Three soldiers a side on rows of their own, and the king between.
const POSITION: &str = "B8/B8/B8/9/4K4/9/W8/W8/W8 b";

/// Moves that repeat no position for 512 * 729 of each side, and as many others: soldiers
/// that go along their rows as the wheels of a counter turn. Black counts by nine, White
/// by eight.
fn moves() -> impl Iterator<Item = (String, String)> {
    let mut squares = [[0_usize; 3]; 2];
    (0..).map(move |ply| {
        let side = ply % 2;
        let (base, ranks) = [(9, [9, 8, 7]), (8, [1, 2, 3])][side];
        let count = ply / 2 + 1;
        // The wheel that turns is as high as the count has factors.
        let wheel = usize::from(count % base == 0) + usize::from(count % (base * base) == 0);
        let from = squares[side][wheel];
        squares[side][wheel] = (from + 1) % base;
        let square = |file: usize| format!("{}{}", char::from(b'a' + file as u8), ranks[wheel]);
        let to = |steps: usize| format!("{}-{}", square(from), square((from + steps) % base));
        (to(1), to(2))
    })
}

fn tags() -> String {
    format!("[Rules \"tablut/berkeley\"]\n[Position \"{POSITION}\"]\n\n")
}

/// The one game of a text, which is written and read back.
fn one(text: &str) -> Record {
    let mut records = read(text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(records.len(), 1);
    let record = records.remove(0);
    assert!(read(&record.to_string()).is_ok_and(|again| again[0] == record));
    record
}

#[test]
fn eighty_thousand_plies() {
    let plies = 80_000;
    let text: String = moves().take(plies).map(|(mv, _)| mv + " ").collect();
    let record = one(&format!("{}{text}*", tags()));
    assert_eq!((record.history().len(), record.end()), (plies, None));
}

#[test]
fn two_hundred_thousand_tags() {
    let mut text = "[Rules \"tablaaza\"]\n".to_owned();
    for number in 0..200_000 {
        writeln!(text, "[Tag{number} \"{number}\"]").unwrap();
    }
    assert_eq!(one(&format!("{text}*")).tags().len(), 200_000);
    let error = read(&format!("{text}[Tag7 \"again\"]\n*")).unwrap_err();
    assert_eq!((error.line, error.text.as_str()), (200_002, "Tag7"));
}

#[test]
fn a_hundred_thousand_nested_variations() {
    let depth = 100_000;
    let mut text = tags();
    let mut before = String::new();
    for (mv, other) in moves().take(depth) {
        write!(text, "{before}{other} (").unwrap();
        before = mv + " ";
    }
    let record = one(&format!("{text}{before}{}*", ")".repeat(depth)));
    assert_eq!((record.history().len(), record.tree().variations()), (1, depth));
}

#[test]
fn twenty_thousand_variations_of_opentafl_notation() {
    let plies = 20_000;
    let text: String = moves().take(plies).map(|(mv, other)| format!("{mv} ({other}) ")).collect();
    let record = one(&format!("{}{text}*", tags()));
    assert_eq!((record.history().len(), record.tree().variations()), (plies, plies));
    let text = opentafl::write(&record).expect("a game of Tablut");
    let again = &read_any(&text).unwrap_or_else(|error| panic!("{error}"))[0];
    assert!(again.tree() == record.tree());
}

#[test]
fn a_hundred_thousand_moves_in_one_line() {
    let start = AnyPosition::start(RuleSet::TablutBerkeley);
    let text = format!("{}a4-b", "d1-4 e4-f4\nundo\nf1-4 e4-d4\nnew\n".repeat(20_000));
    let games = read_games(text.as_bytes());
    assert_eq!(games.len(), 20_001);
    assert!(games.iter().flatten().all(|game| *game.history().start() == start));
    let words = "d1-4 e4-f ".repeat(50_000);
    let error = read_any(&words).unwrap_err();
    assert_eq!((error.line, error.column), (1, 11), "{error}");
}

#[test]
fn a_hundred_thousand_games_with_open_comments() {
    let text = "[Rules \"tablaaza\"]\n\n1. c7 { never closed\n".repeat(100_000);
    let games = read_games(text.as_bytes());
    assert_eq!(games.len(), 100_000);
    assert!(games.iter().all(Result::is_err));
}

/// Each error keeps the beginning of its line alone, not the rest of a line of a megabyte.
#[test]
fn many_errors_in_one_long_line() {
    let games = read_games("[Rules \"tablaaza\"] * [c] ".repeat(40_000).as_bytes());
    assert_eq!(games.len(), 40_001);
    let errors = games.iter().filter_map(|game| game.as_ref().err());
    assert!(errors.map(|error| error.text.len()).max() < Some(100));
    let games = read_games("[a]".repeat(350_000).as_bytes());
    assert_eq!((games.len(), games[0].is_err()), (1, true));
    let shown = games[0].as_ref().unwrap_err().to_string();
    assert!(shown.contains("[a…': "), "{shown}");
}
