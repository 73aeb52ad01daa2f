//! Internationalization: the program's texts in each language.
//!
//! Every text has a key, `section.name`. `assets/words/*.toml` have one text per
//! key and language; a test checks that all languages have the same keys.
//! [`tr`] returns a text, and [`tr_args`] substitutes its `{name}` placeholders.
//! An Italian placeholder may begin with an article, which is written before
//! colours and not before names: `tocca {al side}` gives `tocca al Bianco` but
//! `tocca a Nord`.
//!
//! Architecture invariant: texts only; no games, files or windows. The current
//! language is one value for the whole process.

mod message;

use std::{
    collections::BTreeMap,
    sync::{
        OnceLock,
        atomic::{AtomicU8, Ordering},
    },
};

use serde::{Deserialize, Serialize};
use tabulae_games::Reason;

pub use message::LocalizedMessage;

/// A language of the program.
///
/// ```
/// use tabulae_session::i18n::Language;
///
/// assert_eq!(Language::from_locale("it_IT.UTF-8"), Some(Language::Italian));
/// assert_eq!(Language::from_name("en"), Some(Language::English));
/// assert_eq!(Language::ALL.map(Language::name), ["English", "Italiano"]);
/// // Both have the same texts.
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
    /// All languages.
    pub const ALL: [Self; 2] = [Self::English, Self::Italian];

    /// Its own name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::Italian => "Italiano",
        }
    }

    /// The language of a POSIX or browser locale such as `it_IT.UTF-8`; `None` if
    /// the program does not have it.
    pub fn from_locale(locale: &str) -> Option<Self> {
        match locale.get(..2)? {
            "en" => Some(Self::English),
            "it" => Some(Self::Italian),
            _ => None,
        }
    }

    /// The language with this code (`en`, `it`) or own name, in any case.
    pub fn from_name(name: &str) -> Option<Self> {
        let is_own = |language: &Self| language.name().eq_ignore_ascii_case(name);
        let short = (name.len() == 2).then(|| Self::from_locale(name)).flatten();
        short.or_else(|| Self::ALL.into_iter().find(is_own))
    }

    /// Its file of texts, as TOML.
    const fn source(self) -> &'static str {
        match self {
            Self::English => include_str!("../../../assets/words/en.toml"),
            Self::Italian => include_str!("../../../assets/words/it.toml"),
        }
    }

    /// All its texts by key.
    pub fn texts(self) -> &'static BTreeMap<String, String> {
        static TABLES: [OnceLock<BTreeMap<String, String>>; 2] =
            [const { OnceLock::new() }; Language::ALL.len()];
        TABLES[self as usize].get_or_init(|| {
            let mut texts = parse_texts(self.source());
            if self == Self::English {
                let tables = [tabulae_games::reasons::ALL, tabulae_records::reasons::ALL];
                let reasons = tables.into_iter().flatten();
                texts.extend(
                    reasons.map(|reason| (reason.key.to_owned(), reason.english.to_owned())),
                );
            }
            texts
        })
    }
}

/// The texts of a TOML file by `section.name`. A file that cannot be parsed has
/// no texts; a test parses the files, which are compiled in.
fn parse_texts(source: &str) -> BTreeMap<String, String> {
    let sections: BTreeMap<String, BTreeMap<String, String>> =
        toml::from_str(source).unwrap_or_default();
    sections
        .into_iter()
        .flat_map(|(section, texts)| {
            texts.into_iter().map(move |(key, text)| (format!("{section}.{key}"), text))
        })
        .collect()
}

static CURRENT: AtomicU8 = AtomicU8::new(Language::English as u8);

thread_local! {
    static THREAD_LANGUAGE: std::cell::Cell<Option<Language>> = const { std::cell::Cell::new(None) };
}

/// Overrides the language on this thread, since tests run in parallel.
#[doc(hidden)]
pub fn set_thread_language(language: Option<Language>) {
    THREAD_LANGUAGE.set(language);
}

/// The current language.
pub fn language() -> Language {
    if let Some(language) = THREAD_LANGUAGE.get() {
        return language;
    }
    let index = usize::from(CURRENT.load(Ordering::Relaxed));
    Language::ALL.get(index).copied().unwrap_or_default()
}

/// Sets the language of the whole process.
pub fn set_language(language: Language) {
    CURRENT.store(language as u8, Ordering::Relaxed);
}

/// Translates a key: its text in the current language, or the key itself if it
/// has no text.
///
/// ```
/// use tabulae_session::i18n::{Language, tr_args, lookup, language, tr, set_language};
///
/// set_language(Language::Italian);
/// assert_eq!(language(), Language::Italian);
/// assert_eq!(Some(&*tr("recent.title")), lookup("recent.title"));
/// assert_eq!((tr("no.such-key"), lookup("no.such-key")), ("no.such-key", None));
/// assert!(tr_args("history.moves", &[("moves", "12")]).contains("12"));
/// ```
pub fn tr(key: &'static str) -> &'static str {
    language().texts().get(key).map_or(key, String::as_str)
}

/// A reason in the current language.
pub fn localized(reason: &Reason) -> String {
    message::in_language(reason, language())
}

/// The text of a key that is made at run time; `None` if it has no text.
pub fn lookup(key: &str) -> Option<&'static str> {
    language().texts().get(key).map(String::as_str)
}

