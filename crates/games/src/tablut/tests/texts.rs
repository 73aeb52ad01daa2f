//! Texts of positions and moves.

use super::*;

const START: &str = "3BBB3/4B4/4W4/B3W3B/BBWWKWWBB/B3W3B/4W4/4B4/3BBB3";

#[test]
fn the_start_position_round_trips() {
    for rules in rule_sets() {
        let side = if rules.first == White { "w" } else { "b" };
        let text = format!("{START} {side}");
        assert_eq!(Position::start(rules).to_string(), text);
        assert_eq!(Position::parse(rules, &text), Ok(Position::start(rules)));
        assert_eq!(Position::parse(rules, &format!("  {text}\n")), Ok(Position::start(rules)));
    }
}

#[test]
fn unusual_positions_parse() {
    for text in [
        "9/9/9/9/4W4/9/9/9/K8 b",
        "B7B/9/9/9/9/9/9/9/B3W3B w",
        "9/9/9/9/9/9/9/9/9 b",
        "BBBBBBBBB/BBBBBBB2/9/9/9/9/9/9/WWWWWWWWK w",
    ] {
        assert_eq!(Position::parse(ASHTON, text).unwrap().to_string(), text);
    }
    let split_runs = Position::parse(ASHTON, "18/9/9/9/4K4/9/9/9/333 w").unwrap();
    assert_eq!(split_runs.to_string(), "9/9/9/9/4K4/9/9/9/9 w");
}

#[test]
fn invalid_positions_are_refused_with_a_reason() {
    let cases = [
        ("", "it is empty; expected nine rows and the side to move"),
        (START, "the side to move is missing; expected 'w' or 'b' at the end"),
        ("9/9/9/9/9/9/9/9 w", "expected 9 rows from the top, joined by /; found 8"),
        ("9/9/9/9/9/9/9/9/9/9 w", "expected 9 rows from the top, joined by /; found 10"),
        ("9/9/9/9/4K3/9/9/9/9 w", "row 5 '4K3' has 8 squares; expected 9"),
        ("9/9/9/9/4K5/9/9/9/9 w", "row 5 '4K5' has more than 9 squares"),
        ("9/9/9/9/9K/9/9/9/9 w", "row 5 '9K' has more than 9 squares"),
        ("9/9/9/9/4k4/9/9/9/9 w", "'k' in row 5; expected 'K', 'W', 'B' or a number 1 to 9"),
        ("9/9/9/9/0K8/9/9/9/9 w", "'0' in row 5; expected 'K', 'W', 'B' or a number 1 to 9"),
        ("9/9/9/9/é8/9/9/9/9 w", "'é' in row 5; expected 'K', 'W', 'B' or a number 1 to 9"),
        ("K8/9/9/9/4K4/9/9/9/9 w", "two kings; expected one"),
        ("9/9/9/9/4K4/9/9/9/9 x", "the side to move is 'x'; expected 'w' or 'b'"),
        ("9/9/9/9/4K4/9/9/9/9 w 3", "'3' after the side to move; expected nothing"),
        ("WWWWWWWWW/9/9/9/4K4/9/9/9/9 w", "9 white soldiers; expected 8 at most"),
        ("BBBBBBBBB/BBBBBBBB1/9/9/4K4/9/9/9/9 w", "17 black soldiers; expected 16 at most"),
    ];
    for (text, reason) in cases {
        let error = Position::parse(BERKELEY, text).unwrap_err();
        assert_eq!((error.text.as_str(), error.reason.as_str()), (text, reason));
    }
}

#[test]
fn moves_parse_in_every_form() {
    let start = Position::start(ASHTON);
    let mv = start.parse_move("e4-h4").unwrap();
    for text in [" e4-h4 ", "E4-H4", "e4-h", "e4 - h4", "E4-H"] {
        assert_eq!(start.parse_move(text), Ok(mv), "{text}");
    }
    let start = Position::start(BERKELEY);
    assert_eq!(start.parse_move("d1-4"), start.parse_move("d1-d4"));
    assert_eq!(start.parse_move("a4-d"), start.parse_move("a4-d4"));
}

#[test]
fn a_capture_part_must_be_right() {
    let position = board(BERKELEY, Black, "b3", "f7 h7", "e7 i7 g3");
    let mv = position.parse_move("g3-g7").unwrap();
    for text in ["g3-g7xf7xh7", "g3-g7xh7xf7", "g3-g7xf7,h7", "g3-7xf7xh7", "G3-G7XF7XH7"] {
        assert_eq!(position.parse_move(text), Ok(mv), "{text}");
    }
    let expected = "g3-g7xf7xh7".to_owned();
    for text in ["g3-g7xf7", "g3-g7xf7xg8", "g3-g7xa1"] {
        let wrong = Illegal::WrongCaptures { expected: expected.clone() };
        assert_eq!(position.parse_move(text), Err(wrong), "{text}");
    }
    let quiet = position.parse_move("g3-g4xf4");
    assert_eq!(quiet, Err(Illegal::WrongCaptures { expected: "g3-g4".to_owned() }));
}

#[test]
fn the_taken_king_may_be_left_out_of_a_capture_part() {
    let position = board(ASHTON, Black, "c3", "d4", "b3 d5 h3");
    let mv = position.parse_move("h3-d3").unwrap();
    assert_eq!(position.notation(mv), "h3-d3xc3xd4");
    for text in ["h3-d3xc3xd4", "h3-d3xd4"] {
        assert_eq!(position.parse_move(text), Ok(mv), "{text}");
    }
    assert!(position.parse_move("h3-d3xc3").is_err());
}

#[test]
fn unreadable_moves_are_refused_as_unreadable() {
    let start = Position::start(ASHTON);
    for text in [
        "", "-", "e4", "e4f4", "e4-", "-f4", "e4-f44", "e4-f4x", "e4-f4xz", "e4-f0", "é4-f4", "t3",
        "e4-f4-g4",
    ] {
        let error = start.parse_move(text).unwrap_err();
        assert!(matches!(error, Illegal::Unreadable(_)), "{text}: {error}");
    }
    assert_eq!(
        refusal(&start, " e4 "),
        "not a move: 'e4' (expected two squares like e4-f4, or e4-7, e4-g)"
    );
}

#[test]
fn an_open_board_has_an_escape_to_every_edge() {
    for (rules, escapes) in [(BERKELEY, 4), (ASHTON, 4), (LINNAEUS, 0), (SAAMI, 4)] {
        assert_eq!(board(rules, White, "c3", "", "i9").king_escapes(), escapes);
    }
    assert_eq!(board(BERKELEY, White, "", "", "i9").king_escapes(), 0);
}
