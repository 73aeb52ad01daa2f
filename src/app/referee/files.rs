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
    records::{Record, read_any},
    table::{Table, today},
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
    written: Option<(usize, u64, bool)>,
    failed: bool,
}

impl Autosave {
    pub(crate) fn at(path: PathBuf) -> Self {
        Self { path: Some(path), written: None, failed: false }
    }
}

impl Referee {
    /// Takes up the game that an earlier run of the program left in `path`, if
    /// there is one. A damaged file is set aside and reported.
    pub(crate) fn take_up(&mut self, path: &Path) {
        if !path.exists() {
            return;
        }
        match read_file(path) {
            Ok(record) => {
                self.seat(Table::from_record(&record));
            }
            Err(reason) => {
                let aside = path.with_extension("damaged.tab");
                let kept = match fs::rename(path, &aside) {
                    Ok(()) => format!("It is kept as {}.", aside.display()),
                    Err(error) => format!("It could not be set aside: {error}."),
                };
                self.complain(format!("The last game cannot be read. {reason}. {kept}"));
            }
        }
    }
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
    let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let text = String::from_utf8(bytes)
        .map_err(|error| format!("{}: not a text: {error}", path.display()))?;
    let records = read_any(&text).map_err(|error| error.in_file(path).to_string())?;
    records.into_iter().next().ok_or_else(|| format!("{}: no game in this file", path.display()))
}

/// Writes a text in one step: whole, or not at all.
fn write_file(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder)?;
    }
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    let beside = PathBuf::from(beside);
    fs::write(&beside, text)?;
    fs::rename(&beside, path)
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
            Act::Open(path) => match read_file(path) {
                Ok(record) => {
                    referee.notice = None;
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
    match write_file(path, &table.record(today()).to_string()) {
        Ok(()) => {
            referee.saved = true;
            referee.tell(format!("Saved as {}.", path.display()));
        }
        Err(error) => referee.complain(format!("Not saved: {}: {error}.", path.display())),
    }
}

/// Keeps the game on the table in the autosave, whenever it has changed.
fn autosave(mut referee: ResMut<Referee>, mut autosave: ResMut<Autosave>) {
    if !referee.is_changed() {
        return;
    }
    let Some(path) = autosave.path.clone() else { return };
    let Some(table) = &referee.table else { return };
    let line = table.line();
    let stands = (line.len(), crate::games::Game::key(line.position()), table.outcome().is_some());
    if autosave.written == Some(stands) {
        return;
    }
    autosave.written = Some(stands);
    match write_file(&path, &table.record(today()).to_string()) {
        Ok(()) => autosave.failed = false,
        Err(error) if !autosave.failed => {
            autosave.failed = true;
            referee.complain(format!("The game is not kept: {}: {error}.", path.display()));
        }
        Err(_) => {}
    }
}
