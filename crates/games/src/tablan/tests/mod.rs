//! Each rule by an example. Whole games and hand-made cases of independent
//! programs are in `tests/rules/tablan_vectors.rs`.

use crate::{
    Announcement, End, EndReason, Event, Game, Illegal, Side, Square, Throw, Turn,
    tablan::{Move, ORDERED, PLAIN, Position, Rules, SCORES, course, opposite, path, steps},
};

mod texts;

const START: &str = "NNNNNNNNNNNN/12/12/SSSSSSSSSSSS";

fn at(rules: &'static Rules, text: &str) -> Position {
    Position::parse(rules, text).unwrap()
}

fn plain(text: &str) -> Position {
    at(PLAIN, text)
}

fn square(name: &str) -> Square {
    name.parse().unwrap()
}

fn thrown(plain: u8) -> Throw {
    Throw::new(plain).unwrap()
}

fn sorted(moves: Vec<Move>) -> Vec<String> {
    let mut texts: Vec<_> = moves.iter().map(ToString::to_string).collect();
    texts.sort();
    texts
}

#[track_caller]
fn check_moves(position: &Position, expect: &[&str]) {
    assert_eq!(sorted(position.legal_moves()), expect);
}

/// Checks that a move is refused with this reason.
#[track_caller]
fn check_refused(position: &Position, text: &str, reason: &str) {
    assert_eq!(position.parse_move(text).unwrap_err().to_string(), reason, "{text}");
}

#[test]
fn courses_go_through_every_square_the_same_way_on_each_row() {
    let names = |side| course(side).map(|square| square.to_string()).join(" ");
    let south = names(Side::First);
    assert!(south.starts_with("a1 b1 c1") && south.ends_with("c4 b4 a4"));
    assert!(south.contains("k1 l1 l2 k2") && south.contains("b2 a2 a3 b3 c3"));
    assert!(south.contains("k3 l3 l4 k4"));
    let north = names(Side::Second);
    assert!(north.starts_with("l4 k4 j4") && north.ends_with("j1 k1 l1"));
    assert!(north.contains("b4 a4 a3 b3") && north.contains("k3 l3 l2 k2"));
    assert!(north.contains("b2 a2 a1 b1"));
    for side in Side::BOTH {
        for (place, &square) in course(side).iter().enumerate() {
            assert_eq!(steps(side, square).map(usize::from), Some(place));
            let across = steps(side.other(), square).unwrap();
            assert_eq!(opposite(1 << place), 1 << across);
        }
    }
    assert_eq!(steps(Side::First, square("m1")), None);
    assert_eq!(steps(Side::First, square("a5")), None);
}

