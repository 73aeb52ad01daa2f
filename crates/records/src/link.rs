//! Links that contain a game, in the fragment of a URL (the part after `#`), which
//! browsers do not send to servers.
//!
//! The fragment is `game=` and the record's text, compressed with raw DEFLATE and
//! encoded as base64url without padding.

use crate::reasons;
use data_encoding::BASE64URL_NOPAD;
use miniz_oxide::{
    deflate::compress_to_vec,
    inflate::{TINFLStatus, decompress_to_vec_with_limit},
};
use thiserror::Error;

use super::{
    movetext,
    pasted::{code, joined},
    scan::with_line_feeds,
};
use tabulae_games::Reason;

/// The start of such a fragment.
const PREFIX: &str = "game=";
/// The longest record in bytes, since a short link could decompress to any size.
const MAX_BYTES: usize = 1 << 20;
/// The most moves and throws of a record in a link, variations included. Their replay
/// keeps a page busy, and a short link could hold any number.
const MAX_PLIES: usize = 20_000;
/// The most tags.
const MAX_TAGS: usize = 500;
/// The highest compression level.
const LEVEL: u8 = 10;

/// Why a link cannot be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LinkError {
    /// The fragment does not begin with `game=`.
    #[error("the link contains no game: after # there is no 'game='")]
    NoGame,
    /// It is not base64url.
    #[error("the link is damaged: some of its letters are wrong or missing")]
    Letters,
    /// It cannot be decompressed.
    #[error("the link is damaged, or was cut off: its game cannot be unpacked")]
    Packing,
    /// It decompresses to more than a record.
    #[error("the link contains more than a game")]
    TooLong,
    /// Its record has too many moves and throws.
    #[error("the link contains too many moves: at most {MAX_PLIES}, with variations")]
    TooManyPlies,
    /// Its record has too many tags.
    #[error("the link contains too many tags: at most {MAX_TAGS}")]
    TooManyTags,
    /// It does not decompress to UTF-8.
    #[error("the link contains no text")]
    NoText,
}

impl LinkError {
    /// The error as a message that can be translated.
    pub fn message(self) -> Reason {
        Reason::new(match self {
            Self::NoGame => reasons::LINK_NO_GAME,
            Self::Letters => reasons::LINK_LETTERS,
            Self::Packing => reasons::LINK_PACKING,
            Self::TooLong => reasons::LINK_TOO_LONG,
            Self::TooManyPlies => {
                return Reason::new(reasons::LINK_TOO_MANY_PLIES).with("most", MAX_PLIES);
            }
            Self::TooManyTags => {
                return Reason::new(reasons::LINK_TOO_MANY_TAGS).with("most", MAX_TAGS);
            }
            Self::NoText => reasons::LINK_NO_TEXT,
        })
    }
}

/// Encodes a record as a URL fragment, without the `#`.
///
/// ```
/// use tabulae_records::link::{LinkError, decode, encode};
///
/// let record = "[Rules \"tablaaza\"]\n\n1. c7 c6 *\n";
/// let part = encode(record);
/// assert!(part.starts_with("game="));
/// assert_eq!(decode(&part), Ok(record.to_owned()));
/// assert_eq!(decode("chapter-2"), Err(LinkError::NoGame));
/// ```
pub fn encode(record: &str) -> String {
    let packed = compress_to_vec(record.as_bytes(), LEVEL);
    format!("{PREFIX}{}", BASE64URL_NOPAD.encode(&packed))
}

/// Decodes a URL fragment, or a link that ends in it, to a record's text. Both may be as
/// people paste them: wrapped, quoted, in brackets or with a full stop.
///
/// # Errors
/// The fragment contains no game.
pub fn decode(fragment: &str) -> Result<String, LinkError> {
    decode_behind(PREFIX, fragment)
}

