//! Why something is refused, for people in their language and for other
//! programs in English.

use std::fmt;

use super::{Language, language, substitute};

/// A reason: the key of its text, and what is substitute in.
///
/// `Display` is English whatever is spoken: protocols, records and logs are
/// read by programs. [`LocalizedMessage::localized`] is for people.
///
/// ```
/// use tabulae::i18n::LocalizedMessage;
///
/// let why = LocalizedMessage::new("why.occupied").with("at", "e4");
/// assert_eq!(why.to_string(), "e4 is occupied");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalizedMessage(Box<Template>);

/// In a box: errors are handed on and should be small.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Template {
    key: &'static str,
    values: Vec<(&'static str, Part)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Message(LocalizedMessage),
}

impl LocalizedMessage {
    /// The reason with this key.
    #[must_use]
    pub fn new(key: &'static str) -> Self {
        Self(Box::new(Template { key, values: Vec::new() }))
    }

    /// The same with a name in it substitute in.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl fmt::Display) -> Self {
        self.0.values.push((name, Part::Text(value.to_string())));
        self
    }

    /// The same with another reason in it.
    #[must_use]
    pub fn with_message(mut self, name: &'static str, why: Self) -> Self {
        self.0.values.push((name, Part::Message(why)));
        self
    }

    /// The reason in the language spoken now.
    #[must_use]
    pub fn localized(&self) -> String {
        self.in_language(language())
    }

    fn in_language(&self, language: Language) -> String {
        let values: Vec<(&str, String)> = self
            .0
            .values
            .iter()
            .map(|(name, part)| {
                let text = match part {
                    Part::Text(text) => text.clone(),
                    Part::Message(why) => why.in_language(language),
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

impl fmt::Display for LocalizedMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.in_language(Language::English))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_within_a_reason_is_said_in_the_same_language() {
        let inner = LocalizedMessage::new("why.two-kings");
        let outer =
            LocalizedMessage::new("why.row").with("row", 3).with_message("reason", inner.clone());
        assert_eq!(outer.to_string(), format!("row 3: {inner}"));
        let italian = outer.in_language(Language::Italian);
        assert!(italian.contains(&inner.in_language(Language::Italian)), "{italian}");
        assert_ne!(italian, outer.to_string());
    }
}
