//! Files named on the command line. `-` stands for standard input or output.

use std::{
    fs,
    io::{self, IsTerminal as _, Read as _, Write},
    path::Path,
};

use super::CommandError;
use crate::{
    records::{self, Record},
    table::write_atomic,
};

/// Whether the path is `-`, standard input or output.
pub(super) fn is_stdio(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The error of a file that cannot be read.
pub(super) fn cannot_read(path: &Path, error: &io::Error) -> CommandError {
    CommandError::Failed(format!("cannot read {}: {error}", path.display()))
}

/// The error of a file that cannot be written.
pub(super) fn cannot_write(path: &Path, error: &io::Error) -> CommandError {
    CommandError::Failed(format!("cannot write {}: {error}", path.display()))
}

/// The error of an unreadable stdin.
pub(super) fn cannot_read_stdin(error: io::Error) -> CommandError {
    CommandError::Failed(format!("cannot read stdin: {error}"))
}

/// Reads a file, or stdin to its end.
///
/// # Errors
/// It cannot be read; the text names it.
pub(super) fn read_file(path: &Path) -> Result<Vec<u8>, CommandError> {
    if is_stdio(path) {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map_err(cannot_read_stdin)?;
        Ok(bytes)
    } else {
        fs::read(path).map_err(|error| cannot_read(path, &error))
    }
}

/// As [`read_file`], for a text in UTF-8.
///
/// # Errors
/// It cannot be read or is not UTF-8; the text names it.
pub(super) fn read_text_file(path: &Path) -> Result<String, CommandError> {
    String::from_utf8(read_file(path)?)
        .map_err(|_| cannot_read(path, &io::Error::other("expected text in UTF-8")))
}

/// Reads a file of records in any supported format.
///
/// # Errors
/// The file cannot be read or holds an error, which the text locates.
pub(super) fn read_records(path: &Path) -> Result<Vec<Record>, CommandError> {
    parse_records(path, &read_file(path)?)
}

/// The records in a file's content.
///
/// # Errors
/// The content holds an error, which the text locates in the file.
pub(super) fn parse_records(path: &Path, bytes: &[u8]) -> Result<Vec<Record>, CommandError> {
    records::read_bytes(bytes)
        .map_err(|error| CommandError::Failed(error.in_file(path).to_string()))
}

/// The game of a file with this number, counted from 1; the first without a number.
///
/// # Errors
/// The file has no such game, or the game fewer plies than `ply`; the text names both.
pub(super) fn game_of<'a>(
    path: &Path,
    records: &'a [Record],
    number: Option<usize>,
    ply: Option<usize>,
) -> Result<&'a Record, CommandError> {
    let (file, games, number) = (path.display(), records.len(), number.unwrap_or(1));
    let Some(game) = number.checked_sub(1).and_then(|index| records.get(index)) else {
        return Err(CommandError::Failed(format!(
            "game {number} not found: {file} has {games} games, counted from 1"
        )));
    };
    let plies = game.history().len();
    if let Some(ply) = ply.filter(|ply| *ply > plies) {
        return Err(CommandError::Failed(format!(
            "ply {ply} not found: game {number} of {file} has {plies} plies"
        )));
    }
    Ok(game)
}

/// Replaces a file's content, or writes to stdout.
///
/// # Errors
/// It cannot be written; the text names it.
pub(super) fn write_file(path: &Path, content: impl AsRef<[u8]>) -> Result<(), CommandError> {
    if is_stdio(path) {
        let mut out = io::stdout().lock();
        out.write_all(content.as_ref())?;
        Ok(out.flush()?)
    } else {
        write_atomic(path, content).map_err(|error| cannot_write(path, &error))
    }
}

/// Where a command prints its results: stdout, or stderr when stdout takes the
/// file `out`.
pub(super) fn results_beside(out: Option<&Path>) -> Box<dyn Write> {
    if out.is_some_and(is_stdio) { Box::new(io::stderr()) } else { Box::new(io::stdout()) }
}

/// Refuses `-` where a command cannot use stdin or stdout for the file of `flag`.
///
/// # Errors
/// The path is `-`.
pub(super) fn refuse_stdio(
    flag: &str,
    path: Option<&Path>,
    reason: &str,
) -> Result<(), CommandError> {
    if path.is_some_and(is_stdio) {
        Err(CommandError::Usage(format!("cannot use - with {flag}: {reason}")))
    } else {
        Ok(())
    }
}

/// Refuses `-` as a binary file when stdout is a terminal.
///
/// # Errors
/// The path is `-` and stdout is a terminal.
pub(super) fn refuse_terminal(flag: &str, path: &Path) -> Result<(), CommandError> {
    if is_stdio(path) && io::stdout().is_terminal() {
        Err(CommandError::Usage(format!(
            "cannot write binary data to a terminal: redirect stdout, or give {flag} a file"
        )))
    } else {
        Ok(())
    }
}
