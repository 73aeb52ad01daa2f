//! Where the records of the games are written.

use std::{
    fs::{self, File, OpenOptions},
    io::Read as _,
};

use crate::cli::{
    files::{cannot_write, is_stdio},
    prelude::*,
    screen::stdout_as_file,
};

/// The place of the records: a file of all, a folder with a file for each, or stdout.
pub(super) struct RecordsOut {
    path: PathBuf,
    target: Target,
    /// Bytes written to the file; 0 elsewhere.
    pub(super) length: u64,
    is_first: bool,
}

/// Where the record of a game ends in the file of all records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RecordEnd {
    /// The number that the record has in its tag `Round`, from 1.
    pub(super) game: usize,
    /// Bytes up to its end.
    pub(super) end: u64,
}

enum Target {
    Stdout,
    File(File),
    Folder,
}

impl RecordsOut {
    /// Opens the file, or creates the folder: a path that is one or ends with `/`. A file
    /// keeps its content until the first record is written.
    ///
    /// # Errors
    /// It cannot be written; the text names it.
    pub(super) fn create(path: &Path) -> Result<Self, CommandError> {
        let target = if is_stdio(path) {
            Target::Stdout
        } else if is_folder(path) {
            fs::create_dir_all(path).map_err(|error| cannot_write(path, &error))?;
            Target::Folder
        } else {
            let open = OpenOptions::new().write(true).create(true).truncate(false).open(path);
            Target::File(open.map_err(|error| cannot_write(path, &error))?)
        };
        Ok(Self { path: path.to_owned(), target, length: 0, is_first: true })
    }

    /// Continues after these records of the file; what follows them is cut off. A folder
    /// and stdout keep what they have.
    ///
    /// # Errors
    /// The file is shorter, has other records or cannot be written; the text names it.
    pub(super) fn resume(path: &Path, ends: &[RecordEnd]) -> Result<Self, CommandError> {
        let Some(RecordEnd { end: length, .. }) = ends.last().copied() else {
            return Self::create(path);
        };
        // A pipe or a terminal has no records to read again, and reading would wait for ever.
        let is_special = fs::metadata(path).is_ok_and(|place| !place.is_file());
        if is_stdio(path) || is_folder(path) || is_special {
            return Self::create(path);
        }
        let open = || {
            let file = OpenOptions::new().read(true).write(true).open(path)?;
            let mut records = Vec::new();
            (&file).take(length).read_to_end(&mut records)?;
            if (records.len() as u64) < length {
                let found = records.len();
                let text = format!("it has {found} bytes, and the games so far have {length}");
                return Err(io::Error::other(text));
            }
            if let Some(RecordEnd { game, end }) = first_wrong_end(&records, ends) {
                let text = format!("expected the record of game {game} to end at byte {end}");
                return Err(io::Error::other(text));
            }
            file.set_len(length)?;
            Ok(file)
        };
        let file = open().map_err(|error| {
            let path = shown(path);
            CommandError::Failed(format!("cannot continue the records in {path}: {error}"))
        })?;
        Ok(Self { path: path.to_owned(), target: Target::File(file), length, is_first: false })
    }

    /// Writes the record of game `number`, counted from 1.
    ///
    /// # Errors
    /// It cannot be written; the text names the file.
    pub(super) fn write(&mut self, number: usize, record: &Record) -> Result<(), CommandError> {
        if matches!(self.target, Target::Folder) {
            return write_file(&self.path.join(format!("{number:04}.tab")), record.to_string());
        }
        // An empty line separates two records.
        let separator = if self.is_first { "" } else { "\n" };
        let text = format!("{separator}{record}");
        self.is_first = false;
        let written = match &mut self.target {
            Target::Stdout => {
                let mut out = stdout_as_file();
                out.write_all(text.as_bytes()).and_then(|()| out.flush())
            }
            Target::File(file) => {
                let emptied = if self.length == 0 { empty(file) } else { Ok(()) };
                self.length += text.len() as u64;
                emptied.and_then(|()| file.write_all(text.as_bytes()))
            }
            Target::Folder => Ok(()),
        };
        written.map_err(|error| match error.kind() {
            io::ErrorKind::BrokenPipe if is_stdio(&self.path) => CommandError::OutputClosed,
            _ => cannot_write(&self.path, &error),
        })
    }

