//! What `tabulae rules` prints: its form, its diagrams and its examples, each
//! checked by the program's own rules.

use std::collections::{BTreeMap, BTreeSet};

use tabulae_games::{
    AnyPosition, Event, Game, GameKind, RuleSet, Side, Square, Throw, reasons,
    tablaaza::LAKES,
    tablan::course,
    tablut::{ASHTON, Bitboard, CAMPS, CASTLE, LINNAEUS},
};
use tabulae_session::i18n::Language;

use crate::{common::program::succeed, tree};

/// A diagram: the symbol of each square that it shows.
type Diagram = BTreeMap<Square, char>;

fn printed(rules: RuleSet) -> String {
    succeed(&["rules", rules.id()])
}

fn square(text: &str) -> Square {
    text.parse().unwrap()
}

/// The parts of a line between gaps of three or more spaces, with their columns.
fn segments(line: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut start = 0;
    while start < line.len() {
        let rest = &line[start..];
        let end = rest.find("   ").unwrap_or(rest.len());
        let segment = rest[..end].trim_end();
        if !segment.is_empty() {
            let indent = segment.len() - segment.trim_start().len();
            found.push((start + indent, segment.trim_start()));
        }
        start += end + 3;
    }
    found
}

/// The symbols of `. B .`; `None` if the text is something else.
fn symbols(text: &str) -> Option<Vec<char>> {
    text.split(' ')
        .map(|word| match word.as_bytes() {
            [symbol] => Some(char::from(*symbol)),
            _ => None,
        })
        .collect()
}

/// The diagrams of a text, side by side or one below the other. Each has rows such
/// as `3  . B .` and below them its columns, such as `c d e`.
fn diagrams(text: &str) -> Vec<Diagram> {
    let mut found = Vec::new();
    // Rows whose columns are still to come, with the column of their first symbol.
    let mut rows: Vec<(usize, u8, Vec<char>)> = Vec::new();
    for line in text.lines() {
        for (start, segment) in segments(line) {
            if let Some((number, cells)) = segment.split_once("  ")
                && let (Ok(number), Some(cells)) = (number.parse::<u8>(), symbols(cells))
            {
                rows.push((start + 3, number, cells));
            } else if let Some(files) = symbols(segment)
                && files.iter().all(char::is_ascii_lowercase)
            {
                let mut diagram = Diagram::new();
                for (_, number, cells) in rows.extract_if(.., |row| row.0 == start) {
                    assert_eq!(cells.len(), files.len(), "{line}");
                    for (file, cell) in files.iter().zip(cells) {
                        diagram.insert(square(&format!("{file}{number}")), cell);
                    }
                }
                if !diagram.is_empty() {
                    found.push(diagram);
                }
            }
        }
    }
    assert!(rows.is_empty(), "rows without columns: {rows:?}");
    found
}

/// The rows of a position's text, with the diagram's symbols out of `pieces`.
fn rows(diagram: &Diagram, (files, ranks): (u8, u8), pieces: &str) -> String {
    let mut rows = Vec::new();
    for rank in (0..ranks).rev() {
        let (mut row, mut run) = (String::new(), 0);
        for file in 0..files {
            let symbol =
                diagram.get(&Square::new(file, rank)).filter(|symbol| pieces.contains(**symbol));
            if let Some(symbol) = symbol {
                if run > 0 {
                    row += &run.to_string();
                }
                row.push(*symbol);
                run = 0;
            } else {
                run += 1;
            }
        }
        if run > 0 {
            row += &run.to_string();
        }
        rows.push(row);
    }
    rows.join("/")
}

/// The squares with a symbol.
fn squares_with(diagram: &Diagram, symbol: char) -> BTreeSet<Square> {
    diagram.iter().filter(|place| *place.1 == symbol).map(|place| *place.0).collect()
}

fn squares_of(set: Bitboard) -> BTreeSet<Square> {
    set.squares().collect()
}

#[test]
fn the_text_is_plain_and_fits_80_columns() {
    for rules in RuleSet::ALL {
        let text = printed(rules);
        assert!(text.is_ascii(), "{rules}");
        for line in text.lines() {
            assert!(line.len() <= 80, "{rules}: {line}");
            assert_eq!(line, line.trim_end(), "{rules}");
            assert!(!line.trim_start().starts_with(['#', '>']), "{rules}: {line}");
            for mark in ["**", "`", "](", "|-", "<!--"] {
                assert!(!line.contains(mark), "{rules}: {line}");
            }
        }
    }
}