/// Translates a key and substitutes its placeholders. A placeholder that
/// `values` does not name is replaced by its own name.
pub fn tr_args(key: &'static str, values: &[(&str, &str)]) -> String {
    substitute(tr(key), values)
}

/// A decimal number as the current language writes it: Italian has a comma in
/// place of the point.
///
/// ```
/// assert_eq!(tabulae_session::i18n::localize_decimal("2.5"), "2.5");
/// ```
pub fn localize_decimal(number: &str) -> String {
    number.replace('.', tr("number.point"))
}

/// A change with its sign; the minus is no hyphen.
///
/// ```
/// assert_eq!([12, 0, -7].map(tabulae_session::i18n::signed), ["+12", "+0", "\u{2212}7"]);
/// ```
pub fn signed(change: i32) -> String {
    format!("{change:+}").replace('-', "\u{2212}")
}

/// A text with its `{name}` placeholders replaced.
fn substitute(text: &str, values: &[(&str, &str)]) -> String {
    let mut rest = text;
    let mut text = String::new();
    while let Some((before, from)) = rest.split_once('{') {
        text.push_str(before);
        let Some((placeholder, after)) = from.split_once('}') else {
            rest = from;
            break;
        };
        let (article, name) = placeholder.split_once(' ').unwrap_or(("", placeholder));
        let value = values.iter().find(|(known, _)| *known == name).map_or(name, |known| known.1);
        text.push_str(italian_article(article, value));
        text.push_str(value);
        rest = after;
    }
    text + rest
}

/// The Italian article, contracted with its preposition, before this value.
fn italian_article(article: &str, value: &str) -> &'static str {
    let is_colour = COLOURS
        .iter()
        .any(|key| Language::Italian.texts().get(*key).is_some_and(|side| side == value));
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

/// The sides that are named by colour, which take an article in Italian.
const COLOURS: [&str; 4] = ["side.white", "side.black", "side.red", "side.green"];

#[cfg(test)]
mod tests {
    use super::*;

    fn placeholders(text: &str) -> Vec<&str> {
        let mut names: Vec<&str> = text
            .split('{')
            .skip(1)
            .filter_map(|part| part.split_once('}'))
            .map(|part| part.0)
            .collect();
        for name in &mut names {
            *name = name.split_once(' ').map_or(*name, |part| part.1);
        }
        names.sort_unstable();
        names
    }

    #[test]
    fn both_languages_have_the_same_keys_and_placeholders() {
        let [english, italian] = Language::ALL.map(Language::texts);
        assert!(english.len() > 100, "{} texts", english.len());
        let keys = |texts: &BTreeMap<String, String>| texts.keys().cloned().collect::<Vec<_>>();
        assert_eq!(keys(english), keys(italian));
        for (key, text) in english {
            let other = &italian[key];
            assert!(!text.trim().is_empty() && !other.trim().is_empty(), "{key} is empty");
            assert_eq!(placeholders(text), placeholders(other), "{key}: '{text}' and '{other}'");
        }
    }

    #[test]
    fn most_texts_differ_between_the_languages() {
        let [english, italian] = Language::ALL.map(Language::texts);
        let same: Vec<_> = english.iter().filter(|(key, text)| italian[*key] == **text).collect();
        assert!(same.len() * 12 < english.len(), "the same in both: {same:?}");
    }

    #[test]
    fn italian_colours_take_articles_and_names_do_not() {
        let filled = |text, side| substitute(text, &[("side", side)]);
        assert_eq!(filled("Tocca {al side}.", "Bianco"), "Tocca al Bianco.");
        assert_eq!(filled("Tocca {al side}.", "Nord"), "Tocca a Nord.");
        assert_eq!(filled("{Il side} lancia.", "Rosso"), "Il Rosso lancia.");
        assert_eq!(filled("{Il side} lancia.", "Sud"), "Sud lancia.");
        assert_eq!(filled("Lanci {del side}: 2", "Sud"), "Lanci di Sud: 2");
        let known = ["Il", "il", "al", "del"];
        for (key, text) in Language::Italian.texts() {
            let placeholders = text.split('{').skip(1).filter_map(|part| part.split_once('}'));
            for (article, _) in placeholders.filter_map(|part| part.0.split_once(' ')) {
                assert!(known.contains(&article), "{key}: '{article}'");
            }
        }
    }

    #[test]
    fn placeholders_are_substituted_and_unknown_keys_are_their_own_text() {
        let text = tr_args("said.moves", &[("side", "White"), ("from", "e4"), ("to", "f4")]);
        assert_eq!(text, "White moves e4 to f4.");
        assert_eq!(tr("no.such.key"), "no.such.key");
        assert_eq!(lookup("no.such.key"), None);
        assert_eq!(Language::from_locale("it_IT.UTF-8"), Some(Language::Italian));
        assert_eq!(Language::from_locale("C"), None);
    }
}
