//! Squares of any of the boards.

use std::{fmt, str::FromStr};

use thiserror::Error;

/// A square by file and rank, both counted from 0 (`e4` is file 4, rank 3).
///
/// A square knows nothing of a board: which squares exist is each game's word.
///
/// ```
/// use tabulae::games::Square;
///
/// let square: Square = "e4".parse().unwrap();
/// assert_eq!(square, Square::new(4, 3));
/// assert_eq!(square.to_string(), "e4");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square {
    /// The column, 0 for `a`.
    pub file: u8,
    /// The row, 0 for `1`.
    pub rank: u8,
}

impl Square {
    /// The square in column `file` and row `rank`, both from 0.
    #[must_use]
    pub const fn new(file: u8, rank: u8) -> Self {
        Self { file, rank }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file % 26), u16::from(self.rank) + 1)
    }
}

/// A text that is not a square's name.
///
/// ```
/// use tabulae::games::{ParseSquareError, Square};
///
/// assert_eq!("4e".parse::<Square>(), Err(ParseSquareError("4e".to_owned())));
/// assert_eq!("e4".parse(), Ok(Square::new(4, 3)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{0}' is not a square (a letter and a number, like e4)")]
pub struct ParseSquareError(pub String);

impl FromStr for Square {
    type Err = ParseSquareError;

    /// Reads a letter `a`-`z` (either case) and a number 1-9.
    fn from_str(text: &str) -> Result<Self, ParseSquareError> {
        match text.as_bytes() {
            [file, rank @ b'1'..=b'9'] if file.is_ascii_alphabetic() => {
                Ok(Self::new(file.to_ascii_lowercase() - b'a', rank - b'1'))
            }
            _ => Err(ParseSquareError(text.to_owned())),
        }
    }
}