#[test]
fn the_maps_show_the_special_squares() {
    let ashton = &diagrams(&printed(RuleSet::TablutAshton))[1];
    assert_eq!(squares_with(ashton, 'C'), squares_of(CAMPS));
    assert_eq!(squares_with(ashton, 'E'), squares_of(ASHTON.escapes()));
    assert_eq!(squares_with(ashton, '#'), BTreeSet::from([CASTLE]));
    assert_eq!(ashton[&square("a1")], 'E', "a corner is an escape");

    let linnaeus = &diagrams(&printed(RuleSet::TablutLinnaeus))[0];
    assert_eq!(squares_with(linnaeus, 'x'), squares_of(LINNAEUS.escapes()));

    let tablaaza = &diagrams(&printed(RuleSet::Tablaaza))[0];
    assert_eq!(tablaaza.len(), 56);
    for (&at, &symbol) in tablaaza {
        let expected = match LAKES.colour(at) {
            Some(Side::First) => 'R',
            Some(Side::Second) => 'G',
            None => '~',
        };
        assert_eq!(symbol, expected, "{at}");
    }
}

#[test]
fn the_courses_and_the_order_of_entry_are_the_program_s() {
    let text = printed(RuleSet::TablanOrdered);
    for side in Side::BOTH {
        let squares = course(side);
        let rows: Vec<_> =
            squares.chunks(12).map(|row| format!("{} to {}", row[0], row[11])).collect();
        assert!(text.contains(&rows.join(", ")), "{side:?}: {rows:?}");
        let order: Vec<_> = squares.iter().rev().take(12).map(ToString::to_string).collect();
        assert!(text.contains(&order.join(" ")), "{side:?}: {order:?}");
    }
}

#[test]
fn the_example_turn_of_tablan_is_legal() {
    let rules = RuleSet::Tablan;
    let text = printed(rules);
    let diagrams = diagrams(&text);
    assert_eq!(diagrams.len(), 2);
    let start = rows(&diagrams[1], (12, 4), "SN") + " s -";
    let mut position = AnyPosition::parse(rules, &start).unwrap();
    let mut moved_pieces = BTreeSet::new();
    let mut seen = Vec::new();
    for line in text.lines() {
        let words: Vec<_> = line.split_whitespace().collect();
        let [throw, score, what, ..] = words[..] else { continue };
        let (Some(throw), Ok(score)) = (Throw::parse(throw), score.parse::<u8>()) else { continue };
        assert_eq!((throw.score(), position.side()), (score, Side::First), "{line}");
        let events = position.throw(throw).unwrap();
        match what {
            "lost" => assert!(events.contains(&Event::Lost { side: Side::First }), "{line}"),
            "passed" => assert!(events.contains(&Event::Passed { side: Side::First }), "{line}"),
            written => {
                let mv = position.parse_move(written).unwrap();
                assert_eq!(position.notation(mv), written);
                moved_pieces.insert(written.split('+').count());
                position.play(mv).unwrap();
            }
        }
        seen.push(what);
    }
    assert_eq!(moved_pieces, BTreeSet::from([1, 2]), "one piece and two");
    assert!(seen.contains(&"lost") && seen.last() == Some(&"passed"), "{seen:?}");
    assert_eq!(position.side(), Side::Second);
}

#[test]
fn the_diagrams_of_tablaaza_are_true() {
    let rules = RuleSet::Tablaaza;
    let text = printed(rules);
    let diagrams = diagrams(&text);
    let [_, neighbours, before, after] = &diagrams[..] else { panic!("{}", diagrams.len()) };
    let position =
        |diagram, side| AnyPosition::parse(rules, &(rows(diagram, (8, 7), "rgp~") + side)).unwrap();

    let legal = position(neighbours, " g").legal_moves().into_iter().map(|mv| mv.to_string());
    let shown = squares_with(neighbours, '*').iter().map(ToString::to_string).collect();
    assert_eq!(legal.collect::<BTreeSet<_>>(), shown);
    let allowed = |at| neighbours[&square(at)] == '*';
    assert!(text.contains("may play on g2") && allowed("g2"));
    assert!(text.contains("may not play on g4") && !allowed("g4"));

    let mut board = position(before, " r");
    let played = *squares_with(before, '*').first().unwrap();
    let mv = board.parse_move(&played.to_string()).unwrap();
    let raised: String = squares_with(after, 'p').iter().map(|at| format!("^{at}")).collect();
    assert_eq!(board.notation(mv), format!("{played}{raised}"));
    board.play(mv).unwrap();
    assert_eq!(board, position(after, " g"));
}

