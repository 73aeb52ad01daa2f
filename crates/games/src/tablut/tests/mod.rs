//! Every clause of the rules, on a board with only the pieces that it needs.

mod ashton;
mod berkeley;
mod linnaeus;
mod perft;
mod saami;
mod texts;

use crate::{
    Announcement, End, EndReason, Event, Game, GameHistory, Illegal, Ply, Side, Square, Throw, Turn,
};

use super::{
    ASHTON, Army, BERKELEY, Bitboard, CASTLE, LINNAEUS, Move, Position, Rules, SAAMI,
    bitboard::index, rule_sets,
};

/// A position with these pieces; `""` as `king` for none.
fn board(rules: &'static Rules, to_move: Army, king: &str, white: &str, black: &str) -> Position {
    let king = king.parse().ok().and_then(index);
    Position::from_parts(rules, Bitboard::of(white), Bitboard::of(black), king, to_move)
}

/// The same pieces with this army to move.
fn with_turn(to_move: Army, position: &Position) -> Position {
    let mut position = position.clone();
    if position.to_move() != to_move {
        position.board.pass();
    }
    position
}

/// The squares that the move captures on, as names; the move must be legal.
#[track_caller]
fn takes(position: &Position, mv: &str) -> String {
    let mv = position.parse_move(mv).unwrap();
    let names: Vec<_> = position.captures(mv).squares().map(|at| at.to_string()).collect();
    names.join(" ")
}

/// Why the move is refused.
#[track_caller]
fn refusal(position: &Position, mv: &str) -> String {
    position.parse_move(mv).unwrap_err().to_string()
}

/// The winner and the reason after the move; `None` if the game continues.
#[track_caller]
fn end(position: &Position, mv: &str) -> Option<(Army, EndReason)> {
    let mut after = position.clone();
    let events = after.play(position.parse_move(mv).unwrap()).unwrap();
    let end = after.turn().end();
    let ended = events.iter().find_map(|event| match event {
        Event::Ended(end) => Some(*end),
        _ => None,
    });
    assert_eq!(ended, end, "the events include the end");
    end.map(|End { winner, reason }| (position.rules().army(winner.unwrap()), reason))
}

const KING_CAPTURED: Option<(Army, EndReason)> = Some((Army::Black, EndReason::KingCaptured));
const ESCAPED: Option<(Army, EndReason)> = Some((Army::White, EndReason::Escape));

use Army::{Black, White};

#[test]
fn all_begin_with_the_same_pieces_and_their_own_side() {
    for rules in rule_sets() {
        let start = Position::start(rules);
        assert_eq!(start.pieces().count(), 25);
        assert_eq!(start.king(), Some(CASTLE));
        assert_eq!(start.to_move(), rules.first);
        assert_eq!(start.turn(), Turn::Move(Side::First));
        assert_eq!((start.white_soldiers().len(), start.black_soldiers().len()), (8, 16));
    }
}

#[test]
fn pieces_move_like_rooks_and_never_jump() {
    for rules in rule_sets() {
        let position = board(rules, White, "c3", "c6", "f3");
        let reach = position.destinations(Square::new(2, 2));
        let free = Bitboard::of("a3 b3 d3 e3 c1 c2 c4 c5");
        assert_eq!(reach, free, "{}", rules.set);
        assert_eq!(refusal(&position, "c3-g3"), "the piece on f3 is in the way");
        assert_eq!(refusal(&position, "c3-f3"), "f3 is occupied");
        assert_eq!(
            refusal(&position, "c3-d4"),
            "d4 is not in line with c3: pieces move along their row or column"
        );
        assert_eq!(refusal(&position, "c3-c3"), "the piece on c3 must move to another square");
        assert_eq!(refusal(&position, "f3-f4"), "the piece on f3 is the opponent's");
        assert_eq!(refusal(&position, "h3-h4"), "no piece stands on h3");
        assert_eq!(refusal(&position, "c3-j3"), "j3 is not on the board");
    }
}

#[test]
fn soldiers_are_taken_between_two_enemies_and_only_by_the_moved_one() {
    for rules in rule_sets() {
        let position = board(rules, Black, "c3", "f6", "e6 g2 b8");
        assert_eq!(takes(&position, "g2-g6"), "f6", "{}", rules.set);
        assert_eq!(takes(&position, "g2-g5"), "");
        let between = board(rules, Black, "c3", "f6", "e6 g6 b8");
        assert_eq!(takes(&between, "b8-c8"), "", "the two stand there already");
        let in_row = board(rules, Black, "c3", "f6 g6", "e6 h8 b8");
        assert_eq!(takes(&in_row, "h8-h6"), "", "two in a row cover each other");
        let corner = board(rules, Black, "c3", "g6", "g7 h8");
        assert_eq!(takes(&corner, "h8-h6"), "", "not round the corner");
        let edge = board(rules, Black, "c3", "i3", "h1");
        assert_eq!(takes(&edge, "h1-h3"), "", "the edge backs nothing");
    }
}

