//! Rules strings: which of the rule sets of Tablut a string describes.

use crate::reasons;
use std::collections::{BTreeMap, BTreeSet};

use tabulae_games::{Reason, ReasonText, RuleSet};

/// The rule sets that OpenTafl's notation can describe, with the strings that are
/// written, without the start position.
///
/// The notation only knows threefold repetition. The number of occurrences, and that a
/// capture restarts the count, are left to the rules of the program that reads it.
const DESCRIBED: [(RuleSet, &str); 4] = [
    (RuleSet::TablutBerkeley, "dim:9 esc:e surf:n atkf:y tfr:l ks:c cor: linc:y"),
    (
        RuleSet::TablutAshton,
        "dim:9 esc:e surf:n atkf:n ks:c cor: cenh:tcnkTCNK cenp: cens: cenre: \
         afor:a4,a5,a6,b5,d1,e1,f1,e2,i4,i5,i6,h5,d9,e9,f9,e8 aforh:tcnkTCNK aforp:tcnk \
         afors:tcnk aforre:",
    ),
    (RuleSet::TablutLinnaeus, "dim:9 surf:n atkf:n ka:n ks:m cenh: cenhe:K"),
    (RuleSet::TablutSaami, "dim:9 esc:e surf:n atkf:y ks:c cor:"),
];

/// OpenTafl's own Tablut, which is read as Saami: there Black wins by surrounding White, too,
/// and the king cannot return to the castle. A record that ends earlier has its result in a tag.
const READ_AS: [(RuleSet, &str); 1] =
    [(RuleSet::TablutSaami, "dim:9 esc:e atkf:y ks:c cor: cens: cenh:")];

/// The entries with their default values, and the key of their name. Entries about
/// pieces that Tablut does not have are left out.
const ENTRIES: [(&str, &str, ReasonText); 33] = [
    ("dim", "", reasons::OTN_BOARD),
    ("esc", "c", reasons::OTN_ESCAPE),
    ("surf", "y", reasons::OTN_SURROUND),
    ("atkf", "y", reasons::OTN_FIRST),
    ("tfr", "d", reasons::OTN_REPETITION),
    ("ka", "y", reasons::OTN_ARMED),
    ("ks", "s", reasons::OTN_KING),
    ("kj", "n", reasons::OTN_JUMP),
    ("cor", "a1,a9,i1,i9", reasons::OTN_CORNERS),
    ("cen", "e5", reasons::OTN_CASTLE),
    ("afor", "", reasons::OTN_CAMPS),
    ("dfor", "", reasons::OTN_FORTS),
    ("corh", "tTK", reasons::OTN_CORNERS),
    ("cenh", "t", reasons::OTN_CASTLE),
    ("cenhe", "tTK", reasons::OTN_CASTLE),
    ("aforh", "TK", reasons::OTN_CAMPS),
    ("dforh", "t", reasons::OTN_FORTS),
    ("corp", "K", reasons::OTN_CORNERS),
    ("cenp", "tTK", reasons::OTN_CASTLE),
    ("aforp", "tTK", reasons::OTN_CAMPS),
    ("dforp", "TK", reasons::OTN_FORTS),
    ("cors", "K", reasons::OTN_CORNERS),
    ("cens", "K", reasons::OTN_CASTLE),
    ("afors", "tTK", reasons::OTN_CAMPS),
    ("dfors", "TK", reasons::OTN_FORTS),
    ("corre", "tTK", reasons::OTN_CORNERS),
    ("cenre", "tTK", reasons::OTN_CASTLE),
    ("aforre", "tTK", reasons::OTN_CAMPS),
    ("dforre", "tTK", reasons::OTN_FORTS),
    ("sw", "n", reasons::OTN_SHIELDWALL),
    ("efe", "n", reasons::OTN_EDGE_FORT),
    ("linc", "n", reasons::OTN_LINNAEAN),
    ("ber", "n", reasons::OTN_BERSERK),
];

