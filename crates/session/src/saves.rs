//! Automatically saved games: one file per game, rewritten whole after every ply.
//!
//! Several running copies of the program may share a [`SaveStore`]. Each game
//! has a file of its own, and the copy that plays it holds its [`SaveLock`].
//! The system releases the lock when the process ends, also when it is killed.
//! So no copy ever overwrites another's game.

#[cfg(test)]
mod tests;

use std::{
    collections::HashSet,
    io,
    path::{Path, PathBuf},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use tabulae_games::RuleSet;
use tabulae_records::{Record, read_any};

use crate::i18n::localized;

use super::{
    GameSession, MatchStanding, Outcome,
    storage::{self, write_locked},
};

/// The folder of saved games.
///
/// ```
/// use tabulae_session::{GameSummary, SaveLock, SaveStore, SavedGame, set_aside};
///
/// let folder = tempfile::tempdir()?;
/// let store = SaveStore::new(folder.path().join("games"));
/// let lock: SaveLock = store.create()?;
/// lock.write("[Rules \"tablaaza\"]\n\n1. c7 c6 *\n")?;
/// let (list, more): (Vec<SavedGame>, bool) = store.list(9);
/// let summary: &GameSummary = list[0].game.as_ref().map_err(String::clone)?;
/// assert_eq!((summary.plies, more), (2, false));
/// assert!(store.latest_unfinished().is_none(), "it is locked");
/// assert_eq!(store.held_latest().as_deref(), Some(lock.path()));
/// let path = lock.path().to_owned();
/// drop(lock);
/// assert!(store.latest_unfinished().is_some_and(|(latest, _)| latest == path));
/// assert!(store.wait_for_unfinished().is_some_and(|(latest, _)| latest == path));
/// // A damaged file is renamed.
/// let aside = set_aside(&path)?;
/// assert!(aside.is_file() && !path.is_file());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaveStore {
    folder: PathBuf,
}

/// The exclusive right of this process to write one saved game, until dropped.
#[derive(Debug)]
pub struct SaveLock {
    path: PathBuf,
    lock: storage::Lock,
}

/// A saved game as lists show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedGame {
    /// Its file.
    pub path: PathBuf,
    /// When it was last written.
    pub written: SystemTime,
    /// Its summary, or why the file cannot be read, for people.
    pub game: Result<GameSummary, String>,
}

/// A game in short.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameSummary {
    /// The rule set.
    pub rules: RuleSet,
    /// The players' names in the record, by [`Side::index`](tabulae_games::Side::index).
    pub players: [String; 2],
    /// The day it began, as `2026.11.20`.
    pub date: Option<String>,
    /// The number of plies played.
    pub plies: usize,
    /// The number of moves played, as records number them.
    pub moves: usize,
    /// How it ended; `None` while it is unfinished.
    pub outcome: Option<Outcome>,
    /// How its match stands; `None` for a single game.
    pub standing: Option<MatchStanding>,
}

impl SavedGame {
    /// The time since the last write; `None` if the clock was set back since.
    pub fn age(&self) -> Option<Duration> {
        storage::now().duration_since(self.written).ok()
    }
}

impl GameSummary {
    fn new(session: &GameSession, date: Option<String>) -> Self {
        Self {
            rules: session.rules(),
            players: session.names().clone(),
            date,
            plies: session.history().len(),
            moves: session.history().move_number(session.history().len()),
            outcome: session.outcome(),
            standing: session.match_standing(),
        }
    }

    /// Whether it can be played on: the game, or its match.
    pub fn is_unfinished(&self) -> bool {
        self.outcome.is_none() || self.standing.is_some_and(|standing| !standing.is_over())
    }
}

impl From<&Record> for GameSummary {
    fn from(record: &Record) -> Self {
        Self::new(&GameSession::from_record(record), record.date.clone())
    }
}

const EXTENSION: &str = "tab";
/// Pauses of 20 ms that a killed process may go on holding its lock: 3 s, which
/// a busy machine can take to tear it down.
const MAX_PAUSES: u32 = 150;
/// The newest files that are searched for an unfinished game.
const SEARCH_DEPTH: usize = 40;

