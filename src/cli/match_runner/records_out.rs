//! Where the records of the games are written.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
};

use crate::{
    cli::{
        CommandError,
        files::{cannot_write, is_stdio, write_file},
    },
    records::Record,
};

/// The place of the records: a file of all, a folder with a file for each, or stdout.
pub(super) struct RecordsOut {
    path: PathBuf,
    target: Target,
    /// Bytes written to the file; 0 elsewhere.
    length: u64,
    is_first: bool,
}

enum Target {
    Stdout,
    File(File),
    Folder,
}

impl RecordsOut {
    /// Empties the file, or creates the folder: a path that is one or ends with `/`.
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
            Target::File(File::create(path).map_err(|error| cannot_write(path, &error))?)
        };
        Ok(Self { path: path.to_owned(), target, length: 0, is_first: true })
    }

    /// Continues after the first `length` bytes of the file; what follows them is cut
    /// off.
    ///
    /// # Errors
    /// The file is shorter or cannot be written; the text names it.
    pub(super) fn resume(path: &Path, length: u64) -> Result<Self, CommandError> {
        if length == 0 {
            return Self::create(path);
        }
        let open = || {
            let mut file = OpenOptions::new().write(true).open(path)?;
            let found = file.metadata()?.len();
            if found < length {
                let text = format!("it has {found} bytes, and the games so far have {length}");
                return Err(io::Error::other(text));
            }
            file.set_len(length)?;
            file.seek(SeekFrom::End(0))?;
            Ok(file)
        };
        let file = open().map_err(|error| {
            let path = path.display();
            CommandError::Failed(format!("cannot continue the records in {path}: {error}"))
        })?;
        Ok(Self { path: path.to_owned(), target: Target::File(file), length, is_first: false })
    }

    /// Bytes of the file so far, for [`Self::resume`]; 0 for a folder or stdout.
    pub(super) const fn length(&self) -> u64 {
        self.length
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
                let mut out = io::stdout().lock();
                out.write_all(text.as_bytes()).and_then(|()| out.flush())
            }
            Target::File(file) => {
                self.length += text.len() as u64;
                file.write_all(text.as_bytes())
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

/// Pipes and devices cannot be synced.
fn ignore_special(error: io::Error) -> io::Result<()> {
    match error.kind() {
        io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported => Ok(()),
        _ => Err(error),
    }
}

fn is_folder(path: &Path) -> bool {
    path.is_dir() || path.as_os_str().as_encoded_bytes().last().is_some_and(|&last| is_slash(last))
}

fn is_slash(byte: u8) -> bool {
    std::path::is_separator(char::from(byte))
}