/// Entries that change nothing in Tablut: names, the other pieces' jumps, and how
/// shieldwalls are made, which no rule set has.
const IDLE: [&str; 5] = ["name", "nj", "cj", "mj", "swf"];

/// What a rules string says.
pub(super) struct RulesString<'a> {
    pub(super) rules: RuleSet,
    /// The rows of the start position, from rank 1.
    pub(super) start: &'a str,
    /// Whether the rows are those from rank 9.
    pub(super) is_inverted: bool,
}

/// The rules that are written for a rule set.
pub(super) fn rules_text(rules: RuleSet) -> Option<&'static str> {
    DESCRIBED.iter().find(|(set, _)| *set == rules).map(|(_, text)| *text)
}

/// The effective entries of a rules string, in one form: pieces that Tablut does not
/// have, and entries that have no effect beside the others, are left out.
type Entries = BTreeMap<&'static str, String>;

/// Parses a rules string.
///
/// # Errors
/// The offending part and why: an unknown entry, or a rule that no rule set has.
pub(super) fn parse(text: &str) -> Result<RulesString<'_>, (&str, Reason)> {
    let mut start = None;
    let mut given: BTreeMap<&str, &str> = BTreeMap::new();
    for word in text.split_whitespace() {
        let Some((name, value)) = word.split_once(':') else {
            return Err((word, Reason::new(reasons::OTN_ENTRY)));
        };
        match name {
            "start" => start = Some((value, false)),
            "starti" => start = Some((value, true)),
            name if IDLE.contains(&name) => {}
            name if ENTRIES.iter().any(|(known, ..)| *known == name) => {
                given.insert(name, word);
            }
            _ => return Err((word, Reason::new(reasons::OTN_ENTRY))),
        }
    }
    let Some((start, is_inverted)) = start else {
        return Err(("", Reason::new(reasons::OTN_NO_START)));
    };
    let read = entries(&given);
    let mut nearest: Option<(RuleSet, Vec<Difference>)> = None;
    for (rules, described) in DESCRIBED.into_iter().chain(READ_AS) {
        let own = entries(&split(described));
        let differences = differences(&read, &own);
        if differences.is_empty() {
            return Ok(RulesString { rules, start, is_inverted });
        }
        if nearest.as_ref().is_none_or(|(_, least)| differences.len() < least.len()) {
            nearest = Some((rules, differences));
        }
    }
    // There are rule sets, and the nearest differs.
    let (rules, differences) = nearest.unwrap_or((RuleSet::TablutLinnaeus, Vec::new()));
    let Some((first, more)) = differences.split_first() else {
        return Err(("", Reason::new(reasons::OTN_ENTRY)));
    };
    let found = given.get(first.name).copied().unwrap_or("");
    let more: String = more
        .iter()
        .map(|difference| format!(", {}:{}", difference.name, difference.found))
        .collect();
    let message = Reason::new(reasons::OTN_DIFFERS)
        .with("rules", rules)
        .with_reason("rule", Reason::new(first.title))
        .with("found", format!("{}:{}", first.name, first.found))
        .with("expected", format!("{}:{}", first.name, first.expected))
        .with("more", more);
    Err((found, message))
}

struct Difference {
    name: &'static str,
    title: ReasonText,
    found: String,
    expected: String,
}

/// In the order of [`ENTRIES`], so that the plainest is named first.
fn differences(found: &Entries, expected: &Entries) -> Vec<Difference> {
    let differing = ENTRIES.into_iter().filter(|(name, ..)| found.get(name) != expected.get(name));
    let value = |entries: &Entries, name| entries.get(name).cloned().unwrap_or_default();
    differing
        .map(|(name, _, title)| Difference {
            name,
            title,
            found: value(found, name),
            expected: value(expected, name),
        })
        .collect()
}

/// The entries of a text with their words.
fn split(text: &str) -> BTreeMap<&str, &str> {
    text.split_whitespace().filter_map(|word| Some((word.split_once(':')?.0, word))).collect()
}

