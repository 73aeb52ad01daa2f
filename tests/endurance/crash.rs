//! Killed at any moment, the program comes up again with the game as it was
//! last shown.

use std::{
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use tabulae::table::{GameSession, SaveStore};
use tempfile::TempDir;

use crate::{
    child::{Running, command},
    common::games::Numbers,
    play::{SETTINGS, plies},
};

/// What the program has told of the game on its table.
#[derive(Debug, Default)]
struct Told {
    /// The plies shown; none for one that was over before it could be told
    /// (an answer in the same frame).
    plies: Vec<Option<String>>,
    /// Whether a ply may have been taken back since.
    goes_back: bool,
    over: bool,
    /// Nothing is known of the game yet but that it was to begin.
    begins: bool,
}

impl Told {
    /// Takes in a line.
    fn hear(&mut self, line: &str) {
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

    /// Whether this is the game that was told, as far as it was told.
    fn is_in(&self, plies: &[String]) -> bool {
        let agree = |one: &Option<String>, two: &String| one.as_ref().is_none_or(|it| it == two);
        let alike = self.plies.iter().zip(plies).all(|(one, two)| agree(one, two));
        alike && (self.goes_back || plies.len() >= self.plies.len())
    }
}

/// A home folder and its kept games.
struct Home {
    folder: TempDir,
    shelf: SaveStore,
}

impl Home {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("settings.toml"), SETTINGS).expect("written");
        let shelf = SaveStore::new(recent(folder.path()));
        Self { folder, shelf }
    }

    /// Every kept game.
    fn games(&self) -> Vec<(Vec<String>, bool)> {
        let (list, more) = self.shelf.list(100_000);
        assert!(!more);
        list.into_iter()
            .map(|kept| {
                // Whatever is there is whole.
                let text = std::fs::read_to_string(&kept.path).expect("readable");
                let records = tabulae::records::read(&text);
                let records = records.unwrap_or_else(|error| panic!("{error}: {text}"));
                let table = GameSession::from_record(&records[0]);
                (plies(&table), table.outcome().is_some())
            })
            .collect()
    }
}

/// Where games are kept in a home folder.
pub(crate) fn recent(home: &Path) -> PathBuf {
    home.join("games").join("recent")
}

/// Plays until so many games are over, and kills the program all the time.
/// Gives the number of deaths and of plies.
fn kill_during(games: usize, seed: u64, oftener: usize) -> (usize, usize) {
    let home = Home::new();
    let mut numbers = Numbers::new(seed);
    let (mut told, mut over, mut deaths, mut shown) = (Told::default(), 0, 0, 0);
    let mut finished = Vec::new();
    while over < games {
        let task = format!("play {} {games}", numbers.below(1 << 30));
        let mut program = Running::start(command(home.folder.path(), &task));
        // Now and then before it has come up.
        let lines = numbers.below(oftener);
        let mut heard = 0;
        let mut dying = false;
        loop {
            if heard == lines && !dying {
                dying = true;
                // Somewhere between this line and one of the next.
                thread::sleep(Duration::from_micros(numbers.below(20_000) as u64));
                program.kill();
            }
            let Some(line) = program.lines.next() else { break };
            let line = line.expect("text");
            if let Some(came) = line.strip_prefix("came ") {
                check(&home, &told, came);
            }
            told.hear(&line);
            if line == "over" {
                over += 1;
                finished.push(std::mem::take(&mut told.plies));
                told = Told { over: true, ..Told::default() };
            }
            let counts = line.starts_with("shown ") || line.starts_with("came ");
            heard += usize::from(counts);
            shown += usize::from(line.starts_with("shown "));
        }
        deaths += 1;
    }
    // Every game that was shown to its end is there to its end.
    let kept = home.games();
    for plies in finished {
        let told = Told { plies, ..Told::default() };
        let is_there = |(kept, over): &(Vec<String>, bool)| {
            *over && kept.len() == told.plies.len() && told.is_in(kept)
        };
        assert!(kept.iter().any(is_there), "a finished game is lost: {:?}", told.plies);
    }
    (deaths, shown)
}

/// The program has come up with this, after that was told.
fn check(home: &Home, told: &Told, came: &str) {
    let came: Vec<String> = came.split_whitespace().skip(1).map(str::to_owned).collect();
    if told.plies.is_empty() || told.begins {
        return;
    }
    if !came.is_empty() && told.is_in(&came) {
        return;
    }
    // Its last ply, not told any more, may have ended it.
    let games = home.games();
    let ended = came.is_empty() && games.iter().any(|(plies, over)| *over && told.is_in(plies));
    // Or all of it was taken back.
    let taken_back = came.is_empty() && told.goes_back;
    assert!(ended || taken_back, "told {told:?}, came up with {came:?}; kept: {games:?}");
}

#[test]
fn a_killed_program_comes_up_with_the_game_as_it_was_shown() {
    let (deaths, plies) = kill_during(3, 1, 40);
    assert!(deaths > 3 && plies > 40, "{deaths} deaths, {plies} plies");
}

/// `cargo crash`.
#[test]
#[ignore = "minutes"]
fn killed_during_200_games() {
    let (deaths, plies) = kill_during(200, u64::from(std::process::id()), 60);
    println!("killed {deaths} times while {plies} plies of 200 games were shown");
}