impl SaveStore {
    /// The store in `folder`, which is created with the first game.
    pub const fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Locks a new file name for a new game.
    ///
    /// # Errors
    /// The folder cannot be created or written to.
    pub fn create(&self) -> io::Result<SaveLock> {
        storage::create_dir_all(&self.folder)?;
        let now = storage::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let stem = format!("{}-{}", now.as_millis(), storage::process_number());
        for number in 0..1000 {
            let path = self.folder.join(format!("{stem}-{number}.{EXTENSION}"));
            if storage::exists(&path) {
                continue;
            }
            if let Some(lock) = SaveLock::take(&path)? {
                return Ok(lock);
            }
        }
        Err(io::Error::other("no free name"))
    }

    /// Locks a saved game; `None` while another running copy plays it, or if
    /// the file is not in this store.
    ///
    /// # Errors
    /// The file cannot be locked for another reason.
    pub fn lock(&self, path: &Path) -> io::Result<Option<SaveLock>> {
        if path.parent() != Some(&self.folder) || !storage::is_file(path) {
            return Ok(None);
        }
        // Another copy may have deleted it before the lock was taken.
        Ok(SaveLock::take(path)?.filter(|_| storage::is_file(path)))
    }

    /// Deletes a saved game. Returns `false` if a running copy plays it or if
    /// the file is not in this store.
    ///
    /// # Errors
    /// The file cannot be deleted.
    pub fn remove(&self, path: &Path) -> io::Result<bool> {
        let Some(save) = self.lock(path)? else { return Ok(false) };
        save.lock.remove(path)?;
        Ok(true)
    }

    /// The newest `most` games, the last written first, and whether there are
    /// more. Files with another extension are ignored.
    pub fn list(&self, most: usize) -> (Vec<SavedGame>, bool) {
        let mut files = self.files();
        let more = files.len() > most;
        files.truncate(most);
        let list = files.into_iter().map(|(written, path)| {
            let game = read(&path).map(|(session, date)| GameSummary::new(&session, date));
            SavedGame { path, written, game }
        });
        (list.collect(), more)
    }

    /// The ids ([`game_id`]) of all games in the store.
    ///
    /// ```
    /// use tabulae_session::{SaveStore, game_id};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let store = SaveStore::new(folder.path().join("games"));
    /// let lock = store.create()?;
    /// lock.write("[Rules \"tablaaza\"]\n\n*\n")?;
    /// assert!(store.ids().contains(&game_id(lock.path())));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ids(&self) -> HashSet<String> {
        self.files().into_iter().map(|(_, path)| game_id(&path)).collect()
    }

    /// The finished games among the newest `most` files, the last written last, with
    /// their files and dates, without those whose [`game_id`] is known already.
    pub(super) fn finished(
        &self,
        most: usize,
        is_known: impl Fn(&str) -> bool,
    ) -> impl Iterator<Item = (PathBuf, GameSession, Option<String>)> {
        let mut files = self.files();
        files.truncate(most);
        let paths = files.into_iter().rev().map(|(_, path)| path);
        paths.filter(move |path| !is_known(&game_id(path))).filter_map(|path| {
            let (session, date) = read(&path).ok()?;
            session.outcome().is_some().then_some((path, session, date))
        })
    }

    fn files(&self) -> Vec<(SystemTime, PathBuf)> {
        let mut files = storage::files(&self.folder);
        files.retain(|(_, path)| path.extension().is_some_and(|extension| extension == EXTENSION));
        files.sort_unstable_by(|one, two| two.cmp(one));
        files
    }

    /// The unfinished game that was written last and that no other running copy
    /// plays. It comes without a lock where the store cannot be written to.
    ///
    /// Never waits: a game whose lock is held is passed over. A killed process
    /// holds its lock until the system has torn it down, so the caller may try
    /// again while [`Self::held_latest`] names a game.
    #[must_use]
    pub fn latest_unfinished(&self) -> Option<(PathBuf, Option<SaveLock>)> {
        self.find_unfinished(false).unwrap_or_default()
    }

    /// [`Self::latest_unfinished`], unless another process holds the game that was
    /// written last. The lock is taken once: a browser would refuse it a second
    /// time to the same page.
    ///
    /// # Errors
    /// The path of the held game.
    pub fn latest_unfinished_unless_held(
        &self,
    ) -> Result<Option<(PathBuf, Option<SaveLock>)>, PathBuf> {
        self.find_unfinished(true)
    }

    fn find_unfinished(
        &self,
        stops_at_held_latest: bool,
    ) -> Result<Option<(PathBuf, Option<SaveLock>)>, PathBuf> {
        for (index, (_, path)) in self.files().into_iter().take(SEARCH_DEPTH).enumerate() {
            if is_finished(&path) {
                continue;
            }
            let lock = match SaveLock::take(&path) {
                Ok(Some(lock)) => Some(lock),
                Ok(None) if stops_at_held_latest && index == 0 => return Err(path),
                Ok(None) => continue,
                Err(_) => None,
            };
            // The copy that held the lock before may have ended or deleted the game.
            if storage::is_file(&path) && !is_finished(&path) {
                return Ok(Some((path, lock)));
            }
        }
        Ok(None)
    }

    /// The game that was written last, if it is unfinished and another process
    /// holds its lock.
    pub fn held_latest(&self) -> Option<PathBuf> {
        let (_, path) = self.files().into_iter().next()?;
        let held = !is_finished(&path) && matches!(SaveLock::take(&path), Ok(None));
        held.then_some(path)
    }

    /// [`Self::latest_unfinished`], after waiting up to 3 s for the lock of the
    /// game that was written last. Blocks the thread.
    #[must_use]
    pub fn wait_for_unfinished(&self) -> Option<(PathBuf, Option<SaveLock>)> {
        let mut pauses = 0..MAX_PAUSES;
        self.wait_with(|| pauses.next().is_some() && storage::pause())
    }

    /// Waits with `pause`, which returns `false` to stop waiting.
    fn wait_with(&self, mut pause: impl FnMut() -> bool) -> Option<(PathBuf, Option<SaveLock>)> {
        if let Some(held) = self.held_latest() {
            while matches!(SaveLock::take(&held), Ok(None)) && pause() {}
        }
        self.latest_unfinished()
    }
}

