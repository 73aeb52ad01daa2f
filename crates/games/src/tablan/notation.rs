//! Texts of moves and positions.

use crate::reasons;
use std::fmt;

use crate::{Illegal, PositionError, Reason, Side, Square, Throw, square::write_ranks};

use super::{
    course::{FILES, RANKS, steps},
    moves::{Move, PieceMove},
    position::{Position, ThrowState},
    rules::Rules,
};

/// The number of pieces of a side at the start.
const MAX_PIECES: u32 = 12;

impl fmt::Display for PieceMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.from, if self.captures { 'x' } else { '-' }, self.to)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.leader().fmt(f)?;
        match self.follower() {
            Some(follower) => write!(f, "+{follower}"),
            None => Ok(()),
        }
    }
}

/// One part of a move as written: `x` claims a capture, `-` claims nothing.
struct WrittenPart {
    from: Square,
    to: Square,
    claims_capture: bool,
}

fn parse_part(text: &str) -> Option<WrittenPart> {
    let (at, separator) =
        text.char_indices().find(|(_, letter)| matches!(letter, '-' | 'x' | 'X'))?;
    let square = |text: &str| text.trim().parse().ok();
    Some(WrittenPart {
        from: square(&text[..at])?,
        to: square(&text[at + separator.len_utf8()..])?,
        claims_capture: separator != '-',
    })
}

impl Position {
    /// Parses a legal move: `a1-c1`, or a pair joined by `+` in either order. `x` is
    /// right for captures only, `-` always. Letters may be of either case.
    pub(super) fn parse_legal_move(&self, text: &str) -> Result<Move, Illegal> {
        let unreadable =
            || Illegal::Unreadable(Reason::new(reasons::TEXT).with_excerpt("text", text));
        let mut parts = Vec::with_capacity(2);
        for part in text.split('+') {
            if parts.len() == 2 {
                return Err(unreadable());
            }
            parts.push(parse_part(part.trim()).ok_or_else(unreadable)?);
        }
        let mut squares = parts.iter().map(|part| (part.from, part.to));
        let first = squares.next().ok_or_else(unreadable)?;
        let mv = self.legal_move(first, squares.next())?;
        let claims_too_much = mv.piece_moves().any(|real| {
            parts.iter().any(|part| part.from == real.from && part.claims_capture) && !real.captures
        });
        if claims_too_much {
            return Err(Illegal::WrongCaptures { expected: mv.to_string() });
        }
        Ok(mv)
    }

    /// Parses a position's text: rows 4 to 1 with `S`, `N` and numbers for runs of
    /// empty squares, then the side on turn (`s` or `n`; while throwing off `?s` or
    /// `?n`), then the throw to be used or `-`, which is optional.
    ///
    /// ```
    /// use tabulae_games::{Throw, tablan};
    ///
    /// let text = "2N8N/10S1/12/S11 s t1";
    /// let position = tablan::Position::parse(tablan::PLAIN, text).unwrap();
    /// assert_eq!(position.pending(), Throw::new(1));
    /// assert_eq!(position.to_string(), text);
    /// ```
    ///
    /// # Errors
    /// The text is not a position: a row, a number of pieces, the side or the throw
    /// is wrong.
    pub fn parse(rules: &'static Rules, text: &str) -> Result<Self, PositionError> {
        parse(rules, text).map_err(|reason| PositionError::new(text, reason))
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |side| if side == Side::First { 'S' } else { 'N' };
        write_ranks(f, (FILES, RANKS), |square| self.piece(square).map(letter))?;
        f.write_str(" ")?;
        let side = match crate::Game::side(self) {
            Side::First => 's',
            Side::Second => 'n',
        };
        match self.throw_state() {
            ThrowState::ThrowingOff => write!(f, "?{side} -"),
            ThrowState::Due => write!(f, "{side} -"),
            ThrowState::ToUse(throw) => write!(f, "{side} {throw}"),
        }
    }
}

