//! The system's files.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io,
    path::{Path, PathBuf},
    process, thread,
    time::{Duration, SystemTime},
};

pub(crate) use std::fs::{create_dir_all, read, rename};

use crate::i18n::Language;

/// Where games and settings of this person are, if the system says.
/// `TABULAE_HOME` overrides it.
pub(crate) fn homes() -> Option<Homes> {
    if let Some(home) = std::env::var_os("TABULAE_HOME").filter(|home| !home.is_empty()) {
        let home = PathBuf::from(home);
        return Some(Homes { games: home.join("games"), settings: home.join("settings.toml") });
    }
    let dirs = directories::ProjectDirs::from("", "", "tabulae")?;
    let (games, settings) =
        (dirs.data_dir().join("games"), dirs.config_dir().join("settings.toml"));
    Some(Homes { games, settings })
}

/// A person's places.
pub(crate) struct Homes {
    /// The folder of games.
    pub(crate) games: PathBuf,
    /// The file of the settings.
    pub(crate) settings: PathBuf,
}

/// The language of the system, where it is spoken here.
pub(crate) fn language() -> Option<Language> {
    ["LC_ALL", "LC_MESSAGES", "LANG"]
        .into_iter()
        .filter_map(|name| std::env::var(name).ok())
        .find(|value| !value.is_empty())
        .and_then(|value| Language::from_locale(&value))
}

/// Whether the system was told that its person wants little to move: systems
/// have no common way to say so.
#[cfg(feature = "app")]
pub(crate) fn less_motion() -> bool {
    false
}

/// The time by the system's clock.
pub(crate) fn now() -> SystemTime {
    SystemTime::now()
}

/// A number that no other running copy of the program has.
pub(crate) fn run_number() -> u32 {
    process::id()
}

/// Lets a moment pass, of 20 ms; whether one could.
pub(crate) fn moment() -> bool {
    thread::sleep(Duration::from_millis(20));
    true
}

/// Whether a file stands there.
pub(crate) fn is_file(path: &Path) -> bool {
    path.is_file()
}

/// Whether anything stands there.
pub(crate) fn exists(path: &Path) -> bool {
    path.exists()
}

/// The files in a folder, and when each was last written.
pub(crate) fn files(folder: &Path) -> Vec<(SystemTime, PathBuf)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    paths.filter_map(|path| Some((path.metadata().ok()?.modified().ok()?, path))).collect()
}

/// Writes a file beside its place, under its name and `suffix`, and moves it
/// there. What is no plain file is written to as it stands.
pub(crate) fn write(path: &Path, suffix: &str, content: &[u8]) -> io::Result<()> {
    if path.metadata().is_ok_and(|place| !place.is_file()) {
        return fs::write(path, content);
    }
    let mut beside = path.as_os_str().to_owned();
    beside.push(suffix);
    let beside = Path::new(&beside);
    fs::write(beside, content).and_then(|()| fs::rename(beside, path)).inspect_err(|_| {
        // Half a text on a full disk would only make it fuller.
        _ = fs::remove_file(beside);
    })
}

/// A file held by this running program as long as this lives.
#[derive(Debug)]
pub(crate) struct Lock {
    /// None where the system has no locks.
    _file: Option<File>,
}

impl Lock {
    /// The lock of the file at `path`; none while another running copy has it.
    pub(crate) fn take(path: &Path) -> io::Result<Option<Self>> {
        let beside = path.with_extension("lock");
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(beside)?;
        let file = match file.try_lock() {
            Ok(()) => Some(file),
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => None,
            Err(TryLockError::Error(error)) => return Err(error),
        };
        Ok(Some(Self { _file: file }))
    }

    /// Takes the file away, and what held its lock.
    pub(crate) fn remove(self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)?;
        drop(self);
        // A lock of nothing does no harm.
        _ = fs::remove_file(path.with_extension("lock"));
        Ok(())
    }

    /// Whether it turned out that another running copy has it. The system says
    /// so at once.
    pub(crate) const fn is_lost(&self) -> bool {
        false
    }
}