#[test]
fn a_path_turns_the_corners() {
    let names = |side, from, to| {
        path(side, square(from), square(to)).iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(names(Side::First, "k1", "k2"), ["k1", "l1", "l2", "k2"]);
    assert_eq!(names(Side::Second, "b2", "b1"), ["b2", "a2", "a1", "b1"]);
    assert!(names(Side::First, "k2", "k1").is_empty());
    assert!(names(Side::First, "k2", "k2").is_empty());
    assert!(names(Side::First, "k1", "k5").is_empty());
}

#[test]
fn throwing_off_alternates_until_a_1_starts() {
    let mut position = Position::start(PLAIN);
    assert_eq!(position.to_string(), format!("{START} ?s -"));
    for (plain, side, after) in [
        (0, Side::First, "?n -"),
        (4, Side::Second, "?s -"),
        (2, Side::First, "?n -"),
        (3, Side::Second, "?s -"),
        (2, Side::First, "?n -"),
    ] {
        assert_eq!(position.turn(), Turn::Throw(side));
        let throw = thrown(plain);
        assert_eq!(position.throw(throw), Ok(vec![Event::Thrown { side, throw }]));
        assert_eq!(position.to_string(), format!("{START} {after}"));
        assert!(position.throwing_off());
    }
    let (side, throw) = (Side::Second, thrown(1));
    assert_eq!(
        position.throw(throw),
        Ok(vec![
            Event::Thrown { side, throw },
            Event::Announced(Announcement::Starts(Side::Second))
        ])
    );
    assert_eq!(position.to_string(), format!("{START} n t1"));
    assert_eq!(position.pending(), Some(throw));
    check_moves(&position, &["a4-a3+b4-a4", "a4-b3", "b4-a3"]);
}

#[test]
fn north_may_throw_off_first() {
    let position = Position::with_first_thrower(ORDERED, Side::Second);
    assert_eq!(position.to_string(), format!("{START} ?n -"));
    assert_eq!(position.turn(), Turn::Throw(Side::Second));
}

#[test]
fn a_1_without_use_while_throwing_off_is_lost() {
    let mut position = plain("9S1S/10S1/6N5/1N10 ?s -");
    assert!(!position.can_use(Side::First, 2) && position.can_use(Side::First, 12));
    let (side, throw) = (Side::First, thrown(1));
    assert_eq!(
        position.throw(throw),
        Ok(vec![
            Event::Thrown { side, throw },
            Event::Announced(Announcement::Starts(side)),
            Event::Lost { side }
        ])
    );
    assert_eq!(position.to_string(), "9S1S/10S1/6N5/1N10 s -");
}

#[test]
fn throws_pass_are_lost_or_wait_for_a_move() {
    let text = "NN8SS/4S7/8N3/12";
    let side = Side::First;
    for (plain_sides, event, after) in [
        (1, None, "s t1"),
        (2, Some(Event::Passed { side }), "n -"),
        (3, Some(Event::Passed { side }), "n -"),
        (4, Some(Event::Lost { side }), "s -"),
        (0, None, "s t0"),
    ] {
        let mut position = plain(&format!("{text} s"));
        let throw = thrown(plain_sides);
        let mut expect = vec![Event::Thrown { side, throw }];
        expect.extend(event);
        assert_eq!(position.throw(throw), Ok(expect));
        assert_eq!(position.to_string(), format!("{text} {after}"));
    }
}

#[test]
fn the_throws_are_weighed_by_fair_sticks() {
    let position = Position::start(PLAIN);
    let weights: Vec<_> =
        position.outcomes().iter().map(|&(throw, weight)| (throw.to_string(), weight)).collect();
    let expect = [("t0", 1), ("t1", 4), ("t2", 6), ("t3", 4), ("t4", 1)];
    assert_eq!(weights, expect.map(|(throw, weight)| (throw.to_owned(), weight)));
    assert!(plain(&format!("{START} s t1")).outcomes().is_empty());
}

#[test]
fn a_move_or_throw_out_of_turn_is_refused() {
    let mut position = plain(&format!("{START} s t1"));
    let mv = position.parse_move("k1-l2").unwrap();
    let before = position.clone();
    assert_eq!(position.throw(thrown(1)), Err(Illegal::MoveDue));
    assert_eq!(position, before);
    position.play(mv).unwrap();
    let before = position.clone();
    assert_eq!(position.play(mv), Err(Illegal::ThrowDue));
    assert_eq!(position.parse_move("a1-b1"), Err(Illegal::ThrowDue));
    assert_eq!(position, before);
    assert!(position.legal_moves().is_empty());
}

#[test]
fn the_same_player_throws_again_after_a_move() {
    let mut position = plain(&format!("{START} n t4"));
    let mv = position.parse_move("e4-d3").unwrap();
    position.play(mv).unwrap();
    assert_eq!(position.to_string(), "NNNN1NNNNNNN/3N8/12/SSSSSSSSSSSS n -");
    assert_eq!(position.turn(), Turn::Throw(Side::Second));
}

#[test]
fn a_pair_is_one_move_in_either_order_of_its_text() {
    let mut position = plain("NNNNNNNNNNNN/12/12/2SS8 s t1");
    let pair = position.parse_move(" C1-D1 + d1-E1 ").unwrap();
    assert_eq!(position.parse_move("d1-e1+c1-d1"), Ok(pair));
    assert_eq!(pair.to_string(), "d1-e1+c1-d1");
    assert!(pair.is_pair());
    assert_eq!((pair.side(), pair.score(), pair.step(), pair.captures()), (Side::First, 2, 1, 0));
    assert_eq!(
        position.play(pair),
        Ok(vec![
            Event::Slid { from: square("d1"), to: square("e1") },
            Event::Slid { from: square("c1"), to: square("d1") },
        ])
    );
    assert_eq!(position.to_string(), "NNNNNNNNNNNN/12/12/3SS7 s -");
}

#[test]
fn both_halves_capture() {
    let mut position = plain("11N/2SN2N5/S11/12 s t4");
    check_moves(&position, &["a2-h3", "c3-k3", "c3xg3+a2xd3"]);
    let mv = position.parse_move("a2-d3+c3-g3").unwrap();
    let (side, at) = (Side::Second, square("g3"));
    assert_eq!(
        position.play(mv),
        Ok(vec![
            Event::Captured { at, side },
            Event::Slid { from: square("c3"), to: at },
            Event::Captured { at: square("d3"), side },
            Event::Slid { from: square("a2"), to: square("d3") },
        ])
    );
    assert_eq!(position.to_string(), "11N/3S2S5/12/12 s -");
    assert_eq!((position.count(Side::First), position.count(Side::Second)), (2, 1));
}

#[test]
fn a_capture_is_claimed_only_where_it_happens() {
    let position = plain("11N/2SN2N5/S11/12 s t4");
    let pair = position.parse_move("c3xg3+a2xd3").unwrap();
    for text in ["c3-g3+a2xd3", "c3xg3+a2-d3", "a2-d3+c3-g3", "A2Xd3+c3xG3"] {
        assert_eq!(position.parse_move(text), Ok(pair), "{text}");
    }
    assert_eq!(
        position.parse_move("a2xh3"),
        Err(Illegal::WrongCaptures { expected: "a2-h3".to_owned() })
    );
    // A move from elsewhere that captures what does not stand here.
    let mut elsewhere = plain("11N/2S9/S11/12 s t4");
    let before = elsewhere.clone();
    assert_eq!(
        elsewhere.play(pair),
        Err(Illegal::WrongCaptures { expected: "c3-g3+a2-d3".to_owned() })
    );
    assert_eq!(elsewhere, before);
}

#[test]
fn a_move_of_the_other_side_is_refused() {
    let south = plain("11N/2S9/11S/S11 s t1");
    let mv = south.parse_move("c3-e3").unwrap();
    let mut north = plain("11N/2N9/11S/S11 n t1");
    assert!(north.parse_move("c3-e3").is_ok());
    assert_eq!(north.play(mv), Err(Illegal::NotYours(square("c3"))));
}

#[test]
fn refusals_say_why_in_a_few_words() {
    let position = plain("N9NS/4S2S4/12/SSN5S3 s t1");
    for (text, reason) in [
        ("", "not a move: "),
        ("a1", "not a move: a1"),
        ("a1-", "not a move: a1-"),
        ("é1-a2", "not a move: é1-a2"),
        ("a1-b1+b1-c1+c1-d1", "not a move: a1-b1+b1-c1+c1-d1"),
        ("a1-b1+", "not a move: a1-b1+"),
        ("a1-m1", "m1 is not on the board"),
        ("a9-a1", "a9 is not on the board"),
        ("d1-f1", "no piece stands on d1"),
        ("a4-b3", "the piece on a4 is the opponent's"),
        ("l4-j4", "the piece on l4 has arrived and never moves again"),
        ("b1-a1", "a1 does not lie ahead of b1 on South's course"),
        ("b1-b1", "b1 does not lie ahead of b1 on South's course"),
        ("b1-e1", "b1 to e1 is 3 squares: move one piece 2, or two pieces 1 each"),
        ("i1-j1", "i1 to j1 is 1 square: move one piece 2, or two pieces 1 each"),
        ("i1-k1+h3-i3", "i1 to k1 is 2 squares: move one piece 2, or two pieces 1 each"),
        ("i1-j1+i1-j1", "one piece may not take both halves of a score"),
        ("i1-j1+j1-k1", "one piece may not take both halves of a score"),
        ("i1-j1+a1-b1", "a piece of the same side stands on b1"),
        ("a1-c1", "the enemy on c1 has arrived and is safe"),
        ("a1-b1+b1-c1", "the enemy on c1 has arrived and is safe"),
    ] {
        check_refused(&position, text, reason);
    }
    check_refused(
        &plain("N11/12/12/S11 n t1"),
        "a4-c4",
        "c4 does not lie ahead of a4 on North's course",
    );
}

#[test]
fn nothing_stands_in_the_way_but_on_the_landing_square() {
    check_moves(&plain("11N/12/12/SNN1N7 s t4"), &["a1-i1"]);
}

#[test]
fn the_ordered_last_row_fills_from_its_far_end() {
    let text = "SN10/8S1S1/12/2N9 s t0";
    let ordered = at(ORDERED, text);
    check_moves(&ordered, &["k3xb4"]);
    check_refused(&ordered, "i3-d4", "the goal row is filled in order, and b4 comes next");
    check_moves(&plain(text), &["i3-d4", "k3-h4+i3-j4", "k3xb4"]);
}

#[test]
fn a_pair_enters_the_ordered_row_one_after_the_other() {
    let mut position = at(ORDERED, "SSSSSS6/10SS/5N6/12 s t0");
    check_moves(&position, &["l3-g4+k3-h4"]);
    let pair = position.parse_move("k3-h4+l3-g4").unwrap();
    position.play(pair).unwrap();
    assert_eq!(position.to_string(), "SSSSSSSS4/12/5N6/12 s -");
    assert_eq!(position.goal_count(Side::First), 8);
    check_refused(
        &at(ORDERED, "SSSSSS6/9S1S/5N6/S11 s t0"),
        "l3-g4+j3-i4",
        "the goal row is filled in order, and h4 comes next",
    );
}

#[test]
fn ends_follow_from_the_board_alone() {
    for (rules, text, winner, reason) in [
        (PLAIN, "5S6/12/5N6/9NNN s", Some(Side::Second), EndReason::AllHome),
        (PLAIN, "4SS6/12/5N6/9NNN n", Some(Side::Second), EndReason::AllHome),
        (PLAIN, "4SS6/12/5N6/10NN n", None, EndReason::AllHome),
        (PLAIN, "12/12/5NN5/12 n", Some(Side::Second), EndReason::NoPieces),
        (PLAIN, "12/12/5SS5/12 ?n", Some(Side::First), EndReason::NoPieces),
        (ORDERED, "S11/11S/1N10/12 s", Some(Side::First), EndReason::Deadlock),
        (PLAIN, "S3S5S1/11S/N11/1N5N3N s", None, EndReason::Deadlock),
    ] {
        let mut position = at(rules, text);
        let end = End { winner, reason };
        assert_eq!(position.turn(), Turn::Over(end), "{text}");
        assert_eq!(position.throw(thrown(1)), Err(Illegal::GameOver));
        assert_eq!(position.parse_move("a1-a2"), Err(Illegal::GameOver));
        assert!(position.outcomes().is_empty() && position.legal_moves().is_empty());
    }
}

#[test]
fn the_last_capture_and_the_last_arrival_end_the_game() {
    for (text, mv, winner, reason) in [
        ("S5N5/9S1S/12/12 s t4", "l3-e4", None, None),
        ("12/4S1N5/12/12 s t1", "e3-g3", Some(Side::First), Some(EndReason::NoPieces)),
        ("S11/11S/N11/1N10 s t1", "l3-k4", Some(Side::First), Some(EndReason::AllHome)),
        ("SS10/4N1S5/12/11N n t1", "e3-g3", Some(Side::First), Some(EndReason::AllHome)),
    ] {
        let mut position = plain(text);
        let mv = position.parse_move(mv).unwrap();
        let events = position.play(mv).unwrap();
        let expect = reason.map(|reason| Event::Ended(End { winner, reason }));
        let ended = events.last().copied().filter(|event| matches!(event, Event::Ended(_)));
        assert_eq!(ended, expect, "{text}");
        assert_eq!(position.turn().end().is_some(), expect.is_some());
    }
}

#[test]
fn pieces_are_found_by_square_and_counted() {
    let position = plain("S5N5/9S1S/2N9/N11 s -");
    assert_eq!(position.piece(square("a4")), Some(Side::First));
    assert_eq!(position.piece(square("c2")), Some(Side::Second));
    assert_eq!(position.piece(square("b2")), None);
    assert_eq!(position.piece(square("m2")), None);
    let pieces: Vec<_> =
        position.pieces().map(|(square, side)| format!("{square}{}", side.index())).collect();
    assert_eq!(pieces, ["j30", "l30", "a40", "g41", "c21", "a11"]);
    assert_eq!(Side::BOTH.map(|side| position.count(side)), [3, 3]);
    assert_eq!(Side::BOTH.map(|side| position.goal_count(side)), [1, 1]);
}

#[test]
fn only_valid_scores_have_moves() {
    let position = Position::start(PLAIN);
    for score in 0..=u8::MAX {
        let mut moves = Vec::new();
        position.append_moves(position.side(), score, &mut moves);
        assert_eq!(!moves.is_empty(), SCORES.contains(&score));
        assert_eq!(position.can_use(Side::First, score), SCORES.contains(&score));
    }
}

#[test]
fn the_key_covers_every_part_of_the_state() {
    let mut keys = std::collections::HashSet::new();
    for rules in [PLAIN, ORDERED] {
        for state in ["?s", "?n", "s", "n", "s t0", "s t1", "s t4", "n t0", "n t1", "n t4"] {
            let position = at(rules, &format!("{START} {state}"));
            assert_eq!(position.key(), at(rules, &position.to_string()).key());
            assert!(keys.insert(position.key()), "{state}");
        }
    }
    assert!(keys.insert(plain("NNNNNNNNNNN1/12/12/SSSSSSSSSSSS s").key()));
    assert!(keys.insert(plain("NNNNNNNNNNNN/12/12/SSSSSSSSSSS1 s").key()));
}
