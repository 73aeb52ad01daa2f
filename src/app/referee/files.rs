//! Games to files and back.
//!
//! A game is written beside its place and then moved there, so that a save
//! that fails half way loses nothing. The game on the table is kept in the
//! autosave after every ply.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use bevy::prelude::*;

use crate::{
    app::{Steps, acts::Act, replay::Replay, stage::Screen},
    games::Game,
    records::{Record, read_any},
    table::{Table, today, write_whole},
};

use super::{Cue, Referee};

/// Where the program keeps games, on this system and for this person; none if
/// the system names no such place. `TABULAE_HOME` overrides it.
#[must_use]
pub fn saves_folder() -> Option<PathBuf> {
    if let Some(home) = std::env::var_os("TABULAE_HOME").filter(|home| !home.is_empty()) {
        return Some(PathBuf::from(home).join("games"));
    }
    directories::ProjectDirs::from("", "", "tabulae").map(|dirs| dirs.data_dir().join("games"))
}

/// Where the game on the table is kept.
#[must_use]
pub fn autosave_path() -> Option<PathBuf> {
    saves_folder().map(|folder| folder.join("autosave.tab"))
}

/// Where this run of the program keeps the game on the table; none keeps it
/// nowhere (tests, pictures).
#[derive(Resource, Default)]
pub(crate) struct Autosave {
    path: Option<PathBuf>,
    written: Option<Stand>,
    failed: bool,
}

/// Which game the file holds (the number of games begun before it) and how far
/// it has come.
type Stand = (u64, usize, u64, bool);

impl Referee {
    fn stand(&self) -> Option<Stand> {
        let table = self.table.as_ref()?;
        let line = table.line();
        Some((self.begun, line.len(), line.position().key(), table.outcome().is_some()))
    }

    /// Takes up the game that an earlier run of the program left in `path`, if
    /// there is one, and keeps the game on the table there from now on. A
    /// damaged file is set aside and reported; where that fails it stays, and
    /// nothing is written over it.
    pub(crate) fn take_up(&mut self, path: &Path) -> Autosave {
        let kept = Autosave { path: Some(path.to_owned()), ..Autosave::default() };
        if !path.exists() {
            return kept;
        }
        match read_file(path) {
            Ok(record) => {
                self.seat(Table::from_record(&record));
                Autosave { written: self.stand(), ..kept }
            }
            Err(reason) => match set_aside(path, "damaged") {
                Ok(aside) => {
                    let aside = aside.display();
                    self.complain(format!(
                        "The last game cannot be read. {reason}. It is kept as {aside}."
                    ));
                    kept
                }
                Err(error) => {
                    self.complain(format!(
                        "The last game cannot be read, nor set aside, so this one is not kept. \
                         {reason}. {error}."
                    ));
                    Autosave::default()
                }
            },
        }
    }
}

/// Moves a file to a free name beside it, `WORD-1.tab` and so on.
fn set_aside(path: &Path, word: &str) -> io::Result<PathBuf> {
    let free = (1..u32::MAX)
        .map(|number| path.with_file_name(format!("{word}-{number}.tab")))
        .find(|aside| !aside.exists());
    let aside = free.ok_or_else(|| io::Error::other("no free name beside it"))?;
    fs::rename(path, &aside)?;
    Ok(aside)
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Autosave>()
        .add_systems(Update, file_acts.in_set(Steps::Files))
        .add_systems(Update, autosave.in_set(Steps::Report));
}

/// Reads the first game of a file.
///
/// # Errors
/// What is wrong, with file, line and column where it is the text.
pub(crate) fn read_file(path: &Path) -> Result<Record, String> {
    read_games(path).map(|(record, _)| record)
}

/// Reads the first game of a file, and how many games there are.
fn read_games(path: &Path) -> Result<(Record, usize), String> {
    let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let text = String::from_utf8(bytes)
        .map_err(|error| format!("{}: not a text: {error}", path.display()))?;
    let records = read_any(&text).map_err(|error| error.in_file(path).to_string())?;
    let games = records.len();
    let first = records.into_iter().next().map(|record| (record, games));
    first.ok_or_else(|| format!("{}: no game in this file", path.display()))
}

/// Writes a game, and makes the folder of saved games on the first one.
fn keep(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder)?;
    }
    write_whole(path, text)
}

