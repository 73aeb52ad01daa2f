//! Move generation, captures and legality.

use crate::reasons;
use std::fmt;

use crate::{Illegal, Reason, Square};

use super::{
    Army, Bitboard, KingCapture, Piece, Position,
    bitboard::{index, neighbours, neighbours_and_beyond, square},
    key,
    rules::{CASTLE, CASTLE_BIT, CASTLE_INDEX, CASTLE_NEIGHBOURS, CORNERS},
};

/// A move of one piece. What it captures depends on the position.
///
/// `Display` writes the text without captures: `e4-f4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Move {
    from: Square,
    to: Square,
}

impl Move {
    /// The move from one square to another, legal or not.
    #[must_use]
    pub const fn new(from: Square, to: Square) -> Self {
        Self { from, to }
    }

    /// The square before.
    #[must_use]
    pub const fn from(self) -> Square {
        self.from
    }

    /// The square after.
    #[must_use]
    pub const fn to(self) -> Square {
        self.to
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.from, self.to)
    }
}

impl Position {
    /// The squares that the piece on `from` can move to, whichever side is on turn.
    /// Empty for an empty square and once the king has ended the game.
    #[must_use]
    pub fn destinations(&self, from: Square) -> Bitboard {
        match index(from) {
            Some(from) if self.king_end().is_none() && self.occupied().has(from) => {
                self.destinations_of(from)
            }
            _ => Bitboard::EMPTY,
        }
    }

    /// [`Self::destinations`] for a square with a piece, in a game that goes on.
    pub(super) fn destinations_of(&self, from: u8) -> Bitboard {
        let (soldier_of, forbidden) = if self.king == Some(from) {
            (None, Bitboard::EMPTY)
        } else if self.black.has(from) {
            (Some(Army::Black), self.rules.king_only)
        } else {
            (Some(Army::White), self.rules.king_only)
        };
        let blockers = self.occupied() | self.rules.blockers(soldier_of, from);
        Bitboard::rook_moves(from, blockers) - forbidden
    }

    /// Whether the army to move has a move, unless the king has ended the game.
    pub(super) fn can_move(&self) -> bool {
        self.army(self.to_move).indices().any(|from| !self.destinations_of(from).is_empty())
    }

    /// The legal moves; none once the king has ended the game.
    pub(super) fn moves(&self) -> Vec<Move> {
        if self.king_end().is_some() {
            return Vec::new();
        }
        let mut moves = Vec::with_capacity(96);
        for from in self.army(self.to_move).indices() {
            let destinations = self.destinations_of(from);
            let from = square(from);
            moves.extend(destinations.squares().map(|to| Move { from, to }));
        }
        moves
    }

    /// The pieces that a move captures, the king included; none for an illegal move.
    #[must_use]
    pub fn captures(&self, mv: Move) -> Bitboard {
        match self.check_legal(mv) {
            Ok(()) => self.clone().apply(mv),
            Err(_) => Bitboard::EMPTY,
        }
    }

    /// Makes a move that is known to be legal and returns what it captured. For
    /// searches, which have the move from [`legal_moves`]; others use [`play`].
    ///
    /// A move from an empty square or off the board does nothing. Another illegal
    /// move gives a meaningless position, but never panics.
    ///
    /// [`legal_moves`]: crate::Game::legal_moves
    /// [`play`]: crate::Game::play
    pub fn apply(&mut self, mv: Move) -> Bitboard {
        let (Some(from), Some(to)) = (index(mv.from), index(mv.to)) else {
            return Bitboard::EMPTY;
        };
        let Some(piece) = self.piece_at(from).filter(|_| self.piece_at(to).is_none()) else {
            return Bitboard::EMPTY;
        };
        let key_index = match piece {
            Piece::King => {
                self.king = Some(to);
                key::KING
            }
            Piece::White => {
                self.white = (self.white - Bitboard::one(from)) | Bitboard::one(to);
                key::WHITE
            }
            Piece::Black => {
                self.black = (self.black - Bitboard::one(from)) | Bitboard::one(to);
                key::BLACK
            }
        };
        let army = piece.army();
        let captured = self.captured_by(piece, to);
        self.remove(captured, army.other());
        self.key ^=
            key::of_piece(key_index, from) ^ key::of_piece(key_index, to) ^ key::BLACK_TO_MOVE;
        self.to_move = self.to_move.other();
        captured
    }

    fn remove(&mut self, captured: Bitboard, army: Army) {
        if captured.is_empty() {
            return;
        }
        for at in captured.indices() {
            if self.king != Some(at) {
                self.key ^= key::of_piece(key::soldier(army), at);
            } else {
                self.king = None;
                if self.rules.shows_captured_king {
                    self.captured_king = Some(at);
                } else {
                    self.key ^= key::of_piece(key::KING, at);
                }
            }
        }
        match army {
            Army::White => self.white = self.white - captured,
            Army::Black => self.black = self.black - captured,
        }
    }

