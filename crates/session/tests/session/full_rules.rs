//! The full rules agree with the rules: their numbers, diagrams and examples.

use std::collections::BTreeMap;

use tabulae_games::{
    AnyPosition, End, EndReason, Event, Game, GameKind, RuleSet, Side, Square, Throw, tablan,
    write_ranks,
};
use tabulae_session::{full_rules, i18n::Language};

/// The text's code blocks.
fn blocks(rules: RuleSet, language: Language) -> Vec<Vec<Vec<char>>> {
    let text = full_rules(rules, language);
    let blocks = text.split("```").skip(1).step_by(2);
    blocks.map(|block| block.lines().map(|line| line.chars().collect()).collect()).collect()
}

/// A drawn board: a mark for each square.
type Diagram = BTreeMap<Square, char>;

/// The boards that a block draws side by side: above a line of columns, such as `a b c`,
/// stand the rows with their numbers.
fn diagrams(block: &[Vec<char>]) -> Vec<Diagram> {
    let mut found = Vec::new();
    for (number, line) in block.iter().enumerate() {
        let is_column = |at: usize| {
            let at_column =
                |at: usize| line.get(at).is_some_and(|symbol| matches!(symbol, 'a'..='l'));
            let is_blank = |at: usize| line.get(at).is_none_or(|symbol| *symbol == ' ');
            at_column(at) && is_blank(at + 1) && (at == 0 || is_blank(at - 1))
        };
        let mut at = 0;
        while at < line.len() {
            // A row of a board begins with its number.
            if at < 3 || line[at - 3] != ' ' || !is_column(at) {
                at += 1;
                continue;
            }
            let columns: Vec<_> =
                (at..line.len()).step_by(2).take_while(|&place| is_column(place)).collect();
            let mut diagram = Diagram::new();
            for row in block[..number].iter().rev() {
                let Some(rank) = row.get(at - 3).and_then(|symbol| symbol.to_digit(10)) else {
                    break;
                };
                for &column in &columns {
                    let square = format!("{}{rank}", line[column]).parse().expect("a square");
                    diagram.insert(square, row[column]);
                }
            }
            if diagram.len() > 2 {
                found.push(diagram);
            }
            at = columns.last().expect("one at least") + 1;
        }
    }
    found
}

/// All boards of a text, in order.
fn all_diagrams(rules: RuleSet, language: Language) -> Vec<Diagram> {
    blocks(rules, language).iter().flat_map(|block| diagrams(block)).collect()
}

fn square(text: &str) -> Square {
    text.parse().expect("a square")
}

/// The position with the drawn marks that are `pieces`; what follows the board is `rest`.
fn position(rules: RuleSet, board: &Diagram, pieces: &str, rest: &str) -> Option<AnyPosition> {
    let size = match rules.game() {
        GameKind::Tablut => (9, 9),
        GameKind::Tablan => (12, 4),
        GameKind::Tablaaza => (8, 7),
    };
    let mark = |at| board.get(&at).copied().filter(|symbol| pieces.contains(*symbol));
    let mut text = String::new();
    write_ranks(&mut text, size, mark).expect("writing to a string");
    AnyPosition::parse(rules, &format!("{text} {rest}")).ok()
}

/// A position of Tablut, Black to move.
fn tablut(rules: RuleSet, board: &Diagram) -> Option<AnyPosition> {
    position(rules, board, "KWB", "b")
}

/// The events of a move, if it is legal.
fn events(position: &AnyPosition, text: &str) -> Option<Vec<Event>> {
    let mv = position.parse_move(text).ok()?;
    position.clone().play(mv).ok()
}

/// What Black captures by moving one of the drawn soldiers to its square last: for each
/// soldier, whether every way to come there captures. One without a way is left out.
fn captures_by_last_soldier(rules: RuleSet, drawn: &Diagram) -> BTreeMap<Square, bool> {
    let mut pieces = drawn.clone();
    let find = |wanted| drawn.iter().find(|(_, mark)| **mark == wanted).map(|(at, _)| *at);
    if find('K').is_none() {
        pieces.insert(square("h8"), 'K');
    }
    let victim = find('W').or(find('K'));
    let mut outcomes = BTreeMap::new();
    for (&to, _) in drawn.iter().filter(|(_, mark)| **mark == 'B') {
        let ways = (0..81u8).filter_map(|number| {
            let from = Square::new(number % 9, number / 9);
            let mut before = pieces.clone();
            before.remove(&to);
            if before.get(&from).is_some_and(|symbol| *symbol != '.') {
                return None;
            }
            before.insert(from, 'B');
            let events = events(&tablut(rules, &before)?, &format!("{from}-{to}"))?;
            Some(events.iter().any(|event| match event {
                Event::Captured { at, .. } => Some(*at) == victim,
                _ => false,
            }))
        });
        if let Some(always) = ways.reduce(|one, other| one && other) {
            outcomes.insert(to, always);
        }
    }
    outcomes
}

