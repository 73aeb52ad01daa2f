//! Moving and capturing.

use std::fmt;

use crate::{
    games::{Illegal, Square},
    i18n::LocalizedMessage,
};

use super::{
    Army, Bitboard, KingCapture, Piece, Position,
    bitboard::{around, beside, index, square},
    key,
    rules::{CASTLE, CASTLE_BIT, CASTLE_INDEX, CASTLE_SIDES, CORNERS},
};

/// A move: one piece from a square to another. What it captures is the
/// position's to say.
///
/// `Display` is the text without captures: `e4-f4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    from: Square,
    to: Square,
}

impl Move {
    /// A move, legal or not.
    #[must_use]
    pub const fn new(from: Square, to: Square) -> Self {
        Self { from, to }
    }

    /// Where the piece stands.
    #[must_use]
    pub const fn from(self) -> Square {
        self.from
    }

    /// Where it goes.
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
    /// The squares the piece on `from` may move to, whoever's turn it is.
    /// Empty for an empty square and when the king has ended the game.
    #[must_use]
    pub fn reach(&self, from: Square) -> Bitboard {
        match index(from) {
            Some(from) if self.king_end().is_none() && self.occupied().has(from) => {
                self.reach_of(from)
            }
            _ => Bitboard::EMPTY,
        }
    }

    /// [`Self::reach`] for a square that has a piece, in a game that goes on.
    pub(super) fn reach_of(&self, from: u8) -> Bitboard {
        let (soldier_of, not_here) = if self.king == Some(from) {
            (None, Bitboard::EMPTY)
        } else if self.black.has(from) {
            (Some(Army::Black), self.rules.king_only)
        } else {
            (Some(Army::White), self.rules.king_only)
        };
        let walls = self.occupied() | self.rules.walls(soldier_of, from);
        Bitboard::slides(from, walls) - not_here
    }

    /// Whether the army to move has a move, king's ends aside.
    pub(super) fn can_move(&self) -> bool {
        self.army(self.to_move).indices().any(|from| !self.reach_of(from).is_empty())
    }

    /// The legal moves, or none when the king has ended the game.
    pub(super) fn moves(&self) -> Vec<Move> {
        if self.king_end().is_some() {
            return Vec::new();
        }
        let mut moves = Vec::with_capacity(96);
        for from in self.army(self.to_move).indices() {
            let reach = self.reach_of(from);
            let from = square(from);
            moves.extend(reach.squares().map(|to| Move { from, to }));
        }
        moves
    }

    /// What the move takes, the king included; nothing for an illegal move.
    #[must_use]
    pub fn captures(&self, mv: Move) -> Bitboard {
        match self.check(mv) {
            Ok(()) => self.clone().apply(mv),
            Err(_) => Bitboard::EMPTY,
        }
    }

