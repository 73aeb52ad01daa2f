//! Where files of this person are, and how they are written.

use std::{
    io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

use super::disk;
use crate::i18n::Language;

/// Where a person's games are, on this system and for this person; none if
/// the system names no such place. `TABULAE_HOME` overrides it.
#[must_use]
pub fn saves_folder() -> Option<PathBuf> {
    disk::homes().map(|homes| homes.games)
}

/// Where every game is kept without being asked.
///
/// ```
/// use tabulae::table::{autosave_folder, saves_folder};
///
/// assert_eq!(autosave_folder(), saves_folder().map(|folder| folder.join("recent")));
/// ```
#[must_use]
pub fn autosave_folder() -> Option<PathBuf> {
    saves_folder().map(|folder| folder.join("recent"))
}

/// Where the settings are kept; none if the system names no such place.
/// `TABULAE_HOME` overrides it.
///
/// ```
/// use tabulae::table::settings_path;
///
/// assert!(settings_path().is_none_or(|path| path.ends_with("settings.toml")));
/// ```
#[must_use]
pub fn settings_path() -> Option<PathBuf> {
    disk::homes().map(|homes| homes.settings)
}

/// The language of the system, where it is spoken here.
#[must_use]
pub fn system_language() -> Option<Language> {
    disk::language()
}

/// The language this person likes: that of the settings, or else the system's.
/// Settings that cannot be read say nothing here; the 3D table reports them.
///
/// ```
/// use tabulae::table::{preferred_language, system_language};
///
/// // Whoever has chosen nothing is spoken to as the system speaks.
/// assert!(preferred_language().is_some() || system_language().is_none());
/// ```
#[must_use]
pub fn preferred_language() -> Option<Language> {
    let text = settings_path().and_then(|path| String::from_utf8(disk::read(&path).ok()?).ok());
    text.and_then(|text| language_of(&text)).or_else(system_language)
}

/// The language that the text of the settings names.
fn language_of(settings: &str) -> Option<Language> {
    #[derive(serde::Deserialize)]
    struct Liked {
        language: Option<Language>,
    }
    toml::from_str::<Liked>(settings).ok()?.language
}

/// Writes a text in one step: whole, or not at all.
///
/// It is written beside its place, under a name that no other thread or running
/// program takes, and then moved there. So a full disk or a killed program
/// leaves the old file as it was, and of two that write to one place at once
/// the last one's text stands there, whole. What is no plain file (a pipe, a
/// terminal) is written to as it stands.
///
/// ```
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("game.tab");
/// tabulae::table::write_atomic(&path, "[Rules \"tablaaza\"]\n\n*\n")?;
/// assert!(std::fs::read_to_string(&path)?.contains("tablaaza"));
/// assert!(tabulae::table::write_atomic(&path.join("below-a-file"), "").is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// The file beside or the move was refused; nothing of it is left beside.
pub fn write_atomic(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    static WRITTEN: AtomicU64 = AtomicU64::new(0);
    let number = WRITTEN.fetch_add(1, Ordering::Relaxed);
    disk::write(path, &format!(".new-{}-{number}", disk::run_number()), content.as_ref())
}

/// The same where nobody else writes: what a killed program left beside is
/// written over by the next.
pub(super) fn write_own(path: &Path, content: &str) -> io::Result<()> {
    disk::write(path, ".new", content.as_bytes())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_settings_say_which_language_is_liked() {
        assert_eq!(language_of("text-size = 90\nlanguage = \"italian\""), Some(Language::Italian));
        assert_eq!(language_of("text-size = 90"), None);
        assert_eq!(language_of("language = 'martian'"), None);
    }

    #[test]
    fn a_write_that_fails_leaves_the_old_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("game.tab");
        write_atomic(&path, "old").expect("written");
        // The place beside is taken by a folder: nothing can be written there.
        fs::create_dir(folder.path().join("game.tab.new")).expect("a folder");
        write_own(&path, "new").expect_err("refused");
        assert_eq!(fs::read_to_string(&path).expect("kept"), "old");
        // A folder is no file to write over.
        write_atomic(folder.path(), "text").expect_err("refused");
    }

    fn write_often(path: &Path, text: &[u8]) {
        (0..100).for_each(|_| write_atomic(path, text).expect("written"));
    }

    #[test]
    fn of_two_that_write_at_once_one_is_there_whole_and_nothing_else() {
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