/// As [`decode`], with another word than `game=` before the letters.
pub fn decode_behind(prefix: &str, text: &str) -> Result<String, LinkError> {
    let text = joined(text);
    let (_, text) = text.rsplit_once(prefix).ok_or(LinkError::NoGame)?;
    let (letters, behind) = code(text, &['-', '_']);
    let packed = unpacked_letters(&letters);
    let bytes =
        decompress_to_vec_with_limit(&packed, MAX_BYTES).map_err(|error| match error.status {
            TINFLStatus::HasMoreOutput => LinkError::TooLong,
            _ if behind.is_empty() => LinkError::Packing,
            _ => LinkError::Letters,
        })?;
    let text = String::from_utf8(bytes).map_err(|_| LinkError::NoText)?;
    match movetext::count(&with_line_feeds(&text)) {
        (_, plies) if plies > MAX_PLIES => Err(LinkError::TooManyPlies),
        (tags, _) if tags > MAX_TAGS => Err(LinkError::TooManyTags),
        _ => Ok(text),
    }
}

/// The bytes of base64url letters. A packed game has an end of its own, so letters behind
/// it, such as the next word of a message, do no harm, nor does a last part of them that
/// is no byte.
fn unpacked_letters(letters: &str) -> Vec<u8> {
    let whole = letters.len() / 4 * 4;
    let (whole, part) = letters.as_bytes().split_at(whole);
    let mut bytes = BASE64URL_NOPAD.decode(whole).unwrap_or_default();
    // The bits that the last letter has too many are zero in what `encode` writes.
    bytes.extend(BASE64URL_NOPAD.decode(part).unwrap_or_default());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoded_records_decode_to_the_same_text() {
        for record in ["", "*", "[White \"Áilu \u{1f98c}\"]\n", &"1. e4-f4 ".repeat(5_000)] {
            assert_eq!(decode(&encode(record)).as_deref(), Ok(record));
            assert_eq!(decode(&format!("#{}", encode(record))).as_deref(), Ok(record));
        }
    }

    #[test]
    fn links_are_read_as_people_paste_them() {
        let record = "[Rules \"tablaaza\"]\n\n1. c7 c6 c3 *\n";
        let good = encode(record);
        let (start, end) = good.split_at(good.len() / 2);
        for pasted in [
            format!("https://a.b/#{good}."),
            format!("See <https://a.b/#{good}>, it is fine"),
            format!("'{good}'\n"),
            format!("> {start}\n> {end}\n>\n> Yours, A."),
            format!(" {start} > {end} "),
            format!("https://a.b/%23{}", good.replace('=', "%3D")),
        ] {
            assert_eq!(decode(&pasted).as_deref(), Ok(record), "{pasted}");
        }
    }

    #[test]
    fn damaged_links_are_refused_with_a_reason() {
        let good = encode("[Rules \"tablaaza\"]\n\n1. c7 c6 c3 *\n");
        assert_eq!(decode(""), Err(LinkError::NoGame));
        assert_eq!(decode("game="), Err(LinkError::Packing));
        let (start, end) = good.split_at(good.len() / 2);
        assert_eq!(decode(&format!("{start}!{end}")), Err(LinkError::Letters));
        assert_eq!(decode(&good[..good.len() / 2 / 4 * 4 + 1]), Err(LinkError::Packing));
        assert_eq!(decode(&encode(&"0".repeat(MAX_BYTES + 1))), Err(LinkError::TooLong));
        let plies = "1.c7 ".repeat(MAX_PLIES);
        assert!(decode(&encode(&plies)).is_ok());
        assert_eq!(decode(&encode(&format!("{plies}c6"))), Err(LinkError::TooManyPlies));
        // Malformed text is skipped, and what follows it is read.
        for wrong in ["[x] * ", "{ * "] {
            assert_eq!(decode(&encode(&format!("{wrong}{plies}c6"))), Err(LinkError::TooManyPlies));
        }
        let tags = "[A \"b\"]\r".repeat(MAX_TAGS);
        assert!(decode(&encode(&tags)).is_ok());
        assert_eq!(decode(&encode(&format!("{tags}[A \"b\"]"))), Err(LinkError::TooManyTags));
        let packed = compress_to_vec(&[0xff, 0xfe], LEVEL);
        let letters = BASE64URL_NOPAD.encode(&packed);
        assert_eq!(decode(&format!("game={letters}")), Err(LinkError::NoText));
    }

    #[test]
    fn errors_and_their_messages_have_the_same_english_text() {
        use LinkError::{Letters, NoGame, NoText, Packing, TooLong, TooManyPlies, TooManyTags};
        for error in [NoGame, Letters, Packing, TooLong, TooManyPlies, TooManyTags, NoText] {
            assert_eq!(error.message().to_string(), error.to_string());
        }
    }
}
