//! The files of each rule set that come with the program.

use tabulae_games::{RuleSet, for_each_rule_set};

use crate::i18n::Language;

/// The files of a rule set.
pub(crate) struct Shipped {
    /// Its opening book, `assets/books/NAME.book`.
    pub(crate) book: &'static [u8],
    /// Its puzzles, `assets/puzzles/NAME.txt`.
    pub(crate) puzzles: &'static str,
    english: &'static str,
    italian: &'static str,
}

impl Shipped {
    /// Its rules in our own words, `assets/rules/LANGUAGE/NAME.md`.
    pub(crate) const fn text(&self, language: Language) -> &'static str {
        match language {
            Language::English => self.english,
            Language::Italian => self.italian,
        }
    }
}

macro_rules! shipped {
    ($($(#[$doc:meta])* $set:ident: $id:literal, $file:literal, $title:literal, $game:ident
        ($($rules:ident)?);)*) => {
        /// In the order of [`RuleSet::ALL`]. A missing file does not compile.
        static SHIPPED: [Shipped; RuleSet::ALL.len()] = [
            $(Shipped {
                book: include_bytes!(concat!("../../../assets/books/", $file, ".book")),
                puzzles: include_str!(concat!("../../../assets/puzzles/", $file, ".txt")),
                english: include_str!(concat!("../../../assets/rules/en/", $file, ".md")),
                italian: include_str!(concat!("../../../assets/rules/it/", $file, ".md")),
            },)*
        ];
    };
}

for_each_rule_set!(shipped);

/// The files of a rule set.
pub(crate) fn shipped(rules: RuleSet) -> &'static Shipped {
    &SHIPPED[rules.index()]
}
