//! Texts of moves and positions.

use crate::reasons;
use std::{collections::BTreeSet, fmt};

use crate::{Illegal, PositionError, Reason, Square, square::write_ranks};

use super::{
    Army, Bitboard, Move, Piece, Position, Rules,
    bitboard::{SIZE, index},
};

const WHITE_SOLDIERS: u32 = 8;
const BLACK_SOLDIERS: u32 = 16;

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_ranks(f, (SIZE, SIZE), |square| self.letter(square))?;
        f.write_str(match self.to_move() {
            Army::White => " w",
            Army::Black => " b",
        })
    }
}

impl Position {
    fn letter(&self, square: Square) -> Option<char> {
        match self.piece(square) {
            Some(Piece::King) => Some('K'),
            Some(Piece::White) => Some('W'),
            Some(Piece::Black) => Some('B'),
            None if Some(square) == self.shown_king() => Some('K'),
            None => None,
        }
    }

    /// Parses a position's text: ranks 9 to 1, each from a to i, with `K`, `W`, `B`
    /// and numbers for runs of empty squares, then `w` or `b` for the army to move.
    /// Positions that no game can reach are accepted. Without a king Black has won;
    /// with the king on a goal square White has.
    ///
    /// # Errors
    /// The text has another form, two kings or too many soldiers.
    pub fn parse(rules: &'static Rules, text: &str) -> Result<Self, PositionError> {
        parse(rules, text).map_err(|reason| PositionError::new(text, reason))
    }
}

fn parse(rules: &'static Rules, text: &str) -> Result<Position, Reason> {
    let mut words = text.split_whitespace();
    let rows = words.next().ok_or(Reason::new(reasons::EMPTY_TABLUT))?;
    let side = words.next().ok_or(Reason::new(reasons::NO_SIDE_TABLUT))?;
    if let Some(extra) = words.next() {
        return Err(Reason::new(reasons::EXTRA_TABLUT).with_excerpt("extra", extra));
    }
    let mut board = PartialBoard::default();
    let rows: Vec<_> = rows.split('/').collect();
    if rows.len() != usize::from(SIZE) {
        return Err(Reason::new(reasons::ROWS_FOUND).with("ranks", SIZE).with("found", rows.len()));
    }
    for (row, rank) in rows.into_iter().zip((0..SIZE).rev()) {
        board.parse_row(row, rank)?;
    }
    let to_move = match side {
        "w" => Army::White,
        "b" => Army::Black,
        other => return Err(Reason::new(reasons::SIDE_TABLUT).with_excerpt("side", other)),
    };
    let limits = [
        (reasons::WHITE_SOLDIERS, board.white, WHITE_SOLDIERS),
        (reasons::BLACK_SOLDIERS, board.black, BLACK_SOLDIERS),
    ];
    for (key, soldiers, limit) in limits {
        if soldiers.len() > limit {
            return Err(Reason::new(key).with("count", soldiers.len()).with("limit", limit));
        }
    }
    Ok(Position::from_parts(rules, board.white, board.black, board.king, to_move))
}

/// The pieces of a position while it is parsed.
#[derive(Default)]
struct PartialBoard {
    white: Bitboard,
    black: Bitboard,
    king: Option<u8>,
}

impl PartialBoard {
    fn parse_row(&mut self, row: &str, rank: u8) -> Result<(), Reason> {
        let number = rank + 1;
        let mut file = 0;
        for letter in row.chars() {
            let at = index(Square::new(file, rank));
            match (letter, at) {
                ('1'..='9', _) => {
                    let run = letter.to_digit(10).and_then(|run| u8::try_from(run).ok());
                    file += run.unwrap_or(0);
                }
                ('K' | 'W' | 'B', None) => file += 1,
                ('K', Some(at)) => {
                    if self.king.replace(at).is_some() {
                        return Err(Reason::new(reasons::TWO_KINGS));
                    }
                    file += 1;
                }
                ('W', at) => {
                    self.white |= Bitboard::maybe(at);
                    file += 1;
                }
                ('B', at) => {
                    self.black |= Bitboard::maybe(at);
                    file += 1;
                }
                _ => {
                    let why = Reason::new(reasons::LETTER_TABLUT).with("letter", letter);
                    return Err(why.with("row", number));
                }
            }
            if file > SIZE {
                return Err(Reason::new(reasons::ROW_TOO_LONG_TABLUT)
                    .with("row", number)
                    .with_excerpt("text", row));
            }
        }
        if file < SIZE {
            let why = Reason::new(reasons::ROW_TOO_SHORT_TABLUT).with("row", number);
            return Err(why.with_excerpt("text", row).with("file", file));
        }
        Ok(())
    }
}

/// A parsed move text.
struct WrittenMove {
    mv: Move,
    /// The squares after `x`; `None` if the text has no captures.
    captures: Option<BTreeSet<Square>>,
}

/// Parses `e4-f4`, `e4-7` or `e4-g`, each with or without `xf5xd4`.
fn parse_written(text: &str) -> Option<WrittenMove> {
    let text = text.trim().to_ascii_lowercase();
    let (from, rest) = text.split_once('-')?;
    let (to, captures) = match rest.split_once('x') {
        Some((to, captures)) => (to, Some(captures)),
        None => (rest, None),
    };
    let from: Square = from.trim_end().parse().ok()?;
    let to = match to.trim().as_bytes() {
        [row @ b'1'..=b'9'] => Square::new(from.file, row - b'1'),
        [column @ b'a'..=b'z'] => Square::new(column - b'a', from.rank),
        _ => to.trim().parse().ok()?,
    };
    let captures = captures.map(|part| {
        part.split(['x', ',']).map(|name| name.trim().parse().ok()).collect::<Option<BTreeSet<_>>>()
    });
    let captures = match captures {
        Some(None) => return None,
        Some(read) => read,
        None => None,
    };
    Some(WrittenMove { mv: Move::new(from, to), captures })
}

impl Position {
    /// Parses a legal move. A captured king may be left out of the captures, as in
    /// records that write soldiers only.
    pub(super) fn parse_legal_move(&self, text: &str) -> Result<Move, Illegal> {
        let Some(WrittenMove { mv, captures }) = parse_written(text) else {
            let why = Reason::new(reasons::MOVE_TEXT_TABLUT).with_excerpt("text", text.trim());
            return Err(Illegal::Unreadable(why));
        };
        self.check_legal(mv)?;
        if let Some(written) = captures {
            let all: BTreeSet<_> = self.captures(mv).squares().collect();
            let soldiers: BTreeSet<_> =
                all.iter().copied().filter(|&at| self.king() != Some(at)).collect();
            if written != all && written != soldiers {
                return Err(Illegal::WrongCaptures { expected: self.with_captures(mv) });
            }
        }
        Ok(mv)
    }

    /// The text of a move with its captures, in the order of squares.
    pub(super) fn with_captures(&self, mv: Move) -> String {
        self.captures(mv).squares().fold(mv.to_string(), |text, at| format!("{text}x{at}"))
    }
}
