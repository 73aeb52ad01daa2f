//! Other programs' records of Tablut games.
//!
//! - [`berkeley`]: lists of moves, `i6-g d5-7`, of `tablut/berkeley`.
//! - [`bologna`]: the logs of the competition server of Bologna, of
//!   `tablut/ashton`.
//!
//! Both are replayed by the rules, as strictly as a `.tab` file is.

pub mod berkeley;
pub mod bologna;

use super::{Record, RecordError, read};

/// Reads a `.tab` text, a Berkeley move list or a Bologna log, whichever it is.
///
/// ```
/// use tabulae::{games::RuleSet, records::read_any};
///
/// let records = read_any("i6-g d5-7").unwrap();
/// assert_eq!(records[0].rules(), RuleSet::TablutBerkeley);
/// let records = read_any("FINE: Turn: W Pawn from e4 to f4").unwrap();
/// assert_eq!(records[0].rules(), RuleSet::TablutAshton);
/// ```
///
/// # Errors
/// The error of the reader the text looks made for; a text that looks like
/// none of the three is read as `.tab`.
pub fn read_any(text: &str) -> Result<Vec<Record>, RecordError> {
    // Only a record begins with a tag or a comment, and it may quote a log.
    let begin =
        text.trim_start_matches(|symbol: char| symbol.is_whitespace() || symbol == '\u{feff}');
    if begin.starts_with(['[', '{', ';']) {
        read(text)
    } else if bologna::looks_like(text) {
        bologna::read(text)
    } else if berkeley::looks_like(text) {
        berkeley::read(text).map(|record| vec![record])
    } else {
        read(text)
    }
}