fn entries(given: &BTreeMap<&str, &str>) -> Entries {
    let mut entries: Entries = ENTRIES
        .into_iter()
        .map(|(name, default, _)| {
            let word = given.get(name).and_then(|word| word.split_once(':'));
            (name, word.map_or(default, |(_, value)| value))
        })
        .map(|(name, value)| (name, plain(name, value)))
        .collect();
    let is = |entries: &Entries, name: &str, value: &str| {
        entries.get(name).is_some_and(|entry| entry == value)
    };
    for squares in ["cor", "afor", "dfor"] {
        if is(&entries, squares, "") {
            entries.retain(|name, _| *name == squares || !name.starts_with(squares));
        }
    }
    // Only the king can be on the castle, and an armed one is hostile to Black anyway.
    let armed = is(&entries, "ka", "y");
    if let Some(hostile) = entries.get_mut("cenh") {
        hostile.retain(|piece| piece == 'T' || piece == 't' && !armed);
    }
    entries
}

/// A value in one form.
fn plain(name: &str, value: &str) -> String {
    match (name, value) {
        ("ks", "y") => "s".to_owned(),
        ("ks", "n") => "w".to_owned(),
        ("cor", "default") => "a1,a9,i1,i9".to_owned(),
        ("cen", "default") => "e5".to_owned(),
        ("cor" | "cen" | "afor" | "dfor", squares) => {
            let squares = squares.split(',').map(str::trim).filter(|square| !square.is_empty());
            let squares: BTreeSet<_> = squares.map(str::to_lowercase).collect();
            squares.into_iter().collect::<Vec<_>>().join(",")
        }
        // Lists of pieces.
        (name, pieces) if name.starts_with("cor") || name.starts_with("cen") => kinds(pieces),
        (name, pieces) if name.starts_with("afor") || name.starts_with("dfor") => kinds(pieces),
        (_, value) => value.to_owned(),
    }
}

/// The pieces of Tablut in a list of kinds.
fn kinds(pieces: &str) -> String {
    ['t', 'T', 'K'].into_iter().filter(|kind| pieces.contains(*kind)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules_of(text: &str) -> Result<RuleSet, String> {
        let text = format!("{text} start:/9/");
        parse(&text).map(|read| read.rules).map_err(|(part, why)| format!("{part}: {why}"))
    }

    #[test]
    fn each_written_string_is_its_own_rule_set() {
        for (rules, text) in DESCRIBED {
            assert_eq!(rules_of(text), Ok(rules));
        }
    }

    #[test]
    fn defaults_and_other_spellings_are_equal() {
        let text = "dim:9 name:Tablut esc:c surf:n atkf:n tfr:d ka:n ks:m kj:n nj:c cor:default \
                    cen:e5 cenh: cenhe:K sw:n ber:n";
        assert_eq!(rules_of(text), Ok(RuleSet::TablutLinnaeus));
    }

    #[test]
    fn the_programs_own_tablut_is_read_as_saami() {
        let text = "dim:9 name:Tablut esc:e atkf:y ka:y ks:c nj:n cj:n cor: cens: cenh:";
        assert_eq!(rules_of(text), Ok(RuleSet::TablutSaami));
    }

    #[test]
    fn the_rule_that_differs_is_named() {
        let sea_battle = "dim:9 name:Sea_Battle esc:e atkf:y ka:n nj:n cj:n cor: cen:";
        let error = rules_of(sea_battle).unwrap_err();
        assert!(error.contains("surf:y instead of surf:n in tablut/saami, ka:n, ks:s"), "{error}");
        let error = rules_of("dim:9 surf:n atkf:n ka:n ks:m cenh: cenhe:K sw:s").unwrap_err();
        assert!(error.starts_with("sw:s: the rules differ: shieldwalls"), "{error}");
        let error = rules_of("dim:9 surf:n flying:y").unwrap_err();
        assert!(error.starts_with("flying:y: "), "{error}");
    }
}