#[test]
fn stepping_between_two_enemies_is_safe() {
    for rules in rule_sets() {
        let position = board(rules, White, "c3", "f2 b8", "e6 g6");
        assert_eq!(takes(&position, "f2-f6"), "");
        let mut after = position.clone();
        after.play(position.parse_move("f2-f6").unwrap()).unwrap();
        assert!(after.white_soldiers().contains("f6".parse().unwrap()));
    }
}

#[test]
fn one_move_takes_up_to_three_at_once_and_names_them_in_order() {
    for rules in rule_sets() {
        let position = board(rules, Black, "b3", "f7 h7 g8", "e7 i7 g9 g3");
        let mv = position.parse_move("g3-g7").unwrap();
        assert_eq!(position.notation(mv), "g3-g7xf7xg8xh7");
        let mut after = position.clone();
        let events = after.play(mv).unwrap();
        let names: Vec<_> = events
            .iter()
            .map(|event| match event {
                Event::Slid { from, to } => format!("{from}{to}"),
                Event::Captured { at, side } => format!("{at}{:?}", rules.army(*side)),
                other => format!("{other:?}"),
            })
            .collect();
        assert_eq!(names, ["g3g7", "f7White", "g8White", "h7White"]);
        assert!(after.white_soldiers().is_empty());
    }
}

#[test]
fn nothing_moves_after_the_end() {
    for rules in rule_sets() {
        for (king, winner) in [("", Black), ("a1", White)] {
            let over = board(rules, White, king, "c4", "f3");
            let winner = Some(rules.side(winner));
            assert_eq!(over.turn().end().map(|end| end.winner), Some(winner), "{over}");
            assert!(over.legal_moves().is_empty());
            assert_eq!(over.parse_move("c4-c5"), Err(Illegal::GameOver));
            let mut after = over.clone();
            let mv = Move::new(Square::new(2, 3), Square::new(2, 4));
            assert_eq!(after.play(mv), Err(Illegal::GameOver));
            assert_eq!(after, over);
        }
    }
}

#[test]
fn the_side_that_cannot_move_loses() {
    for rules in rule_sets() {
        let shut = board(rules, White, "d4", "", "c4 d3 e4 d5");
        assert_eq!(
            shut.turn().end(),
            Some(End { winner: Some(rules.side(Black)), reason: EndReason::NoMoves })
        );
        assert!(shut.legal_moves().is_empty());
        assert_eq!(shut.parse_move("d4-d6"), Err(Illegal::GameOver));
        let bare = board(rules, Black, "d4", "c4", "");
        assert_eq!(bare.turn().end().map(|end| end.reason), Some(EndReason::NoMoves));
    }
}

#[test]
fn capturing_the_last_black_soldier_leaves_black_without_moves() {
    for rules in rule_sets() {
        let position = board(rules, White, "d4", "g7 f5", "g6");
        assert_eq!(end(&position, "f5-g5"), Some((White, EndReason::NoMoves)), "{}", rules.set);
    }
}

#[test]
fn throws_are_refused() {
    for rules in rule_sets() {
        let mut position = Position::start(rules);
        assert!(position.outcomes().is_empty());
        assert_eq!(position.throw(Throw::ALL[1]), Err(Illegal::NoSticks));
        assert_eq!(position, Position::start(rules));
    }
}

/// Plays moves; returns the end of the game by the last one.
fn end_of_game(start: Position, moves: &str) -> Option<End> {
    let mut history = GameHistory::new(start);
    for mv in moves.split(' ') {
        assert_eq!(history.turn().end(), None, "before {mv}");
        let mv = history.position().parse_move(mv).unwrap();
        history.push(Ply::Move(mv)).unwrap();
    }
    history.turn().end()
}

#[test]
fn positions_of_different_rules_are_never_equal() {
    for one in rule_sets() {
        for other in rule_sets() {
            let (one, other) =
                (board(one, White, "e5", "e4", "a4"), board(other, White, "e5", "e4", "a4"));
            let same = one.rules().set == other.rules().set;
            assert_eq!((one == other, one.key() == other.key()), (same, same));
        }
    }
}

#[test]
fn a_move_off_the_board_or_from_an_empty_square_changes_nothing() {
    let start = Position::start(ASHTON);
    let at = Square::new;
    for (from, to) in [(at(9, 0), at(0, 0)), (at(0, 0), at(0, 1)), (at(4, 3), at(4, 4))] {
        let mut after = start.clone();
        assert!(after.apply(Move::new(from, to)).is_empty());
        assert_eq!(after, start);
        assert!(start.captures(Move::new(from, to)).is_empty());
    }
    assert!(start.destinations(at(9, 9)).is_empty());
}

/// The announcement after a move.
fn announced(position: &Position, mv: &str) -> Option<Announcement> {
    let events = position.clone().play(position.parse_move(mv).unwrap()).unwrap();
    events.into_iter().find_map(|event| match event {
        Event::Announced(announcement) => Some(announcement),
        _ => None,
    })
}
