//! Importers of other programs' records of Tablut games.
//!
//! - [`berkeley`]: lists of moves, `i6-g d5-7`, of `tablut/berkeley`.
//! - [`bologna`]: the logs of the competition server of Bologna, of
//!   `tablut/ashton`.
//!
//! Both are replayed by the rules as strictly as a `.tab` file.

pub mod berkeley;
pub mod bologna;

use super::{Record, RecordError, error::Location, opentafl, read, scan::with_line_feeds};

/// Parses a `.tab` text, a game in OpenTafl's notation, a Berkeley move list or a Bologna
/// log, by what it looks like.
///
/// ```
/// use tabulae_games::RuleSet;
/// use tabulae_records::read_any;
///
/// let records = read_any("i6-g d5-7").unwrap();
/// assert_eq!(records[0].rules(), RuleSet::TablutBerkeley);
/// let records = read_any("FINE: Turn: W Pawn from e4 to f4").unwrap();
/// assert_eq!(records[0].rules(), RuleSet::TablutAshton);
/// ```
///
/// # Errors
/// The error of the parser that the text looks made for; `.tab` is the default.
pub fn read_any(text: &str) -> Result<Vec<Record>, RecordError> {
    read_each(text).into_iter().collect()
}

/// Parses a file's bytes like [`read_any`].
///
/// ```
/// let error = tabulae_records::read_bytes(b"[White \"\xff\"]").unwrap_err();
/// assert_eq!((error.line, error.column), (1, 9));
/// ```
///
/// # Errors
/// The errors of [`read_any`], and bytes that are not UTF-8.
pub fn read_bytes(bytes: &[u8]) -> Result<Vec<Record>, RecordError> {
    read_games(bytes).into_iter().collect()
}

/// Parses each game of a file's bytes by itself, in any format that [`read_any`]
/// reads. The games are in the order of the file. There is at least one, which is the
/// error of a file without a game. A byte that is not UTF-8 is an error of its game in
/// `.tab` text, and of the whole file in another format.
///
/// ```
/// use tabulae_records::read_games;
///
/// let two = b"[Rules \"tablaaza\"]\n1. c7 h1 *\n[Rules \"tablaaza\"]\n1. c7 b7 *";
/// let games = read_games(two);
/// assert!(games[0].is_err());
/// assert_eq!(games[1].as_ref().unwrap().history().len(), 2);
/// ```
pub fn read_games(bytes: &[u8]) -> Vec<Result<Record, RecordError>> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return read_each(text);
    }
    let (text, wrong) = lossy(bytes);
    match wrong.first() {
        // In the other formats it is not told which game a byte belongs to.
        Some(first) if Format::of(&text) != Format::Tab => {
            vec![Err(read::not_utf8(*first))]
        }
        _ => read::read_each_with(&text, wrong),
    }
}

/// The text of bytes, without a byte order mark, with a sign for each part that is not
/// UTF-8, and the locations of these.
fn lossy(bytes: &[u8]) -> (String, Vec<Location>) {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let (mut text, mut wrong, mut location) = (String::new(), Vec::new(), Location::START);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        location = with_line_feeds(chunk.valid()).chars().fold(location, Location::behind);
        if !chunk.invalid().is_empty() {
            wrong.push(location);
            text.push(char::REPLACEMENT_CHARACTER);
            location = location.behind(char::REPLACEMENT_CHARACTER);
        }
    }
    (text, wrong)
}

/// As [`read_any`], each game by itself.
fn read_each(text: &str) -> Vec<Result<Record, RecordError>> {
    match Format::of(text) {
        Format::Tab => read::read_each(text),
        Format::OpenTafl => vec![opentafl::read(text)],
        Format::Bologna => bologna::read_each(text),
        Format::Berkeley => berkeley::read_each(text),
    }
}

/// What a text looks made for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Tab,
    OpenTafl,
    Bologna,
    Berkeley,
}

impl Format {
    fn of(text: &str) -> Self {
        // A record begins with a tag or a comment, and its comments may quote a log.
        let begin =
            text.trim_start_matches(|symbol: char| symbol.is_whitespace() || symbol == '\u{feff}');
        if opentafl::looks_like(text) {
            Self::OpenTafl
        } else if begin.starts_with(['[', '{', ';', '%']) {
            Self::Tab
        } else if bologna::looks_like(text) {
            Self::Bologna
        } else if berkeley::looks_like(text) {
            Self::Berkeley
        } else {
            Self::Tab
        }
    }
}
