//! tablut/linnaeus.

use super::*;

#[test]
fn only_the_king_stops_on_castle_and_corners() {
    let position = board(LINNAEUS, White, "e3", "c5 a3 c9", "i6");
    assert_eq!(refusal(&position, "c5-e5"), "only the king may stop on the castle e5");
    assert_eq!(refusal(&position, "a3-a1"), "only the king may stop on the corner a1");
    assert_eq!(refusal(&position, "c9-a9"), "only the king may stop on the corner a9");
    assert_eq!(end(&position, "e3-e5"), None, "he may return");
    let black = with_turn(Black, &position);
    assert_eq!(refusal(&black, "i6-i9"), "only the king may stop on the corner i9");
}

#[test]
fn pieces_pass_over_the_empty_castle() {
    let position = board(LINNAEUS, White, "g3", "c5", "e8 h2");
    assert_eq!(takes(&position, "c5-g5"), "");
    assert_eq!(takes(&with_turn(Black, &position), "e8-e2"), "");
    let inside = board(LINNAEUS, White, "e5", "c5", "i8");
    assert_eq!(refusal(&inside, "c5-g5"), "the piece on e5 is in the way");
}

#[test]
fn corners_back_captures_of_both_colours() {
    let black_moves = board(LINNAEUS, Black, "e5", "b1", "c8");
    assert_eq!(takes(&black_moves, "c8-c1"), "b1");
    let white_moves = board(LINNAEUS, White, "e5", "c8", "b1 h4");
    assert_eq!(takes(&white_moves, "c8-c1"), "b1");
}

#[test]
fn the_castle_is_never_hostile_to_soldiers() {
    for king in ["c3", "e5"] {
        let black_moves = board(LINNAEUS, Black, king, "e6", "b7 d5 f5 e4");
        assert_eq!(takes(&black_moves, "b7-e7"), "", "king on {king}");
        let white_moves = board(LINNAEUS, White, king, "b7", "e6");
        assert_eq!(takes(&white_moves, "b7-e7"), "", "king on {king}");
    }
}

#[test]
fn the_king_takes_no_part_in_captures() {
    let hammer = board(LINNAEUS, White, "c8", "f6", "f7 i2");
    assert_eq!(takes(&hammer, "c8-f8"), "");
    let anvil = board(LINNAEUS, White, "f8", "c6", "f7 i2");
    assert_eq!(takes(&anvil, "c6-f6"), "");
}

#[test]
fn the_king_is_taken_when_his_four_sides_are_closed() {
    let cases = [
        ("four", "c4", "b4 d4 c3 g5", "g5-c5"),
        ("four round the castle", "e5", "d5 f5 e4 b6", "b6-e6"),
        ("three and the castle", "d5", "d6 d4 c8", "c8-c5"),
        ("three and the edge", "d1", "c1 e1 h2", "h2-d2"),
        ("two, the edge and a corner", "b1", "b2 c8", "c8-c1"),
    ];
    for (name, king, black, mv) in cases {
        let position = board(LINNAEUS, Black, king, "", black);
        assert_eq!(end(&position, mv), KING_CAPTURED, "{name}");
    }
}

#[test]
fn a_side_that_is_open_or_white_saves_the_king() {
    let cases = [
        ("open", "c4", "", "b4 d4 g5", "g5-c5"),
        ("his own", "c4", "c3", "b4 d4 g5", "g5-c5"),
        ("open on the edge", "d1", "", "c1 h2", "h2-d2"),
        ("two opposite", "c3", "", "b3 d8", "d8-d3"),
    ];
    for (name, king, white, black, mv) in cases {
        let position = board(LINNAEUS, Black, king, white, black);
        assert_eq!(end(&position, mv), None, "{name}");
    }
}

#[test]
fn only_a_move_next_to_the_king_takes_him() {
    // He has stepped out of the castle among three; another Black moves.
    let position = board(LINNAEUS, White, "e5", "", "d6 f6 e7 a4");
    assert_eq!(end(&position, "e5-e6"), None);
    let mut after = position.clone();
    after.play(position.parse_move("e5-e6").unwrap()).unwrap();
    assert_eq!(end(&after, "a4-a3"), None);
}

#[test]
fn corners_are_goals_and_the_edge_is_not() {
    let position = board(LINNAEUS, White, "a3", "", "i5");
    assert_eq!(end(&position, "a3-a1"), ESCAPED);
    assert_eq!(end(&position, "a3-a9"), ESCAPED);
    assert_eq!(end(&position, "a3-a2"), None);
    assert_eq!(end(&board(LINNAEUS, White, "c3", "", "i5"), "c3-c1"), None);
}

#[test]
fn open_escapes_are_announced_after_whites_moves() {
    let position = board(LINNAEUS, White, "c3", "h8 a7", "i5 b9");
    assert_eq!(announced(&position, "c3-a3"), Some(Announcement::Raichi), "a7 stands before a9");
    assert_eq!(announced(&position, "c3-c1"), Some(Announcement::Tuichi));
    assert_eq!(announced(&position, "c3-c9"), Some(Announcement::Raichi), "b9 before a9");
    assert_eq!(announced(&position, "c3-c4"), None);
    let opened = board(LINNAEUS, White, "a3", "a7", "i5");
    assert_eq!(announced(&opened, "a7-b7"), Some(Announcement::Tuichi), "by another's move too");
    let black = board(LINNAEUS, Black, "a3", "", "i5");
    assert_eq!(announced(&black, "i5-i6"), None, "never after Black's");
    assert_eq!(announced(&opened, "a3-a1"), None, "the end says enough");
}

#[test]
fn an_escape_is_announced_even_if_black_has_no_moves() {
    let position = board(LINNAEUS, White, "a3", "d9 f9 e7", "e9");
    assert_eq!(announced(&position, "e7-e8"), Some(Announcement::Tuichi));
    assert_eq!(end(&position, "e7-e8"), Some((White, EndReason::NoMoves)));
}

#[test]
fn tuichi_is_not_the_end() {
    // Next to a corner the king can reach two, and is captured all the same.
    let mut position = board(LINNAEUS, White, "e1", "", "b2 c8");
    assert_eq!(announced(&position, "e1-b1"), Some(Announcement::Tuichi));
    position.play(position.parse_move("e1-b1").unwrap()).unwrap();
    assert!(matches!(position.turn(), Turn::Move(_)));
    assert_eq!(position.king_escapes(), 2);
    assert_eq!(end(&position, "c8-c1"), KING_CAPTURED);
}

#[test]
fn the_third_time_is_a_draw() {
    let twice = "e4-f4 a4-a3 f4-e4 a3-a4";
    assert_eq!(end_of_game(Position::start(LINNAEUS), twice), None);
    let thrice = format!("{twice} {twice}");
    let end = end_of_game(Position::start(LINNAEUS), &thrice).unwrap();
    assert_eq!((end.winner, end.reason), (None, EndReason::Repetition));
}
