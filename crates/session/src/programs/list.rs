//! The user's list of programs, `engines.toml` beside the settings.

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{ProgramError, UgiProgram};
use crate::{clean_name, settings_path, storage, write_atomic};

/// A program of the list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineEntry {
    /// Its name in the list, of one line.
    pub name: String,
    /// Its command line, which is split into words as in a shell.
    pub command: String,
    /// The options that the user has changed, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
}

impl EngineEntry {
    /// Starts the program and sets its options.
    ///
    /// # Errors
    /// It cannot be started or does not answer.
    pub fn start(&self, patience: Duration) -> Result<UgiProgram, ProgramError> {
        let words = split_command(&self.command).ok_or(ProgramError::NoCommand)?;
        let program = UgiProgram::start(&words, patience)?;
        self.set_options(&program)?;
        Ok(program)
    }

    pub(super) fn set_options(&self, program: &UgiProgram) -> Result<(), ProgramError> {
        self.options.iter().try_for_each(|(name, value)| program.set_option(name, value))
    }
}

/// Why the list cannot be read or written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EngineListError {
    /// The file cannot be read or written.
    #[error(transparent)]
    File(#[from] io::Error),
    /// The file is not a list of programs.
    #[error("not a list of engines: {0}")]
    Content(String),
}

/// The user's programs, in the order in which they were added.
///
/// ```
/// use tabulae_session::{EngineEntry, EngineList, EngineListError, engines_path, split_command};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("engines.toml");
/// let mut list = EngineList::read(&path)?;
/// assert!(list.engines.is_empty(), "no file");
/// let entry = EngineEntry {
///     name: "Mine".to_owned(),
///     command: "python3 'my engine.py'".to_owned(),
///     ..EngineEntry::default()
/// };
/// assert_eq!(split_command(&entry.command).unwrap(), ["python3", "my engine.py"]);
/// list.add(entry.clone());
/// list.write(&path)?;
/// assert_eq!(EngineList::read(&path)?.find("Mine"), Some(&entry));
/// assert!(engines_path().is_none_or(|path| path.ends_with("engines.toml")));
/// # Ok::<(), EngineListError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineList {
    /// The programs.
    #[serde(default, rename = "engine")]
    pub engines: Vec<EngineEntry>,
}

impl EngineList {
    /// Reads the list; an empty one if there is no file.
    ///
    /// # Errors
    /// The file cannot be read or is damaged.
    pub fn read(path: &Path) -> Result<Self, EngineListError> {
        if !storage::exists(path) {
            return Ok(Self::default());
        }
        let bytes = storage::read(path)?;
        let text = String::from_utf8(bytes).map_err(|_| content("expected text in UTF-8"))?;
        toml::from_str(&text).map_err(|error| content(error.message()))
    }

    /// Replaces the file.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), EngineListError> {
        let text = toml::to_string(self).map_err(|error| content(&error.to_string()))?;
        if let Some(folder) = path.parent() {
            storage::create_dir_all(folder)?;
        }
        Ok(write_atomic(path, text)?)
    }

    /// The program with this name.
    pub fn find(&self, name: &str) -> Option<&EngineEntry> {
        self.engines.iter().find(|entry| entry.name == name)
    }

    /// Adds a program, in place of another with its name.
    pub fn add(&mut self, mut entry: EngineEntry) {
        entry.name = clean_name(&entry.name);
        match self.engines.iter_mut().find(|known| known.name == entry.name) {
            Some(known) => *known = entry,
            None => self.engines.push(entry),
        }
    }

    /// Removes the program with this name; false if there is none.
    pub fn remove(&mut self, name: &str) -> bool {
        let before = self.engines.len();
        self.engines.retain(|entry| entry.name != name);
        self.engines.len() < before
    }
}

fn content(reason: &str) -> EngineListError {
    EngineListError::Content(tabulae_records::on_one_line(reason))
}

/// The file of the list; `None` if the system names no place for settings.
pub fn engines_path() -> Option<PathBuf> {
    settings_path().map(|path| path.with_file_name("engines.toml"))
}

/// Splits a command line into words as a shell does; `None` with an unclosed quote, a
/// final backslash or no words.
pub fn split_command(command: &str) -> Option<Vec<String>> {
    // On Windows a backslash separates the parts of a path.
    let escaped = cfg!(windows).then(|| command.replace('\\', "\\\\"));
    shlex::split(escaped.as_deref().unwrap_or(command)).filter(|words| !words.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_list_is_an_error_and_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("engines.toml");
        for text in ["engine = 7", "[[engine]]\nname = 'a'\n", "\u{0}"] {
            std::fs::write(&path, text).expect("written");
            let error = EngineList::read(&path).expect_err(text).to_string();
            assert!(error.starts_with("not a list of engines: ") && !error.contains('\n'));
            assert_eq!(std::fs::read_to_string(&path).expect("read"), text);
        }
    }

    #[test]
    fn a_program_replaces_the_one_with_its_name() {
        let entry = |name: &str, command: &str| EngineEntry {
            name: name.to_owned(),
            command: command.to_owned(),
            options: BTreeMap::from([("Hash".to_owned(), "64".to_owned())]),
        };
        let mut list = EngineList::default();
        list.add(entry("one", "a"));
        list.add(entry("two", "b"));
        list.add(entry(" one\n", "c"));
        let commands: Vec<_> = list.engines.iter().map(|entry| entry.command.as_str()).collect();
        assert_eq!(commands, ["c", "b"]);
        let text = toml::to_string(&list).expect("a list");
        assert_eq!(toml::from_str(&text), Ok(list.clone()));
        assert!(list.remove("one") && !list.remove("one"));
    }
}
