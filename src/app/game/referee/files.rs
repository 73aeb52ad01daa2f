//! OpenedFile to files and back, where the person says so.

use std::path::Path;

use bevy::prelude::*;

use super::{Autosave, Referee};
use crate::{
    app::{
        core::{
            actions::{Action, GameAction, ReplayAction},
            notice::LocalizedText,
            schedule::AppSet,
            states::Screen,
        },
        replay::Replay,
        scene::api::SceneCommand,
    },
    records::{Record, read_any},
    table::{Shelf, Summary, Table, disk, today, write_whole},
    words::Why,
};

/// The games of the file that was opened last, where it holds several.
#[derive(Resource, Debug, Default)]
pub struct OpenedFile {
    /// What it is called.
    pub file: String,
    /// Each in short, in the file's order.
    pub list: Vec<(Summary, crate::records::Outcome)>,
    /// Which one is shown; none as long as none was chosen.
    pub shown: Option<usize>,
    /// Whether the one that is chosen is to be played on with.
    pub plays: bool,
    /// Whether it is still to be asked which one.
    pub(crate) asking: bool,
    records: Vec<Record>,
}

impl OpenedFile {
    /// The games of a file, to be watched.
    #[cfg(test)]
    pub(crate) fn read(path: &Path) -> Result<Self, Why> {
        Ok(Self::of(path, &read_games(path)?, false))
    }

    /// Takes up the games of a file; one alone needs no choice.
    fn of(path: &Path, records: &[Record], plays: bool) -> Self {
        if records.len() < 2 {
            return Self::default();
        }
        Self {
            file: name_of(path),
            list: records.iter().map(|it| (Summary::from(it), it.result())).collect(),
            shown: (!plays).then_some(0),
            plays,
            asking: true,
            records: records.to_vec(),
        }
    }
}

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<OpenedFile>().add_systems(Update, file_acts.in_set(AppSet::Files));
}

/// Reads the first game of a file.
///
/// # Errors
/// What is wrong, with file, line and column where it is the text.
pub(crate) fn read_file(path: &Path) -> Result<Record, Why> {
    read_game(path, 1)
}

/// Reads the game of a file that has this number, from 1.
///
/// # Errors
/// The same, or that there are fewer.
pub(crate) fn read_game(path: &Path, number: usize) -> Result<Record, Why> {
    let games = read_games(path)?;
    let none = || Why::of("play.no-such-game").with("file", path.display());
    let none = || none().with("games", games.len()).with("number", number);
    let game = number.checked_sub(1).and_then(|index| games.get(index));
    game.cloned().ok_or_else(none)
}

/// Reads all games of a file: one at least.
fn read_games(path: &Path) -> Result<Vec<Record>, Why> {
    let file = path.display();
    let text = &|key| Why::of(key).with("file", &file);
    let bytes = disk::read(path);
    let bytes = bytes.map_err(|error| text("notice.unread").with("error", error))?;
    let read = String::from_utf8(bytes);
    let read = read.map_err(|error| text("notice.no-text").with("error", error))?;
    let records = read_any(&read).map_err(|error| error.in_file(path).told())?;
    if records.is_empty() { Err(text("notice.no-game-in")) } else { Ok(records) }
}

