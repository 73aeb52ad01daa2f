//! Where files of this person are, and how they are written.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// Where a person's games are, on this system and for this person; none if
/// the system names no such place. `TABULAE_HOME` overrides it.
#[must_use]
pub fn saves_folder() -> Option<PathBuf> {
    if let Some(home) = std::env::var_os("TABULAE_HOME").filter(|home| !home.is_empty()) {
        return Some(PathBuf::from(home).join("games"));
    }
    directories::ProjectDirs::from("", "", "tabulae").map(|dirs| dirs.data_dir().join("games"))
}

/// Where every game is kept without being asked.
#[must_use]
pub fn kept_folder() -> Option<PathBuf> {
    saves_folder().map(|folder| folder.join("recent"))
}

/// Writes a text in one step: whole, or not at all.
///
/// It is written beside its place (`NAME.new`) and then moved there, so a full
/// disk or a killed program leaves the old file as it was. What is no plain
/// file (a pipe, a terminal) is written to as it stands.
///
/// # Errors
/// The file beside or the move was refused.
pub fn write_whole(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    let content = content.as_ref();
    if path.metadata().is_ok_and(|place| !place.is_file()) {
        return fs::write(path, content);
    }
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    fs::write(&beside, content)?;
    fs::rename(&beside, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_that_fails_leaves_the_old_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("game.tab");
        write_whole(&path, "old").expect("written");
        // The place beside is taken by a folder: nothing can be written there.
        fs::create_dir(folder.path().join("game.tab.new")).expect("a folder");
        write_whole(&path, "new").expect_err("refused");
        assert_eq!(fs::read_to_string(&path).expect("kept"), "old");
        // A folder is no file to write over.
        write_whole(folder.path(), "text").expect_err("refused");
    }
}
