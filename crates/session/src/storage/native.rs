//! The system's files.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
    process, thread,
    time::{Duration, SystemTime},
};

pub use std::fs::{create_dir_all, read, rename};

use crate::i18n::Language;

/// As many symbolic links in a row as Linux follows.
const MAX_LINKS: usize = 40;

/// This user's games and settings, if the system names such places.
/// `TABULAE_HOME` overrides it.
pub fn user_paths() -> Option<UserPaths> {
    if let Some(home) = std::env::var_os("TABULAE_HOME").filter(|home| !home.is_empty()) {
        let home = PathBuf::from(home);
        return Some(UserPaths { games: home.join("games"), settings: home.join("settings.toml") });
    }
    let dirs = directories::ProjectDirs::from("", "", "tabulae")?;
    let (games, settings) =
        (dirs.data_dir().join("games"), dirs.config_dir().join("settings.toml"));
    Some(UserPaths { games, settings })
}

/// Where this user's files are.
pub struct UserPaths {
    /// The folder of games.
    pub games: PathBuf,
    /// The settings file.
    pub settings: PathBuf,
}

/// The language of the system's locale, if the program has its texts.
pub fn language() -> Option<Language> {
    ["LC_ALL", "LC_MESSAGES", "LANG"]
        .into_iter()
        .filter_map(|name| std::env::var(name).ok())
        .find(|value| !value.is_empty())
        .and_then(|value| Language::from_locale(&value))
}

/// Whether the user asked the system for reduced motion. Systems have no common
/// way to say so.
pub fn prefers_reduced_motion() -> bool {
    false
}

/// The time by the system's clock.
pub fn now() -> SystemTime {
    SystemTime::now()
}

/// A number that no other running process of the program has.
pub fn process_number() -> u32 {
    process::id()
}

/// Sleeps for 20 ms; returns whether the platform can sleep.
pub fn pause() -> bool {
    thread::sleep(Duration::from_millis(20));
    true
}

/// The size of a file in bytes, which is not read for it.
///
/// # Errors
/// The system's, if there is no such file.
pub fn size(path: &Path) -> io::Result<u64> {
    fs::metadata(path).map(|file| file.len())
}

/// Whether `path` is a file.
pub fn is_file(path: &Path) -> bool {
    path.is_file()
}

/// Whether `path` exists.
pub fn exists(path: &Path) -> bool {
    path.exists()
}

/// The files in a folder with the times at which they were last written.
pub fn files(folder: &Path) -> Vec<(SystemTime, PathBuf)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    paths.filter_map(|path| Some((path.metadata().ok()?.modified().ok()?, path))).collect()
}

/// Replaces a file by way of a temporary file named `path` + `suffix`; see
/// [`write_atomic`](super::write_atomic).
pub fn replace(path: &Path, suffix: &str, content: &[u8]) -> io::Result<()> {
    replace_with(path, suffix, content, false, sync)
}

/// [`replace`] for a file with secrets: where the system tells users apart, only this
/// one may read it.
pub fn replace_private(path: &Path, suffix: &str, content: &[u8]) -> io::Result<()> {
    replace_with(path, suffix, content, true, sync)
}

fn sync(file: &File) -> io::Result<()> {
    match file.sync_all() {
        // Some network file systems cannot sync.
        Err(error)
            if matches!(error.kind(), io::ErrorKind::Unsupported | io::ErrorKind::InvalidInput) =>
        {
            Ok(())
        }
        synced => synced,
    }
}

/// [`replace`] without waiting for the disk: the content survives the end of the
/// process, but a power failure may lose it.
pub fn replace_unsynced(path: &Path, suffix: &str, content: &[u8]) -> io::Result<()> {
    replace_with(path, suffix, content, false, |_| Ok(()))
}

/// Adds a line to a file in one write. A line that a kill has left unfinished is
/// ended first, so that it damages no other.
pub fn append_line(path: &Path, line: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().create(true).read(true).append(true).open(path)?;
    let mut last = [b'\n'];
    if file.seek(SeekFrom::End(0))? > 0 {
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
    }
    let before = if last == [b'\n'] { "" } else { "\n" };
    file.write_all(format!("{before}{line}\n").as_bytes())
}

/// Whether [`replace`] can replace a file, which need not exist: a file beside it can be
/// created. Nothing is changed.
pub fn check_replaceable(path: &Path) -> io::Result<()> {
    match path.metadata() {
        Ok(place) if place.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        // Pipes and devices are written as they are.
        Ok(place) if !place.is_file() => return Ok(()),
        _ => {}
    }
    let mut beside = follow_links(path)?.into_os_string();
    beside.push(format!(".check-{}", process::id()));
    OpenOptions::new().write(true).create_new(true).open(&beside)?;
    fs::remove_file(&beside)
}

