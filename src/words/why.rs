//! Why something is refused, for people in their language and for other
//! programs in English.

use std::fmt;

use super::{Language, filled, language};

/// A reason: the key of its text, and what is filled in.
///
/// `Display` is English whatever is spoken: protocols, records and logs are
/// read by programs. [`Why::words`] is for people.
///
/// ```
/// use tabulae::words::Why;
///
/// let why = Why::of("why.occupied").with("at", "e4");
/// assert_eq!(why.to_string(), "e4 is occupied");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Why(Box<Told>);

/// In a box: errors are handed on and should be small.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Told {
    key: &'static str,
    values: Vec<(&'static str, Part)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Why(Why),
}

impl Why {
    /// The reason with this key.
    #[must_use]
    pub fn of(key: &'static str) -> Self {
        Self(Box::new(Told { key, values: Vec::new() }))
    }

    /// The same with a name in it filled in.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl fmt::Display) -> Self {
        self.0.values.push((name, Part::Text(value.to_string())));
        self
    }

    /// The same with another reason in it.
    #[must_use]
    pub fn holding(mut self, name: &'static str, why: Self) -> Self {
        self.0.values.push((name, Part::Why(why)));
        self
    }

    /// The reason in the language spoken now.
    #[must_use]
    pub fn words(&self) -> String {
        self.said_in(language())
    }

    fn said_in(&self, language: Language) -> String {
        let values: Vec<(&str, String)> = self
            .0
            .values
            .iter()
            .map(|(name, part)| {
                let text = match part {
                    Part::Text(text) => text.clone(),
                    Part::Why(why) => why.said_in(language),
                };
                (*name, text)
            })
            .collect();
        let values: Vec<(&str, &str)> =
            values.iter().map(|(name, text)| (*name, text.as_str())).collect();
        let text = language.texts().get(self.0.key).map_or(self.0.key, String::as_str);
        filled(text, &values)
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.said_in(Language::English))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_within_a_reason_is_said_in_the_same_language() {
        let inner = Why::of("why.two-kings");
        let outer = Why::of("why.row").with("row", 3).holding("reason", inner.clone());
        assert_eq!(outer.to_string(), format!("row 3: {inner}"));
        let italian = outer.said_in(Language::Italian);
        assert!(italian.contains(&inner.said_in(Language::Italian)), "{italian}");
        assert_ne!(italian, outer.to_string());
    }
}
