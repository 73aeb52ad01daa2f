//! Files: where this user's files are, and reading and writing them.
//!
//! `native` uses the system's files and `browser` the page's storage; both have
//! the same functions, so no caller asks which it is. In a browser a path is a
//! key: saves are entries of the origin's local storage, a file that the user
//! opened lives as long as the page, and a file that the user saves is a download.

use std::{
    io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

use crate::i18n::Language;

#[cfg(target_arch = "wasm32")]
#[path = "browser.rs"]
mod platform;
#[cfg(not(target_arch = "wasm32"))]
#[path = "native.rs"]
mod platform;

pub use self::platform::*;

/// Reads a file; `None` if there is none.
///
/// # Errors
/// The file is there and cannot be read.
pub fn read_if_there(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// The folder of this user's saved games; `None` if the system names no such
/// place. `TABULAE_HOME` overrides it.
pub fn saves_folder() -> Option<PathBuf> {
    user_paths().map(|paths| paths.games)
}

/// The folder of the games that are saved automatically.
///
/// ```
/// use tabulae_session::{autosave_folder, saves_folder};
///
/// assert_eq!(autosave_folder(), saves_folder().map(|folder| folder.join("recent")));
/// ```
pub fn autosave_folder() -> Option<PathBuf> {
    saves_folder().map(|folder| folder.join("recent"))
}

/// The settings file; `None` if the system names no such place. `TABULAE_HOME`
/// overrides it.
///
/// ```
/// use tabulae_session::settings_path;
///
/// assert!(settings_path().is_none_or(|path| path.ends_with("settings.toml")));
/// ```
pub fn settings_path() -> Option<PathBuf> {
    user_paths().map(|paths| paths.settings)
}

/// The language of the system, if the program has its texts.
pub fn system_language() -> Option<Language> {
    language()
}

/// The language in the settings file, or else the system's.
///
/// A settings file that cannot be read counts as silent here; the app reports it.
///
/// ```
/// use tabulae_session::{preferred_language, system_language};
///
/// assert!(preferred_language().is_some() || system_language().is_none());
/// ```
pub fn preferred_language() -> Option<Language> {
    let text = settings_path().and_then(|path| String::from_utf8(read(&path).ok()?).ok());
    text.and_then(|text| language_of(&text)).or_else(system_language)
}

/// The language that the text of a settings file names.
fn language_of(settings: &str) -> Option<Language> {
    #[derive(serde::Deserialize)]
    struct LanguageSetting {
        language: Option<Language>,
    }
    toml::from_str::<LanguageSetting>(settings).ok()?.language
}

/// Replaces a file atomically: afterwards it has either the whole new content
/// or the old one, also when the program is killed or the power fails.
///
/// The content goes to a temporary file beside the target, is synced to the
/// disk and then renamed over the target. Concurrent writers use different
/// temporary names, so the last rename wins. A symbolic link is followed: its
/// target is replaced, not the link. A pipe or a terminal is written to directly.
///
/// ```
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("game.tab");
/// tabulae_session::write_atomic(&path, "[Rules \"tablaaza\"]\n\n*\n")?;
/// assert!(std::fs::read_to_string(&path)?.contains("tablaaza"));
/// assert!(tabulae_session::write_atomic(&path.join("below-a-file"), "").is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// Writing, syncing or renaming failed. The old file stays and the temporary
/// file is removed.
pub fn write_atomic(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    static WRITES: AtomicU64 = AtomicU64::new(0);
    let number = WRITES.fetch_add(1, Ordering::Relaxed);
    replace(path, &format!(".new-{}-{number}", process_number()), content.as_ref())
}

/// [`write_atomic`] for a file that only this process writes, often and from the
/// thread that draws: it does not wait for the disk. The temporary name is always
/// the same, so a later write replaces what a killed process left.
pub(super) fn write_locked(path: &Path, content: &str) -> io::Result<()> {
    replace_unsynced(path, ".new", content.as_bytes())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_settings_file_names_the_language() {
        assert_eq!(language_of("text-size = 90\nlanguage = \"italian\""), Some(Language::Italian));
        assert_eq!(language_of("text-size = 90"), None);
        assert_eq!(language_of("language = 'martian'"), None);
    }

    #[test]
    fn a_failed_write_leaves_the_old_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("game.tab");
        write_atomic(&path, "old").expect("written");
        // A folder has the temporary file's name, so it cannot be written.
        fs::create_dir(folder.path().join("game.tab.new")).expect("a folder");
        write_locked(&path, "new").expect_err("refused");
        assert_eq!(fs::read_to_string(&path).expect("kept"), "old");
        // A folder cannot be replaced by a file.
        write_atomic(folder.path(), "text").expect_err("refused");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_pipe_is_written_to_directly() {
        use std::{io::Read as _, os::fd::AsRawFd as _};

        let (mut reader, writer) = io::pipe().expect("a pipe");
        let path = format!("/dev/fd/{}", writer.as_raw_fd());
        write_atomic(Path::new(&path), "text").expect("written");
        drop(writer);
        let mut text = String::new();
        reader.read_to_string(&mut text).expect("read");
        assert_eq!(text, "text");
    }

    #[cfg(unix)]
    #[test]
    fn a_symbolic_link_stays_and_its_target_is_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("dotfiles")).expect("a folder");
        let target = folder.path().join("dotfiles/settings.toml");
        let link = folder.path().join("settings.toml");
        // The link is relative, and its target does not exist before the first write.
        std::os::unix::fs::symlink("dotfiles/settings.toml", &link).expect("a link");
        for text in ["volume = 1", "volume = 2"] {
            write_atomic(&link, text).expect("written");
            assert!(fs::symlink_metadata(&link).expect("there").is_symlink(), "the link stays");
            assert_eq!(fs::read_to_string(&target).expect("there"), text);
        }
        let looped = folder.path().join("looped");
        std::os::unix::fs::symlink("looped", &looped).expect("a link");
        write_atomic(&looped, "text").expect_err("it leads nowhere");
    }

    fn write_often(path: &Path, text: &[u8]) {
        (0..100).for_each(|_| write_atomic(path, text).expect("written"));
    }

    #[test]
    fn concurrent_writers_leave_one_whole_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("game.tab");
        let texts = [b"one\n".repeat(4_000), b"two of them\n".repeat(9_000)];
        write_atomic(&path, &texts[0]).expect("written");
        std::thread::scope(|scope| {
            for text in &texts {
                let path = &path;
                scope.spawn(move || write_often(path, text));
            }
            for _ in 0..100 {
                let read = fs::read(&path).expect("there");
                assert!(texts.contains(&read), "{} bytes", read.len());
            }
        });
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }
}
