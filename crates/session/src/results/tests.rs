//! The file of results against damage, repetition and kills.

use std::fs;

use super::*;
use crate::{Setup, UnratedReason};

fn finished(id: &str, name: &str) -> FinishedGame {
    let seats = [Seat::Person, Seat::Engine(Level::Casual)];
    let names = [name.to_owned(), String::new()];
    let setup = Setup { seats, names, adaptive: true, ..Setup::new(RuleSet::Tablaaza) };
    let mut session = GameSession::new(setup);
    for _ in 0..2 {
        let first = session.history().legal_moves()[0];
        session.play(first).expect("legal");
    }
    session.resign(Side::First);
    FinishedGame::new(id, &session, Some("2026.11.23".to_owned())).expect("a result")
}

fn store() -> (tempfile::TempDir, ResultStore) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = ResultStore::new(folder.path().join("new/results.jsonl"));
    (folder, store)
}

#[test]
fn results_read_back_with_their_analysis() {
    let (_folder, store) = store();
    assert_eq!(store.load().expect("read"), Results::default());
    let games = [finished("1", "Åsa \"A\"\n"), finished("2", "")];
    for game in &games {
        store.add(game).expect("written");
    }
    let analysis = GameAnalysis {
        error: [0.1, 0.0],
        accuracy: [80.0, 100.0],
        luck: None,
        mistakes: Some([1, 0]),
    };
    store.add_analysis("2", analysis).expect("written");
    let read = store.load().expect("read");
    assert_eq!((read.games.len(), read.damaged.len()), (2, 0));
    assert_eq!(read.games[0], games[0]);
    assert_eq!(read.game("2").and_then(|game| game.analysis), Some(analysis));
    assert!(read.games[0].rated && read.games[0].adaptive);
    assert_eq!(read.games[0].names[0], "Åsa \"A\"");
    assert_eq!(read.games[0].opening, "a1 b1");
}

#[test]
fn the_first_result_of_a_game_counts() {
    let (_folder, store) = store();
    let game = finished("1", "Aili");
    store.add(&game).expect("written");
    let other = FinishedGame { result: GameResult::Won(Side::First), rated: false, ..game.clone() };
    store.add(&other).expect("written");
    assert_eq!(store.load().expect("read").games, [game]);
}

#[test]
fn a_damaged_line_is_skipped_and_reported_and_harms_no_other() {
    let (_folder, store) = store();
    let games = ["1", "2", "3"].map(|id| finished(id, "Aili"));
    for game in &games {
        store.add(game).expect("written");
    }
    let bytes = fs::read(store.path()).expect("read");
    let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    // A line that ends anywhere, as a kill leaves it, and what is written after it.
    for length in 0..lines[1].len() {
        let torn = [lines[0], &lines[1][..length]].concat();
        fs::write(store.path(), torn).expect("written");
        store.add(&games[2]).expect("written");
        let read = store.load().expect("read");
        let whole = length + 1 == lines[1].len();
        let expected =
            if whole { games.to_vec() } else { vec![games[0].clone(), games[2].clone()] };
        assert_eq!(read.games, expected, "cut after {length} bytes");
        let damaged = if whole || length == 0 { vec![] } else { vec![2] };
        assert_eq!(read.damaged, damaged, "cut after {length} bytes");
    }
    // Not text, other JSON, unknown rules and no result.
    let odd = String::from_utf8_lossy(lines[0]).into_owned();
    let odd = [odd.replace("tablaaza", "chess"), odd.replace("0-1", "*"), "[]\n".to_owned()];
    let odd = [b"\xff\xfe\n", odd.concat().as_bytes(), lines[2]].concat();
    fs::write(store.path(), odd).expect("written");
    let read = store.load().expect("read");
    assert_eq!((read.games.len(), read.damaged), (1, vec![1, 2, 3, 4]));
}

