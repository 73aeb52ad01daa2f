//! Importers of other programs' records of Tablut games.
//!
//! - [`berkeley`]: lists of moves, `i6-g d5-7`, of `tablut/berkeley`.
//! - [`bologna`]: the logs of the competition server of Bologna, of
//!   `tablut/ashton`.
//!
//! Both are replayed by the rules as strictly as a `.tab` file.

pub mod berkeley;
pub mod bologna;

use super::{Record, RecordError, opentafl, read};

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

/// As [`read_any`], each game by itself.
pub(super) fn read_each(text: &str) -> Vec<Result<Record, RecordError>> {
    match Format::of(text) {
        Format::Tab => read::read_each(text),
        Format::OpenTafl => vec![opentafl::read(text)],
        Format::Bologna => bologna::read_each(text),
        Format::Berkeley => berkeley::read_each(text),
    }
}

/// What a text looks made for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Tab,
    OpenTafl,
    Bologna,
    Berkeley,
}

impl Format {
    pub(super) fn of(text: &str) -> Self {
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
