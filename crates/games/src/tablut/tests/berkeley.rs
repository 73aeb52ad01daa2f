//! tablut/berkeley.

use super::*;

#[test]
fn only_the_king_stops_on_the_castle() {
    let position = board(BERKELEY, White, "e3", "c5", "i9");
    assert_eq!(refusal(&position, "c5-e5"), "only the king may stop on the castle e5");
    assert_eq!(end(&position, "e3-e5"), None, "he may return");
}

#[test]
fn pieces_pass_over_the_empty_castle() {
    let white = board(BERKELEY, White, "g3", "c5", "e8 h2");
    assert_eq!(takes(&white, "c5-g5"), "");
    assert_eq!(takes(&with_turn(Black, &white), "e8-e2"), "");
    let king_inside = board(BERKELEY, White, "e5", "c5", "i9");
    assert_eq!(refusal(&king_inside, "c5-g5"), "the piece on e5 is in the way");
}

#[test]
fn camps_and_corners_are_plain_squares() {
    let position = board(BERKELEY, Black, "e5", "c3", "a8 c9");
    assert_eq!(takes(&position, "a8-a5"), "");
    assert_eq!(takes(&position, "c9-a9"), "");
    let next_to_camp = board(BERKELEY, Black, "e5", "c5", "d8");
    assert_eq!(takes(&next_to_camp, "d8-d5"), "", "the empty camp square b5 is no enemy");
    let next_to_corner = board(BERKELEY, Black, "e5", "b1", "c8");
    assert_eq!(takes(&next_to_corner, "c8-c1"), "");
}

#[test]
fn the_king_captures_and_backs_captures() {
    let hammer = board(BERKELEY, White, "c8", "f6", "f7 i9");
    assert_eq!(takes(&hammer, "c8-f8"), "f7");
    let anvil = board(BERKELEY, White, "f8", "c6", "f7 i9");
    assert_eq!(takes(&anvil, "c6-f6"), "f7");
}

#[test]
fn the_empty_castle_is_hostile_to_both() {
    let black_moves = board(BERKELEY, Black, "c3", "e6", "b7");
    assert_eq!(takes(&black_moves, "b7-e7"), "e6");
    let white_moves = board(BERKELEY, White, "c3", "b7", "e6");
    assert_eq!(takes(&white_moves, "b7-e7"), "e6");
}

#[test]
fn the_king_takes_against_his_empty_castle() {
    let position = board(BERKELEY, White, "c8", "", "d5 i9");
    assert_eq!(takes(&position, "c8-c5"), "d5");
}

#[test]
fn the_kings_castle_is_hostile_to_white_when_its_other_sides_are_black() {
    let besieged = board(BERKELEY, Black, "e5", "e6", "d5 f5 e4 b7");
    assert_eq!(takes(&besieged, "b7-e7"), "e6");
    let open = board(BERKELEY, Black, "e5", "e6", "d5 f5 b7");
    assert_eq!(takes(&open, "b7-e7"), "");
    let guarded = board(BERKELEY, Black, "e5", "e6 e4", "d5 f5 b7");
    assert_eq!(takes(&guarded, "b7-e7"), "");
}

#[test]
fn the_king_on_the_castle_is_taken_by_four() {
    let three = board(BERKELEY, Black, "e5", "", "d5 f5 e4 b6 i9");
    assert_eq!(end(&three, "b6-e6"), KING_CAPTURED);
    assert_eq!(takes(&three, "b6-e6"), "e5");
    let two = board(BERKELEY, Black, "e5", "", "d5 f5 b6 i9");
    assert_eq!(end(&two, "b6-e6"), None);
}

#[test]
fn the_king_next_to_the_castle_is_taken_by_three() {
    let position = board(BERKELEY, Black, "e6", "", "d6 f6 b7 i9");
    assert_eq!(end(&position, "b7-e7"), KING_CAPTURED);
    let two = board(BERKELEY, Black, "e6", "", "f6 b6 i9");
    assert_eq!(end(&two, "b6-d6"), None, "two opposite are not enough here");
    let friend = board(BERKELEY, Black, "e6", "e7", "f6 b6 i9");
    assert_eq!(end(&friend, "b6-d6"), None);
}

#[test]
fn elsewhere_the_king_is_taken_like_a_soldier() {
    let position = board(BERKELEY, Black, "c3", "", "b3 d8 i9");
    assert_eq!(end(&position, "d8-d3"), KING_CAPTURED);
    let against_white = board(BERKELEY, Black, "c3", "b3", "d8 i9");
    assert_eq!(end(&against_white, "d8-d3"), None);
    let steps_between = board(BERKELEY, White, "c8", "", "b3 d3 i9");
    assert_eq!(end(&steps_between, "c8-c3"), None);
}

#[test]
fn the_taken_king_leaves_the_board_and_the_text() {
    let mut position = board(BERKELEY, Black, "c3", "", "b3 d8 i9");
    position.play(position.parse_move("d8-d3xc3").unwrap()).unwrap();
    assert_eq!(position.king(), None);
    assert_eq!(position.to_string(), "8B/9/9/9/9/9/1B1B5/9/9 w");
    assert_eq!(Position::parse(BERKELEY, &position.to_string()), Ok(position));
}

#[test]
fn every_edge_square_is_a_goal() {
    let position = board(BERKELEY, White, "c3", "", "i9");
    for mv in ["c3-c1", "c3-a3", "c3-c9", "c3-i3"] {
        assert_eq!(end(&position, mv), ESCAPED, "{mv}");
    }
    assert_eq!(end(&position, "c3-c2"), None);
    let old_camp = board(BERKELEY, White, "d5", "", "i9");
    assert_eq!(end(&old_camp, "d5-a5"), ESCAPED);
    assert_eq!(position.king_escapes(), 4);
    assert_eq!(announced(&position, "c3-c4"), None);
}

#[test]
fn the_side_that_repeats_loses() {
    let start = Position::start(BERKELEY);
    let end = end_of_game(start, "a4-a3 e4-f4 a3-a4 f4-e4").unwrap();
    // The start counts; White (second) brought it back.
    assert_eq!((end.winner, end.reason), (Some(BERKELEY.side(Black)), EndReason::Repetition));
    let away = "a4-a3 e4-f4 a3-a4 f4-g4 a4-a3 g4-f4";
    let end = end_of_game(Position::start(BERKELEY), away).unwrap();
    assert_eq!(end.winner, Some(BERKELEY.side(Black)), "an earlier position after the start");
}

#[test]
fn a_soldier_that_a_text_puts_on_the_castle_is_a_soldier() {
    let friend = board(BERKELEY, Black, "c3", "e6 e5", "b7");
    assert_eq!(takes(&friend, "b7-e7"), "", "the castle is not empty");
    let enemy = board(BERKELEY, Black, "c3", "e6", "e5 b7");
    assert_eq!(takes(&enemy, "b7-e7"), "e6");
    let behind_the_king = board(BERKELEY, Black, "e6", "e5", "d6 f6 b7");
    assert_eq!(end(&behind_the_king, "b7-e7"), None);
}
