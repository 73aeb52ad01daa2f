//! The games that are kept without being asked: one file for each, written
//! whole after every ply.
//!
//! Several running copies of the program may share a [`SaveStore`]. Each game has
//! a file of its own, and while it is on a table that file's [`SaveLock`] holds a
//! lock that the system lets go of when the program ends, however it ends. So
//! no copy ever writes over another's game.

#[cfg(test)]
mod tests;

use std::{
    io,
    path::{Path, PathBuf},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use crate::{
    games::RuleSet,
    records::{Record, read_any},
};

use super::{GameSession, Outcome, disk, store::write_own};

/// The folder where games are kept.
///
/// ```
/// use tabulae::table::{SavedGame, SaveStore, SaveLock, GameSummary, set_aside};
///
/// let folder = tempfile::tempdir()?;
/// let shelf = SaveStore::new(folder.path().join("games"));
/// let slot: SaveLock = shelf.create()?;
/// slot.write("[Rules \"tablaaza\"]\n\n1. c7 c6 *\n")?;
/// let (list, more): (Vec<SavedGame>, bool) = shelf.list(9);
/// let summary: &GameSummary = list[0].game.as_ref().map_err(String::clone)?;
/// assert_eq!((summary.plies, more), (2, false));
/// assert!(shelf.latest_unfinished().is_none(), "it is on a table: somebody has its slot");
/// let path = slot.path().to_owned();
/// drop(slot);
/// assert!(shelf.latest_unfinished().is_some_and(|(last, _)| last == path));
/// // A file that cannot be used is moved out of the way.
/// let aside = set_aside(&path)?;
/// assert!(aside.is_file() && !path.is_file());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaveStore {
    folder: PathBuf,
}

/// A game's own file, held by this running program as long as this lives.
#[derive(Debug)]
pub struct SaveLock {
    path: PathBuf,
    lock: disk::Lock,
}

/// A kept game as a list shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedGame {
    /// Its file.
    pub path: PathBuf,
    /// When it was last written.
    pub written: SystemTime,
    /// What is in it, or why that cannot be read.
    pub game: Result<GameSummary, String>,
}

/// A game in short.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameSummary {
    /// The rules.
    pub rules: RuleSet,
    /// The players, as the record names them.
    pub players: [String; 2],
    /// The day it was begun.
    pub date: Option<String>,
    /// How many plies were played.
    pub plies: usize,
    /// How it ended, if it has.
    pub outcome: Option<Outcome>,
}

impl SavedGame {
    /// How long ago it was last written; none where the clock was set back
    /// since.
    #[must_use]
    pub fn age(&self) -> Option<Duration> {
        disk::now().duration_since(self.written).ok()
    }
}

impl GameSummary {
    fn of(table: &GameSession, date: Option<String>) -> Self {
        Self {
            rules: table.rules(),
            players: table.names().clone(),
            date,
            plies: table.history().len(),
            outcome: table.outcome(),
        }
    }
}

impl From<&Record> for GameSummary {
    fn from(record: &Record) -> Self {
        Self::of(&GameSession::from_record(record), record.date.clone())
    }
}

const SUFFIX: &str = "tab";
/// For how many moments a killed program may go on holding its game: three
/// seconds, which it may take where the machine has much to do.
const DYING: u32 = 150;
/// Among so many games one is looked for that has not ended.
const FAR: usize = 40;

impl SaveStore {
    /// The shelf in this folder; it is made when the first game is kept.
    #[must_use]
    pub const fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Where it is.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// A place for a new game, which nobody else has or will get.
    ///
    /// # Errors
    /// The folder cannot be made or written to.
    pub fn create(&self) -> io::Result<SaveLock> {
        disk::create_dir_all(&self.folder)?;
        let now = disk::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let stem = format!("{}-{}", now.as_millis(), disk::run_number());
        for number in 0..1000 {
            let path = self.folder.join(format!("{stem}-{number}.{SUFFIX}"));
            if disk::exists(&path) {
                continue;
            }
            if let Some(slot) = SaveLock::take(&path)? {
                return Ok(slot);
            }
        }
        Err(io::Error::other("no free name"))
    }

    /// Takes up the place of a kept game; none while another running copy has
    /// it on its table, or when the file is not on this shelf.
    ///
    /// # Errors
    /// The file cannot be locked for another reason.
    pub fn lock(&self, path: &Path) -> io::Result<Option<SaveLock>> {
        if path.parent() != Some(&self.folder) || !disk::is_file(path) {
            return Ok(None);
        }
        // It may have been thrown away before its lock was had.
        Ok(SaveLock::take(path)?.filter(|_| disk::is_file(path)))
    }

