//! A message that is rendered in a language later: in the user's language for
//! people, in English for programs.

use std::fmt;

use tabulae_games::{Reason, ReasonValue, excerpt};

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
pub struct LocalizedMessage(Box<Template>);

/// Boxed, so that the errors that carry a message stay small.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Template {
    key: &'static str,
    values: Vec<(&'static str, Value)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Value {
    Text(String),
    Message(LocalizedMessage),
}

impl LocalizedMessage {
    /// The message with this key and no values.
    #[must_use]
    pub fn new(key: &'static str) -> Self {
        Self(Box::new(Template { key, values: Vec::new() }))
    }

    /// Adds the value of a placeholder.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl fmt::Display) -> Self {
        self.0.values.push((name, Value::Text(value.to_string())));
        self
    }

    /// Adds the beginning of a text from outside as the value of a placeholder: a file may
    /// have a word of megabytes.
    #[must_use]
    pub fn with_excerpt(self, name: &'static str, text: impl fmt::Display) -> Self {
        self.with(name, excerpt(&text.to_string()))
    }

    /// Adds a message as the value of a placeholder; both are rendered in the same
    /// language.
    #[must_use]
    pub fn with_message(mut self, name: &'static str, message: impl Into<Self>) -> Self {
        self.0.values.push((name, Value::Message(message.into())));
        self
    }

    /// The message in the current language.
    #[must_use]
    pub fn localized(&self) -> String {
        self.in_language(language())
    }

    fn in_language(&self, language: Language) -> String {
        let values: Vec<(&str, String)> = self
            .0
            .values
            .iter()
            .map(|(name, value)| {
                let text = match value {
                    Value::Text(text) => text.clone(),
                    Value::Message(message) => message.in_language(language),
                };
                (*name, text)
            })
            .collect();
        let values: Vec<(&str, &str)> =
            values.iter().map(|(name, text)| (*name, text.as_str())).collect();
        let text = language.texts().get(self.0.key).map_or(self.0.key, String::as_str);
        substitute(text, &values)
    }
}

impl From<Reason> for LocalizedMessage {
    fn from(reason: Reason) -> Self {
        let mut message = Self::new(reason.key());
        for (name, value) in reason.values() {
            message = match value {
                ReasonValue::Text(text) => message.with(name, text),
                ReasonValue::Reason(inner) => message.with_message(name, inner.clone()),
            };
        }
        message
    }
}

impl fmt::Display for LocalizedMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.in_language(Language::English))
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
        let italian = outer.in_language(Language::Italian);
        assert!(italian.contains(&inner.in_language(Language::Italian)), "{italian}");
        assert_ne!(italian, outer.to_string());
    }
}