impl SaveLock {
    fn take(path: &Path) -> io::Result<Option<Self>> {
        let lock = storage::Lock::take(path)?;
        Ok(lock.map(|lock| Self { path: path.to_owned(), lock }))
    }

    /// Whether another running copy turned out to hold the lock. Browsers say
    /// so only after a moment.
    pub fn is_lost(&self) -> bool {
        self.lock.is_lost()
    }

    /// The game's file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Replaces the saved game atomically.
    ///
    /// # Errors
    /// The file cannot be written; the old one stays.
    pub fn write(&self, text: &str) -> io::Result<()> {
        write_locked(&self.path, text)
    }
}

/// The id of the game that is saved at `path`.
///
/// ```
/// use std::path::Path;
///
/// assert_eq!(tabulae_session::game_id(Path::new("recent/1764-12-0.tab")), "1764-12-0");
/// ```
pub fn game_id(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Whether the file has a game, or a match, that has ended. A damaged file is
/// unfinished.
fn is_finished(path: &Path) -> bool {
    read(path).is_ok_and(|(session, date)| !GameSummary::new(&session, date).is_unfinished())
}

/// The game of a saved file and its date, or why it cannot be read, for people.
fn read(path: &Path) -> Result<(GameSession, Option<String>), String> {
    let bytes = storage::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let text = String::from_utf8(bytes).map_err(|error| format!("{}: {error}", path.display()))?;
    let records =
        read_any(&text).map_err(|error| localized(&error.in_file(path).located_message()))?;
    let session = GameSession::from_records(&records);
    let session = session.ok_or_else(|| format!("{}: no game", path.display()))?;
    let date = records.first().and_then(|record| record.date.clone());
    Ok((session, date))
}

/// Renames a damaged file to the first free `NAME-damaged-1.txt`,
/// `NAME-damaged-2.txt` and so on beside it, and returns the new path.
///
/// # Errors
/// The file cannot be renamed.
pub fn set_aside(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let free = (1..u32::MAX)
        .map(|number| path.with_file_name(format!("{name}-damaged-{number}.txt")))
        .find(|aside| !storage::exists(aside));
    let aside = free.ok_or_else(|| io::Error::other("no free name beside it"))?;
    storage::rename(path, &aside)?;
    Ok(aside)
}
