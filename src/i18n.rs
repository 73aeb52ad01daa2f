//! What the program says, in the language it is told to speak.
//!
//! Every text has a key; the tables `assets/words/*.toml` have one text for
//! each key, and both have the same keys (held by a test). What varies stands
//! in braces: `{side} wins` is filled by [`tr_args`]. An Italian text may have an
//! article there, which colours take and names do not: `tocca {al side}` is
//! `tocca al Bianco`, but `tocca a Nord`.
//!
//! Architecture invariant: text only. Nothing here knows a game, a file or a
//! window. A program speaks one language at a time, so the language is one
//! value for the whole process.

mod message;

use std::{
    collections::BTreeMap,
    sync::{
        OnceLock,
        atomic::{AtomicU8, Ordering},
    },
};

use serde::{Deserialize, Serialize};

pub use message::LocalizedMessage;

/// A language the program speaks.
///
/// ```
/// use tabulae::i18n::Language;
///
/// assert_eq!(Language::from_locale("it_IT.UTF-8"), Some(Language::Italian));
/// assert_eq!(Language::from_name("en"), Some(Language::English));
/// assert_eq!(Language::ALL.map(Language::name), ["English", "Italiano"]);
/// // Whatever is said in one is said in the other.
/// assert!(Language::English.texts().keys().eq(Language::Italian.texts().keys()));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Italian.
    Italian,
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::English, Self::Italian];

    /// What its speakers call it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::Italian => "Italiano",
        }
    }

    /// The language that a system's name for it (`it_IT.UTF-8`) begins with,
    /// if it is spoken here.
    #[must_use]
    pub fn from_locale(locale: &str) -> Option<Self> {
        match locale.get(..2)? {
            "en" => Some(Self::English),
            "it" => Some(Self::Italian),
            _ => None,
        }
    }

    /// The language with this short name (`en`, `it`) or its own.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let is_own = |language: &Self| language.name().eq_ignore_ascii_case(name);
        let short = (name.len() == 2).then(|| Self::from_locale(name)).flatten();
        short.or_else(|| Self::ALL.into_iter().find(is_own))
    }

    /// Its table as it is shipped.
    const fn source(self) -> &'static str {
        match self {
            Self::English => include_str!("../assets/words/en.toml"),
            Self::Italian => include_str!("../assets/words/it.toml"),
        }
    }

    /// All its texts by their keys.
    pub fn texts(self) -> &'static BTreeMap<String, String> {
        static TABLES: [OnceLock<BTreeMap<String, String>>; 2] =
            [const { OnceLock::new() }; Language::ALL.len()];
        TABLES[self as usize].get_or_init(|| flat(self.source()))
    }
}

/// The texts of a table by `section.key`. The tables are part of the program
/// and read by a test: a broken one never ships, and would say its keys.
fn flat(source: &str) -> BTreeMap<String, String> {
    let sections: BTreeMap<String, BTreeMap<String, String>> =
        toml::from_str(source).unwrap_or_default();
    sections
        .into_iter()
        .flat_map(|(section, texts)| {
            texts.into_iter().map(move |(key, text)| (format!("{section}.{key}"), text))
        })
        .collect()
}

static SPOKEN: AtomicU8 = AtomicU8::new(Language::English as u8);

#[cfg(test)]
thread_local! {
    static HERE: std::cell::Cell<Option<Language>> = const { std::cell::Cell::new(None) };
}

/// Speaks this language on this thread: tests run side by side.
#[cfg(test)]
pub(crate) fn set_thread_language(language: Option<Language>) {
    HERE.set(language);
}

/// The language spoken now.
#[must_use]
pub fn language() -> Language {
    #[cfg(test)]
    if let Some(language) = HERE.get() {
        return language;
    }
    let spoken = usize::from(SPOKEN.load(Ordering::Relaxed));
    Language::ALL.get(spoken).copied().unwrap_or_default()
}

/// Speaks this language from now on.
pub fn set_language(language: Language) {
    SPOKEN.store(language as u8, Ordering::Relaxed);
}

/// The text of a key in the language spoken now; a key that has none is its
/// own text.
///
/// ```
/// use tabulae::i18n::{Language, tr_args, lookup, language, tr, set_language};
///
/// set_language(Language::Italian);
/// assert_eq!(language(), Language::Italian);
/// assert_eq!(Some(&*tr("recent.title")), lookup("recent.title"));
/// assert_eq!((tr("no.such-key"), lookup("no.such-key")), ("no.such-key", None));
/// assert!(tr_args("recent.plies", &[("plies", "12")]).contains("12"));
/// ```
#[must_use]
pub fn tr(key: &'static str) -> &'static str {
    language().texts().get(key).map_or(key, String::as_str)
}

/// The text of a key made at run time, if there is one.
#[must_use]
pub fn lookup(key: &str) -> Option<&'static str> {
    language().texts().get(key).map(String::as_str)
}

