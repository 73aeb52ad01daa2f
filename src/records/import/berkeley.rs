//! Move lists as Berkeley's course project writes them.
//!
//! A move is the square it starts from and the row or column it goes to:
//! `i6-g` (along row 6 to column g), `d5-7` (along column d to row 7). Moves
//! are separated by white space or commas; move numbers are skipped, and `#`
//! makes the rest of a line a remark. Whole squares (`i6-g6`) are read too.
//! There are no tags and no result: the rules say how the game stands.

use crate::{
    games::{AnyPosition, GameHistory, RuleSet},
    records::{Record, RecordError, scan::Place},
};

/// Whether the text begins as a move list does.
#[must_use]
pub fn looks_like(text: &str) -> bool {
    words(text).find(|(_, word)| !is_number(word)).is_some_and(|(_, word)| is_move(word))
}

/// Reads a list of moves as a game of `tablut/berkeley`.
///
/// # Errors
/// The first move that is unreadable or illegal.
pub fn read(text: &str) -> Result<Record, RecordError> {
    let mut line = GameHistory::new(AnyPosition::start(RuleSet::TablutBerkeley));
    for (place, word) in words(text) {
        if is_number(word) {
            continue;
        }
        line.parse(word)
            .and_then(|ply| line.push(ply).map(|_| ()))
            .map_err(|illegal| RecordError::new(place, word, illegal.message()))?;
    }
    Ok(Record::new(line))
}

/// The words outside remarks, with their places.
fn words(text: &str) -> impl Iterator<Item = (Place, &str)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.lines().enumerate().flat_map(|(index, line)| {
        let line = line.split_once('#').map_or(line, |(moves, _)| moves);
        line.split(|symbol: char| symbol.is_whitespace() || symbol == ',')
            .filter(|word| !word.is_empty())
            .map(move |word| {
                // `word` is a part of `line`: its address says where it stands.
                let offset = word.as_ptr().addr() - line.as_ptr().addr();
                let column = line[..offset].chars().count() + 1;
                (Place { line: index + 1, column }, word)
            })
    })
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

fn is_move(word: &str) -> bool {
    let square = |text: &[u8]| matches!(text, [file, rank] if file.is_ascii_alphabetic() && rank.is_ascii_digit());
    word.split_once('-').is_some_and(|(from, to)| {
        let line_of = |to: &[u8]| matches!(to, [one] if one.is_ascii_alphanumeric());
        square(from.as_bytes()) && (line_of(to.as_bytes()) || square(to.as_bytes()))
    })
}