#[test]
fn both_languages_draw_the_same_boards() {
    for rules in RuleSet::ALL {
        let [english, italian] = Language::ALL.map(|language| all_diagrams(rules, language));
        assert_eq!(english, italian, "{rules}");
    }
}

#[test]
fn the_first_board_of_tablut_is_the_start() {
    for rules in [RuleSet::TablutAshton, RuleSet::TablutBerkeley, RuleSet::TablutLinnaeus] {
        let boards = all_diagrams(rules, Language::English);
        let start = AnyPosition::start(rules).to_string();
        let drawn = tablut(rules, &boards[0]).expect("a position").to_string();
        assert_eq!(drawn.split(' ').next(), start.split(' ').next(), "{rules}");
    }
}

#[test]
fn the_pictures_of_captures_capture() {
    let count = |rules, first, expected: usize| {
        let boards = all_diagrams(rules, Language::English);
        assert_eq!(boards.len(), first + expected, "{rules}");
        boards.into_iter().skip(first)
    };
    // After the start and the special squares.
    for board in count(RuleSet::TablutAshton, 2, 7) {
        let outcomes = captures_by_last_soldier(RuleSet::TablutAshton, &board);
        assert!(
            !outcomes.is_empty() && outcomes.values().all(|outcome| *outcome),
            "{board:?}: {outcomes:?}"
        );
    }
    for (number, board) in count(RuleSet::TablutBerkeley, 1, 6).enumerate() {
        let mut outcomes = captures_by_last_soldier(RuleSet::TablutBerkeley, &board);
        // The text names the only soldier that captures in the second and third.
        if number == 1 || number == 2 {
            assert_eq!(outcomes.remove(&square("c5")), Some(true));
            assert!(outcomes.values().all(|outcome| !*outcome), "{board:?}: {outcomes:?}");
        } else {
            assert!(!outcomes.is_empty() && outcomes.values().all(|outcome| *outcome), "{board:?}");
        }
    }
    // After the start and the two boards of Tuichi.
    for board in count(RuleSet::TablutLinnaeus, 3, 6) {
        let outcomes = captures_by_last_soldier(RuleSet::TablutLinnaeus, &board);
        assert!(
            !outcomes.is_empty() && outcomes.values().all(|outcome| *outcome),
            "{board:?}: {outcomes:?}"
        );
    }
}

