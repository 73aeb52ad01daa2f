//! Why something is refused, as data: programs print it in English, and a user
//! interface can translate it by its key.

use std::fmt;

/// The English text of a reason. A placeholder is a name in braces.
///
/// ```
/// use tabulae_games::{Reason, ReasonText};
///
/// const TOO_LATE: ReasonText = ReasonText { key: "my.too-late", english: "{at} is too late" };
/// assert_eq!(Reason::new(TOO_LATE).with("at", "e4").to_string(), "e4 is too late");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReasonText {
    /// Names the text in every language, such as `why.occupied`.
    pub key: &'static str,
    /// The text, such as `{at} is occupied`.
    pub english: &'static str,
}

/// Defines the constants of a table of [`ReasonText`]s, and `ALL` of them.
#[macro_export]
macro_rules! reasons {
    ($($name:ident = $key:literal: $english:literal;)*) => {
        $(
            #[doc = concat!("`", $english, "`")]
            pub const $name: $crate::ReasonText =
                $crate::ReasonText { key: $key, english: $english };
        )*
        /// All texts of this table.
        pub const ALL: &[$crate::ReasonText] = &[$($name),*];
    };
}

/// A text with the values of its placeholders: which rule, and which squares.
/// `Display` is English.
///
/// ```
/// use tabulae_games::{Reason, reasons};
///
/// let reason = Reason::new(reasons::OCCUPIED).with("at", "e4");
/// assert_eq!(reason.to_string(), "e4 is occupied");
/// assert_eq!(reason.key(), "why.occupied");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason(Box<Template>);

/// Boxed, so that the errors that carry a reason stay small.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Template {
    text: ReasonText,
    values: Vec<(&'static str, ReasonValue)>,
}

/// The value of a placeholder.
///
/// ```
/// use tabulae_games::{Reason, ReasonValue, reasons};
///
/// let reason = Reason::new(reasons::LAKE).with("at", "d4");
/// assert_eq!(reason.values(), [("at", ReasonValue::Text("d4".to_owned()))]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReasonValue {
    /// The same in every language, such as a square.
    Text(String),
    /// A reason within the reason.
    Reason(Reason),
}

/// The most characters of a text from outside that a reason quotes.
const MAX_EXCERPT: usize = 60;

impl Reason {
    /// The reason with this text and no values.
    pub fn new(text: ReasonText) -> Self {
        Self(Box::new(Template { text, values: Vec::new() }))
    }

    /// Adds the value of a placeholder.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl fmt::Display) -> Self {
        self.0.values.push((name, ReasonValue::Text(value.to_string())));
        self
    }

    /// Adds the beginning of a text from outside as the value of a placeholder: a file may
    /// have a word of megabytes.
    #[must_use]
    pub fn with_excerpt(self, name: &'static str, text: impl fmt::Display) -> Self {
        self.with(name, excerpt(&text.to_string()))
    }

    /// Adds a reason as the value of a placeholder.
    #[must_use]
    pub fn with_reason(mut self, name: &'static str, reason: Self) -> Self {
        self.0.values.push((name, ReasonValue::Reason(reason)));
        self
    }

    /// The key of its text.
    pub const fn key(&self) -> &'static str {
        self.0.text.key
    }

    /// The values of its placeholders, by name.
    pub fn values(&self) -> &[(&'static str, ReasonValue)] {
        &self.0.values
    }
}

/// At most the first 60 characters of a text, with an ellipsis if there are more.
///
/// ```
/// use tabulae_games::excerpt;
///
/// assert_eq!(excerpt("short"), "short");
/// assert_eq!(excerpt(&"x".repeat(100)).chars().count(), 61);
/// ```
pub fn excerpt(text: &str) -> String {
    match text.char_indices().nth(MAX_EXCERPT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0.text.english;
        while let Some((before, (name, after))) =
            rest.split_once('{').and_then(|(before, from)| Some((before, from.split_once('}')?)))
        {
            f.write_str(before)?;
            match self.0.values.iter().find(|(known, _)| *known == name) {
                Some((_, value)) => value.fmt(f)?,
                None => f.write_str(name)?,
            }
            rest = after;
        }
        f.write_str(rest)
    }
}

impl fmt::Display for ReasonValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Reason(reason) => reason.fmt(f),
        }
    }
}
