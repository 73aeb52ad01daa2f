//! Reads and writes files of records.

use crate::{
    app::core::prelude::*,
    records::{self, RecordError},
    session::{storage, write_atomic},
};

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

/// A file of so many bytes may take a second to read on a slow machine.
const BIG_FILE: u64 = 1 << 20;

/// Whether a file takes long to read.
pub(crate) fn is_big(path: &Path) -> bool {
    storage::size(path).is_ok_and(|size| size > BIG_FILE)
}

/// Files that are read in the frame after the one that says so, since reading them takes
/// long; and the actions that wait for it.
#[derive(Debug)]
pub(crate) struct BigFiles<A>(Vec<A>);

impl<A> Default for BigFiles<A> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<A: Clone> BigFiles<A> {
    /// The actions that are due in this frame: those that have waited, and of the `new` ones
    /// those that read no big file. `file` is the file that an action reads.
    pub(crate) fn due<'a>(
        &mut self,
        new: impl Iterator<Item = &'a A>,
        file: fn(&A) -> Option<&Path>,
        notices: &mut ResMut<Notices>,
        next: &mut NextFrame,
    ) -> Vec<A>
    where
        A: 'a,
    {
        let mut due = std::mem::take(&mut self.0);
        if !due.is_empty() {
            // The notice stays on the screen until the next frame is drawn.
            notices.clear();
        }
        for action in new {
            let big = file(action).filter(|path| is_big(path));
            let Some(path) = big else {
                due.push(action.clone());
                continue;
            };
            let reading = LocalizedMessage::new("notice.reading").with("file", file_name(path));
            notices.set(Notice::new(reading, false));
            next.at_once();
            self.0.push(action.clone());
        }
        due
    }
}

/// Tells of the games of a file that were left out: the first of them, and how many.
pub(crate) fn left_out_notice(errors: Vec<LocalizedMessage>) -> Option<Notify> {
    let games = errors.len();
    let message = LocalizedMessage::new("notice.games-left-out").with("games", games);
    Some(Notify::error(message.with_message("error", errors.into_iter().next()?)))
}

/// Writes a record to a file.
///
/// # Errors
/// It cannot be written. The notice says so, as the other says that it was.
pub(crate) fn write_record(path: &Path, text: String) -> Result<Notify, Notify> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let written =
        folder.map_or(Ok(()), storage::create_dir_all).and_then(|()| write_atomic(path, text));
    match written {
        Ok(()) => Ok(Notify::written("notice.saved", path)),
        Err(error) => {
            let message = LocalizedMessage::new("notice.not-saved").with("file", path.display());
            Err(Notify::error(message.with("error", error)))
        }
    }
}

/// The name of a file, without its folder.
pub(super) fn file_name(path: &Path) -> String {
    path.file_name()
        .map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}
