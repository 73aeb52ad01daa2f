//! Errors in records, with their location.

use crate::reasons;
use std::{
    fmt,
    path::{Path, PathBuf},
};

use tabulae_games::Reason;

/// A location in a text; line and column count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Location {
    pub(super) line: usize,
    /// Counts characters, not bytes.
    pub(super) column: usize,
}

impl Location {
    /// The start of a text.
    pub(super) const START: Self = Self { line: 1, column: 1 };

    /// The location behind a character here.
    pub(super) const fn behind(self, symbol: char) -> Self {
        match symbol {
            '\n' => Self { line: self.line + 1, column: 1 },
            _ => Self { line: self.line, column: self.column + 1 },
        }
    }
}

/// An error in a record. `Display` writes one line, `game.tab:12:5: 'e4-e9': blocked by the piece on e7`.
///
/// ```
/// use std::path::Path;
/// use tabulae_records::{RecordError, read};
///
/// let error: RecordError = read("[Rules \"tablaaza\"]\n\n1. c7 c7 *\n").unwrap_err();
/// assert_eq!((error.line, error.column, error.text.as_str()), (3, 7, "c7"));
/// let line = error.in_file(Path::new("mine.tab")).to_string();
/// assert!(line.starts_with("mine.tab:3:7: 'c7': "));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordError {
    /// The file, if [`Self::in_file`] has set it.
    pub file: Option<PathBuf>,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The offending text, of a long one its beginning; empty where something is missing.
    pub text: String,
    /// What is wrong or was expected, in English.
    pub reason: String,
    /// The reason as a message that can be translated.
    pub message: Reason,
}

/// Maximum number of characters of the offending text that an error shows.
const MAX_TEXT: usize = 60;

/// The characters of an offending text that an error keeps: one more than it shows, which
/// tells that the text was cut. A file can have as many errors as it has long lines.
pub(super) fn kept(text: &str) -> &str {
    text.char_indices().nth(MAX_TEXT + 1).map_or(text, |(end, _)| &text[..end])
}

impl RecordError {
    pub(super) fn new(location: Location, text: &str, message: Reason) -> Self {
        Self {
            file: None,
            line: location.line,
            column: location.column,
            text: kept(text).to_owned(),
            reason: message.to_string(),
            message,
        }
    }

    /// Sets the file.
    #[must_use]
    pub fn in_file(mut self, path: &Path) -> Self {
        self.file = Some(path.to_owned());
        self
    }
}

impl RecordError {
    /// The line that `Display` writes, as a message that can be translated.
    pub fn located_message(&self) -> Reason {
        let mut location = String::new();
        // Writing to a string does not fail.
        _ = self.write(&mut location, "");
        Reason::new(reasons::IN_A_RECORD)
            .with("place", location)
            .with_reason("why", self.message.clone())
    }

    fn write(&self, f: &mut dyn fmt::Write, reason: &str) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{}:", on_one_line(&file.to_string_lossy()))?;
        }
        write!(f, "{}:{}: ", self.line, self.column)?;
        if !self.text.is_empty() {
            let shown: String = self.text.chars().take(MAX_TEXT).collect();
            write!(f, "'{}", on_one_line(&shown))?;
            let cut = self.text.chars().nth(MAX_TEXT).is_some();
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

/// Escapes the control characters of a text from outside. So an error is always one
/// line and cannot control the terminal.
///
/// ```
/// use tabulae_records::on_one_line;
///
/// assert_eq!(on_one_line("a\nb"), "a\\nb");
/// ```
pub fn on_one_line(text: &str) -> String {
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
