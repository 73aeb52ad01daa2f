//! tablut/saami.

use super::*;

#[test]
fn all_pass_over_the_empty_castle_and_only_the_king_stops_there() {
    let position = board(SAAMI, White, "e3", "c5", "i9 h5");
    assert_eq!(refusal(&position, "c5-e5"), "only the king may stop on the castle e5");
    assert_eq!(takes(&position, "c5-g5"), "");
    assert_eq!(takes(&with_turn(Black, &position), "h5-d5"), "");
    assert_eq!(end(&position, "e3-e5"), None, "he may return");
}

#[test]
fn the_castle_is_hostile_to_black_always_and_to_white_when_it_is_empty() {
    for king in ["c3", "e5"] {
        let white_moves = board(SAAMI, White, king, "b7", "e6 i9");
        assert_eq!(takes(&white_moves, "b7-e7"), "e6", "king on {king}");
    }
    let empty = board(SAAMI, Black, "c3", "e6", "b7");
    assert_eq!(takes(&empty, "b7-e7"), "e6");
    // Unlike in Berkeley's rules, even when Black holds its other three sides.
    let besieged = board(SAAMI, Black, "e5", "e6", "d5 f5 e4 b7");
    assert_eq!(takes(&besieged, "b7-e7"), "");
}

#[test]
fn the_king_captures_and_backs_captures() {
    let hammer = board(SAAMI, White, "c8", "f6", "f7 i9");
    assert_eq!(takes(&hammer, "c8-f8"), "f7");
    let anvil = board(SAAMI, White, "f8", "c6", "f7 i9");
    assert_eq!(takes(&anvil, "c6-f6"), "f7");
}

#[test]
fn the_king_is_taken_by_four_by_three_and_by_two() {
    let on_castle = board(SAAMI, Black, "e5", "", "d5 f5 e4 b6 i9");
    assert_eq!(end(&on_castle, "b6-e6"), KING_CAPTURED);
    let beside = board(SAAMI, Black, "e6", "", "d6 f6 b7 i9");
    assert_eq!(end(&beside, "b7-e7"), KING_CAPTURED);
    let two = board(SAAMI, Black, "e6", "", "f6 b6 i9");
    assert_eq!(end(&two, "b6-d6"), None, "two opposite are not enough beside the castle");
    let elsewhere = board(SAAMI, Black, "c3", "", "b3 d8 i9");
    assert_eq!(end(&elsewhere, "d8-d3"), KING_CAPTURED);
}

#[test]
fn any_edge_square_is_a_goal() {
    let position = board(SAAMI, White, "c3", "", "i9");
    for mv in ["c3-c1", "c3-a3", "c3-c9", "c3-i3"] {
        assert_eq!(end(&position, mv), ESCAPED, "{mv}");
    }
}

#[test]
fn the_third_occurrence_is_a_draw() {
    let round = "a4-a3 e4-f4 a3-a4 f4-e4";
    let end = end_of_game(Position::start(SAAMI), &[round; 2].join(" ")).unwrap();
    assert_eq!((end.winner, end.reason), (None, EndReason::Repetition));
    assert_eq!(end_of_game(Position::start(SAAMI), round), None);
}

/// Tablut-w, of some championships, is a start position.
#[test]
fn white_can_move_first() {
    let start = with_turn(White, &Position::start(SAAMI));
    let text = start.to_string();
    assert_eq!(text, "3BBB3/4B4/4W4/B3W3B/BBWWKWWBB/B3W3B/4W4/4B4/3BBB3 w");
    let mut position = Position::parse(SAAMI, &text).unwrap();
    position.play(position.parse_move("e3-f3").unwrap()).unwrap();
    assert_eq!(position.to_move(), Black);
}
