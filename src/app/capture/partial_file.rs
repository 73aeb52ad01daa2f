//! A file or a folder of pictures on the way: it takes its place once it is
//! whole, and leaves nothing where that fails.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

/// What nobody has written to for so long was left by a program that was
/// killed: a frame takes seconds at most.
const LEFT: Duration = Duration::from_secs(600);

/// What is being written, beside its place.
#[derive(Debug)]
pub(crate) struct PartialFile {
    place: PathBuf,
    /// None where it is written to its place itself: to a pipe or a device.
    beside: Option<PathBuf>,
}

/// Where the process of this number writes what is to stand at `place`.
pub(crate) fn beside(place: &Path, process: u32) -> PathBuf {
    let mut name = place.as_os_str().to_owned();
    name.push(format!("{PART}{process}"));
    PathBuf::from(name)
}

const PART: &str = ".part-";

/// Takes away what killed programs have left on their way to this place.
fn sweep(place: &Path) {
    let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty());
    let entries = fs::read_dir(folder.unwrap_or(Path::new("."))).into_iter().flatten().flatten();
    for entry in entries {
        let (name, place) = (entry.file_name(), place.file_name().unwrap_or_default());
        let number =
            name.to_str().and_then(|it| it.strip_prefix(place.to_str()?)?.strip_prefix(PART));
        let written = entry.metadata().and_then(|it| it.modified()).ok();
        let is_left = written.and_then(|it| it.elapsed().ok()).is_some_and(|since| since > LEFT);
        if is_left && number.is_some_and(|it| it.parse::<u32>().is_ok()) {
            clear(&entry.path());
        }
    }
}

impl PartialFile {
    /// For a file.
    pub(crate) fn file(place: &Path) -> Self {
        sweep(place);
        let special = place.metadata().is_ok_and(|it| !it.is_file() && !it.is_dir());
        let beside = (!special).then(|| beside(place, std::process::id()));
        Self { place: place.to_owned(), beside }
    }

    /// For a folder, which is made.
    pub(crate) fn folder(place: &Path) -> io::Result<Self> {
        sweep(place);
        let part =
            Self { place: place.to_owned(), beside: Some(beside(place, std::process::id())) };
        fs::create_dir_all(part.path())?;
        Ok(part)
    }

    /// Where to write.
    pub(crate) fn path(&self) -> &Path {
        self.beside.as_deref().unwrap_or(&self.place)
    }

    /// It is whole: it goes to its place. Pictures go into a folder that is
    /// there already.
    pub(crate) fn finish(self) -> io::Result<()> {
        let Some(beside) = &self.beside else { return Ok(()) };
        if beside.is_dir() && self.place.is_dir() {
            for entry in fs::read_dir(beside)? {
                let entry = entry?;
                fs::rename(entry.path(), self.place.join(entry.file_name()))?;
            }
            return Ok(());
        }
        fs::rename(beside, &self.place)
    }
}

/// Takes away what a process has left of a file or a folder.
pub(crate) fn clear(beside: &Path) {
    // What is not there need not go.
    let _ = if beside.is_dir() { fs::remove_dir_all(beside) } else { fs::remove_file(beside) };
}

impl Drop for PartialFile {
    fn drop(&mut self) {
        if let Some(beside) = &self.beside {
            clear(beside);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder").flatten();
        let mut names: Vec<_> =
            entries.map(|it| it.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_there_whole_or_as_it_was() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().join("game.gif");
        fs::write(&place, "old").expect("written");
        let part = PartialFile::file(&place);
        fs::write(part.path(), "hal").expect("written");
        drop(part);
        assert_eq!(fs::read_to_string(&place).expect("there"), "old");
        let part = PartialFile::file(&place);
        fs::write(part.path(), "new").expect("written");
        part.finish().expect("moved");
        assert_eq!(fs::read_to_string(&place).expect("there"), "new");
        assert_eq!(names(folder.path()), ["game.gif"]);
    }

    #[test]
    fn what_a_killed_program_left_goes_with_the_next() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().join("game.gif");
        let names_left = ["game.gif.part-7", "game.gif.part-8", "game.gif.part-x", "a.gif.part-7"];
        for name in names_left {
            let file = fs::File::create(folder.path().join(name)).expect("written");
            // Number 8 is still being written.
            if name != "game.gif.part-8" {
                let then = std::time::SystemTime::now() - 2 * LEFT;
                file.set_modified(then).expect("old");
            }
        }
        drop(PartialFile::file(&place));
        assert_eq!(names(folder.path()), ["a.gif.part-7", "game.gif.part-8", "game.gif.part-x"]);
    }

    #[test]
    fn pictures_come_all_or_not_at_all_and_leave_others_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().join("frames");
        let write = |name: &str, whole: bool| {
            let part = PartialFile::folder(&place).expect("a folder");
            fs::write(part.path().join(name), "picture").expect("written");
            if whole {
                part.finish().expect("moved");
            }
        };
        write("0001.png", false);
        assert!(names(folder.path()).is_empty());
        write("0001.png", true);
        write("0002.png", true);
        assert_eq!(names(&place), ["0001.png", "0002.png"]);
        assert_eq!(names(folder.path()), ["frames"]);
    }
}
