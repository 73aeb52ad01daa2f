//! Saving, resuming and deleting games, and reading files of records.

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
        scene::api::SceneCommand,
    },
    i18n::LocalizedMessage,
    records::{Record, read_any},
    table::{GameSession, GameSummary, SaveStore, storage, today, write_atomic},
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
            games: records.iter().map(|it| (GameSummary::from(it), it.result())).collect(),
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

/// Reads the first game of a file.
///
/// # Errors
/// The message names the file, and line and column if the text is invalid.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn read_file(path: &Path) -> Result<Record, LocalizedMessage> {
    read_game(path, 1)
}

/// Reads one game of a file by its number, from 1.
///
/// # Errors
/// As [`read_file`], or the file has fewer games.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn read_game(path: &Path, number: usize) -> Result<Record, LocalizedMessage> {
    let games = read_games(path)?;
    let game = number.checked_sub(1).and_then(|index| games.get(index));
    game.cloned().ok_or_else(|| {
        LocalizedMessage::new("play.no-such-game")
            .with("file", path.display())
            .with("games", games.len())
            .with("number", number)
    })
}

/// Reads all games of a file, at least one.
///
/// # Errors
/// As [`read_file`], or the file holds no game.
pub(crate) fn read_games(path: &Path) -> Result<Vec<Record>, LocalizedMessage> {
    let file = path.display();
    let message = &|key| LocalizedMessage::new(key).with("file", &file);
    let bytes = storage::read(path);
    let bytes = bytes.map_err(|error| message("notice.unread").with("error", error))?;
    let text = String::from_utf8(bytes);
    let text = text.map_err(|error| message("notice.no-text").with("error", error))?;
    let records = read_any(&text).map_err(|error| error.in_file(path).located_message())?;
    if records.is_empty() { Err(message("notice.no-game-in")) } else { Ok(records) }
}

/// Applies the actions that read and write the game's files.
fn apply_file_actions(
    mut actions: MessageReader<Action>,
    mut referee: ResMut<Referee>,
    mut autosave: ResMut<Autosave>,
    mut opened_file: ResMut<OpenedFile>,
    mut commands: MessageWriter<SceneCommand>,
    mut next: ResMut<NextState<Screen>>,
) {
    for action in actions.read() {
        match action {
            Action::Game(GameAction::Save(path)) => save(&mut referee, path),
            Action::Game(GameAction::ResumeFile(path)) => {
                let is_current_game = autosave.path() == Some(path) && referee.has_game();
                match if is_current_game { Ok(Vec::new()) } else { read_games(path) } {
                    Ok(records) if records.len() > 1 && !GameSession::is_match(&records) => {
                        *opened_file = OpenedFile::new(path, &records, true);
                    }
                    Ok(records) => {
                        commands.write(resume(&mut referee, &mut autosave, path, &records));
                        next.set(Screen::Table);
                    }
                    Err(reason) => referee.notify_error(reason),
                }
            }
            Action::Game(GameAction::DeleteSave(path)) => {
                delete_save(&mut referee, &autosave, path);
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
pub(crate) fn delete_save(referee: &mut Referee, autosave: &Autosave, path: &Path) {
    let store = autosave.store().filter(|_| autosave.path() != Some(path));
    let removed = store.map_or(Ok(false), |store| store.remove(path));
    let file = |key| LocalizedMessage::new(key).with("file", path.display());
    match removed {
        Ok(true) => referee.notify(LocalizedMessage::new("notice.removed")),
        Ok(false) => referee.notify_error(file("notice.not-there")),
        Err(error) => referee.notify_error(file("notice.not-removed").with("error", error)),
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
fn save(referee: &mut Referee, path: &Path) {
    let Some(table) = referee.table.as_ref().filter(|_| !referee.lesson) else {
        referee.notify_error(LocalizedMessage::new("notice.no-game"));
        return;
    };
    if write_record(path, table.file_text(today()), referee) {
        referee.saved = true;
    }
}

/// Writes a record to a file, and tells the player how it went; whether it is written.
pub(crate) fn write_record(path: &Path, text: String, referee: &mut Referee) -> bool {
    let message = |key| LocalizedMessage::new(key).with("file", path.display());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let written =
        folder.map_or(Ok(()), storage::create_dir_all).and_then(|()| write_atomic(path, text));
    match &written {
        Ok(()) => referee.notify(message("notice.saved")),
        Err(error) => referee.notify_error(message("notice.not-saved").with("error", error)),
    }
    written.is_ok()
}
