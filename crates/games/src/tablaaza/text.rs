//! Texts of positions.

use crate::reasons;
use std::fmt;

use super::{Cell, Position, board::LAKES};
use crate::{Game, PositionError, Reason, Side, Square, square::write_ranks};

impl fmt::Display for Position {
    /// Writes the ranks from the top, then `r` or `g` for the side to move.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = self.board();
        write_ranks(f, (board.files(), board.ranks()), |square| match self.at(square) {
            Cell::Free => None,
            Cell::Stone(Side::First) => Some('r'),
            Cell::Stone(Side::Second) => Some('g'),
            Cell::Pavilion(_) => Some('p'),
            Cell::Lake => Some('~'),
        })?;
        f.write_str(match self.side() {
            Side::First => " r",
            Side::Second => " g",
        })
    }
}

impl Position {
    /// Parses a position's text: ranks from the top with `r` and `g` for stones, `p`
    /// for pavilions, `~` for lakes and numbers for runs of free squares, then `r` or
    /// `g` for the side to move.
    ///
    /// # Errors
    /// The text is not a position on [`LAKES`].
    pub fn parse(text: &str) -> Result<Self, PositionError> {
        parse(text).map_err(|reason| PositionError::new(text, reason))
    }
}

fn parse(text: &str) -> Result<Position, Reason> {
    let mut words = text.split_whitespace();
    let (Some(rows), Some(side), None) = (words.next(), words.next(), words.next()) else {
        return Err(Reason::new(reasons::ROWS_AND_SIDE));
    };
    let mut position = Position::empty(&LAKES);
    position.side = match side {
        "r" => Side::First,
        "g" => Side::Second,
        _ => return Err(Reason::new(reasons::R_OR_G).with_excerpt("side", side)),
    };
    let ranks = position.board().ranks();
    let found = rows.split('/').count();
    if found != usize::from(ranks) {
        return Err(Reason::new(reasons::ROWS_FOUND).with("ranks", ranks).with("found", found));
    }
    for (rank, row) in (0..ranks).rev().zip(rows.split('/')) {
        parse_row(&mut position, rank, row)?;
    }
    Ok(position)
}

fn parse_row(position: &mut Position, rank: u8, row: &str) -> Result<(), Reason> {
    let files = position.board().files();
    let of_row = |key| Reason::new(key).with("row", rank + 1).with("files", files);
    let mut file = 0;
    for mark in row.chars() {
        let run = match mark {
            '1'..='9' => mark as u8 - b'0',
            'r' | 'g' | 'p' | '~' => 1,
            _ => return Err(of_row(reasons::ROW_MARK).with("mark", mark)),
        };
        if file + run > files {
            return Err(of_row(reasons::ROW_TOO_LONG));
        }
        for _ in 0..run {
            parse_square(position, Square::new(file, rank), mark)?;
            file += 1;
        }
    }
    if file < files {
        return Err(of_row(reasons::ROW_TOO_SHORT).with("file", file));
    }
    Ok(())
}

