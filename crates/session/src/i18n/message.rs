//! A message that is rendered in a language later: in the user's language for
//! people, in English for programs.

use std::fmt;

use tabulae_games::{Reason, ReasonText, ReasonValue};

use super::{Language, language, substitute};

/// The key of a text with the values of its placeholders, for example why a move
/// is refused.
///
/// `Display` is always English, since programs read protocols, records and logs.
/// [`LocalizedMessage::localized`] is for people.
///
/// ```
/// use tabulae_session::i18n::LocalizedMessage;
///
/// let message = LocalizedMessage::new("why.occupied").with("at", "e4");
/// assert_eq!(message.to_string(), "e4 is occupied");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalizedMessage(Reason);

impl LocalizedMessage {
    /// The message with this key and no values. Its English text is in the tables.
    pub fn new(key: &'static str) -> Self {
        Self(Reason::new(ReasonText { key, english: "" }))
    }

    /// Adds the value of a placeholder.
    #[must_use]
    pub fn with(self, name: &'static str, value: impl fmt::Display) -> Self {
        Self(self.0.with(name, value))
    }

    /// Adds the beginning of a text from outside as the value of a placeholder: a file may
    /// have a word of megabytes.
    #[must_use]
    pub fn with_excerpt(self, name: &'static str, text: impl fmt::Display) -> Self {
        Self(self.0.with_excerpt(name, text))
    }

    /// Adds a message as the value of a placeholder; both are rendered in the same
    /// language.
    #[must_use]
    pub fn with_message(self, name: &'static str, message: impl Into<Self>) -> Self {
        Self(self.0.with_reason(name, message.into().0))
    }

    /// The message in the current language.
    pub fn localized(&self) -> String {
        in_language(&self.0, language())
    }
}

/// A reason in a language.
pub(super) fn in_language(reason: &Reason, language: Language) -> String {
    let value = |(name, value): &(&'static str, ReasonValue)| match value {
        ReasonValue::Text(text) => (*name, text.clone()),
        ReasonValue::Reason(inner) => (*name, in_language(inner, language)),
    };
    let values: Vec<_> = reason.values().iter().map(value).collect();
    let values: Vec<_> = values.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let text = language.texts().get(reason.key()).map_or(reason.key(), String::as_str);
    substitute(text, &values)
}

impl From<Reason> for LocalizedMessage {
    fn from(reason: Reason) -> Self {
        Self(reason)
    }
}

impl fmt::Display for LocalizedMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&in_language(&self.0, Language::English))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_within_a_message_is_rendered_in_the_same_language() {
        let inner = LocalizedMessage::new("why.two-kings");
        let outer =
            LocalizedMessage::new("why.row").with("row", 3).with_message("reason", inner.clone());
        assert_eq!(outer.to_string(), format!("row 3: {inner}"));
        let italian = in_language(&outer.0, Language::Italian);
        assert!(italian.contains(&in_language(&inner.0, Language::Italian)), "{italian}");
        assert_ne!(italian, outer.to_string());
    }
}
