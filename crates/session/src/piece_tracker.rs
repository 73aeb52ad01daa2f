//! Stable identities of pieces, for front ends that draw and animate them.
//!
//! The rules know squares, not pieces. A [`PieceTracker`] follows a game's events
//! and gives every piece, stone and pavilion a [`PieceId`] for the whole game. The
//! same plies always give the same identities, so a jump in a replay keeps them.

use tabulae_games::{AnyPosition, Event, Side, Square, Throw};

use super::board_grid::{path, pieces_on};

/// The identity of a piece within one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PieceId(pub u16);

/// The kind of a piece, stone or pavilion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PieceKind {
    /// Tablut's king, who is White's.
    King,
    /// A Tablut soldier: a white Swede or a black Muscovite.
    Soldier {
        /// Whether it is White's.
        white: bool,
    },
    /// A Tablan piece.
    Runner(Side),
    /// A Tablaaza stone.
    Stone(Side),
    /// A pavilion, by the side that raised it.
    Pavilion(Side),
}

impl PieceKind {
    /// Its letter in the texts of positions.
    ///
    /// ```
    /// assert_eq!(tabulae_session::PieceKind::King.letter(), 'K');
    /// ```
    pub const fn letter(self) -> char {
        match self {
            Self::King => 'K',
            Self::Soldier { white: true } => 'W',
            Self::Soldier { white: false } => 'B',
            Self::Runner(Side::First) => 'S',
            Self::Runner(Side::Second) => 'N',
            Self::Stone(Side::First) => 'r',
            Self::Stone(Side::Second) => 'g',
            Self::Pavilion(_) => 'p',
        }
    }
}

/// A piece on its square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlacedPiece {
    /// Its identity.
    pub id: PieceId,
    /// Its square.
    pub at: Square,
    /// Its kind.
    pub kind: PieceKind,
}

/// A visible effect of a ply. A ply's effects come in the order in which they
/// are shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// A piece moves.
    Move {
        /// The piece.
        id: PieceId,
        /// The squares it passes, its first and last one included.
        path: Vec<Square>,
    },
    /// A captured piece leaves the board.
    Remove {
        /// The piece.
        id: PieceId,
        /// The square it stood on.
        at: Square,
    },
    /// A stone is played or a pavilion rises.
    Place(PlacedPiece),
    /// The sticks are thrown.
    Throw {
        /// The side that throws.
        side: Side,
        /// What they show.
        throw: Throw,
    },
    /// Another event, in which no piece changes.
    Event(Event),
}

/// The pieces of a game with their identities.
///
/// ```
/// use tabulae_games::{AnyPosition, Game, RuleSet};
/// use tabulae_session::{Effect, PieceKind, PieceId, PieceTracker, PlacedPiece};
///
/// let mut position = AnyPosition::start(RuleSet::TablutAshton);
/// let mut pieces = PieceTracker::new(&position);
/// let before = position.clone();
/// let soldier: PlacedPiece = pieces.at("e4".parse()?).unwrap();
/// assert_eq!(soldier.kind, PieceKind::Soldier { white: true });
/// let id: PieceId = soldier.id;
/// let events = position.play(position.parse_move("e4-f4")?)?;
/// let effects = pieces.follow(&before, &events);
/// assert!(matches!(&effects[..], [Effect::Move { id: moved, .. }] if *moved == id));
/// assert_eq!(pieces.at("f4".parse()?).map(|piece| piece.id), Some(id), "it is the same piece");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct PieceTracker {
    placed: Vec<PlacedPiece>,
    captured: Vec<PlacedPiece>,
    next_id: u16,
}

impl PieceTracker {
    /// The pieces of a position, with identities in the order of their squares.
    pub fn new(position: &AnyPosition) -> Self {
        let mut pieces = pieces_on(position);
        pieces.sort_by_key(|(at, _)| (at.rank, at.file));
        let mut tracker = Self::default();
        for (at, kind) in pieces {
            tracker.place(at, kind);
        }
        tracker
    }

    /// The pieces on the board.
    pub fn placed_pieces(&self) -> &[PlacedPiece] {
        &self.placed
    }

    /// The captured pieces in order, each where it was captured.
    pub fn captured(&self) -> &[PlacedPiece] {
        &self.captured
    }

    /// The piece on a square.
    pub fn at(&self, square: Square) -> Option<PlacedPiece> {
        self.placed.iter().copied().find(|piece| piece.at == square)
    }

    /// Follows a ply and returns its effects. `before` is the position before it and
    /// `events` what it did.
    pub fn follow(&mut self, before: &AnyPosition, events: &[Event]) -> Vec<Effect> {
        let mut effects = Vec::with_capacity(events.len());
        for &event in events {
            match event {
                Event::Slid { from, to } => {
                    if let Some(moved) = self.placed.iter_mut().find(|piece| piece.at == from) {
                        moved.at = to;
                        effects.push(Effect::Move { id: moved.id, path: path(before, from, to) });
                    }
                }
                Event::Captured { at, .. } => {
                    if let Some(index) = self.placed.iter().position(|piece| piece.at == at) {
                        let captured = self.placed.swap_remove(index);
                        self.captured.push(captured);
                        effects.push(Effect::Remove { id: captured.id, at });
                    }
                }
                Event::Placed { at, side } => {
                    let piece = self.place(at, PieceKind::Stone(side));
                    effects.push(Effect::Place(piece));
                }
                Event::PavilionRaised { at, side } => {
                    let piece = self.place(at, PieceKind::Pavilion(side));
                    effects.push(Effect::Place(piece));
                }
                Event::Thrown { side, throw } => effects.push(Effect::Throw { side, throw }),
                // What moves no piece.
                _ => effects.push(Effect::Event(event)),
            }
        }
        effects
    }

    fn place(&mut self, at: Square, kind: PieceKind) -> PlacedPiece {
        let piece = PlacedPiece { id: PieceId(self.next_id), at, kind };
        self.next_id += 1;
        self.placed.push(piece);
        piece
    }
}