fn file_acts(
    mut acts: MessageReader<Action>,
    mut referee: ResMut<Referee>,
    mut replay: ResMut<Replay>,
    mut keeping: ResMut<Autosave>,
    mut games: ResMut<OpenedFile>,
    mut cues: MessageWriter<SceneCommand>,
    mut next: ResMut<NextState<Screen>>,
) {
    for act in acts.read() {
        match act {
            Action::Game(GameAction::Save(path)) => save(&mut referee, path),
            Action::Replay(ReplayAction::Open { path, analyse }) => match read_games(path) {
                Ok(records) => {
                    referee.notice = None;
                    *games = OpenedFile::of(path, &records, false);
                    if let Some(first) = records.into_iter().next() {
                        let title = title(path, &first, &keeping);
                        cues.write(replay.open(first, title));
                        replay.analyse = *analyse;
                        next.set(Screen::Replay);
                    }
                }
                Err(reason) => referee.notify_error(reason),
            },
            Action::Game(GameAction::ResumeFile(path)) => {
                let here = keeping.path() == Some(path) && referee.table.is_some();
                match if here { Ok(Vec::new()) } else { read_games(path) } {
                    // Which one is to be asked.
                    Ok(records) if records.len() > 1 => {
                        *games = OpenedFile::of(path, &records, true)
                    }
                    Ok(records) => {
                        let record = records.into_iter().next();
                        cues.write(resume(&mut referee, &mut keeping, path, record.as_ref()));
                        next.set(Screen::Table);
                    }
                    Err(reason) => referee.notify_error(reason),
                }
            }
            Action::Game(GameAction::DeleteSave(path)) => forget(&mut referee, &keeping, path),
            Action::Replay(ReplayAction::PickGame(number)) => {
                let Some(record) = games.records.get(*number) else { continue };
                if games.plays {
                    cues.write(referee.seat(Table::from_record(record)));
                    next.set(Screen::Table);
                } else {
                    cues.write(replay.open(record.clone(), games.file.clone()));
                    next.set(Screen::Replay);
                }
                games.shown = Some(*number);
            }
            Action::Replay(ReplayAction::WatchGame) => {
                if let Some(table) = &referee.table {
                    let title = Why::of("replay.this-game");
                    *games = OpenedFile::default();
                    cues.write(replay.open(table.record(today()), title));
                    next.set(Screen::Replay);
                }
            }
            Action::Replay(ReplayAction::PlayFromHere) => {
                if let Some(table) = replay.table() {
                    cues.write(referee.seat(table));
                    next.set(Screen::Table);
                }
            }
            _ => {}
        }
    }
}

/// Puts a saved game on the table. One from the shelf goes on in its own file,
/// unless another running copy plays it; then, as with any other file, this
/// one goes on with a copy. Without a record it is the one on the table.
pub(crate) fn resume(
    referee: &mut Referee,
    keeping: &mut Autosave,
    path: &Path,
    record: Option<&Record>,
) -> SceneCommand {
    let Some(record) = record else { return referee.reset() };
    let slot = keeping.shelf().map_or(Ok(None), |shelf: &Shelf| shelf.take(path));
    let on_shelf = keeping.shelf().is_some_and(|shelf| path.parent() == Some(shelf.folder()));
    let cue = referee.seat(Table::from_record(record));
    match slot {
        Ok(Some(slot)) => keeping.adopt(referee, slot),
        Ok(None) if on_shelf => referee.tell(Why::of("notice.taken-elsewhere")),
        Ok(None) => {}
        Err(error) => {
            let word = Why::of("notice.not-kept").with("file", path.display());
            referee.notify_error(word.with("error", error));
        }
    }
    cue
}

/// Throws a kept game away; the one on this table or another one stays.
pub(crate) fn forget(referee: &mut Referee, keeping: &Autosave, path: &Path) {
    let shelf = keeping.shelf().filter(|_| keeping.path() != Some(path));
    let removed = shelf.map_or(Ok(false), |shelf| shelf.remove(path));
    let file = |key| Why::of(key).with("file", path.display());
    match removed {
        Ok(true) => referee.tell(Why::of("notice.removed")),
        Ok(false) => referee.notify_error(file("notice.not-there")),
        Err(error) => referee.notify_error(file("notice.not-removed").with("error", error)),
    }
}

/// What a game that is watched is called: kept games lie in files whose names
/// say nothing to anybody.
pub(crate) fn title(path: &Path, record: &Record, keeping: &Autosave) -> LocalizedText {
    let kept = keeping.shelf().is_some_and(|shelf| path.parent() == Some(shelf.folder()));
    match Summary::from(record).date {
        Some(date) if kept => {
            Why::of("replay.kept-game").with("date", date.replace('.', "-")).into()
        }
        _ => name_of(path).into(),
    }
}

fn name_of(path: &Path) -> String {
    path.file_name()
        .map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

fn save(referee: &mut Referee, path: &Path) {
    let Some(table) = &referee.table else {
        referee.notify_error(Why::of("notice.no-game"));
        return;
    };
    let word = |key| Why::of(key).with("file", path.display());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let written = folder
        .map_or(Ok(()), disk::create_dir_all)
        .and_then(|()| write_whole(path, table.record(today()).to_string()));
    match written {
        Ok(()) => {
            referee.saved = true;
            referee.tell(word("notice.saved"));
        }
        Err(error) => referee.notify_error(word("notice.not-saved").with("error", error)),
    }
}