#[test]
fn a_finished_game_without_a_result_is_recovered_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let saves = SaveStore::new(folder.path().join("recent"));
    let store = ResultStore::beside(&saves);
    let mut ids = Vec::new();
    for plies in [0, 2, 3, 1] {
        let mut session = GameSession::new(Setup::new(RuleSet::Tablaaza));
        for _ in 0..plies {
            let first = session.history().legal_moves()[0];
            session.play(first).expect("legal");
        }
        // The first one goes on, the last one is aborted.
        if plies > 0 {
            session.resign(Side::First);
        }
        let lock = saves.create().expect("a place");
        lock.write(&session.saved_game(None).to_string()).expect("written");
        ids.push(game_id(lock.path()));
    }
    fs::write(saves.folder().join("damaged.tab"), "nothing").expect("written");
    assert_eq!(store.recover(&saves).expect("written"), 2);
    assert_eq!(store.recover(&saves).expect("written"), 0, "both are known");
    let games = store.load().expect("read").games;
    let mut found: Vec<&str> = games.iter().map(|game| game.id.as_str()).collect();
    found.sort_unstable();
    assert_eq!(found, [ids[1].as_str(), ids[2].as_str()]);
    // Two guests are the same player.
    assert!(games.iter().all(|game| !game.rated));
}

#[test]
fn each_game_of_a_match_has_a_result_of_its_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let saves = SaveStore::new(folder.path().join("recent"));
    let store = ResultStore::beside(&saves);
    let seats = [Seat::Person, Seat::Engine(Level::Casual)];
    let setup = Setup { seats, games: 2, ..Setup::new(RuleSet::Tablaaza) };
    let mut session = GameSession::new(setup);
    let lock = saves.create().expect("a place");
    for round in 1..=2 {
        session.resign(Side::First);
        lock.write(&session.saved_text(None)).expect("written");
        assert_eq!(store.recover(&saves).expect("written"), 1, "game {round}");
        assert_eq!(store.recover(&saves).expect("written"), 0, "game {round} again");
        session = session.next_game().unwrap_or(session);
    }
    let games = store.load().expect("read").games;
    let name = game_id(lock.path());
    assert!(games.iter().all(|game| game.save_name() == name && game.rated));
    let points: Vec<f64> = games.iter().map(|game| game.points(Side::First)).collect();
    assert_eq!((points, games[0].seats), (vec![0.0, 0.0], seats));
    assert_eq!(games[1].seats, [seats[1], seats[0]]);
}

#[test]
fn help_and_moves_taken_back_make_a_game_unrated_also_after_a_kill() {
    let seats = [Seat::Person, Seat::Engine(Level::Novice)];
    let new = || GameSession::new(Setup { seats, ..Setup::new(RuleSet::TablutAshton) });
    let play = |session: &mut GameSession| {
        let first = session.history().legal_moves()[0];
        session.play(first).expect("legal");
    };
    let is_rated = |session: &GameSession| {
        let saved = GameSession::from_record(&session.saved_game(None));
        assert_eq!(saved.unrated_reason(), session.unrated_reason(), "also why");
        saved.is_rated()
    };
    let mut session = new();
    play(&mut session);
    assert!(is_rated(&session));
    let mut taken_back = session.clone();
    assert!(taken_back.undo() && taken_back.redo());
    assert!(!is_rated(&taken_back));
    let mut helped = session.clone();
    helped.set_unrated(UnratedReason::Help);
    assert!(!is_rated(&helped));
    assert!(!is_rated(&session.branch(1)), "another game goes on from here");
    play(&mut session);
    session.resign(Side::First);
    assert!(is_rated(&session));
    assert!(session.undo());
    assert!(!is_rated(&session), "a resignation taken back");
    let start = Some(new().history().start().clone());
    let set_up = GameSession::new(Setup { seats, start, ..Setup::new(RuleSet::TablutAshton) });
    assert!(!is_rated(&set_up));
}

#[test]
fn the_lines_shown_in_the_guide_can_be_read() {
    let guide = include_str!("../../../../docs/formats.md");
    let block = guide.split("```json\n").find(|block| block.contains("\"levels\"")).expect("lines");
    let lines = block.split("```").next().expect("lines");
    let results = Results::read(lines.as_bytes());
    assert!(results.damaged.is_empty());
    let game = results.game("1764000000000-412-0").expect("the game");
    assert!(game.rated && game.adaptive && game.analysis.is_some());
    assert_eq!((game.names[0].as_str(), game.seats[1]), ("Aili", Seat::Engine(Level::Casual)));
}