#[test]
fn the_king_of_the_tuichi_picture_is_captured() {
    let boards = all_diagrams(RuleSet::TablutLinnaeus, Language::English);
    let before = tablut(RuleSet::TablutLinnaeus, &boards[1]).expect("a position");
    let AnyPosition::Tablut(position) = &before else { panic!("another game") };
    assert_eq!(position.king_escapes(), 2);
    let ended = events(&before, "c3-c1").expect("a legal move");
    let captured = End { winner: Some(Side::Second), reason: EndReason::KingCaptured };
    assert!(ended.contains(&Event::Ended(captured)), "{ended:?}");
    let black = |board: &Diagram| {
        let soldiers = board.iter().filter(|(_, mark)| **mark == 'B');
        soldiers.map(|(at, _)| at.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(
        (black(&boards[1]), black(&boards[2])),
        (vec!["b2".to_owned(), "c3".to_owned()], vec!["b2".to_owned(), "c1".to_owned()],)
    );
}

/// The numbers of the table's row with a name; the two spaces after it tell a row from prose.
fn numbers(rules: RuleSet, language: Language, start: &str) -> Vec<u32> {
    let text = full_rules(rules, language);
    let row = text.lines().find_map(|line| line.strip_prefix(start)).expect("a row");
    row.split_whitespace().filter_map(|word| word.parse().ok()).collect()
}

#[test]
fn the_table_of_throws_is_the_rules() {
    for rules in [RuleSet::Tablan, RuleSet::TablanOrdered] {
        for (language, words) in [
            (Language::English, ["plain sides up  ", "score  ", "chances out of 16  "]),
            (Language::Italian, ["facce lisce  ", "punteggio  ", "casi su 16  "]),
        ] {
            let [plain, scores, chances] = words.map(|word| numbers(rules, language, word));
            assert_eq!(plain, [0, 1, 2, 3, 4]);
            assert_eq!(scores, Throw::ALL.map(|throw| u32::from(throw.score())));
            assert_eq!(chances, tablan::OUTCOMES.map(|(_, weight)| weight));
        }
    }
}

#[test]
fn the_turn_of_tablan_can_be_played_as_told() {
    for language in Language::ALL {
        let boards = all_diagrams(RuleSet::Tablan, language);
        let [start, turn] = &boards[..] else { panic!("{} boards", boards.len()) };
        let text = |board, rest| position(RuleSet::Tablan, board, "SN", rest).expect("a position");
        let placed = AnyPosition::start(RuleSet::Tablan).to_string();
        let drawn = text(start, "?s -").to_string();
        assert_eq!(drawn.split(' ').next(), placed.split(' ').next());
        let lines = full_rules(RuleSet::Tablan, language).lines();
        let rows = lines.filter(|line| matches!(line.as_bytes(), [b't', b'0'..=b'4', b' ', ..]));
        let mut position = text(turn, "s -");
        let mut plies = 0;
        for row in rows {
            let mut words = row.split_whitespace();
            let name = words.next().expect("a throw");
            let throw = Throw::ALL.into_iter().find(|throw| throw.to_string() == name);
            let throw = throw.expect("a throw");
            assert_eq!(words.next(), Some(&*throw.score().to_string()), "{row}");
            let events = position.throw(throw).expect("a throw is due");
            let side = Side::First;
            match name {
                "t0" => assert!(events.contains(&Event::Lost { side }), "{row}"),
                "t2" => assert!(events.contains(&Event::Passed { side }), "{row}"),
                _ => {
                    let word = words.next().expect("a move");
                    let mv = position.parse_move(word).expect("legal");
                    assert_eq!(position.notation(mv), word);
                    position.play(mv).expect("legal");
                }
            }
            plies += 1;
        }
        assert_eq!(plies, 4);
    }
}

#[test]
fn the_order_of_entry_is_the_rules() {
    for (language, south, north) in
        [(Language::English, "South  ", "North  "), (Language::Italian, "Sud  ", "Nord  ")]
    {
        let text = full_rules(RuleSet::TablanOrdered, language);
        for (start, side) in [(south, Side::First), (north, Side::Second)] {
            let line = text.lines().find(|line| line.starts_with(start)).expect("a line");
            let furthest_first = tablan::course(side).iter().rev().take(12);
            let order: Vec<_> = furthest_first.map(ToString::to_string).collect();
            assert_eq!(line.split_whitespace().skip(1).collect::<Vec<_>>(), order);
        }
    }
}

#[test]
fn the_boards_of_tablaaza_are_the_rules() {
    let boards = all_diagrams(RuleSet::Tablaaza, Language::English);
    let [colours, neighbourly, before, after] = &boards[..] else {
        panic!("{} boards", boards.len())
    };
    let AnyPosition::Tablaaza(start) = AnyPosition::start(RuleSet::Tablaaza) else {
        panic!("another game")
    };
    for (&at, &mark) in colours {
        let expected = match start.colour(at) {
            Some(Side::First) => 'R',
            Some(Side::Second) => 'G',
            None => '~',
        };
        assert_eq!(mark, expected, "{at}");
    }
    // The squares of Green's first stone.
    let mut red_on_e3 = AnyPosition::start(RuleSet::Tablaaza);
    red_on_e3.play(red_on_e3.parse_move("e3").expect("legal")).expect("legal");
    for (&at, &mark) in neighbourly {
        let is_legal = red_on_e3.parse_move(&at.to_string()).is_ok();
        assert_eq!(mark == '*', is_legal, "{at}");
    }
    // The pavilion that e1 raises.
    let stones = |board: &Diagram, wanted: char| -> Vec<Square> {
        board.iter().filter(|(_, mark)| **mark == wanted).map(|(at, _)| *at).collect()
    };
    assert_eq!(stones(before, '*'), [square("e1")]);
    assert_eq!(stones(after, 'p'), [square("e4")]);
    let mut position = position(RuleSet::Tablaaza, before, "rg~", "r").expect("a position");
    let events = position.play(position.parse_move("e1").expect("legal")).expect("legal");
    let raised: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            Event::PavilionRaised { at, .. } => Some(*at),
            _ => None,
        })
        .collect();
    assert_eq!(raised, [square("e4")]);
}
