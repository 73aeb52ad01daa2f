//! Files named on the command line. `-` stands for standard input or output.

use std::{
    fs,
    io::{self, IsTerminal as _, Read, Write},
    path::{Path, PathBuf},
};

use tabulae_games::RuleSet;
use tabulae_records::{self as records, Record, RecordError};
use tabulae_session::{storage, write_atomic};

use super::{
    CommandError, print_error_line,
    screen::{shown, stderr, stdout, stdout_as_file},
};

/// A number with its unit: `1 ply`, `2 plies`.
pub fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Whether the path is `-`, standard input or output.
pub fn is_stdio(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The error of a file that cannot be read.
pub fn cannot_read(path: &Path, error: &io::Error) -> CommandError {
    CommandError::Failed(format!("cannot read {}: {error}", shown(path)))
}

/// The error of a file that cannot be written.
pub fn cannot_write(path: &Path, error: &io::Error) -> CommandError {
    CommandError::Failed(format!("cannot write {}: {error}", shown(path)))
}

/// The error of an unreadable stdin.
pub fn cannot_read_stdin(error: io::Error) -> CommandError {
    CommandError::Failed(format!("cannot read stdin: {error}"))
}

/// Reads a file, or stdin to its end.
///
/// # Errors
/// It cannot be read; the text names it.
pub fn read_file(path: &Path) -> Result<Vec<u8>, CommandError> {
    if is_stdio(path) {
        read_to_end(io::stdin().lock(), MAX_FILE).map_err(cannot_read_stdin)
    } else {
        let read = fs::File::open(path).and_then(|file| read_to_end(file, MAX_FILE));
        read.map_err(|error| cannot_read(path, &error))
    }
}

/// The most bytes of a file: more than any archive of games has.
const MAX_FILE: u64 = 1 << 30;

/// Reads to the end, unless there are more bytes than these.
fn read_to_end(from: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::other("it is longer than 1 GiB"));
    }
    Ok(bytes)
}

/// As [`read_file`], for a text in UTF-8.
///
/// # Errors
/// It cannot be read or is not UTF-8; the text names it.
pub fn read_text_file(path: &Path) -> Result<String, CommandError> {
    String::from_utf8(read_file(path)?)
        .map_err(|_| cannot_read(path, &io::Error::other("expected text in UTF-8")))
}

/// The games of a file in its order, each with its error in the file if it has one.
pub type Games = Vec<Result<Record, RecordError>>;

/// Reads the games of a file in any supported format.
///
/// # Errors
/// The file cannot be read; the text names it.
pub fn read_games(path: &Path) -> Result<Games, CommandError> {
    Ok(parse_games(path, &read_file(path)?))
}

/// The games in a file's content.
pub fn parse_games(path: &Path, bytes: &[u8]) -> Games {
    let games = records::read_games(bytes).into_iter();
    games.map(|game| game.map_err(|error| error.in_file(path))).collect()
}

/// Reads the games of a file that are valid, with their numbers in it from 1. A line on
/// stderr names each of the others.
///
/// # Errors
/// The file cannot be read or holds no valid game; the text is the first error.
pub fn read_records(path: &Path) -> Result<Vec<(usize, Record)>, CommandError> {
    let (valid, others): (Vec<_>, Vec<_>) =
        (1..).zip(read_games(path)?).partition(|(_, game)| game.is_ok());
    let others = others.into_iter().filter_map(|(number, game)| Some((number, game.err()?)));
    for (index, (number, error)) in others.enumerate() {
        if index == 0 && valid.is_empty() {
            return Err(CommandError::failed(error));
        }
        print_error_line!("tabulae: game {number} left out: {error}");
    }
    Ok(valid.into_iter().filter_map(|(number, game)| Some((number, game.ok()?))).collect())
}

/// The valid records of `rules` in a file, with their numbers in it from 1. A line on
/// stderr names a file that has others.
///
/// # Errors
/// As for [`read_records`].
pub fn read_records_of(path: &Path, rules: RuleSet) -> Result<Vec<(usize, Record)>, CommandError> {
    let records = read_records(path)?;
    let all = records.len();
    let (own, others): (Vec<_>, Vec<_>) =
        records.into_iter().partition(|(_, record)| record.rules() == rules);
    if let Some((_, other)) = others.first() {
        print_error_line!(
            "tabulae: {}: {} of {} left out: by {}, not by {rules}",
            shown(path),
            others.len(),
            counted(all, "game", "games"),
            other.rules()
        );
    }
    Ok(own)
}

/// The game of a file with this number, counted from 1; the first without a number.
///
/// # Errors
/// The file has no such game, or it is invalid or has fewer plies than `ply`; the text
/// names both.
pub fn game_of<'a>(
    path: &Path,
    records: &'a [Result<Record, RecordError>],
    number: Option<usize>,
    ply: Option<usize>,
) -> Result<&'a Record, CommandError> {
    let (file, games, number) = (shown(path), records.len(), number.unwrap_or(1));
    let Some(game) = number.checked_sub(1).and_then(|index| records.get(index)) else {
        return Err(CommandError::Failed(format!(
            "game {number} not found: {file} has {}, counted from 1",
            counted(games, "game", "games")
        )));
    };
    let game = game.as_ref().map_err(CommandError::failed)?;
    let plies = game.history().len();
    if let Some(ply) = ply.filter(|ply| *ply > plies) {
        return Err(CommandError::Failed(format!(
            "ply {ply} not found: game {number} of {file} has {}",
            counted(plies, "ply", "plies")
        )));
    }
    Ok(game)
}