    /// What `piece` captures by arriving on `to`.
    fn captured_by(&self, piece: Piece, to: u8) -> Bitboard {
        let army = piece.army();
        if piece == Piece::King && !self.rules.armed_king {
            return Bitboard::EMPTY;
        }
        let victims = match army {
            Army::White => self.black,
            Army::Black => self.white,
        };
        let mut captured = Bitboard::EMPTY;
        for (near, beyond) in neighbours_and_beyond(to) {
            let is_captured = if victims.has(near) {
                beyond.is_some_and(|beyond| self.is_hostile(army.other(), beyond))
            } else {
                army == Army::Black
                    && self.king == Some(near)
                    && self.is_king_captured(near, beyond)
            };
            if is_captured {
                captured |= Bitboard::one(near);
            }
        }
        captured
    }

    /// Whether `square`, or the piece on it, can be the far side of a capture of one
    /// of `army`'s soldiers.
    fn is_hostile(&self, army: Army, square: u8) -> bool {
        let rules = self.rules;
        if rules.hostile_to(army).has(square) {
            return true;
        }
        let enemies = match army {
            Army::White => self.black,
            Army::Black if rules.armed_king => self.white | self.king_bit(),
            Army::Black => self.white,
        };
        if enemies.has(square) {
            return true;
        }
        if square != CASTLE_INDEX || !rules.castle_turns_hostile {
            return false;
        }
        if self.king == Some(CASTLE_INDEX) {
            // The soldier to be captured is on the fourth side itself.
            army == Army::White && (CASTLE_NEIGHBOURS - self.black).len() == 1
        } else {
            !self.occupied().has(CASTLE_INDEX)
        }
    }

    /// Whether a black soldier captures the king on `king` by arriving next to him,
    /// with `beyond` on his other side.
    fn is_king_captured(&self, king: u8, beyond: Option<u8>) -> bool {
        let sides = neighbours(king);
        match self.rules.king_capture {
            KingCapture::Flanked if king == CASTLE_INDEX => self.black.is_superset(sides),
            KingCapture::Flanked if CASTLE_NEIGHBOURS.has(king) => {
                self.black.is_superset(sides - CASTLE_BIT) && !self.white.intersects(CASTLE_BIT)
            }
            KingCapture::Flanked => {
                beyond.is_some_and(|beyond| (self.black | self.rules.hostile_to_king).has(beyond))
            }
            KingCapture::Enclosed => (self.black | CASTLE_BIT | CORNERS).is_superset(sides),
        }
    }

    /// Checks one move without generating the others.
    pub(super) fn check_legal(&self, mv: Move) -> Result<(), Illegal> {
        let from = index(mv.from).ok_or(Illegal::OffBoard(mv.from))?;
        let to = index(mv.to).ok_or(Illegal::OffBoard(mv.to))?;
        if self.king_end().is_some() {
            return Err(Illegal::GameOver);
        }
        if self.army(self.to_move).has(from) && self.destinations_of(from).has(to) {
            return Ok(());
        }
        if !self.can_move() {
            return Err(Illegal::GameOver);
        }
        Err(match self.piece_at(from) {
            None => Illegal::NoPiece(mv.from),
            Some(piece) if piece.army() != self.to_move => Illegal::NotYours(mv.from),
            Some(piece) => Illegal::Rule(self.forbidding_rule(piece, from, to)),
        })
    }

    /// The rule that forbids `piece` to move from `from` to `to`.
    fn forbidding_rule(&self, piece: Piece, from: u8, to: u8) -> Reason {
        let (start, goal) = (square(from), square(to));
        if from == to {
            return Reason::new(reasons::SAME_SQUARE).with("at", start);
        }
        if start.file != goal.file && start.rank != goal.rank {
            return Reason::new(reasons::NOT_IN_LINE).with("to", goal).with("from", start);
        }
        let soldier_of = (piece != Piece::King).then(|| piece.army());
        let blockers = self.rules.blockers(soldier_of, from);
        for at in squares_between(start, goal) {
            let name = square(at);
            if self.occupied().has(at) {
                return if at == to {
                    Reason::new(reasons::OCCUPIED).with("at", goal)
                } else {
                    Reason::new(reasons::IN_THE_WAY).with("at", name)
                };
            }
            if blockers.has(at) {
                return if name == CASTLE {
                    Reason::new(reasons::CASTLE).with("at", name)
                } else if piece == Piece::Black {
                    Reason::new(reasons::CAMP_FROM_OUTSIDE).with("at", name)
                } else {
                    Reason::new(reasons::CAMP_OF_BLACK).with("at", name)
                };
            }
        }
        let key = if goal == CASTLE { reasons::KING_S_CASTLE } else { reasons::KING_S_CORNER };
        Reason::new(key).with("at", goal)
    }
}

/// The squares on the straight line from `start`, excluded, to `goal`, included.
fn squares_between(start: Square, goal: Square) -> impl Iterator<Item = u8> {
    let toward = |from: u8, to: u8| (i16::from(to) - i16::from(from)).signum();
    let step = (toward(start.file, goal.file), toward(start.rank, goal.rank));
    let mut at = start;
    std::iter::from_fn(move || {
        if at == goal {
            return None;
        }
        let next = |from: u8, step: i16| u8::try_from(i16::from(from) + step).ok();
        at = Square::new(next(at.file, step.0)?, next(at.rank, step.1)?);
        index(at)
    })
}
