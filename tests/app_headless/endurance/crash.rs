//! Killed at any moment, the program resumes the game as it was last shown.

use std::{
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use tabulae::session::{FinishedGame, GameSession, ResultStore, SaveStore, game_id};
use tempfile::TempDir;

use super::{
    child::{RunningChild, command},
    play::{SETTINGS, plies},
};
use crate::common::games::Numbers;

/// What the program has reported of its current game.
#[derive(Debug, Default)]
struct ReportedGame {
    /// The plies shown; `None` for a ply without a report of its own (an answer
    /// in the same frame).
    plies: Vec<Option<String>>,
    /// Whether an undo may have followed.
    goes_back: bool,
    over: bool,
    /// Whether a new game was announced and not shown yet.
    begins: bool,
}

impl ReportedGame {
    /// Takes over a line of the report.
    fn update(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "begins" => *self = Self { begins: true, ..Self::default() },
            "goes-back" => self.goes_back = true,
            "over" => self.over = true,
            "shown" => {
                let (number, last) = rest.split_once(' ').unwrap_or((rest, ""));
                let number: usize = number.parse().expect("a number");
                self.plies.resize(number, None);
                if let Some(ply) = self.plies.last_mut() {
                    *ply = Some(last.to_owned());
                }
                (self.goes_back, self.over, self.begins) = (false, false, false);
            }
            _ => {}
        }
    }

    /// Goes on from the game that the program has resumed, if there is one.
    fn resume(&mut self, plies: Vec<String>) {
        *self = Self { plies: plies.into_iter().map(Some).collect(), ..Self::default() };
    }

    /// Whether `plies` are this game, as far as it was reported.
    fn matches(&self, plies: &[String]) -> bool {
        let agree =
            |one: &Option<String>, two: &String| one.as_ref().is_none_or(|known| known == two);
        let alike = self.plies.iter().zip(plies).all(|(one, two)| agree(one, two));
        alike && (self.goes_back || plies.len() >= self.plies.len())
    }
}

/// A home folder and its saved games.
struct Home {
    folder: TempDir,
    store: SaveStore,
}

impl Home {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("settings.toml"), SETTINGS).expect("written");
        let store = SaveStore::new(recent(folder.path()));
        Self { folder, store }
    }

    /// The plies of every saved game, and whether it is over.
    fn games(&self) -> Vec<(Vec<String>, bool)> {
        let (list, more) = self.store.list(100_000);
        assert!(!more);
        list.into_iter()
            .map(|save| {
                // Every file is whole.
                let text = std::fs::read_to_string(&save.path).expect("readable");
                let records = tabulae::records::read(&text);
                let records = records.unwrap_or_else(|error| panic!("{error}: {text}"));
                let table = GameSession::from_record(&records[0]);
                (plies(&table), table.outcome().is_some())
            })
            .collect()
    }
}

/// The folder of autosaved games in a home folder.
pub(crate) fn recent(home: &Path) -> PathBuf {
    home.join("games").join("recent")
}

/// Plays until this number of games is over, and kills the program after at most
/// `max_lines` lines each time. Returns the number of kills and of plies.
fn kill_during(games: usize, seed: u64, max_lines: usize) -> (usize, usize) {
    let home = Home::new();
    let mut numbers = Numbers::new(seed);
    let (mut reported, mut over, mut kills, mut shown) = (ReportedGame::default(), 0, 0, 0);
    let mut finished = Vec::new();
    while over < games {
        let task = format!("play {} {games}", numbers.below(1 << 30));
        let mut program = RunningChild::start(command(home.folder.path(), &task));
        // 0 lines: before it has started up.
        let lines = numbers.below(max_lines);
        let mut heard = 0;
        let mut killed = false;
        loop {
            if heard == lines && !killed {
                killed = true;
                // At a random moment between this line and the next ones.
                thread::sleep(Duration::from_micros(numbers.below(20_000) as u64));
                program.kill();
            }
            let Some(line) = program.lines.next() else { break };
            let line = line.expect("text");
            if let Some(came) = line.strip_prefix("came ") {
                let came: Vec<String> =
                    came.split_whitespace().skip(1).map(str::to_owned).collect();
                check_resumed_game(&home, &reported, &came);
                reported.resume(came);
            }
            reported.update(&line);
            if line == "over" {
                over += 1;
                finished.push(std::mem::take(&mut reported.plies));
                reported = ReportedGame { over: true, ..ReportedGame::default() };
            }
            let counts = line.starts_with("shown ") || line.starts_with("came ");
            heard += usize::from(counts);
            shown += usize::from(line.starts_with("shown "));
        }
        kills += 1;
    }
    // Every game that was shown to its end is saved to its end.
    let saved = home.games();
    for plies in finished {
        let reported = ReportedGame { plies, ..ReportedGame::default() };
        let is_there = |(saved, over): &(Vec<String>, bool)| {
            *over && saved.len() == reported.plies.len() && reported.matches(saved)
        };
        assert!(saved.iter().any(is_there), "a finished game is lost: {:?}", reported.plies);
    }
    check_results(&home);
    (kills, shown)
}

/// Checks that every finished game of a person has one result, after what the next
/// start recovers.
fn check_results(home: &Home) {
    let store = ResultStore::beside(&home.store);
    let recovered = store.recover(&home.store).expect("results");
    assert!(recovered <= 1, "the kill of the last run can leave one game: {recovered}");
    let results = store.load().expect("results").games;
    let (list, _) = home.store.list(100_000);
    for save in list {
        let text = std::fs::read_to_string(&save.path).expect("readable");
        let records = tabulae::records::read(&text).expect("a record");
        let table = GameSession::from_record(&records[0]);
        let id = game_id(&save.path);
        let counted = results.iter().filter(|game| game.id == id).count();
        let result = FinishedGame::new(&id, &table, None);
        // A game that was taken back after its end keeps its result.
        let least = usize::from(result.is_some());
        assert!((least..=1).contains(&counted), "{id} has {counted} results: {text}");
    }
    assert!(!results.is_empty(), "no game has a result");
}

/// Checks that the program has resumed the game that it had reported. If the last
/// ply, not reported any more, has ended that game, an older one that was left
/// unfinished may be resumed in its place.
fn check_resumed_game(home: &Home, reported: &ReportedGame, came: &[String]) {
    if reported.plies.is_empty() || reported.begins {
        return;
    }
    if !came.is_empty() && reported.matches(came) {
        return;
    }
    let games = home.games();
    let ended = games.iter().any(|(plies, over)| *over && reported.matches(plies));
    let is_unfinished = games.iter().any(|(plies, over)| !*over && plies == came);
    // Or all plies were taken back.
    let taken_back = came.is_empty() && reported.goes_back;
    assert!(
        (ended && (came.is_empty() || is_unfinished)) || taken_back,
        "reported {reported:?}, resumed {came:?}; saved: {games:?}"
    );
}

#[test]
fn a_killed_program_resumes_the_game_as_it_was_shown() {
    let (kills, plies) = kill_during(3, 1, 40);
    assert!(kills > 3 && plies > 40, "{kills} kills, {plies} plies");
}

/// `cargo crash`.
#[test]
#[ignore = "minutes"]
fn killed_during_200_games() {
    let (kills, plies) = kill_during(200, u64::from(std::process::id()), 60);
    println!("killed {kills} times while {plies} plies of 200 games were shown");
}
