//! Squares, and writing boards as text.

use std::{fmt, str::FromStr};

use thiserror::Error;

/// A square by file and rank, both counted from 0 (`e4` is file 4, rank 3).
///
/// Any file and rank make a square; each game defines which ones its board has.
///
/// ```
/// use tabulae_games::Square;
///
/// let square: Square = "e4".parse().unwrap();
/// assert_eq!(square, Square::new(4, 3));
/// assert_eq!(square.to_string(), "e4");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Square {
    /// The file (column), 0 for `a`.
    pub file: u8,
    /// The rank (row), 0 for `1`.
    pub rank: u8,
}

impl Square {
    /// The square with this file and rank, both from 0.
    pub const fn new(file: u8, rank: u8) -> Self {
        Self { file, rank }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file % 26), u16::from(self.rank) + 1)
    }
}

/// The error of parsing a [`Square`]: the text.
///
/// ```
/// use tabulae_games::{ParseSquareError, Square};
///
/// assert_eq!("4e".parse::<Square>(), Err(ParseSquareError("4e".to_owned())));
/// assert_eq!("e4".parse(), Ok(Square::new(4, 3)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("invalid square '{0}': expected a letter and a number, like e4")]
pub struct ParseSquareError(pub String);

impl FromStr for Square {
    type Err = ParseSquareError;

    /// Parses a letter `a`-`z` of either case and a digit 1-9.
    fn from_str(text: &str) -> Result<Self, ParseSquareError> {
        match text.as_bytes() {
            [file, rank @ b'1'..=b'9'] if file.is_ascii_alphabetic() => {
                Ok(Self::new(file.to_ascii_lowercase() - b'a', rank - b'1'))
            }
            _ => Err(ParseSquareError(text.to_owned())),
        }
    }
}

/// Writes the ranks of a board as in chess's FEN: from the top rank down, joined
/// by `/`, with a number for each run of squares that have no `letter`.
///
/// ```
/// use std::fmt;
/// use tabulae_games::{Square, write_ranks};
///
/// struct Corner;
///
/// impl fmt::Display for Corner {
///     fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
///         write_ranks(f, (3, 2), |square| (square == Square::new(0, 0)).then_some('K'))
///     }
/// }
///
/// assert_eq!(Corner.to_string(), "3/K2");
/// ```
///
/// # Errors
/// The writer's own.
pub fn write_ranks(
    f: &mut impl fmt::Write,
    (files, ranks): (u8, u8),
    letter: impl Fn(Square) -> Option<char>,
) -> fmt::Result {
    for rank in (0..ranks).rev() {
        write_rank(f, (0..files).map(|file| letter(Square::new(file, rank))))?;
        if rank > 0 {
            f.write_char('/')?;
        }
    }
    Ok(())
}

/// Writes one rank as positions have it: the letters of its squares, and numbers for
/// runs of empty ones.
///
/// ```
/// use tabulae_games::write_rank;
///
/// let mut text = String::new();
/// write_rank(&mut text, [None, None, Some('K'), None])?;
/// assert_eq!(text, "2K1");
/// # Ok::<(), std::fmt::Error>(())
/// ```
///
/// # Errors
/// The writer's own.
pub fn write_rank(
    f: &mut impl fmt::Write,
    letters: impl IntoIterator<Item = Option<char>>,
) -> fmt::Result {
    let mut empty = 0;
    for letter in letters {
        let Some(letter) = letter else {
            empty += 1;
            continue;
        };
        if empty > 0 {
            write!(f, "{empty}")?;
        }
        empty = 0;
        f.write_char(letter)?;
    }
    if empty > 0 { write!(f, "{empty}") } else { Ok(()) }
}