/// Replaces a file's content, or writes to stdout.
///
/// # Errors
/// It cannot be written; the text names it.
pub fn write_file(path: &Path, content: impl AsRef<[u8]>) -> Result<(), CommandError> {
    if is_stdio(path) {
        let mut out = stdout_as_file();
        out.write_all(content.as_ref())?;
        Ok(out.flush()?)
    } else {
        write_atomic(path, content).map_err(|error| cannot_write(path, &error))
    }
}

/// Checks that a file can be written, without changing it, so that a command fails
/// before its work and not after it.
///
/// # Errors
/// It cannot be written; the text names it.
pub fn check_writable(path: &Path) -> Result<(), CommandError> {
    let checked = if is_stdio(path) { Ok(()) } else { storage::check_replaceable(path) };
    checked.map_err(|error| cannot_write(path, &error))
}

/// Where a command prints its results: stdout, or stderr when stdout takes the
/// file `out`.
pub fn results_beside(out: Option<&Path>) -> Box<dyn Write> {
    if out.is_some_and(is_stdio) { Box::new(LenientStderr) } else { Box::new(stdout()) }
}

/// Stderr, whose errors are ignored: when it cannot be written, the command goes on.
struct LenientStderr;

impl Write for LenientStderr {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        _ = stderr().write_all(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether two paths lead to the same file, which need not exist, by whatever links and
/// spellings.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    // Standard input and output may be the same terminal.
    let is_device = |path: &Path| {
        fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
    };
    let is_file = |path: &Path| !is_stdio(path) && !is_device(path);
    let is_same =
        || same_file::is_same_file(one, other).unwrap_or_else(|_| resolved(one) == resolved(other));
    is_file(one) && is_file(other) && is_same()
}

/// The absolute path of a file that need not exist, without links.
fn resolved(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    // A chain of links that leads to no file; the system follows no more.
    for _ in 0..40 {
        if let Ok(found) = path.canonicalize() {
            return found;
        }
        let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).to_owned();
        match path.read_link() {
            Ok(target) => path = folder.join(target),
            Err(_) => {
                let folder = folder.canonicalize().unwrap_or(folder);
                return folder.join(path.file_name().unwrap_or_default());
            }
        }
    }
    path
}

/// Refuses one file for two flags where a command would overwrite what it reads.
///
/// # Errors
/// Both paths lead to the same file.
pub fn refuse_same_file(
    (flag, path): (&str, &Path),
    (other_flag, other): (&str, &Path),
) -> Result<(), CommandError> {
    if is_same_file(path, other) {
        Err(CommandError::Usage(format!(
            "{flag} and {other_flag} are the same file {}: expected two files",
            shown(path)
        )))
    } else {
        Ok(())
    }
}

/// Refuses `-` where a command cannot use stdin or stdout for the file of `flag`.
///
/// # Errors
/// The path is `-`.
pub fn refuse_stdio(flag: &str, path: Option<&Path>, reason: &str) -> Result<(), CommandError> {
    if path.is_some_and(is_stdio) {
        Err(CommandError::Usage(format!("cannot use - with {flag}: {reason}")))
    } else {
        Ok(())
    }
}

/// Refuses `-` more than once among the files that a command reads.
///
/// ```
/// use std::path::Path;
/// use tabulae_command_line::files::refuse_stdio_twice;
///
/// let file = |name| Path::new(name);
/// assert!(refuse_stdio_twice(["-", "a.tab"].map(file)).is_ok());
/// assert!(refuse_stdio_twice(["-", "-"].map(file)).is_err());
/// ```
///
/// # Errors
/// Two of the paths are `-`.
pub fn refuse_stdio_twice(
    paths: impl IntoIterator<Item = impl AsRef<Path>>,
) -> Result<(), CommandError> {
    let count = paths.into_iter().filter(|path| is_stdio(path.as_ref())).count();
    if count > 1 { Err(CommandError::usage("cannot read - twice")) } else { Ok(()) }
}

/// Refuses `-` as a binary file when stdout is a terminal.
///
/// # Errors
/// The path is `-` and stdout is a terminal.
pub fn refuse_terminal(flag: &str, path: &Path) -> Result<(), CommandError> {
    if is_stdio(path) && io::stdout().is_terminal() {
        Err(CommandError::Usage(format!(
            "cannot write binary data to a terminal: redirect stdout, or give {flag} a file"
        )))
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_end_is_not_read_to_it() {
        assert_eq!(read_to_end(&b"four"[..], 4).expect("as long as allowed"), b"four");
        assert!(read_to_end(&b"fives"[..], 4).is_err());
        assert!(read_to_end(io::repeat(0), 4).is_err());
    }
}
