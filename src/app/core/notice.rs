//! A word to the person, which follows the language spoken.

use crate::i18n::LocalizedMessage;

/// A text, and what it is made of where it can be said in another language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LocalizedText {
    text: String,
    why: Option<LocalizedMessage>,
}

impl LocalizedText {
    /// The text, as it was said last.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The same in the language spoken now.
    pub(crate) fn again(&self) -> Self {
        self.why.clone().map_or_else(|| self.clone(), Self::from)
    }

    /// Both words, one after the other; they follow the language where both do.
    fn and(self, other: Self) -> Self {
        match (self.why, other.why) {
            (Some(one), Some(other)) => LocalizedMessage::new("notice.both")
                .with_message("one", one)
                .with_message("other", other)
                .into(),
            _ => format!("{} {}", self.text, other.text).into(),
        }
    }
}

impl From<LocalizedMessage> for LocalizedText {
    fn from(why: LocalizedMessage) -> Self {
        Self { text: why.localized(), why: Some(why) }
    }
}

/// A name, or what another program said.
impl From<String> for LocalizedText {
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
    /// Whether it is about what was just tried at the table, so that the next
    /// ply settles it, whoever makes it, and the next touch too.
    pub is_refusal: bool,
    wording: LocalizedText,
}

impl Notice {
    pub(crate) fn new(said: impl Into<LocalizedText>, is_error: bool) -> Self {
        let wording = said.into();
        Self { text: wording.text.clone(), is_error, is_refusal: false, wording }
    }

    /// A word about what was asked for at the table and cannot be.
    pub(crate) fn refusal(said: impl Into<LocalizedText>) -> Self {
        Self { is_refusal: true, ..Self::new(said, true) }
    }

    /// Why a touch did nothing: it may have been meant to.
    pub(crate) fn of_a_touch(why: LocalizedMessage) -> Self {
        Self { is_refusal: true, ..Self::new(why, false) }
    }

    /// Both words, one after the other, as a word of its own.
    pub(crate) fn and(self, other: Self) -> Self {
        Self::new(self.wording.and(other.wording), self.is_error || other.is_error)
    }

    /// Whether it stays until somebody has read it: the opponent's ply does not
    /// put it away.
    pub(crate) const fn stays(&self) -> bool {
        self.is_error && !self.is_refusal
    }

    /// Whether it is the same word, be it in another language.
    pub(crate) fn repeats(&self, other: &Self) -> bool {
        let why = self.wording.why.is_some() && self.wording.why == other.wording.why;
        self == other || why
    }

    /// The same in the language spoken now.
    pub(crate) fn again(&self) -> Self {
        Self { is_refusal: self.is_refusal, ..Self::new(self.wording.again(), self.is_error) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_said_in_another_language_is_one_still() {
        let refusal = Notice::refusal(LocalizedMessage::new("notice.no-game"));
        assert!(!refusal.stays() && !refusal.again().stays());
        let failure = Notice::new(LocalizedMessage::new("notice.no-game"), true);
        assert!(failure.stays() && failure.again().stays());
        assert!(!Notice::new(LocalizedMessage::new("notice.no-game"), false).stays());
    }
}
