//! tablut/ashton.

use super::*;

#[test]
fn no_piece_enters_or_crosses_the_castle_again() {
    let position = board(ASHTON, White, "e3", "c5", "e8 i9");
    assert_eq!(refusal(&position, "e3-e5"), "nobody may enter or cross the castle e5");
    assert_eq!(refusal(&position, "e3-e6"), "nobody may enter or cross the castle e5");
    assert_eq!(refusal(&position, "c5-g5"), "nobody may enter or cross the castle e5");
    let black = with_turn(Black, &position);
    assert_eq!(refusal(&black, "e8-e4"), "nobody may enter or cross the castle e5");
    let inside = board(ASHTON, White, "e5", "c5", "i9");
    assert_eq!(refusal(&inside, "c5-g5"), "the piece on e5 is in the way");
    assert_eq!(end(&inside, "e5-e3"), None);
}

#[test]
fn white_never_enters_or_crosses_a_camp() {
    let position = board(ASHTON, White, "c4", "c6", "i9");
    let refused = |mv: &str| refusal(&position, mv);
    assert_eq!(refused("c6-a6"), "White may not enter or cross the camp square a6");
    assert_eq!(refused("c4-a4"), "White may not enter or cross the camp square a4");
    let crossing = board(ASHTON, White, "c4", "c9", "i1");
    assert_eq!(refusal(&crossing, "c9-g9"), "White may not enter or cross the camp square d9");
}

#[test]
fn a_soldier_that_never_left_moves_inside_its_camp() {
    let position = board(ASHTON, Black, "c3", "", "d1 i4 b5");
    assert_eq!(takes(&position, "d1-e1"), "");
    assert_eq!(takes(&position, "d1-f1"), "", "across the camp");
    assert_eq!(takes(&position, "d1-g1"), "", "across the camp and out");
    assert_eq!(takes(&position, "b5-a5"), "");
    assert_eq!(takes(&position, "i4-i8"), "");
}

#[test]
fn a_soldier_that_left_never_returns_to_any_camp() {
    let position = board(ASHTON, Black, "c3", "", "d2 c1 b5");
    let rule = "nobody may enter or cross the camp square";
    for (mv, at) in [("d2-d1", "d1"), ("d2-e2", "e2"), ("d2-g2", "e2"), ("c1-g1", "d1")] {
        assert_eq!(refusal(&position, mv), format!("{rule} {at} from outside its camp"), "{mv}");
    }
    let neighbour = board(ASHTON, Black, "c3", "", "a4 d9");
    assert_eq!(refusal(&neighbour, "a4-i4"), format!("{rule} i4 from outside its camp"));
    let across = board(ASHTON, Black, "c3", "", "d9");
    assert_eq!(refusal(&across, "d9-d1"), format!("{rule} d1 from outside its camp"));
}

#[test]
fn the_castle_backs_captures_empty_or_not() {
    for king in ["c3", "e5"] {
        let black_moves = board(ASHTON, Black, king, "e6", "b7");
        assert_eq!(takes(&black_moves, "b7-e7"), "e6", "king on {king}");
        let white_moves = board(ASHTON, White, king, "b7", "e6");
        assert_eq!(takes(&white_moves, "b7-e7"), "e6", "king on {king}");
    }
}

#[test]
fn camps_back_captures_empty_or_not() {
    for camp in ["i9", "a4"] {
        let black_moves = board(ASHTON, Black, "e5", "b4", &format!("c8 {camp}"));
        assert_eq!(takes(&black_moves, "c8-c4"), "b4");
        let white_moves = board(ASHTON, White, "e5", "c8", &format!("b4 {camp}"));
        assert_eq!(takes(&white_moves, "c8-c4"), "b4");
    }
}

#[test]
fn camp_centres_do_not_back_whites_captures() {
    // d1 has not left its camp: e1 behind it does not count for White.
    let in_camp = board(ASHTON, White, "e5", "c4", "d1");
    assert_eq!(takes(&in_camp, "c4-c1"), "");
    let b5 = board(ASHTON, White, "e5", "c8", "b5");
    assert_eq!(takes(&b5, "c8-c5"), "");
    // Another square of the camp does.
    let outside = board(ASHTON, White, "e5", "a1", "c1");
    assert_eq!(takes(&outside, "a1-b1"), "c1", "backed by the empty d1");
}

