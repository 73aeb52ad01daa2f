//! Saving, resuming and deleting games, and reading files of records.

use std::path::Path;

use bevy::prelude::*;

use super::{Autosave, Referee};
use crate::{
    app::{
        core::{
            actions::{Action, GameAction, ReplayAction},
            notice::{LocalizedText, Notify},
            schedule::AppSet,
            states::Screen,
        },
        scene::api::SceneCommand,
    },
    i18n::LocalizedMessage,
    records::{self, Record, RecordError},
    session::{GameSession, GameSummary, SaveStore, storage, today, write_atomic},
};

/// The last opened file, if it holds several games.
#[derive(Resource, Debug, Default)]
pub struct OpenedFile {
    /// The file's name.
    pub file_name: String,
    /// A summary and the result of each game, in the file's order.
    pub games: Vec<(GameSummary, crate::records::GameResult)>,
    /// The index of the game shown; none before one was picked.
    pub shown_game: Option<usize>,
    /// Whether the picked game is resumed instead of replayed.
    pub resumes: bool,
    /// Whether the dialog that asks which game must open.
    pub(crate) dialog_requested: bool,
    records: Vec<Record>,
}

impl OpenedFile {
    /// The games of a file, for a replay.
    #[cfg(test)]
    pub(crate) fn read(path: &Path) -> Result<Self, LocalizedMessage> {
        Ok(Self::new(path, &read_games(path)?, false))
    }

    /// Picks the game of this index as the one shown.
    pub(crate) fn pick(&mut self, index: usize) -> Option<Record> {
        let record = self.records.get(index)?.clone();
        self.shown_game = Some(index);
        Some(record)
    }

    /// The games of a file; empty for a single game, which needs no choice.
    pub(crate) fn new(path: &Path, records: &[Record], resumes: bool) -> Self {
        if records.len() < 2 {
            return Self::default();
        }
        Self {
            file_name: file_name(path),
            games: records
                .iter()
                .map(|record| (GameSummary::from(record), record.result()))
                .collect(),
            shown_game: (!resumes).then_some(0),
            resumes,
            dialog_requested: true,
            records: records.to_vec(),
        }
    }
}

/// The system that applies file actions of the game; a replay's run after it.
#[derive(SystemSet, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FileActions;

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<OpenedFile>()
        .add_systems(Update, apply_file_actions.in_set(FileActions).in_set(AppSet::Files));
}

/// Reads the game with this number in a file, from 1.
///
/// # Errors
/// The file cannot be read, or has no such game, or the game is invalid; the message
/// names the file, and line and column in it.
pub(crate) fn read_game(path: &Path, number: usize) -> Result<Record, LocalizedMessage> {
    let mut games = read_each_game(path)?;
    let count = games.len();
    if (1..=count).contains(&number) {
        return games.swap_remove(number - 1);
    }
    Err(LocalizedMessage::new("play.no-such-game")
        .with("file", path.display())
        .with("games", count)
        .with("number", number))
}

/// Reads all games of a file, at least one.
///
/// # Errors
/// The file or one of its games cannot be read; the message names the file, and line and
/// column in it.
pub(crate) fn read_games(path: &Path) -> Result<Vec<Record>, LocalizedMessage> {
    read_each_game(path)?.into_iter().collect()
}

/// Reads the valid games of a file, at least one, and says of the others why they were
/// left out.
///
/// # Errors
/// The file cannot be read or has no valid game.
pub(crate) fn read_valid_games(
    path: &Path,
) -> Result<(Vec<Record>, Vec<LocalizedMessage>), LocalizedMessage> {
    let (mut valid, mut errors) = (Vec::new(), Vec::new());
    for game in read_each_game(path)? {
        match game {
            Ok(record) => valid.push(record),
            Err(error) => errors.push(error),
        }
    }
    if valid.is_empty() { Err(errors.swap_remove(0)) } else { Ok((valid, errors)) }
}

/// Reads the games of a file, each by itself; at least one.
fn read_each_game(path: &Path) -> Result<Vec<Result<Record, LocalizedMessage>>, LocalizedMessage> {
    let bytes = storage::read(path).map_err(|error| {
        LocalizedMessage::new("notice.unread").with("file", path.display()).with("error", error)
    })?;
    let located =
        |error: RecordError| LocalizedMessage::from(error.in_file(path).located_message());
    Ok(records::read_games(&bytes).into_iter().map(|game| game.map_err(located)).collect())
}

/// Tells of the games of a file that were left out: the first of them, and how many.
pub(crate) fn left_out_notice(errors: Vec<LocalizedMessage>) -> Option<Notify> {
    let games = errors.len();
    let message = LocalizedMessage::new("notice.games-left-out").with("games", games);
    Some(Notify::error(message.with_message("error", errors.into_iter().next()?)))
}

