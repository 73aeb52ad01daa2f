//! Moves and positions to and from text.

use std::fmt;

use crate::{
    games::{Illegal, PositionError, Side, Square, Throw, square::write_ranks},
    i18n::LocalizedMessage,
};

use super::{
    course::{FILES, RANKS, steps},
    moves::{Move, PieceMove},
    position::{Position, ThrowState},
    rules::Rules,
};

/// Pieces each side has in its box.
const SET: u32 = 12;

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

/// One half as written: `x` claims a capture, `-` claims nothing.
struct Written {
    from: Square,
    to: Square,
    claims_capture: bool,
}

fn read_half(text: &str) -> Option<Written> {
    let (at, separator) =
        text.char_indices().find(|(_, letter)| matches!(letter, '-' | 'x' | 'X'))?;
    let square = |text: &str| text.trim().parse().ok();
    Some(Written {
        from: square(&text[..at])?,
        to: square(&text[at + separator.len_utf8()..])?,
        claims_capture: separator != '-',
    })
}

impl Position {
    /// Reads a move that is legal here: `a1-c1`, or a pair joined by `+` with
    /// its halves in either order. `x` is right only where something is
    /// captured; `-` is right everywhere. Letters may be of either case.
    pub(super) fn read_move(&self, text: &str) -> Result<Move, Illegal> {
        let unreadable =
            || Illegal::Unreadable(LocalizedMessage::new("why.text").with("text", text));
        let mut halves = Vec::with_capacity(2);
        for half in text.split('+') {
            if halves.len() == 2 {
                return Err(unreadable());
            }
            halves.push(read_half(half.trim()).ok_or_else(unreadable)?);
        }
        let mut parts = halves.iter().map(|half| (half.from, half.to));
        let first = parts.next().ok_or_else(unreadable)?;
        let mv = self.judge(first, parts.next())?;
        let claims_too_much = mv.halves().any(|real| {
            halves.iter().any(|half| half.from == real.from && half.claims_capture)
                && !real.captures
        });
        if claims_too_much {
            return Err(Illegal::WrongCaptures { expected: mv.to_string() });
        }
        Ok(mv)
    }

    /// Reads a position's text: rows 4 to 1 with `S`, `N` and runs of empty
    /// squares as numbers, then the side on turn (`s` or `n`, while throwing
    /// off `?s` or `?n`), then the throw still to be used or `-`, which may be
    /// left out.
    ///
    /// ```
    /// use tabulae::games::{Throw, tablan};
    ///
    /// let text = "2N8N/10S1/12/S11 s t1";
    /// let position = tablan::Position::parse(tablan::PLAIN, text).unwrap();
    /// assert_eq!(position.pending(), Throw::new(1));
    /// assert_eq!(position.to_string(), text);
    /// ```
    ///
    /// # Errors
    /// The text is no position in which the game can stand; the error says
    /// why: a row, a count or a throw is wrong.
    pub fn parse(rules: &'static Rules, text: &str) -> Result<Self, PositionError> {
        read(rules, text).map_err(|reason| PositionError::new(text, reason))
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |side| if side == Side::First { 'S' } else { 'N' };
        write_ranks(f, (FILES, RANKS), |square| self.piece(square).map(letter))?;
        f.write_str(" ")?;
        let side = match crate::games::Game::side(self) {
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

fn read(rules: &'static Rules, text: &str) -> Result<Position, LocalizedMessage> {
    let mut fields = text.split_whitespace();
    let rows = fields.next().ok_or(LocalizedMessage::new("why.empty-tablan"))?;
    let pieces = read_rows(rows)?;
    let (throwing_off, side) = match fields.next() {
        Some("s") => (false, Side::First),
        Some("n") => (false, Side::Second),
        Some("?s") => (true, Side::First),
        Some("?n") => (true, Side::Second),
        Some(other) => return Err(LocalizedMessage::new("why.side-tablan").with("side", other)),
        None => return Err(LocalizedMessage::new("why.no-side-tablan")),
    };
    let pending = match fields.next() {
        None | Some("-") => None,
        Some(field) => Some(read_throw(field)?),
    };
    if let Some(extra) = fields.next() {
        return Err(LocalizedMessage::new("why.extra-tablan").with("extra", extra));
    }
    let sticks = match (throwing_off, pending) {
        (true, None) => ThrowState::ThrowingOff,
        (true, Some(throw)) => {
            return Err(LocalizedMessage::new("why.throwing-off").with("throw", throw));
        }
        (false, None) => ThrowState::Due,
        (false, Some(throw)) => ThrowState::ToUse(throw),
    };
    let position = Position::set_up(rules, pieces, side, sticks);
    if let Some(throw) = pending {
        if position.end().is_some() {
            return Err(LocalizedMessage::new("why.throw-over").with("throw", throw));
        }
        if !position.can_use(side, throw.score()) {
            return Err(LocalizedMessage::new("why.throw-lost").with("throw", throw));
        }
    }
    Ok(position)
}

/// Both sides' pieces by places of their own courses.
fn read_rows(text: &str) -> Result<[u64; 2], LocalizedMessage> {
    let mut pieces = [0; 2];
    let rows: Vec<_> = text.split('/').collect();
    if rows.len() != usize::from(RANKS) {
        return Err(LocalizedMessage::new("why.rows-found")
            .with("ranks", RANKS)
            .with("found", rows.len()));
    }
    for (row, rank) in rows.into_iter().zip((0..RANKS).rev()) {
        read_row(row, rank, &mut pieces).map_err(|reason| {
            LocalizedMessage::new("why.row").with("row", rank + 1).with_message("reason", reason)
        })?;
    }
    for (side, key) in [(Side::First, "why.south-pieces"), (Side::Second, "why.north-pieces")] {
        let count = pieces[side.index()].count_ones();
        if count > SET {
            return Err(LocalizedMessage::new(key).with("count", count));
        }
    }
    if pieces == [0, 0] {
        return Err(LocalizedMessage::new("why.no-piece-at-all"));
    }
    Ok(pieces)
}

fn read_row(row: &str, rank: u8, pieces: &mut [u64; 2]) -> Result<(), LocalizedMessage> {
    let too_long = || LocalizedMessage::new("why.row-too-long-tablan");
    let mut file = 0;
    let mut rest = row;
    while let Some(first) = rest.chars().next() {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if digits > 0 {
            let run: u8 = rest[..digits].parse().map_err(|_| too_long())?;
            if run == 0 || first == '0' {
                return Err(LocalizedMessage::new("why.no-run").with("text", &rest[..digits]));
            }
            file = run.saturating_add(file);
            rest = &rest[digits..];
        } else {
            let side = match first {
                'S' => Side::First,
                'N' => Side::Second,
                _ => return Err(LocalizedMessage::new("why.letter-tablan").with("letter", first)),
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
        return Err(LocalizedMessage::new("why.row-too-short-tablan").with("file", file));
    }
    Ok(())
}

fn read_throw(text: &str) -> Result<Throw, LocalizedMessage> {
    let throw = Throw::parse(text)
        .ok_or_else(|| LocalizedMessage::new("why.throw-tablan").with("text", text))?;
    if throw.score() == 0 {
        return Err(LocalizedMessage::new("why.null-score").with("throw", throw));
    }
    Ok(throw)
}