#[test]
fn the_italian_text_has_the_same_diagrams_examples_and_rules() {
    for rules in RuleSet::ALL {
        let english = printed(rules);
        let italian = succeed(&["rules", rules.id(), "--language", "it"]);
        assert_ne!(english, italian, "{rules}");
        assert_eq!(diagrams(&english), diagrams(&italian), "{rules}");
        assert_eq!(numbered_rules(&english), numbered_rules(&italian), "{rules}");
        // The throws and moves of examples. What is no move is said in words.
        let examples = |text: &str| -> Vec<Vec<String>> {
            let lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
            lines
                .filter(|words| {
                    let is_score = |word: &&str| word.parse::<u8>().is_ok();
                    words.first().is_some_and(|word| Throw::parse(word).is_some())
                        && words.get(1).is_some_and(is_score)
                })
                .map(|words| {
                    let symbols = words
                        .iter()
                        .filter(|word| word.contains(|word: char| word.is_ascii_digit()));
                    symbols.map(ToString::to_string).collect()
                })
                .collect()
        };
        assert_eq!(examples(&english), examples(&italian), "{rules}");
        for line in italian.lines() {
            assert!(line.chars().count() <= 80 && line == line.trim_end(), "{rules}: {line}");
        }
    }
}

/// The rule numbers in the illegal-move reasons that a game's code names.
fn quoted_rules(game: &str) -> BTreeSet<u32> {
    let mut numbers = BTreeSet::new();
    for path in tree::sources(&tree::root().join("crates/games/src").join(game)) {
        let source = tree::read(&path);
        let is_named = |key: &str| {
            let name = key.trim_start_matches("why.").to_uppercase().replace('-', "_");
            source.contains(&format!("reasons::{name}"))
        };
        for reason in reasons::ALL.iter().filter(|reason| is_named(reason.key)) {
            for language in Language::ALL {
                let text = &language.texts()[reason.key];
                let quotes = text.split("(rule").skip(1).chain(text.split("(regol").skip(1));
                for quote in quotes.filter_map(|rest| rest.split(')').next()) {
                    numbers.extend(
                        quote.split_whitespace().filter_map(|word| word.parse::<u32>().ok()),
                    );
                }
            }
        }
    }
    numbers
}

/// The numbers at the beginning of paragraphs: `Rule 9.`, `Rules 18 and 19.`, and in
/// Italian `Regola 9.`
fn numbered_rules(text: &str) -> BTreeSet<u32> {
    let lines = text.lines().map(|line| line.trim_start_matches([' ', '-']));
    let words = ["Rule ", "Rules ", "Regola ", "Regole "];
    let starts = lines.filter(|line| words.iter().any(|word| line.starts_with(word)));
    starts
        .flat_map(|line| line.split_whitespace().take(4))
        .filter_map(|word| word.trim_end_matches('.').parse().ok())
        .collect()
}

#[test]
fn the_text_has_the_numbers_of_the_rules_that_errors_quote() {
    for rules in RuleSet::ALL {
        let folder = match rules.game() {
            GameKind::Tablut => "tablut",
            GameKind::Tablan => "tablan",
            GameKind::Tablaaza => "tablaaza",
        };
        let (quoted, numbered) = (quoted_rules(folder), numbered_rules(&printed(rules)));
        assert!(quoted.is_subset(&numbered), "{rules}: {quoted:?} of {numbered:?}");
        assert_eq!(quoted.is_empty(), !rules.has_sticks(), "{rules}: {quoted:?}");
        if rules.has_sticks() {
            assert_eq!(numbered, (1..=21).collect(), "{rules}: all of the leaflet's");
        }
    }
}