    /// Makes a move that is known to be legal, and returns what it took: the
    /// way for a search, which has the move from [`legal_moves`]. Anything
    /// else wants [`play`].
    ///
    /// A move from an empty square or off the board does nothing; any other
    /// illegal move gives a position of no use, but a sound one.
    ///
    /// [`legal_moves`]: crate::games::Game::legal_moves
    /// [`play`]: crate::games::Game::play
    pub fn apply(&mut self, mv: Move) -> Bitboard {
        let (Some(from), Some(to)) = (index(mv.from), index(mv.to)) else {
            return Bitboard::EMPTY;
        };
        let Some(piece) = self.piece_at(from).filter(|_| self.piece_at(to).is_none()) else {
            return Bitboard::EMPTY;
        };
        let slot = match piece {
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
        let taken = self.taken_by(piece, to);
        self.remove(taken, army.other());
        self.key ^= key::of_piece(slot, from) ^ key::of_piece(slot, to) ^ key::BLACK_TO_MOVE;
        self.to_move = self.to_move.other();
        taken
    }

    fn remove(&mut self, taken: Bitboard, army: Army) {
        if taken.is_empty() {
            return;
        }
        for at in taken.indices() {
            if self.king != Some(at) {
                self.key ^= key::of_piece(key::soldier(army), at);
            } else {
                self.king = None;
                if self.rules.shows_fallen_king {
                    self.fallen = Some(at);
                } else {
                    self.key ^= key::of_piece(key::KING, at);
                }
            }
        }
        match army {
            Army::White => self.white = self.white - taken,
            Army::Black => self.black = self.black - taken,
        }
    }

    /// What `piece`, just arrived on `to`, takes.
    fn taken_by(&self, piece: Piece, to: u8) -> Bitboard {
        let army = piece.army();
        if piece == Piece::King && !self.rules.armed_king {
            return Bitboard::EMPTY;
        }
        let prey = match army {
            Army::White => self.black,
            Army::Black => self.white,
        };
        let mut taken = Bitboard::EMPTY;
        for (near, beyond) in around(to) {
            let captured = if prey.has(near) {
                beyond.is_some_and(|beyond| self.is_hostile(army.other(), beyond))
            } else {
                army == Army::Black && self.king == Some(near) && self.king_falls(near, beyond)
            };
            if captured {
                taken |= Bitboard::one(near);
            }
        }
        taken
    }

    /// Whether what is on `square` backs a capture of `army`'s soldiers.
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
            // The soldier about to fall is on the fourth side himself.
            army == Army::White && (CASTLE_SIDES - self.black).len() == 1
        } else {
            !self.occupied().has(CASTLE_INDEX)
        }
    }

    /// Whether a Black who has just come next to the king on `king`, with
    /// `beyond` on his other side, takes him.
    fn king_falls(&self, king: u8, beyond: Option<u8>) -> bool {
        let sides = beside(king);
        match self.rules.king_capture {
            KingCapture::Flanked if king == CASTLE_INDEX => self.black.covers(sides),
            KingCapture::Flanked if CASTLE_SIDES.has(king) => {
                self.black.covers(sides - CASTLE_BIT) && !self.white.meets(CASTLE_BIT)
            }
            KingCapture::Flanked => {
                beyond.is_some_and(|beyond| (self.black | self.rules.hostile_to_king).has(beyond))
            }
            KingCapture::Enclosed => (self.black | CASTLE_BIT | CORNERS).covers(sides),
        }
    }

    /// Says whether a move is legal, without making the others.
    pub(super) fn check(&self, mv: Move) -> Result<(), Illegal> {
        let from = index(mv.from).ok_or(Illegal::OffBoard(mv.from))?;
        let to = index(mv.to).ok_or(Illegal::OffBoard(mv.to))?;
        if self.king_end().is_some() {
            return Err(Illegal::GameOver);
        }
        if self.army(self.to_move).has(from) && self.reach_of(from).has(to) {
            return Ok(());
        }
        if !self.can_move() {
            return Err(Illegal::GameOver);
        }
        Err(match self.piece_at(from) {
            None => Illegal::NoPiece(mv.from),
            Some(piece) if piece.army() != self.to_move => Illegal::NotYours(mv.from),
            Some(piece) => Illegal::Rule(self.obstacle(piece, from, to)),
        })
    }

    /// Which rule keeps `piece` on `from` from going to `to`.
    fn obstacle(&self, piece: Piece, from: u8, to: u8) -> LocalizedMessage {
        let (start, goal) = (square(from), square(to));
        if from == to {
            return LocalizedMessage::new("why.same-square").with("at", start);
        }
        if start.file != goal.file && start.rank != goal.rank {
            return LocalizedMessage::new("why.not-in-line").with("to", goal).with("from", start);
        }
        let soldier_of = (piece != Piece::King).then(|| piece.army());
        let walls = self.rules.walls(soldier_of, from);
        for at in way(start, goal) {
            let name = square(at);
            if self.occupied().has(at) {
                return if at == to {
                    LocalizedMessage::new("why.occupied").with("at", goal)
                } else {
                    LocalizedMessage::new("why.in-the-way").with("at", name)
                };
            }
            if walls.has(at) {
                return if name == CASTLE {
                    LocalizedMessage::new("why.castle").with("at", name)
                } else if piece == Piece::Black {
                    LocalizedMessage::new("why.camp-from-outside").with("at", name)
                } else {
                    LocalizedMessage::new("why.camp-of-black").with("at", name)
                };
            }
        }
        let place = if goal == CASTLE { "why.king-s-castle" } else { "why.king-s-corner" };
        LocalizedMessage::new(place).with("at", goal)
    }
}

/// The squares after `start` on the straight way to `goal`, it included.
fn way(start: Square, goal: Square) -> impl Iterator<Item = u8> {
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