    /// Waits until the disk has what was written, so that nothing which refers to it
    /// can be there first.
    ///
    /// # Errors
    /// The disk fails; the text names the file.
    pub(super) fn sync(&self) -> Result<(), CommandError> {
        match &self.target {
            Target::File(file) => file.sync_data().or_else(ignore_special),
            Target::Stdout | Target::Folder => Ok(()),
        }
        .map_err(|error| cannot_write(&self.path, &error))
    }
}

/// Removes the content of a file. Pipes and devices have none.
fn empty(file: &File) -> io::Result<()> {
    if file.metadata()?.is_file() { file.set_len(0) } else { Ok(()) }
}

/// The first of the records, in the order of their ends, that is not the one that its
/// number says, or that ends elsewhere.
fn first_wrong_end(records: &[u8], ends: &[RecordEnd]) -> Option<RecordEnd> {
    let mut start = 0;
    ends.iter().copied().find(|RecordEnd { game, end }| {
        let separator = if start == 0 { "" } else { "\n" };
        let record = usize::try_from(*end).ok().and_then(|end| records.get(start..end));
        start = usize::try_from(*end).unwrap_or(usize::MAX);
        !record.is_some_and(|record| is_record_of(record, separator, *game))
    })
}

/// Whether this is one whole record after the separator, with the tag of this game.
fn is_record_of(text: &[u8], separator: &str, game: usize) -> bool {
    let Ok(text) = str::from_utf8(text) else { return false };
    let Some(record) = text.strip_prefix(separator) else { return false };
    // The only empty line is behind the tags.
    let (tags, moves) = record.split_once("\n\n").unwrap_or_default();
    let round = format!("[Round \"{game}\"]");
    let is_one_record = moves.ends_with('\n') && !moves.contains("\n\n");
    is_one_record && tags.starts_with('[') && tags.lines().any(|tag| tag == round)
}

/// Pipes and devices cannot be synced.
fn ignore_special(error: io::Error) -> io::Result<()> {
    match error.kind() {
        io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported => Ok(()),
        _ => Err(error),
    }
}

fn is_folder(path: &Path) -> bool {
    let last = path.as_os_str().as_encoded_bytes().last();
    path.is_dir() || last.is_some_and(|byte| std::path::is_separator(char::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_of_records_are_checked_by_their_numbers() {
        let record = |game: usize| format!("[Rules \"tablaaza\"]\n[Round \"{game}\"]\n\n1. c7 *\n");
        let text = [record(2), record(1), record(3)].join("\n");
        let one = record(1).len() as u64;
        let all = [(2, one), (1, 2 * one + 1), (3, 3 * one + 2)];
        let first_wrong = |ends: &[(usize, u64)]| {
            let ends: Vec<_> = ends.iter().map(|&(game, end)| RecordEnd { game, end }).collect();
            first_wrong_end(text.as_bytes(), &ends).map(|wrong| wrong.game)
        };
        assert_eq!(first_wrong(&all), None);
        assert_eq!(first_wrong(&all[..2]), None);
        for (ends, wrong) in [
            (&[(1, one)][..], 1),
            (&[(2, 1)], 2),
            (&[(2, one - 1)], 2),
            (&[(2, one + 1)], 2),
            (&[(2, one + 1 + "[Rules \"tablaaza\"]\n".len() as u64)], 2),
            (&[(2, one), (3, 3 * one + 2)], 3),
            (&[(2, one), (3, 3 * one + 2), (1, 2 * one + 1)], 3),
            (&[(2, one), (1, 9 * one)], 1),
            (&[(2, one), (1, u64::MAX)], 1),
        ] {
            assert_eq!(first_wrong(ends), Some(wrong), "{ends:?}");
        }
    }
}