fn replace_with(
    path: &Path,
    suffix: &str,
    content: &[u8],
    is_private: bool,
    sync: impl FnOnce(&File) -> io::Result<()>,
) -> io::Result<()> {
    // Before links are followed: `/dev/stdout` leads to a name that is no path.
    if path.metadata().is_ok_and(|place| !place.is_file()) {
        return fs::write(path, content);
    }
    let path = follow_links(path)?;
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(suffix);
    let temporary = Path::new(&temporary);
    let write = || {
        let mut file = create(temporary, &path, is_private)?;
        file.write_all(content)?;
        // Unsynced, a power failure after the rename can leave an empty file.
        sync(&file)?;
        fs::rename(temporary, path)
    };
    write().inspect_err(|_| {
        // On a full disk, half a file would take the room of the next attempt.
        _ = fs::remove_file(temporary);
    })
}

/// Creates the temporary file that is to replace another one: for this user alone if
/// `is_private`, and else with the permissions of the other one.
#[cfg(unix)]
fn create(temporary: &Path, replaced: &Path, is_private: bool) -> io::Result<File> {
    use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};

    let old = || fs::metadata(replaced).ok().map(|place| place.permissions().mode() & 0o777);
    let mode = if is_private { Some(0o600) } else { old() };
    // One that a kill has left has its own permissions.
    _ = fs::remove_file(temporary);
    let mut options = OpenOptions::new();
    let file = options.create(true).write(true).truncate(true);
    let file = file.mode(mode.unwrap_or(0o666)).open(temporary)?;
    if let Some(mode) = mode {
        // Not every file system has permissions.
        _ = file.set_permissions(fs::Permissions::from_mode(mode));
    }
    Ok(file)
}

#[cfg(not(unix))]
fn create(temporary: &Path, _replaced: &Path, _is_private: bool) -> io::Result<File> {
    File::create(temporary)
}

/// The path that a chain of symbolic links leads to. Its last part need not
/// exist, so that a link to a missing file creates that file.
fn follow_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&path) {
            Ok(target) => path = path.parent().unwrap_or(Path::new("")).join(target),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// An exclusive lock on a file, held by this process until it is dropped. It
/// lies in a file of its own beside the locked one, since that one is replaced
/// by every write.
#[derive(Debug)]
pub struct Lock {
    /// The open lock file; `None` where the system has no locks.
    _file: Option<File>,
}

impl Lock {
    /// Locks the file at `path`; `None` while another process holds the lock.
    pub fn take(path: &Path) -> io::Result<Option<Self>> {
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

    /// Deletes the locked file and its lock file.
    pub fn remove(self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)?;
        drop(self);
        // A lock file that stays does no harm.
        _ = fs::remove_file(path.with_extension("lock"));
        Ok(())
    }

    /// Whether another process turned out to hold the lock. The system says so
    /// at once, in [`Lock::take`].
    pub const fn is_lost(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_content_is_synced_before_it_replaces_the_old_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("settings.toml");
        replace(&path, ".new", b"old").expect("written");
        let text = |name: &str| fs::read_to_string(folder.path().join(name)).ok();
        let mut synced = false;
        let result = replace_with(&path, ".new", b"new", false, |_| {
            assert_eq!(text("settings.toml.new").as_deref(), Some("new"));
            assert_eq!(text("settings.toml").as_deref(), Some("old"));
            synced = true;
            Ok(())
        });
        assert!(result.is_ok() && synced);
        assert_eq!(text("settings.toml").as_deref(), Some("new"));

        let failed = |_: &File| Err(io::Error::other("the disk is gone"));
        replace_with(&path, ".new", b"newer", false, failed).expect_err("not synced");
        assert_eq!(text("settings.toml").as_deref(), Some("new"));
        assert_eq!(text("settings.toml.new"), None, "nothing is left beside");
    }

    #[cfg(unix)]
    #[test]
    fn secrets_are_for_their_user_alone_and_other_files_keep_their_permissions() {
        use std::os::unix::fs::PermissionsExt as _;

        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("seat");
        let mode = || path.metadata().expect("a file").permissions().mode() & 0o777;
        let set = |path: &Path, mode| {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("set");
        };
        replace_private(&path, ".new", b"secret").expect("written");
        assert_eq!(mode(), 0o600);
        // What an earlier version, or a killed process, left readable.
        let left = folder.path().join("seat.new");
        fs::write(&left, "half").expect("written");
        set(&path, 0o644);
        set(&left, 0o644);
        replace_private(&path, ".new", b"secret").expect("written");
        assert_eq!(mode(), 0o600);
        for kept in [0o640, 0o666, 0o600, 0o444] {
            set(&path, kept);
            replace(&path, ".new", b"text").expect("written");
            assert_eq!(mode(), kept);
        }
    }
}
