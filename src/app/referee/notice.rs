//! A word to the person, which follows the language spoken.

use crate::words::Why;

/// A text, and what it is made of where it can be said in another language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::app) struct Wording {
    text: String,
    why: Option<Why>,
}

impl Wording {
    /// The text, as it was said last.
    pub(in crate::app) fn text(&self) -> &str {
        &self.text
    }

    /// The same in the language spoken now.
    pub(in crate::app) fn again(&self) -> Self {
        self.why.clone().map_or_else(|| self.clone(), Self::from)
    }
}

impl From<Why> for Wording {
    fn from(why: Why) -> Self {
        Self { text: why.words(), why: Some(why) }
    }
}

/// A name, or what another program said.
impl From<String> for Wording {
    fn from(text: String) -> Self {
        Self { text, why: None }
    }
}

/// A word to the person about something that went wrong, or was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The word.
    pub text: String,
    /// Whether something went wrong.
    pub is_error: bool,
    wording: Wording,
}

impl Notice {
    pub(in crate::app) fn new(said: impl Into<Wording>, is_error: bool) -> Self {
        let wording = said.into();
        Self { text: wording.text.clone(), is_error, wording }
    }

    /// Whether it is the same word, be it in another language.
    pub(in crate::app) fn repeats(&self, other: &Self) -> bool {
        let why = self.wording.why.is_some() && self.wording.why == other.wording.why;
        self == other || why
    }

    /// The same in the language spoken now.
    pub(super) fn again(&self) -> Self {
        Self::new(self.wording.again(), self.is_error)
    }
}