/// The text of a key with `{name}` filled in for each name given.
#[must_use]
pub fn tr_args(key: &'static str, values: &[(&str, &str)]) -> String {
    substitute(tr(key), values)
}

/// A number as it is written in the language spoken now: a decimal point is a
/// comma in Italian.
///
/// ```
/// assert_eq!(tabulae::i18n::localize_decimal("2.5"), "2.5");
/// ```
#[must_use]
pub fn localize_decimal(number: &str) -> String {
    number.replace('.', tr("number.point"))
}

/// A text with `{name}` filled in for each name given.
fn substitute(text: &str, values: &[(&str, &str)]) -> String {
    let mut rest = text;
    let mut text = String::new();
    while let Some((before, from)) = rest.split_once('{') {
        text.push_str(before);
        let Some((place, after)) = from.split_once('}') else {
            rest = from;
            break;
        };
        let (article, name) = place.split_once(' ').unwrap_or(("", place));
        let value = values.iter().find(|(known, _)| *known == name).map_or(name, |it| it.1);
        text.push_str(italian_article(article, value));
        text.push_str(value);
        rest = after;
    }
    text + rest
}

/// The Italian article (with its preposition) as it stands before this value.
fn italian_article(article: &str, value: &str) -> &'static str {
    let is_colour =
        COLOURS.iter().any(|key| Language::Italian.texts().get(*key).is_some_and(|it| it == value));
    match (article, is_colour) {
        ("Il", true) => "Il ",
        ("il", true) => "il ",
        ("al", true) => "al ",
        ("del", true) => "del ",
        ("al", false) => "a ",
        ("del", false) => "di ",
        _ => "",
    }
}

/// The sides that are named by their colour.
const COLOURS: [&str; 4] = ["side.white", "side.black", "side.red", "side.green"];

#[cfg(test)]
mod tests {
    use super::*;

    fn places(text: &str) -> Vec<&str> {
        let mut names: Vec<&str> =
            text.split('{').skip(1).filter_map(|it| it.split_once('}')).map(|it| it.0).collect();
        for name in &mut names {
            *name = name.split_once(' ').map_or(*name, |it| it.1);
        }
        names.sort_unstable();
        names
    }

    #[test]
    fn both_tables_say_the_same_things() {
        let [english, italian] = Language::ALL.map(Language::texts);
        assert!(english.len() > 100, "{} texts", english.len());
        let keys = |texts: &BTreeMap<String, String>| texts.keys().cloned().collect::<Vec<_>>();
        assert_eq!(keys(english), keys(italian));
        for (key, text) in english {
            let other = &italian[key];
            assert!(!text.trim().is_empty() && !other.trim().is_empty(), "{key} is empty");
            assert_eq!(places(text), places(other), "{key}: '{text}' and '{other}'");
        }
    }

    #[test]
    fn most_words_are_really_translated() {
        let [english, italian] = Language::ALL.map(Language::texts);
        let same: Vec<_> = english.iter().filter(|(key, text)| italian[*key] == **text).collect();
        assert!(same.len() * 12 < english.len(), "the same in both: {same:?}");
    }

    #[test]
    fn colours_have_articles_and_names_have_none() {
        let said = |text, side| substitute(text, &[("side", side)]);
        assert_eq!(said("Tocca {al side}.", "Bianco"), "Tocca al Bianco.");
        assert_eq!(said("Tocca {al side}.", "Nord"), "Tocca a Nord.");
        assert_eq!(said("{Il side} lancia.", "Rosso"), "Il Rosso lancia.");
        assert_eq!(said("{Il side} lancia.", "Sud"), "Sud lancia.");
        assert_eq!(said("Lanci {del side}: 2", "Sud"), "Lanci di Sud: 2");
        let known = ["Il", "il", "al", "del"];
        for (key, text) in Language::Italian.texts() {
            let places = text.split('{').skip(1).filter_map(|it| it.split_once('}'));
            for (article, _) in places.filter_map(|it| it.0.split_once(' ')) {
                assert!(known.contains(&article), "{key}: '{article}'");
            }
        }
    }

    #[test]
    fn places_are_filled_and_unknown_keys_say_themselves() {
        let text = tr_args("said.moves", &[("side", "White"), ("from", "e4"), ("to", "f4")]);
        assert_eq!(text, "White moves e4 to f4.");
        assert_eq!(tr("no.such.key"), "no.such.key");
        assert_eq!(lookup("no.such.key"), None);
        assert_eq!(Language::from_locale("it_IT.UTF-8"), Some(Language::Italian));
        assert_eq!(Language::from_locale("C"), None);
    }
}
