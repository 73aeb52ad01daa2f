//! Games to files and back, where the person says so.

use std::path::Path;

use bevy::prelude::*;

use crate::{
    app::{Steps, acts::Act, replay::Replay, stage::Screen},
    i18n::LocalizedMessage,
    records::{Record, read_any},
    table::{GameSession, GameSummary, SaveStore, storage, today, write_atomic},
};

use super::{Cue, Keeping, Referee, notice::Wording};

/// The games of the file that was opened last, where it holds several.
#[derive(Resource, Debug, Default)]
pub struct Games {
    /// What it is called.
    pub file: String,
    /// Each in short, in the file's order.
    pub list: Vec<(GameSummary, crate::records::GameResult)>,
    /// Which one is shown; none as long as none was chosen.
    pub shown: Option<usize>,
    /// Whether the one that is chosen is to be played on with.
    pub plays: bool,
    /// Whether it is still to be asked which one.
    pub(in crate::app) asking: bool,
    records: Vec<Record>,
}

impl Games {
    /// The games of a file, to be watched.
    #[cfg(test)]
    pub(in crate::app) fn read(path: &Path) -> Result<Self, LocalizedMessage> {
        Ok(Self::of(path, &read_games(path)?, false))
    }

    /// Takes up the games of a file; one alone needs no choice.
    fn of(path: &Path, records: &[Record], plays: bool) -> Self {
        if records.len() < 2 {
            return Self::default();
        }
        Self {
            file: name_of(path),
            list: records.iter().map(|it| (GameSummary::from(it), it.result())).collect(),
            shown: (!plays).then_some(0),
            plays,
            asking: true,
            records: records.to_vec(),
        }
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Games>().add_systems(Update, file_acts.in_set(Steps::Files));
}

/// Reads the first game of a file.
///
/// # Errors
/// What is wrong, with file, line and column where it is the text.
pub(crate) fn read_file(path: &Path) -> Result<Record, LocalizedMessage> {
    read_game(path, 1)
}

/// Reads the game of a file that has this number, from 1.
///
/// # Errors
/// The same, or that there are fewer.
pub(crate) fn read_game(path: &Path, number: usize) -> Result<Record, LocalizedMessage> {
    let games = read_games(path)?;
    let none = || LocalizedMessage::new("play.no-such-game").with("file", path.display());
    let none = || none().with("games", games.len()).with("number", number);
    let game = number.checked_sub(1).and_then(|index| games.get(index));
    game.cloned().ok_or_else(none)
}

/// Reads all games of a file: one at least.
fn read_games(path: &Path) -> Result<Vec<Record>, LocalizedMessage> {
    let file = path.display();
    let text = &|key| LocalizedMessage::new(key).with("file", &file);
    let bytes = storage::read(path);
    let bytes = bytes.map_err(|error| text("notice.unread").with("error", error))?;
    let read = String::from_utf8(bytes);
    let read = read.map_err(|error| text("notice.no-text").with("error", error))?;
    let records = read_any(&read).map_err(|error| error.in_file(path).located_message())?;
    if records.is_empty() { Err(text("notice.no-game-in")) } else { Ok(records) }
}

fn file_acts(
    mut acts: MessageReader<Act>,
    mut referee: ResMut<Referee>,
    mut replay: ResMut<Replay>,
    mut keeping: ResMut<Keeping>,
    mut games: ResMut<Games>,
    mut cues: MessageWriter<Cue>,
    mut next: ResMut<NextState<Screen>>,
) {
    for act in acts.read() {
        match act {
            Act::Save(path) => save(&mut referee, path),
            Act::Open(path) => match read_games(path) {
                Ok(records) => {
                    referee.notice = None;
                    *games = Games::of(path, &records, false);
                    if let Some(first) = records.into_iter().next() {
                        let title = title(path, &first, &keeping);
                        cues.write(replay.open(first, title));
                        next.set(Screen::Replay);
                    }
                }
                Err(reason) => referee.complain(reason),
            },
            Act::Resume(path) => {
                let here = keeping.path() == Some(path) && referee.table.is_some();
                match if here { Ok(Vec::new()) } else { read_games(path) } {
                    // Which one is to be asked.
                    Ok(records) if records.len() > 1 => *games = Games::of(path, &records, true),
                    Ok(records) => {
                        let record = records.into_iter().next();
                        cues.write(resume(&mut referee, &mut keeping, path, record.as_ref()));
                        next.set(Screen::Table);
                    }
                    Err(reason) => referee.complain(reason),
                }
            }
            Act::Forget(path) => forget(&mut referee, &keeping, path),
            Act::Pick(number) => {
                let Some(record) = games.records.get(*number) else { continue };
                if games.plays {
                    cues.write(referee.seat(GameSession::from_record(record)));
                    next.set(Screen::Table);
                } else {
                    cues.write(replay.open(record.clone(), games.file.clone()));
                    next.set(Screen::Replay);
                }
                games.shown = Some(*number);
            }
            Act::Watch => {
                if let Some(table) = &referee.table {
                    let title = LocalizedMessage::new("replay.this-game");
                    *games = Games::default();
                    cues.write(replay.open(table.record(today()), title));
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

/// Puts a saved game on the table. One from the shelf goes on in its own file,
/// unless another running copy plays it; then, as with any other file, this
/// one goes on with a copy. Without a record it is the one on the table.
pub(super) fn resume(
    referee: &mut Referee,
    keeping: &mut Keeping,
    path: &Path,
    record: Option<&Record>,
) -> Cue {
    let Some(record) = record else { return referee.reset() };
    let slot = keeping.shelf().map_or(Ok(None), |shelf: &SaveStore| shelf.lock(path));
    let on_shelf = keeping.shelf().is_some_and(|shelf| path.parent() == Some(shelf.folder()));
    let cue = referee.seat(GameSession::from_record(record));
    match slot {
        Ok(Some(slot)) => keeping.adopt(referee, slot),
        Ok(None) if on_shelf => referee.tell(LocalizedMessage::new("notice.taken-elsewhere")),
        Ok(None) => {}
        Err(error) => {
            let word = LocalizedMessage::new("notice.not-kept").with("file", path.display());
            referee.complain(word.with("error", error));
        }
    }
    cue
}

/// Throws a kept game away; the one on this table or another one stays.
pub(super) fn forget(referee: &mut Referee, keeping: &Keeping, path: &Path) {
    let shelf = keeping.shelf().filter(|_| keeping.path() != Some(path));
    let removed = shelf.map_or(Ok(false), |shelf| shelf.remove(path));
    let file = |key| LocalizedMessage::new(key).with("file", path.display());
    match removed {
        Ok(true) => referee.tell(LocalizedMessage::new("notice.removed")),
        Ok(false) => referee.complain(file("notice.not-there")),
        Err(error) => referee.complain(file("notice.not-removed").with("error", error)),
    }
}

/// What a game that is watched is called: kept games lie in files whose names
/// say nothing to anybody.
pub(super) fn title(path: &Path, record: &Record, keeping: &Keeping) -> Wording {
    let kept = keeping.shelf().is_some_and(|shelf| path.parent() == Some(shelf.folder()));
    match GameSummary::from(record).date {
        Some(date) if kept => {
            LocalizedMessage::new("replay.kept-game").with("date", date.replace('.', "-")).into()
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
        referee.complain(LocalizedMessage::new("notice.no-game"));
        return;
    };
    let word = |key| LocalizedMessage::new(key).with("file", path.display());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let written = folder
        .map_or(Ok(()), storage::create_dir_all)
        .and_then(|()| write_atomic(path, table.record(today()).to_string()));
    match written {
        Ok(()) => {
            referee.saved = true;
            referee.tell(word("notice.saved"));
        }
        Err(error) => referee.complain(word("notice.not-saved").with("error", error)),
    }
}