#[test]
fn the_king_captures_and_backs_captures() {
    let hammer = board(ASHTON, White, "c6", "g8", "g7 i1");
    assert_eq!(takes(&hammer, "c6-g6"), "g7");
    let anvil = board(ASHTON, White, "g8", "c6", "g7 i1");
    assert_eq!(takes(&anvil, "c6-g6"), "g7");
}

#[test]
fn the_king_on_the_castle_is_taken_by_four() {
    let three = board(ASHTON, Black, "e5", "", "d5 f5 e4 b6 i9");
    assert_eq!(end(&three, "b6-e6"), KING_CAPTURED);
    let two = board(ASHTON, Black, "e5", "", "d5 f5 b6 i9");
    assert_eq!(end(&two, "b6-e6"), None);
}

#[test]
fn the_king_next_to_the_castle_is_taken_by_three() {
    let position = board(ASHTON, Black, "d5", "", "d6 d4 c8 i9");
    assert_eq!(end(&position, "c8-c5"), KING_CAPTURED);
    let two = board(ASHTON, Black, "d5", "", "d6 h4 i9");
    assert_eq!(end(&two, "h4-d4"), None);
}

#[test]
fn elsewhere_the_king_is_taken_between_two_or_against_a_camp() {
    let between = board(ASHTON, Black, "c3", "", "b3 d8 i9");
    assert_eq!(end(&between, "d8-d3"), KING_CAPTURED);
    let camp = board(ASHTON, Black, "b4", "", "c8 i9");
    assert_eq!(end(&camp, "c8-c4"), KING_CAPTURED);
    let along = board(ASHTON, Black, "b4", "", "g3 i9");
    assert_eq!(end(&along, "g3-b3"), KING_CAPTURED, "b5 behind him is a camp square too");
    let plain = board(ASHTON, Black, "b3", "", "c8 i9");
    assert_eq!(end(&plain, "c8-c3"), None);
    let before_e2 = board(ASHTON, Black, "e3", "", "b4 i9");
    assert_eq!(end(&before_e2, "b4-e4"), KING_CAPTURED);
}

#[test]
fn the_taken_king_stays_in_the_text_only() {
    let mut position = board(ASHTON, Black, "c3", "", "b3 d8 i9");
    position.play(position.parse_move("d8-d3").unwrap()).unwrap();
    assert_eq!(position.to_string(), "8B/9/9/9/9/9/1BKB5/9/9 w");
    assert_eq!(position.king(), None);
    assert_eq!(position.pieces().count(), 3);
    let read = Position::parse(ASHTON, &position.to_string()).unwrap();
    assert_eq!((&read, read.key()), (&position, position.key()));
}

#[test]
fn edge_squares_outside_camps_are_goals() {
    let position = board(ASHTON, White, "c3", "", "i9");
    for mv in ["c3-c1", "c3-a3", "c3-c9", "c3-i3"] {
        assert_eq!(end(&position, mv), ESCAPED, "{mv}");
    }
    assert_eq!(position.king_escapes(), 4);
    let before_camps = board(ASHTON, White, "d4", "", "i9");
    assert_eq!(before_camps.king_escapes(), 0);
    assert_eq!(announced(&position, "c3-c4"), None);
}

#[test]
fn a_position_that_comes_back_is_a_draw() {
    let end = end_of_game(Position::start(ASHTON), "e4-f4 d1-c1 f4-e4 d9-c9 e4-f4 c9-b9 f4-e4");
    assert_eq!(end, None, "d1 has left its camp for good: nothing came back");
    let end = end_of_game(Position::start(ASHTON), "e4-f4 d1-c1 f4-e4 c1-b1 e4-f4 b1-c1").unwrap();
    assert_eq!((end.winner, end.reason), (None, EndReason::Repetition));
}