    /// Throws a kept game away; whether that could be done: not where it is on
    /// a table, or not on this shelf.
    ///
    /// # Errors
    /// The file cannot be taken away.
    pub fn remove(&self, path: &Path) -> io::Result<bool> {
        let Some(slot) = self.lock(path)? else { return Ok(false) };
        slot.lock.remove(path)?;
        Ok(true)
    }

    /// The games on the shelf, the last written first, `most` at most; and
    /// whether there are more. What stands there under another name is not
    /// looked at.
    #[must_use]
    pub fn list(&self, most: usize) -> (Vec<SavedGame>, bool) {
        let mut files = self.files();
        let more = files.len() > most;
        files.truncate(most);
        let list = files.into_iter().map(|(written, path)| {
            let game = read(&path).map(|(table, date)| GameSummary::of(&table, date));
            SavedGame { path, written, game }
        });
        (list.collect(), more)
    }

    fn files(&self) -> Vec<(SystemTime, PathBuf)> {
        let mut files = disk::files(&self.folder);
        files.retain(|(_, path)| path.extension().is_some_and(|it| it == SUFFIX));
        files.sort_unstable_by(|one, two| two.cmp(one));
        files
    }

    /// The file of the game that was played last, has not ended and is on no
    /// other copy's table; to be gone on with. No slot comes with it where
    /// nothing can be written. A program that is killed holds its game
    /// until its memory is given back: for that the last game is waited for,
    /// three seconds at most.
    #[must_use]
    pub fn latest_unfinished(&self) -> Option<(PathBuf, Option<SaveLock>)> {
        let mut moments = 0..DYING;
        self.last_after(|| moments.next().is_some() && disk::moment())
    }

    /// The same; `wait` waits a moment, and says whether there is another one,
    /// where a copy that was killed may still be going.
    fn last_after(&self, mut wait: impl FnMut() -> bool) -> Option<(PathBuf, Option<SaveLock>)> {
        let over = |path: &PathBuf| read(path).is_ok_and(|(table, _)| table.outcome().is_some());
        for (number, (_, path)) in self.files().into_iter().take(FAR).enumerate() {
            if over(&path) {
                continue;
            }
            let mut slot = SaveLock::take(&path);
            while number == 0 && matches!(slot, Ok(None)) && wait() {
                slot = SaveLock::take(&path);
            }
            let slot = match slot {
                Ok(Some(slot)) => Some(slot),
                // Another copy plays it.
                Ok(None) => continue,
                Err(_) => None,
            };
            // Whoever had it may have ended it, or thrown it away.
            if disk::is_file(&path) && !over(&path) {
                return Some((path, slot));
            }
        }
        None
    }
}

impl SaveLock {
    fn take(path: &Path) -> io::Result<Option<Self>> {
        let lock = disk::Lock::take(path)?;
        Ok(lock.map(|lock| Self { path: path.to_owned(), lock }))
    }

    /// Whether it turned out that another running copy has the game: browsers
    /// take a moment to say so.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        self.lock.is_lost()
    }

    /// The game's file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the game as it stands, whole or not at all.
    ///
    /// # Errors
    /// The file cannot be written; the old one is still there.
    pub fn write(&self, text: &str) -> io::Result<()> {
        write_own(&self.path, text)
    }
}

/// The table of a kept file, and its date.
fn read(path: &Path) -> Result<(GameSession, Option<String>), String> {
    let bytes = disk::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let text = String::from_utf8(bytes).map_err(|error| format!("{}: {error}", path.display()))?;
    let records = read_any(&text).map_err(|error| error.in_file(path).localized())?;
    let record = records.first().ok_or_else(|| format!("{}: no game", path.display()))?;
    Ok((GameSession::from_record(record), record.date.clone()))
}

/// Moves a file that cannot be used to a free name beside it, `NAME-damaged-1`
/// and so on, and says which.
///
/// # Errors
/// It cannot be moved.
pub fn set_aside(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let free = (1..u32::MAX)
        .map(|number| path.with_file_name(format!("{name}-damaged-{number}.txt")))
        .find(|aside| !disk::exists(aside));
    let aside = free.ok_or_else(|| io::Error::other("no free name beside it"))?;
    disk::rename(path, &aside)?;
    Ok(aside)
}