/// Applies the actions that read and write the game's files.
fn apply_file_actions(
    mut actions: MessageReader<Action>,
    mut referee: ResMut<Referee>,
    mut autosave: ResMut<Autosave>,
    mut opened_file: ResMut<OpenedFile>,
    mut commands: MessageWriter<SceneCommand>,
    mut told: MessageWriter<Notify>,
    mut next: ResMut<NextState<Screen>>,
) {
    for action in actions.read() {
        match action {
            Action::Game(GameAction::Save(path)) => _ = told.write(save(&mut referee, path)),
            Action::Game(GameAction::ResumeFile(path)) => {
                let is_current_game = autosave.path() == Some(path) && referee.has_game();
                let folder = autosave.store().map(SaveStore::folder);
                let read = if is_current_game {
                    Ok((Vec::new(), Vec::new()))
                } else if path.parent() == folder {
                    // The save is written again: none of it may be left out.
                    read_games(path).map(|records| (records, Vec::new()))
                } else {
                    read_valid_games(path)
                };
                match read {
                    Ok((records, errors)) => {
                        if records.len() > 1 && !GameSession::is_match(&records) {
                            *opened_file = OpenedFile::new(path, &records, true);
                        } else {
                            commands.write(resume(&mut referee, &mut autosave, path, &records));
                            next.set(Screen::Table);
                        }
                        told.write_batch(left_out_notice(errors));
                    }
                    Err(reason) => _ = told.write(Notify::error(reason)),
                }
            }
            Action::Game(GameAction::DeleteSave(path)) => {
                told.write(delete_save(&autosave, path));
            }
            Action::Replay(ReplayAction::PickGame(number)) if opened_file.resumes => {
                let Some(record) = opened_file.pick(*number) else { continue };
                let mut copy = GameSession::from_record(&record);
                copy.mark_as_copy();
                commands.write(referee.set_game(copy));
                next.set(Screen::Table);
            }
            _ => {}
        }
    }
}

/// Puts a saved game on the table. An autosaved one continues in its own file, unless
/// another running copy plays it. Then, as for any other file, this run continues with a
/// copy, which does not count for ratings. A match continues where it stands. Without a
/// record it is the game on the table.
pub(crate) fn resume(
    referee: &mut Referee,
    autosave: &mut Autosave,
    path: &Path,
    records: &[Record],
) -> SceneCommand {
    let Some(mut session) = GameSession::from_records(records) else {
        // In a lesson it waits for its end.
        return referee.resume_suspended().unwrap_or_else(|| referee.reset());
    };
    let lock = autosave.store().map_or(Ok(None), |store: &SaveStore| store.lock(path));
    let in_store = autosave.store().is_some_and(|store| path.parent() == Some(store.folder()));
    if !matches!(lock, Ok(Some(_))) {
        session.mark_as_copy();
    }
    let command = referee.set_game(session);
    match lock {
        Ok(Some(lock)) => autosave.adopt(referee, lock),
        Ok(None) if in_store => referee.notify(LocalizedMessage::new("notice.taken-elsewhere")),
        Ok(None) => {}
        Err(error) => {
            let message = LocalizedMessage::new("notice.not-kept").with("file", path.display());
            referee.notify_error(message.with("error", error));
        }
    }
    command
}

/// Deletes an autosaved game, but not one that is on a table.
pub(crate) fn delete_save(autosave: &Autosave, path: &Path) -> Notify {
    let store = autosave.store().filter(|_| autosave.path() != Some(path));
    let removed = store.map_or(Ok(false), |store| store.remove(path));
    let file = |key| LocalizedMessage::new(key).with("file", path.display());
    match removed {
        Ok(true) => Notify::info(LocalizedMessage::new("notice.removed")),
        Ok(false) => Notify::error(file("notice.not-there")),
        Err(error) => Notify::error(file("notice.not-removed").with("error", error)),
    }
}

/// The title of a replay: the date of an autosaved game, whose file name says
/// nothing; else the file's name.
pub(crate) fn saved_title(path: &Path, record: &Record, autosave: &Autosave) -> LocalizedText {
    let is_autosave = autosave.store().is_some_and(|store| path.parent() == Some(store.folder()));
    match GameSummary::from(record).date {
        Some(date) if is_autosave => {
            LocalizedMessage::new("replay.kept-game").with("date", date.replace('.', "-")).into()
        }
        _ => file_name(path).into(),
    }
}

fn file_name(path: &Path) -> String {
    path.file_name()
        .map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// Saves the game on the table. A position of an exercise is no game to be saved.
fn save(referee: &mut Referee, path: &Path) -> Notify {
    let Some(table) = referee.table.as_ref().filter(|_| !referee.is_exercise()) else {
        return Notify::error(LocalizedMessage::new("notice.no-game"));
    };
    match write_record(path, table.file_text(today())) {
        Ok(saved) => {
            referee.saved = true;
            saved
        }
        Err(failed) => failed,
    }
}

/// Writes a record to a file.
///
/// # Errors
/// It cannot be written. The notice says so, as the other says that it was.
pub(crate) fn write_record(path: &Path, text: String) -> Result<Notify, Notify> {
    let message = |key| LocalizedMessage::new(key).with("file", path.display());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let written =
        folder.map_or(Ok(()), storage::create_dir_all).and_then(|()| write_atomic(path, text));
    match written {
        Ok(()) => Ok(Notify::info(message("notice.saved"))),
        Err(error) => Err(Notify::error(message("notice.not-saved").with("error", error))),
    }
}
