//! The tokenizer of `.tab` text.

use crate::reasons;
use std::borrow::Cow;

use super::{
    RecordError,
    error::{Location, kept},
    record::is_tag_name,
};
use tabulae_games::Reason;

/// A text whose lines all end with a line feed alone. Lines and columns stay the same.
pub(super) fn with_line_feeds(text: &str) -> Cow<'_, str> {
    if text.contains('\r') {
        Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
    } else {
        Cow::Borrowed(text)
    }
}

/// A word with hyphens in place of the dashes and minus signs that telephones and word
/// processors make of them.
pub(super) fn with_hyphens(word: &str) -> Cow<'_, str> {
    const DASHES: [char; 4] = ['\u{2011}', '\u{2013}', '\u{2014}', '\u{2212}'];
    if word.contains(DASHES) { Cow::Owned(word.replace(DASHES, "-")) } else { Cow::Borrowed(word) }
}

/// A part of a record that the [`Scanner`] does not divide further.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// A tag: its name, its value with escapes resolved, and the value's location.
    Tag { name: &'a str, value: String, at: Location },
    /// A malformed tag.
    WrongTag(RecordError),
    /// A comment with escapes resolved.
    Comment(String),
    /// The parenthesis that opens a variation.
    Open,
    /// The parenthesis that closes one.
    Close,
    /// Other text between white space: a move number, a ply, a glyph or a result.
    Word(&'a str),
}

/// Splits a text with [line feeds](with_line_feeds) into tokens. Behind a malformed tag,
/// or a brace that is never closed, it goes on.
pub(super) struct Scanner<'a> {
    rest: &'a str,
    location: Location,
    /// Whether a comment was found open: then no later one is closed.
    has_open_comment: bool,
}

impl<'a> Scanner<'a> {
    /// A scanner at the start of a text, after a byte order mark.
    pub(super) fn new(text: &'a str) -> Self {
        let rest = text.strip_prefix('\u{feff}').unwrap_or(text);
        Self { rest, location: Location::START, has_open_comment: false }
    }

    /// The current location.
    pub(super) const fn location(&self) -> Location {
        self.location
    }

    /// The next token with its location; `None` at the end of the text, and an error for a
    /// brace that is never closed.
    pub(super) fn next(&mut self) -> Result<Option<(Location, Token<'a>)>, RecordError> {
        self.skip_space();
        // As in PGN, `%` at the start of a line escapes the line.
        while self.location.column == 1 && self.peek() == Some('%') {
            self.take_while(|symbol| symbol != '\n');
            self.skip_space();
        }
        let location = self.location;
        let token = match self.peek() {
            None => return Ok(None),
            Some('[') => match self.tag(location) {
                Ok(tag) => tag,
                Err(error) => {
                    self.take_while(|symbol| !matches!(symbol, ']' | '\n'));
                    self.take_while(|symbol| symbol == ']');
                    Token::WrongTag(error)
                }
            },
            Some('{') => self.comment(location)?,
            Some(';') => {
                self.bump();
                Token::Comment(self.take_while(|symbol| symbol != '\n').to_owned())
            }
            Some('(') => {
                self.bump();
                Token::Open
            }
            Some(')') => {
                self.bump();
                Token::Close
            }
            Some(_) => Token::Word(self.word()),
        };
        Ok(Some((location, token)))
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let symbol = self.peek()?;
        self.rest = &self.rest[symbol.len_utf8()..];
        self.location = self.location.behind(symbol);
        Some(symbol)
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let whole = self.rest;
        while self.peek().is_some_and(&wanted) {
            self.bump();
        }
        &whole[..whole.len() - self.rest.len()]
    }

    /// A word: a `$` begins another one.
    fn word(&mut self) -> &'a str {
        let whole = self.rest;
        self.bump();
        self.take_while(|symbol| {
            !symbol.is_whitespace() && !matches!(symbol, '{' | ';' | '[' | '(' | ')' | '$')
        });
        &whole[..whole.len() - self.rest.len()]
    }

    fn skip_space(&mut self) {
        self.take_while(char::is_whitespace);
    }

    /// The rest of the current line as far as an error keeps it.
    fn rest_of_line(&self) -> &'a str {
        kept(self.rest).lines().next().unwrap_or_default().trim_end()
    }

    fn expect(&mut self, wanted: char, why: Reason) -> Result<(), RecordError> {
        self.take_while(|symbol| symbol.is_whitespace() && symbol != '\n');
        if self.peek() == Some(wanted) {
            self.bump();
            Ok(())
        } else {
            Err(RecordError::new(self.location, self.rest_of_line(), why))
        }
    }

    fn tag(&mut self, start: Location) -> Result<Token<'a>, RecordError> {
        self.bump();
        self.take_while(|symbol| symbol.is_whitespace() && symbol != '\n');
        let location = self.location;
        let name = self.take_while(|symbol| !symbol.is_whitespace() && !"\"[]".contains(symbol));
        if !is_tag_name(name) {
            return Err(RecordError::new(location, name, Reason::new(reasons::EXPECTED_TAG_NAME)));
        }
        self.expect('"', Reason::new(reasons::EXPECTED_VALUE).with("tag", name))?;
        let at = self.location;
        let mut value = String::new();
        loop {
            let here = self.location;
            if matches!(self.peek(), Some('\n') | None) {
                let why = Reason::new(reasons::NO_CLOSING_QUOTE).with("tag", name);
                return Err(RecordError::new(start, "", why));
            }
            match self.bump() {
                Some('"') => break,
                Some('\\') => {
                    let symbol = self.bump();
                    value.push(match symbol {
                        Some('"') => '"',
                        Some('\\') => '\\',
                        Some('n') => '\n',
                        Some('r') => '\r',
                        Some('t') => '\t',
                        other => {
                            let text: String = ['\\'].into_iter().chain(other).collect();
                            return Err(RecordError::new(
                                here,
                                &text,
                                Reason::new(reasons::BACKSLASH),
                            ));
                        }
                    });
                }
                symbol => value.extend(symbol),
            }
        }
        self.expect(']', Reason::new(reasons::EXPECTED_BRACKET).with("tag", name))?;
        Ok(Token::Tag { name, value, at })
    }

    fn comment(&mut self, start: Location) -> Result<Token<'a>, RecordError> {
        self.bump();
        let (rest, location) = (self.rest, self.location);
        let mut text = String::new();
        while !self.has_open_comment {
            match self.bump() {
                Some('}') => return Ok(Token::Comment(text)),
                Some('\\') if matches!(self.peek(), Some('\\' | '}')) => {
                    text.extend(self.bump());
                }
                Some(symbol) => text.push(symbol),
                None => self.has_open_comment = true,
            }
        }
        (self.rest, self.location) = (rest, location);
        Err(RecordError::new(start, "{", Reason::new(reasons::OPEN_COMMENT)))
    }
}
