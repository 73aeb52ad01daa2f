//! Links that carry a game: the part of an address behind `#`, which a browser
//! keeps to itself.
//!
//! It is `game=` and the record's text: deflated, then in the letters of
//! base64url, without padding.

use data_encoding::BASE64URL_NOPAD;
use miniz_oxide::{
    deflate::compress_to_vec,
    inflate::{TINFLStatus, decompress_to_vec_with_limit},
};
use thiserror::Error;

use crate::i18n::LocalizedMessage;

/// What such a part of an address begins with.
const NAME: &str = "game=";
/// No record is longer than so many bytes: a short link could unpack to
/// anything.
const MOST: usize = 1 << 20;
/// How hard is tried to make it short: as hard as the packer can.
const LEVEL: u8 = 10;

/// Why a link carries no game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum LinkError {
    /// It does not begin as one that does.
    #[error("the link carries no game: behind # there is no 'game='")]
    NoGame,
    /// There are letters in it that no link has, or some are missing.
    #[error("the link is damaged: some of its letters are wrong or missing")]
    Letters,
    /// What it carries cannot be unpacked.
    #[error("the link is damaged, or was cut off: its game cannot be unpacked")]
    Packing,
    /// What it carries is longer than any record.
    #[error("the link carries more than a game")]
    TooLong,
    /// What it carries is no text.
    #[error("the link carries no text")]
    NoText,
}

impl LinkError {
    /// The same for people.
    #[must_use]
    pub fn message(self) -> LocalizedMessage {
        LocalizedMessage::new(match self {
            Self::NoGame => "why.link-no-game",
            Self::Letters => "why.link-letters",
            Self::Packing => "why.link-packing",
            Self::TooLong => "why.link-too-long",
            Self::NoText => "why.link-no-text",
        })
    }
}

/// The part of an address that carries this record.
///
/// ```
/// use tabulae::records::link::{LinkError, decode, encode};
///
/// let record = "[Rules \"tablaaza\"]\n\n1. c7 c6 *\n";
/// let part = encode(record);
/// assert!(part.starts_with("game="));
/// assert_eq!(decode(&part), Ok(record.to_owned()));
/// assert_eq!(decode("chapter-2"), Err(LinkError::NoGame));
/// ```
#[must_use]
pub fn encode(record: &str) -> String {
    let packed = compress_to_vec(record.as_bytes(), LEVEL);
    format!("{NAME}{}", BASE64URL_NOPAD.encode(&packed))
}

/// The record that a part of an address carries; a `#` before it is none of it.
///
/// # Errors
/// It carries none; why.
pub fn decode(fragment: &str) -> Result<String, LinkError> {
    let letters = fragment.trim_start_matches('#').strip_prefix(NAME).ok_or(LinkError::NoGame)?;
    let packed = BASE64URL_NOPAD.decode(letters.as_bytes()).map_err(|_| LinkError::Letters)?;
    let bytes =
        decompress_to_vec_with_limit(&packed, MOST).map_err(|error| match error.status {
            TINFLStatus::HasMoreOutput => LinkError::TooLong,
            _ => LinkError::Packing,
        })?;
    String::from_utf8(bytes).map_err(|_| LinkError::NoText)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_read_back() {
        for record in ["", "*", "[White \"Áilu \u{1f98c}\"]\n", &"1. e4-f4 ".repeat(5_000)] {
            assert_eq!(decode(&encode(record)).as_deref(), Ok(record));
            assert_eq!(decode(&format!("#{}", encode(record))).as_deref(), Ok(record));
        }
    }

    #[test]
    fn a_bad_link_is_refused_with_what_is_wrong() {
        let good = encode("[Rules \"tablaaza\"]\n\n1. c7 c6 c3 *\n");
        assert_eq!(decode(""), Err(LinkError::NoGame));
        assert_eq!(decode("game="), Err(LinkError::Packing));
        assert_eq!(decode(&format!("{good}!")), Err(LinkError::Letters));
        assert_eq!(decode(&good[..good.len() / 2 / 4 * 4 + 1]), Err(LinkError::Packing));
        assert_eq!(decode(&encode(&"0".repeat(MOST + 1))), Err(LinkError::TooLong));
        let packed = compress_to_vec(&[0xff, 0xfe], LEVEL);
        let letters = BASE64URL_NOPAD.encode(&packed);
        assert_eq!(decode(&format!("game={letters}")), Err(LinkError::NoText));
    }

    #[test]
    fn every_error_says_the_same_to_people_in_english() {
        use LinkError::{Letters, NoGame, NoText, Packing, TooLong};
        for error in [NoGame, Letters, Packing, TooLong, NoText] {
            assert_eq!(error.message().to_string(), error.to_string());
        }
    }
}