fn parse(rules: &'static Rules, text: &str) -> Result<Position, Reason> {
    let mut fields = text.split_whitespace();
    let rows = fields.next().ok_or(Reason::new(reasons::EMPTY_TABLAN))?;
    let pieces = parse_rows(rows)?;
    let (throwing_off, side) = match fields.next() {
        Some("s") => (false, Side::First),
        Some("n") => (false, Side::Second),
        Some("?s") => (true, Side::First),
        Some("?n") => (true, Side::Second),
        Some(other) => {
            return Err(Reason::new(reasons::SIDE_TABLAN).with_excerpt("side", other));
        }
        None => return Err(Reason::new(reasons::NO_SIDE_TABLAN)),
    };
    let pending = match fields.next() {
        None | Some("-") => None,
        Some(field) => Some(parse_throw(field)?),
    };
    if let Some(extra) = fields.next() {
        return Err(Reason::new(reasons::EXTRA_TABLAN).with_excerpt("extra", extra));
    }
    let sticks = match (throwing_off, pending) {
        (true, None) => ThrowState::ThrowingOff,
        (true, Some(throw)) => {
            return Err(Reason::new(reasons::THROWING_OFF).with("throw", throw));
        }
        (false, None) => ThrowState::Due,
        (false, Some(throw)) => ThrowState::ToUse(throw),
    };
    let position = Position::from_parts(rules, pieces, side, sticks);
    if let Some(throw) = pending {
        if position.end().is_some() {
            return Err(Reason::new(reasons::THROW_OVER).with("throw", throw));
        }
        if !position.can_use(side, throw.score()) {
            return Err(Reason::new(reasons::THROW_LOST).with("throw", throw));
        }
    }
    Ok(position)
}

/// Both sides' pieces by places of their own courses.
fn parse_rows(text: &str) -> Result<[u64; 2], Reason> {
    let mut pieces = [0; 2];
    let rows: Vec<_> = text.split('/').collect();
    if rows.len() != usize::from(RANKS) {
        return Err(Reason::new(reasons::ROWS_FOUND)
            .with("ranks", RANKS)
            .with("found", rows.len()));
    }
    for (row, rank) in rows.into_iter().zip((0..RANKS).rev()) {
        parse_row(row, rank, &mut pieces).map_err(|reason| {
            Reason::new(reasons::ROW).with("row", rank + 1).with_reason("reason", reason)
        })?;
    }
    for (side, key) in [(Side::First, reasons::SOUTH_PIECES), (Side::Second, reasons::NORTH_PIECES)]
    {
        let count = pieces[side.index()].count_ones();
        if count > MAX_PIECES {
            return Err(Reason::new(key).with("count", count));
        }
    }
    if pieces == [0, 0] {
        return Err(Reason::new(reasons::NO_PIECE_AT_ALL));
    }
    Ok(pieces)
}

fn parse_row(row: &str, rank: u8, pieces: &mut [u64; 2]) -> Result<(), Reason> {
    let too_long = || Reason::new(reasons::ROW_TOO_LONG_TABLAN);
    let mut file = 0;
    let mut rest = row;
    while let Some(first) = rest.chars().next() {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if digits > 0 {
            let run: u8 = rest[..digits].parse().map_err(|_| too_long())?;
            if run == 0 || first == '0' {
                return Err(Reason::new(reasons::NO_RUN).with_excerpt("text", &rest[..digits]));
            }
            file = run.saturating_add(file);
            rest = &rest[digits..];
        } else {
            let side = match first {
                'S' => Side::First,
                'N' => Side::Second,
                _ => return Err(Reason::new(reasons::LETTER_TABLAN).with("letter", first)),
            };
            let place = steps(side, Square::new(file, rank)).ok_or_else(too_long)?;
            pieces[side.index()] |= 1 << place;
            file += 1;
            rest = &rest[first.len_utf8()..];
        }
        if file > FILES {
            return Err(too_long());
        }
    }
    if file < FILES {
        return Err(Reason::new(reasons::ROW_TOO_SHORT_TABLAN).with("file", file));
    }
    Ok(())
}

fn parse_throw(text: &str) -> Result<Throw, Reason> {
    let throw = Throw::parse(text)
        .ok_or_else(|| Reason::new(reasons::THROW_TABLAN).with_excerpt("text", text))?;
    if throw.score() == 0 {
        return Err(Reason::new(reasons::NULL_SCORE).with("throw", throw));
    }
    Ok(throw)
}
