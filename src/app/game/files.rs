//! Saving, resuming and deleting games.

use super::{
    autosave::Autosave,
    record_files::{
        BigFiles, file_name, left_out_notice, read_games, read_valid_games, write_record,
    },
    referee::Referee,
    suspended::SuspendedGame,
};
use crate::{
    app::{
        core::{notice::LocalizedText, prelude::*},
        scene::api::SceneCommand,
    },
    session::{GameSummary, SaveStore},
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

/// Applies the actions that read and write the game's files.
fn apply_file_actions(
    mut actions: MessageReader<Action>,
    mut big_files: Local<BigFiles<Action>>,
    (mut notices, mut next_frame): (ResMut<Notices>, ResMut<NextFrame>),
    (mut referee, mut suspended): (ResMut<Referee>, ResMut<SuspendedGame>),
    mut autosave: ResMut<Autosave>,
    (mut opened_file, mut open): (ResMut<OpenedFile>, ResMut<OpenDialog>),
    mut commands: MessageWriter<SceneCommand>,
    mut told: MessageWriter<Notify>,
    mut next: ResMut<NextState<Screen>>,
) {
    let file: fn(&Action) -> Option<&Path> = |action| match action {
        Action::Game(GameAction::ResumeFile(path)) => Some(path),
        _ => None,
    };
    for action in &big_files.due(actions.read(), file, &mut notices, &mut next_frame) {
        match action {
            Action::Game(GameAction::Save(path)) => {
                told.write(save(&referee, &mut autosave, path));
            }
            Action::Game(GameAction::ResumeFile(path)) => {
                let is_current_game =
                    autosave.path() == Some(path) && suspended.game(&referee).is_some();
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
                            open.0 = Some(Dialog::Games);
                        } else {
                            let resumed = GameSession::from_records(&records)
                                .map(|session| resume(&mut referee, &mut autosave, path, session));
                            // Without a record it is the game on the table, which may wait for
                            // the end of an exercise.
                            let (command, notice) = resumed.unwrap_or_else(|| {
                                let command = suspended.resume(&mut referee);
                                (command.unwrap_or_else(|| referee.reset()), None)
                            });
                            commands.write(command);
                            told.write_batch(notice);
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
/// copy, which does not count for ratings. A match continues where it stands.
pub(super) fn resume(
    referee: &mut Referee,
    autosave: &mut Autosave,
    path: &Path,
    mut session: GameSession,
) -> (SceneCommand, Option<Notify>) {
    let lock = autosave.store().map_or(Ok(None), |store: &SaveStore| store.lock(path));
    let in_store = autosave.store().is_some_and(|store| path.parent() == Some(store.folder()));
    if !matches!(lock, Ok(Some(_))) {
        session.mark_as_copy();
    }
    let command = referee.set_game(session);
    let notice = match lock {
        Ok(Some(lock)) => {
            autosave.adopt(referee, lock);
            None
        }
        Ok(None) if in_store => Some(Notify::info(LocalizedMessage::new("notice.taken-elsewhere"))),
        Ok(None) => None,
        Err(error) => {
            let message = LocalizedMessage::new("notice.not-kept").with("file", path.display());
            Some(Notify::error(message.with("error", error)))
        }
    };
    (command, notice)
}

/// Deletes an autosaved game, but not one that is on a table.
pub(super) fn delete_save(autosave: &Autosave, path: &Path) -> Notify {
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

/// Saves the game on the table. A position of an exercise is no game to be saved.
fn save(referee: &Referee, autosave: &mut Autosave, path: &Path) -> Notify {
    let Some(table) = referee.table.as_ref().filter(|_| !referee.is_exercise()) else {
        return Notify::error(LocalizedMessage::new("notice.no-game"));
    };
    match write_record(path, table.file_text(today())) {
        Ok(saved) => {
            autosave.note_saved(referee);
            saved
        }
        Err(failed) => failed,
    }
}
