//! Move generation, captures and legality.

use crate::reasons;
use std::fmt;

use crate::{Illegal, Reason, Square};

use super::{
    Bitboard, Piece, Position,
    bitboard::index,
    line_tables::{BLACK, KING, WHITE},
    mailbox::{squares_in, to_square},
    rules::{CASTLE, blockers},
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
    pub const fn new(from: Square, to: Square) -> Self {
        Self { from, to }
    }

    /// The square before.
    pub const fn from(self) -> Square {
        self.from
    }

    /// The square after.
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
        self.board.destination_set(self.rules, self.kind_at(from), from)
    }

    /// The kind of the piece on a square that has one.
    fn kind_at(&self, at: u8) -> usize {
        match self.piece_at(at) {
            Some(Piece::King) => KING,
            Some(Piece::Black) => BLACK,
            Some(Piece::White) | None => WHITE,
        }
    }

    /// Whether the army to move has a move, unless the king has ended the game.
    pub(super) fn can_move(&self) -> bool {
        self.board.has_legal_moves(self.rules, 1)
    }

    /// Calls `visit` with each legal move; never once the king has ended the game.
    pub(super) fn visit_moves(&self, mut visit: impl FnMut(Move)) {
        if self.king_end().is_some() {
            return;
        }
        for from in squares_in(self.board.movers()) {
            let destinations = self.destinations_of(from);
            let from = to_square(from);
            destinations.squares().for_each(|to| visit(Move { from, to }));
        }
    }

    /// The pieces that a move captures, the king included; none for an illegal move.
    pub fn captures(&self, mv: Move) -> Bitboard {
        match self.check_legal(mv) {
            Ok(()) => self.clone().apply(mv),
            Err(_) => Bitboard::EMPTY,
        }
    }

    /// Makes a legal move and returns what it captured. A move from an empty square or off
    /// the board does nothing; another illegal one gives a meaningless position.
    pub(super) fn apply(&mut self, mv: Move) -> Bitboard {
        let (Some(from), Some(to)) = (index(mv.from), index(mv.to)) else {
            return Bitboard::EMPTY;
        };
        let Some(piece) = self.piece_at(from).filter(|_| self.piece_at(to).is_none()) else {
            return Bitboard::EMPTY;
        };
        if piece.army() != self.to_move() {
            self.board.pass();
        }
        self.apply_indices(from, to)
    }

    /// [`Self::apply`] for a move of the army to move to an empty square.
    pub(super) fn apply_indices(&mut self, from: u8, to: u8) -> Bitboard {
        let king = self.board.king;
        let captured = Bitboard::from_bits(self.board.make_move(self.rules, from, to));
        if captured.has(king) && self.rules.shows_captured_king {
            self.captured_king = Some(king);
            self.board.flip_key(KING, king);
        }
        captured
    }

    /// Checks one move without generating the others.
    pub(super) fn check_legal(&self, mv: Move) -> Result<(), Illegal> {
        let from = index(mv.from).ok_or(Illegal::OffBoard(mv.from))?;
        let to = index(mv.to).ok_or(Illegal::OffBoard(mv.to))?;
        if self.king_end().is_some() {
            return Err(Illegal::GameOver);
        }
        if self.army(self.to_move()).has(from) && self.destinations_of(from).has(to) {
            return Ok(());
        }
        if !self.can_move() {
            return Err(Illegal::GameOver);
        }
        Err(match self.piece_at(from) {
            None => Illegal::NoPiece(mv.from),
            Some(piece) if piece.army() != self.to_move() => Illegal::NotYours(mv.from),
            Some(piece) => Illegal::Rule(self.forbidding_rule(piece, from, to)),
        })
    }

    /// The rule that forbids `piece` to move from `from` to `to`.
    fn forbidding_rule(&self, piece: Piece, from: u8, to: u8) -> Reason {
        let (start, goal) = (to_square(from), to_square(to));
        if from == to {
            return Reason::new(reasons::SAME_SQUARE).with("at", start);
        }
        if start.file != goal.file && start.rank != goal.rank {
            return Reason::new(reasons::NOT_IN_LINE).with("to", goal).with("from", start);
        }
        let blockers = blockers(self.rules, self.kind_at(from), from);
        for at in squares_between(start, goal) {
            let name = to_square(at);
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