fn file_acts(
    mut acts: MessageReader<Act>,
    mut referee: ResMut<Referee>,
    mut replay: ResMut<Replay>,
    mut cues: MessageWriter<Cue>,
    mut next: ResMut<NextState<Screen>>,
) {
    for act in acts.read() {
        match act {
            Act::Save(path) => save(&mut referee, path),
            Act::Open(path) => match read_games(path) {
                Ok((record, games)) => {
                    referee.notice = None;
                    if games > 1 {
                        referee.tell(format!(
                            "{} holds {games} games: the first is shown.",
                            path.display()
                        ));
                    }
                    cues.write(replay.open(record, name_of(path)));
                    next.set(Screen::Replay);
                }
                Err(reason) => referee.complain(reason),
            },
            Act::Resume(path) => match read_file(path) {
                Ok(record) => {
                    cues.write(referee.seat(Table::from_record(&record)));
                    next.set(Screen::Table);
                }
                Err(reason) => referee.complain(reason),
            },
            Act::Watch => {
                if let Some(table) = &referee.table {
                    cues.write(replay.open(table.record(today()), "This game".to_owned()));
                    next.set(Screen::Replay);
                }
            }
            Act::PlayOn => {
                if let Some(table) = replay.table() {
                    cues.write(referee.seat(table));
                    next.set(Screen::Table);
                }
            }
            _ => {}
        }
    }
}

fn name_of(path: &Path) -> String {
    path.file_name()
        .map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

fn save(referee: &mut Referee, path: &Path) {
    let Some(table) = &referee.table else {
        referee.complain("There is no game to save.");
        return;
    };
    match keep(path, &table.record(today()).to_string()) {
        Ok(()) => {
            referee.saved = true;
            referee.tell(format!("Saved as {}.", path.display()));
        }
        Err(error) => referee.complain(format!("Not saved: {}: {error}.", path.display())),
    }
}

/// Keeps the game on the table in the autosave, whenever it has changed. The
/// game that another one takes off the table is kept too, under a name of its
/// own.
fn autosave(mut referee: ResMut<Referee>, mut autosave: ResMut<Autosave>) {
    if !referee.is_changed() {
        return;
    }
    let Some(path) = autosave.path.clone() else { return };
    let Some(stands) = referee.stand() else { return };
    if autosave.written == Some(stands) {
        return;
    }
    let Some(table) = &referee.table else { return };
    let text = table.record(today()).to_string();
    let another = autosave.written.is_some_and(|(begun, plies, ..)| begun != stands.0 && plies > 0);
    let aside =
        if another && path.exists() { set_aside(&path, "earlier").map(|_| ()) } else { Ok(()) };
    match aside.and_then(|()| keep(&path, &text)) {
        Ok(()) => {
            autosave.written = Some(stands);
            autosave.failed = false;
        }
        Err(error) if !autosave.failed => {
            autosave.failed = true;
            referee.complain(format!("The game is not kept: {}: {error}.", path.display()));
        }
        Err(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{app::referee::default_setup, games::RuleSet};

    fn app(path: &Path) -> App {
        let mut referee = Referee::default();
        let kept = referee.take_up(path);
        let mut app = App::new();
        app.insert_resource(referee).insert_resource(kept).add_systems(Update, autosave);
        app
    }

    fn begin(app: &mut App, plies: usize) {
        let mut referee = app.world_mut().resource_mut::<Referee>();
        referee.seat(Table::new(default_setup(RuleSet::Tablaaza)));
        for _ in 0..plies {
            let mv = referee.legal()[0];
            assert!(referee.act(Some(mv)).is_some());
        }
        app.update();
    }

    fn plies(path: &Path) -> usize {
        read_file(path).expect("a game").line().len()
    }

    #[test]
    fn a_new_game_never_takes_the_old_one_away() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("autosave.tab");
        let mut first = app(&path);
        begin(&mut first, 3);
        assert_eq!(plies(&path), 3);
        begin(&mut first, 1);
        assert_eq!((plies(&path), plies(&folder.path().join("earlier-1.tab"))), (1, 3));

        // The program is opened again: the game stands there, and is kept when
        // yet another begins.
        let mut second = app(&path);
        assert_eq!(
            second.world().resource::<Referee>().table.as_ref().map(|it| it.line().len()),
            Some(1)
        );
        second.update();
        begin(&mut second, 2);
        assert_eq!((plies(&path), plies(&folder.path().join("earlier-2.tab"))), (2, 1));
    }

    #[test]
    fn a_damaged_game_is_set_aside_and_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("autosave.tab");
        for number in 1..3 {
            fs::write(&path, "not a record").expect("written");
            let mut referee = Referee::default();
            referee.take_up(&path);
            let aside = folder.path().join(format!("damaged-{number}.tab"));
            assert_eq!(fs::read_to_string(&aside).expect("kept"), "not a record");
            let notice = referee.notice.expect("a word about it");
            assert!(notice.is_error && notice.text.contains("damaged-"), "{}", notice.text);
        }
    }
}
