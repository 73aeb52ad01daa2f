//! The `save` command: to which file it may write.

use std::fs;

use crate::{
    cli::{files::is_same_file, prelude::*},
    records,
    session::write_atomic,
};

/// Which files the current game may replace.
#[derive(Debug, Default)]
pub(super) struct Saving {
    /// The file that this game was read from or saved to.
    own: Option<PathBuf>,
    /// The file with another game that the last answer named.
    asked: Option<PathBuf>,
}

impl Saving {
    /// Saves to a file that this game was read from.
    pub(super) fn in_file(path: &Path) -> Self {
        Self { own: Some(path.to_owned()), asked: None }
    }

    /// Writes the game to the file, and says what became of it: `Err` if it was not
    /// written. A file with other games is replaced when the command is repeated, and one
    /// that is no record never.
    pub(super) fn save(&mut self, name: &str, text: String) -> Result<String, String> {
        let path = Path::new(name);
        match content(path) {
            Content::Other => return Err(tr_args("play.no-record", &[("file", name)])),
            Content::Games if !self.may_replace(path) => {
                self.asked = Some(path.to_owned());
                return Err(tr_args("play.replaces", &[("file", name)]));
            }
            Content::Games | Content::Nothing => {}
        }
        match write_atomic(path, text) {
            Ok(()) => {
                *self = Self::in_file(path);
                Ok(tr_args("play.saved", &[("file", name)]))
            }
            Err(error) => {
                let error = error.to_string();
                Err(tr_args("play.cannot-write", &[("file", name), ("error", &error)]))
            }
        }
    }

    fn may_replace(&self, path: &Path) -> bool {
        let mut known = [&self.own, &self.asked].into_iter().flatten();
        known.any(|file| is_same_file(file, path))
    }
}

/// What a file holds.
enum Content {
    /// Nothing: the file is empty, or there is no file.
    Nothing,
    Games,
    Other,
}

fn content(path: &Path) -> Content {
    // A pipe or a device has no content of its own.
    if !fs::metadata(path).is_ok_and(|place| place.is_file()) {
        return Content::Nothing;
    }
    match fs::read(path) {
        Ok(bytes) if bytes.is_empty() => Content::Nothing,
        Ok(bytes) if records::read_bytes(&bytes).is_ok_and(|games| !games.is_empty()) => {
            Content::Games
        }
        // What cannot be read is not known to be a game either.
        Ok(_) | Err(_) => Content::Other,
    }
}
