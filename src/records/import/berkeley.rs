//! Move lists of Berkeley's course project.
//!
//! A move is its first square and the rank or file it goes to:
//! `i6-g` (along rank 6 to file g), `d5-7` (along file d to rank 7). Moves
//! are separated by white space or commas; move numbers are skipped, and `#`
//! begins a remark to the end of the line. Whole squares (`i6-g6`) are accepted too.
//! There are no tags and no result, which follows from the rules.

use crate::{
    games::{AnyPosition, GameHistory, RuleSet},
    records::{Record, RecordError, scan::Location},
};

/// Whether a text begins like a move list.
#[must_use]
pub fn looks_like(text: &str) -> bool {
    words(text).find(|(_, word)| !is_number(word)).is_some_and(|(_, word)| is_move(word))
}

/// Parses a move list as a game of `tablut/berkeley`.
///
/// # Errors
/// The first move that is malformed or illegal.
pub fn read(text: &str) -> Result<Record, RecordError> {
    let mut game = GameHistory::new(AnyPosition::start(RuleSet::TablutBerkeley));
    for (location, word) in words(text) {
        if is_number(word) {
            continue;
        }
        game.parse(word)
            .and_then(|ply| game.push(ply).map(|_| ()))
            .map_err(|illegal| RecordError::new(location, word, illegal.message()))?;
    }
    Ok(Record::new(game))
}

/// The words outside remarks with their locations.
fn words(text: &str) -> impl Iterator<Item = (Location, &str)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.lines().enumerate().flat_map(|(index, line)| {
        let line = line.split_once('#').map_or(line, |(moves, _)| moves);
        line.split(|symbol: char| symbol.is_whitespace() || symbol == ',')
            .filter(|word| !word.is_empty())
            .map(move |word| {
                // `word` is a slice of `line`, so its address gives its offset.
                let offset = word.as_ptr().addr() - line.as_ptr().addr();
                let column = line[..offset].chars().count() + 1;
                (Location { line: index + 1, column }, word)
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
