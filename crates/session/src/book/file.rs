//! The file of a book: lines of text that tell what it is, an empty line, then an
//! entry for each position, in the order of their keys.
//!
//! An entry is its key (48 bits, the highest byte first), the number of games, those
//! that the side to move won and those that its opponent won, each as a number of
//! variable length (LEB128), and the value (16 bits, as [`encode_value`] says).

use std::fmt::Write as _;

use thiserror::Error;

use super::{Book, BookEntry};
use crate::symmetry::KEY_BITS;
use tabulae_engines::Score;
use tabulae_games::RuleSet;

/// The first line.
const HEADER: &str = "# tabulae book 1";
const KEY_BYTES: usize = KEY_BITS as usize / 8;
/// The code of an entry without a value.
const NO_VALUE: i16 = i16::MIN;
/// Codes from here on are forced wins, and their negatives losses: this many and the
/// plies.
const WIN: i16 = 30_000;
/// The longest forced win, in plies.
const MAX_WIN_PLIES: u32 = 2_000;

/// Why bytes are not a book.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BookError {
    /// Another kind of file.
    #[error("not a book: expected '{HEADER}' in the first line")]
    NotABook,
    /// The rules are missing or unknown.
    #[error("not a book of known rules: '{0}'")]
    Rules(String),
    /// Bytes are missing or wrong from this entry on, counted from 1.
    #[error("damaged from entry {0} on")]
    Damaged(usize),
}

impl Book {
    /// The book as a file.
    pub fn write(&self) -> Vec<u8> {
        let mut text = format!("{HEADER}\n");
        // Writing to a text cannot fail.
        _ = write!(text, "# rules {}\n# {}\n\n", self.rules, self.origin);
        let mut bytes = text.into_bytes();
        for entry in &self.entries {
            bytes.extend_from_slice(&entry.key.to_be_bytes()[8 - KEY_BYTES..]);
            for number in [entry.games, entry.wins[0], entry.wins[1]] {
                write_number(&mut bytes, number);
            }
            bytes.extend_from_slice(&encode_value(entry.value).to_be_bytes());
        }
        bytes
    }

    /// Reads a book's file.
    ///
    /// # Errors
    /// The bytes are no book or damaged.
    pub fn read(bytes: &[u8]) -> Result<Self, BookError> {
        let mut lines = Reader(bytes);
        if lines.line() != Some(HEADER) {
            return Err(BookError::NotABook);
        }
        let rules = lines.line().unwrap_or_default();
        let rules = rules.strip_prefix("# rules ").unwrap_or(rules);
        let rules: RuleSet = rules.parse().map_err(|_| BookError::Rules(rules.to_owned()))?;
        let mut origin = String::new();
        loop {
            match lines.line().ok_or(BookError::Damaged(1))? {
                "" => break,
                line => line.trim_start_matches("# ").clone_into(&mut origin),
            }
        }
        let (mut rest, mut entries) = (lines, Vec::<BookEntry>::new());
        while !rest.0.is_empty() {
            let number = entries.len() + 1;
            let entry = rest.entry().ok_or(BookError::Damaged(number))?;
            let is_ordered = entries.last().is_none_or(|last| last.key < entry.key);
            let [own, other] = entry.wins;
            let is_sound = own.checked_add(other).is_some_and(|wins| wins <= entry.games);
            if !is_ordered || !is_sound {
                return Err(BookError::Damaged(number));
            }
            entries.push(entry);
        }
        Ok(Self { rules, origin, entries })
    }
}

/// Reads from the front of the bytes that are left.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    /// The next line, without its end.
    fn line(&mut self) -> Option<&'a str> {
        let end = self.0.iter().position(|byte| *byte == b'\n')?;
        let (line, rest) = (&self.0[..end], &self.0[end + 1..]);
        self.0 = rest;
        std::str::from_utf8(line).ok()
    }

    fn bytes<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (bytes, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*bytes)
    }

    fn number(&mut self) -> Option<u32> {
        let mut number = 0_u32;
        for shift in (0..u32::BITS).step_by(7) {
            let [byte] = self.bytes()?;
            let bits = u32::from(byte & 0x7f);
            number |= bits.checked_shl(shift).filter(|shifted| shifted >> shift == bits)?;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    fn entry(&mut self) -> Option<BookEntry> {
        let bytes = self.bytes::<KEY_BYTES>()?;
        let key = bytes.into_iter().fold(0, |key, byte| key << 8 | u64::from(byte));
        let games = self.number()?;
        let wins = [self.number()?, self.number()?];
        let value = decode_value(i16::from_be_bytes(self.bytes()?));
        Some(BookEntry { key, games, wins, value })
    }
}

fn write_number(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// The points; or 30,000 and the plies of a forced win, negative for a loss.
fn encode_value(value: Option<Score>) -> i16 {
    let decided = |plies: u32| WIN + plies.min(MAX_WIN_PLIES) as i16;
    match value {
        None => NO_VALUE,
        Some(Score::Points(points)) => points.clamp(i32::from(1 - WIN), i32::from(WIN - 1)) as i16,
        Some(Score::Win(plies)) => decided(plies),
        Some(Score::Loss(plies)) => -decided(plies),
    }
}

fn decode_value(code: i16) -> Option<Score> {
    Some(match code {
        NO_VALUE => return None,
        WIN.. => Score::Win((code - WIN).unsigned_abs().into()),
        code if code <= -WIN => Score::Loss((code + WIN).unsigned_abs().into()),
        code => Score::Points(code.into()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book() -> Book {
        let values = [
            None,
            Some(Score::Points(-312)),
            Some(Score::Win(7)),
            Some(Score::Loss(0)),
            Some(Score::Points(29_999)),
        ];
        let entries = (1..).zip(values).map(|(key, value)| BookEntry {
            key: key << 40 | key,
            games: 300 * key as u32,
            wins: [key as u32, 127 + key as u32],
            value,
        });
        let origin = "seed 1, 2 games".to_owned();
        Book { rules: RuleSet::Tablaaza, origin, entries: entries.collect() }
    }

    #[test]
    fn a_book_reads_back_equal() {
        assert_eq!(Book::read(&book().write()), Ok(book()));
    }

    #[test]
    fn damaged_bytes_are_named_and_never_a_panic() {
        let whole = book().write();
        for length in 0..whole.len() {
            match Book::read(&whole[..length]) {
                // Cut behind an entry.
                Ok(read) => assert!(read.len() < 5, "{length}"),
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
        for at in 0..whole.len() {
            for change in [1, 0x80, 0xff] {
                let mut changed = whole.clone();
                changed[at] ^= change;
                _ = Book::read(&changed);
            }
        }
        assert_eq!(Book::read(b""), Err(BookError::NotABook));
        let chess = format!("{HEADER}\n# rules chess\n\n");
        assert_eq!(Book::read(chess.as_bytes()), Err(BookError::Rules("chess".to_owned())));
        let mut turned = book();
        turned.entries.swap(0, 1);
        assert_eq!(Book::read(&turned.write()), Err(BookError::Damaged(2)));
        let mut unsound = book();
        unsound.entries[2].games = 1;
        assert_eq!(Book::read(&unsound.write()), Err(BookError::Damaged(3)));
    }
}
