//! The complete rules of each rule set, in both languages.

use crate::{i18n::Language, shipped::shipped};
use tabulae_games::RuleSet;

/// The text of a file in `assets/rules`.
macro_rules! text {
    ($file:literal) => {
        include_str!(concat!("../../../assets/rules/", $file, ".md"))
    };
}

/// The complete rules of a rule set in our own words: Markdown with lines of at
/// most 78 columns, and at most 76 in code blocks.
///
/// ```
/// use tabulae_games::RuleSet;
/// use tabulae_session::{i18n::Language, full_rules};
///
/// assert!(full_rules(RuleSet::Tablan, Language::English).contains("casting sticks"));
/// assert!(full_rules(RuleSet::Tablan, Language::Italian).contains("bastoncini"));
/// ```
pub fn full_rules(rules: RuleSet, language: Language) -> &'static str {
    match (rules, language) {
        // What differs, then the rules of the game.
        (RuleSet::TablanOrdered, Language::English) => {
            concat!(text!("en/tablan-ordered"), text!("en/tablan"))
        }
        (RuleSet::TablanOrdered, Language::Italian) => {
            concat!(text!("it/tablan-ordered"), text!("it/tablan"))
        }
        _ => shipped(rules).text(language),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_texts_keep_their_widths() {
        for (rules, language) in
            RuleSet::ALL.into_iter().flat_map(|rules| Language::ALL.map(|l| (rules, l)))
        {
            let mut in_code = false;
            for line in full_rules(rules, language).lines() {
                in_code ^= line.starts_with("```");
                let width = line.chars().count();
                assert!(width <= if in_code { 76 } else { 78 }, "{rules}: {line}");
            }
            assert!(!in_code, "{rules}: a code block is left open");
        }
    }

    /// Headings, items, and code blocks, in their order.
    fn outline(text: &str) -> Vec<&str> {
        let marks = ["# ", "## ", "### ", "- ", "```"];
        text.lines()
            .filter_map(|line| marks.into_iter().find(|mark| line.starts_with(mark)))
            .collect()
    }

    #[test]
    fn the_languages_have_the_same_outline() {
        for rules in RuleSet::ALL {
            let [english, italian] =
                Language::ALL.map(|language| outline(full_rules(rules, language)));
            assert_eq!(english, italian, "{rules}");
        }
    }
}
