//! A file or folder that is written beside its place and moved there once it is
//! complete; a failure leaves nothing behind.

use std::{fs, io};

use crate::app::core::prelude::*;

/// A partial file that was not written to for so long was left by a program
/// that was killed: a frame takes seconds at most.
const ABANDONED_AFTER: Duration = Duration::from_secs(600);

/// A file or folder being written. Dropping it unfinished removes it.
#[derive(Debug)]
pub(super) struct PartialFile {
    target: PathBuf,
    /// None where the place itself is written: a pipe or a device.
    part: Option<PathBuf>,
}

/// Where the process with this id writes the file for `target`.
pub(super) fn part_path(target: &Path, process: u32) -> PathBuf {
    let mut name = target.as_os_str().to_owned();
    name.push(format!("{PART}{process}"));
    PathBuf::from(name)
}

const PART: &str = ".part-";

/// Removes partial files for this place that killed programs have left.
fn remove_abandoned(target: &Path) {
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
    let entries = fs::read_dir(folder.unwrap_or(Path::new("."))).into_iter().flatten().flatten();
    for entry in entries {
        let (name, target) = (entry.file_name(), target.file_name().unwrap_or_default());
        let number =
            name.to_str().and_then(|name| name.strip_prefix(target.to_str()?)?.strip_prefix(PART));
        let written = entry.metadata().and_then(|metadata| metadata.modified()).ok();
        let is_abandoned = written
            .and_then(|written| written.elapsed().ok())
            .is_some_and(|since| since > ABANDONED_AFTER);
        if is_abandoned && number.is_some_and(|number| number.parse::<u32>().is_ok()) {
            remove(&entry.path());
        }
    }
}

impl PartialFile {
    /// Starts a file.
    pub(super) fn file(target: &Path) -> Self {
        remove_abandoned(target);
        let special =
            target.metadata().is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir());
        let part = (!special).then(|| part_path(target, std::process::id()));
        Self { target: target.to_owned(), part }
    }

    /// Starts a folder and creates it.
    pub(super) fn folder(target: &Path) -> io::Result<Self> {
        remove_abandoned(target);
        let part = Some(part_path(target, std::process::id()));
        let folder = Self { target: target.to_owned(), part };
        fs::create_dir_all(folder.path())?;
        Ok(folder)
    }

    /// Where to write.
    pub(super) fn path(&self) -> &Path {
        self.part.as_deref().unwrap_or(&self.target)
    }

    /// Moves the complete file or folder to its place. The files of a folder move
    /// into an existing folder.
    pub(super) fn finish(self) -> io::Result<()> {
        let Some(part) = &self.part else { return Ok(()) };
        if part.is_dir() && self.target.is_dir() {
            for entry in fs::read_dir(part)? {
                let entry = entry?;
                fs::rename(entry.path(), self.target.join(entry.file_name()))?;
            }
            return Ok(());
        }
        fs::rename(part, &self.target)
    }
}

/// Removes a file or folder, if it exists.
pub(super) fn remove(path: &Path) {
    // A missing one is no error.
    let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
}

impl Drop for PartialFile {
    fn drop(&mut self) {
        if let Some(part) = &self.part {
            remove(part);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder").flatten();
        let mut names: Vec<_> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_as_a_whole_or_not_at_all() {
        let folder = tempfile::tempdir().expect("a folder");
        let target = folder.path().join("game.gif");
        fs::write(&target, "old").expect("written");
        let part = PartialFile::file(&target);
        fs::write(part.path(), "hal").expect("written");
        drop(part);
        assert_eq!(fs::read_to_string(&target).expect("there"), "old");
        let part = PartialFile::file(&target);
        fs::write(part.path(), "new").expect("written");
        part.finish().expect("moved");
        assert_eq!(fs::read_to_string(&target).expect("there"), "new");
        assert_eq!(names(folder.path()), ["game.gif"]);
    }

    #[test]
    fn partial_files_of_killed_programs_are_removed_by_the_next_export() {
        let folder = tempfile::tempdir().expect("a folder");
        let target = folder.path().join("game.gif");
        let names_left = ["game.gif.part-7", "game.gif.part-8", "game.gif.part-x", "a.gif.part-7"];
        for name in names_left {
            let file = fs::File::create(folder.path().join(name)).expect("written");
            // Number 8 is still being written.
            if name != "game.gif.part-8" {
                let then = std::time::SystemTime::now() - 2 * ABANDONED_AFTER;
                file.set_modified(then).expect("old");
            }
        }
        drop(PartialFile::file(&target));
        assert_eq!(names(folder.path()), ["a.gif.part-7", "game.gif.part-8", "game.gif.part-x"]);
    }

    #[test]
    fn frames_appear_all_or_none_and_leave_other_files_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let target = folder.path().join("frames");
        let write = |name: &str, whole: bool| {
            let part = PartialFile::folder(&target).expect("a folder");
            fs::write(part.path().join(name), "picture").expect("written");
            if whole {
                part.finish().expect("moved");
            }
        };
        write("0001.png", false);
        assert!(names(folder.path()).is_empty());
        write("0001.png", true);
        write("0002.png", true);
        assert_eq!(names(&target), ["0001.png", "0002.png"]);
        assert_eq!(names(folder.path()), ["frames"]);
    }
}
