//! Texts of positions.

use super::*;

#[track_caller]
fn check_unreadable(text: &str, reason: &str) {
    let error = Position::parse(PLAIN, text).unwrap_err();
    assert_eq!(error.text, text);
    assert_eq!(error.reason, reason);
}

#[test]
fn only_white_space_is_lenient_in_a_position() {
    let text = format!("{START} s -");
    let position = plain(&text);
    for spaced in [format!("{START} s"), format!(" {START}\ts\n-  ")] {
        assert_eq!(plain(&spaced), position);
    }
    assert_eq!(position.to_string(), text);
}

#[test]
fn invalid_positions_are_refused_with_a_reason() {
    for (text, reason) in [
        ("", "it is empty; expected rows 4 to 1, the side and the throw"),
        ("12/12/12 s -", "expected 4 rows from the top, joined by /; found 3"),
        ("12/12/12/12/12 s -", "expected 4 rows from the top, joined by /; found 5"),
        ("12/12/12/11 s -", "row 1: it has 11 squares; expected 12"),
        ("12//12/12 s -", "row 3: it has 0 squares; expected 12"),
        ("13/12/12/12 s -", "row 4: it has more than 12 squares"),
        ("12/12S/12/12 s -", "row 3: it has more than 12 squares"),
        ("12/12/99999/12 s -", "row 2: it has more than 12 squares"),
        ("12/0S11/12/12 s -", "row 3: '0' is not a number of empty squares"),
        ("12/S011/12/12 s -", "row 3: '011' is not a number of empty squares"),
        ("12/s11/12/12 s -", "row 3: 's' is not S, N or a number"),
        ("12/é11/12/12 s -", "row 3: 'é' is not S, N or a number"),
        ("12/12/12/12 s -", "no piece is on the board; expected at least one"),
        ("SSSSSSSSSSSS/S11/N11/12 s -", "South has 13 pieces; expected 12 at most"),
        ("NNNNNNNNNNNN/S11/N11/12 s -", "North has 13 pieces; expected 12 at most"),
        ("12/S11/N11/12", "the side is missing; expected s, n, ?s or ?n"),
        ("12/S11/N11/12 S -", "the side is 'S'; expected s, n, ?s or ?n"),
        ("12/S11/N11/12 s 1", "the throw is '1'; expected t0, t1, t4 or -"),
        ("12/S11/N11/12 s t5", "the throw is 't5'; expected t0, t1, t4 or -"),
        (
            "12/S11/N11/12 s t2",
            "t2 scores 0 and passes the sticks, so it is not written (rule 9); expected t0, \
             t1, t4 or -",
        ),
        (
            "12/S11/N11/12 ?s t1",
            "t1 cannot be used while the players throw to decide who starts; expected -",
        ),
        ("S11/12/N11/12 n t1", "the game is over, so t1 cannot be used; expected -"),
        (
            "NN8SS/4S7/8N3/12 s t4",
            "t4 has no legal use, so it is lost and not written (rule 13); expected -",
        ),
        ("12/S11/N11/12 s - x", "'x' follows the throw; expected nothing"),
    ] {
        check_unreadable(text, reason);
    }
}
