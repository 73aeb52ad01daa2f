//! What is wrong with a record, and where.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use super::scan::Place;
use crate::i18n::LocalizedMessage;

/// The first thing wrong with a record.
///
/// `Display` is one line, `game.tab:12:5: 'e4-e9': blocked by the piece on e7`.
///
/// ```
/// use std::path::Path;
/// use tabulae::records::{RecordError, read};
///
/// let error: RecordError = read("[Rules \"tablaaza\"]\n\n1. c7 c7 *\n").unwrap_err();
/// assert_eq!((error.line, error.column, error.text.as_str()), (3, 7, "c7"));
/// let said = error.in_file(Path::new("mine.tab")).to_string();
/// assert!(said.starts_with("mine.tab:3:7: 'c7': "));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordError {
    /// The file, once somebody said it.
    pub file: Option<PathBuf>,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The text in question; empty where something is missing.
    pub text: String,
    /// What is wrong with it, or what was expected, in English.
    pub reason: String,
    /// The same, to be said in any language.
    pub message: LocalizedMessage,
}

/// No error shows more of the offending text than this, in characters.
const LONGEST_TEXT: usize = 60;

impl RecordError {
    pub(super) fn new(place: Place, text: &str, message: LocalizedMessage) -> Self {
        Self {
            file: None,
            line: place.line,
            column: place.column,
            text: text.to_owned(),
            reason: message.to_string(),
            message,
        }
    }

    /// The same error, told which file it is about.
    #[must_use]
    pub fn in_file(mut self, path: &Path) -> Self {
        self.file = Some(path.to_owned());
        self
    }
}

impl RecordError {
    /// The same line as `Display` writes, for people: the reason is in words of
    /// their language.
    #[must_use]
    pub fn localized(&self) -> String {
        let mut line = String::new();
        // Writing to a string does not fail.
        let _ = self.write(&mut line, &self.message.localized());
        line
    }

    /// The same, to be said in any language.
    #[must_use]
    pub fn located_message(&self) -> LocalizedMessage {
        let mut place = String::new();
        // Writing to a string does not fail.
        let _ = self.write(&mut place, "");
        LocalizedMessage::new("why.in-a-record")
            .with("place", place)
            .with_message("why", self.message.clone())
    }

    fn write(&self, f: &mut dyn fmt::Write, reason: &str) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{}:", file.display())?;
        }
        write!(f, "{}:{}: ", self.line, self.column)?;
        if !self.text.is_empty() {
            let shown: String = self.text.chars().take(LONGEST_TEXT).collect();
            write!(f, "'{}", on_one_line(&shown))?;
            let cut = self.text.chars().nth(LONGEST_TEXT).is_some();
            f.write_str(if cut { "…': " } else { "': " })?;
        }
        // A reason may quote the text again.
        f.write_str(&on_one_line(reason))
    }
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, &self.reason)
    }
}

/// The text with its control characters as escapes: one error is one line,
/// whatever a file or another program holds, and no terminal obeys it.
pub(crate) fn on_one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for symbol in text.chars() {
        if symbol.is_control() {
            line.extend(symbol.escape_default());
        } else {
            line.push(symbol);
        }
    }
    line
}

impl std::error::Error for RecordError {}