fn parse_square(position: &mut Position, square: Square, mark: char) -> Result<(), Reason> {
    let board = position.board();
    let bit = board.bit(square).unwrap_or(0);
    let Some(colour) = board.colour(square) else {
        return match mark {
            '~' => Ok(()),
            _ => Err(Reason::new(reasons::LAKE_WRITTEN).with("at", square)),
        };
    };
    let wrong = match colour {
        Side::First => reasons::STONE_ON_RED,
        Side::Second => reasons::STONE_ON_GREEN,
    };
    match (mark, colour) {
        ('~', _) => return Err(Reason::new(reasons::NOT_A_LAKE).with("at", square)),
        ('r', Side::First) | ('g', Side::Second) => position.stones[colour.index()] |= bit,
        ('r' | 'g', _) => {
            return Err(Reason::new(wrong).with("mark", mark).with("at", square));
        }
        ('p', _) => position.pavilions[colour.other().index()] |= bit,
        _ => {}
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EndReason, Event, GameHistory, Illegal, Ply, Turn};

    const START: &str = "8/8/2~2~2/2~2~2/2~2~2/8/8 r";

    fn position(text: &str) -> Position {
        Position::parse(text).expect("a position")
    }

    fn refused(text: &str) -> String {
        Position::parse(text).expect_err("no position").reason
    }

    #[test]
    fn the_start_position_round_trips() {
        assert_eq!(Position::start().to_string(), START);
        assert_eq!(position(START), Position::start());
        assert_eq!(position(START).key(), Position::start().key());
    }

    #[test]
    fn invalid_texts_are_refused_with_a_reason() {
        let cases = [
            ("", "expected the rows"),
            ("8/8/2~2~2/2~2~2/2~2~2/8/8", "expected the rows"),
            ("8/8/2~2~2/2~2~2/2~2~2/8/8 r x", "expected the rows"),
            ("8/8/2~2~2/2~2~2/2~2~2/8/8 w", "not 'w'"),
            ("8/8/2~2~2/2~2~2/2~2~2/8 r", "expected 7 rows from the top, joined by /; found 6"),
            ("7/8/2~2~2/2~2~2/2~2~2/8/8 r", "row 7 has 7 squares"),
            ("9/8/2~2~2/2~2~2/2~2~2/8/8 r", "row 7 has more than 8 squares"),
            ("8/8/8/2~2~2/2~2~2/8/8 r", "c5 is a lake"),
            ("8/8/2r2~2/2~2~2/2~2~2/8/8 r", "c5 is a lake"),
            ("~7/8/2~2~2/2~2~2/2~2~2/8/8 r", "a7 is a square"),
            ("1r6/8/2~2~2/2~2~2/2~2~2/8/8 r", "'r' cannot stand on b7, a green square"),
            ("g7/8/2~2~2/2~2~2/2~2~2/8/8 r", "'g' cannot stand on a7, a red square"),
            ("x7/8/2~2~2/2~2~2/2~2~2/8/8 r", "'x' is none of"),
            ("0r7/8/2~2~2/2~2~2/2~2~2/8/8 r", "'0' is none of"),
            ("é7/8/2~2~2/2~2~2/2~2~2/8/8 r", "'é' is none of"),
        ];
        for (text, reason) in cases {
            assert!(refused(text).contains(reason), "{text}: {}", refused(text));
        }
    }

    #[test]
    fn cells_are_stones_pavilions_and_lakes() {
        let position = position("rgr1rgrg/grgrgrpr/rg~gr~rg/g1~1g~pr/rg~gr~rg/g1grgrgp/r1r1rgrg g");
        let at = |text: &str| position.at(text.parse().expect("a square"));
        assert_eq!(at("a7"), Cell::Stone(Side::First));
        assert_eq!(at("b7"), Cell::Stone(Side::Second));
        assert_eq!(at("d7"), Cell::Free);
        assert_eq!(at("g6"), Cell::Pavilion(Side::First));
        assert_eq!(at("h2"), Cell::Pavilion(Side::Second));
        assert_eq!(at("c5"), Cell::Lake);
        assert_eq!(at("i1"), Cell::Lake);
        assert_eq!((position.pavilions(Side::First), position.pavilions(Side::Second)), (2, 1));
        assert_eq!(position.closed().count_ones(), 44);
    }

    #[test]
    fn the_neighbourly_rule_binds_green_s_first_stone_only() {
        let mut line = GameHistory::new(Position::start());
        for (text, moves) in [("c7", 7), ("d7", 24), ("a1", 24), ("h1", 23)] {
            let ply = line.parse(text).expect("legal");
            line.push(ply).expect("legal");
            assert_eq!(line.legal_moves().len(), moves, "after {text}");
        }
    }

    #[test]
    fn illegal_moves_are_refused_with_a_reason_and_change_nothing() {
        let mut position = position("2r5/8/2~2~2/2~2~2/2~2~2/8/8 g");
        let cases = [
            ("c7", "a stone stands on c7"),
            ("e7", "e7 is a red square, not Green's"),
            ("c4", "c4 is a lake"),
            ("h1", "h1 is not neighbourly"),
            ("a9", "a9 is not on the board"),
            ("i1", "i1 is not on the board"),
            ("b7^a7", "the move is legal but is written 'b7' here"),
            ("b7^", "not a move"),
            ("b7-b6", "not a move"),
            ("", "not a move"),
        ];
        for (text, reason) in cases {
            let error = position.parse_move(text).expect_err("refused").to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
        let before = position;
        for square in [(2, 6), (4, 6), (2, 3), (7, 6), (0, 8), (30, 30)] {
            let mv = super::super::Move::new(Square::new(square.0, square.1));
            assert!(position.play(mv).is_err());
            assert_eq!(position, before);
        }
        assert_eq!(position.throw(crate::Throw::ALL[0]), Err(Illegal::NoSticks));
    }

    #[test]
    fn closing_the_last_square_of_the_corridors_raises_a_pavilion() {
        // b1 is Green's; the red squares of its corridors are a1, c1, e1, g1,
        // b2, b4 and b6.
        let before = position("8/1r6/2~2~2/1r~2~2/2~2~2/1r6/r1r1r3 r");
        let mv = before.parse_move("g1").expect("legal");
        assert_eq!(before.notation(mv), "g1^b1");
        assert_eq!(before.parse_move("g1^b1"), Ok(mv));
        assert_eq!(
            before.parse_move("g1^d1"),
            Err(Illegal::WrongCaptures { expected: "g1^b1".to_owned() })
        );
        let mut after = before;
        let events = after.play(mv).expect("legal");
        let b1 = "b1".parse().expect("a square");
        assert_eq!(
            events,
            [
                Event::Placed { at: mv.square(), side: Side::First },
                Event::PavilionRaised { at: b1, side: Side::First },
            ]
        );
        assert_eq!(after.at(b1), Cell::Pavilion(Side::First));
    }

    #[test]
    fn the_side_that_cannot_play_loses() {
        let mut last = position("rgrprgrg/grgrgrgr/rg~gr~rg/gr~rg~gr/rg~gr~rg/grgrgrgr/1grgrgrg r");
        let mv = last.parse_move("a1").expect("legal");
        let events = last.play(mv).expect("legal");
        let Some(Event::Ended(end)) = events.last() else { panic!("an end: {events:?}") };
        assert_eq!((end.winner, end.reason), (Some(Side::First), EndReason::NoMoves));
        assert_eq!(last.turn(), Turn::Over(*end));
        assert!(last.legal_moves().is_empty());
        assert_eq!(last.parse_move("b1"), Err(Illegal::GameOver));
        assert_eq!(last.play(mv), Err(Illegal::GameOver));
        let mut line = GameHistory::new(last);
        assert_eq!(line.push(Ply::Move(mv)), Err(Illegal::GameOver));
    }
}
