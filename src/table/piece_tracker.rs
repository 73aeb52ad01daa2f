//! Which piece is which: stable identities for whoever draws.
//!
//! The rules know squares, not pieces. A [`PieceTracker`] follows a game's events
//! and gives every piece, stone and pavilion a [`PieceId`] that it keeps for
//! the whole game; the same plies always give the same identities, so a jump
//! in a replay finds the pieces it left.

use crate::games::{AnyPosition, Event, Side, Square, Throw};

use super::board_grid::{path, pieces_on};

/// A piece's name for one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PieceId(pub u16);

/// What kind of thing stands on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PieceKind {
    /// Tablut's king, White's.
    King,
    /// A Tablut soldier: `white` is a Swede, else a Muscovite.
    Soldier {
        /// White or black.
        white: bool,
    },
    /// A Tablan piece.
    Runner(Side),
    /// A Tablaaza stone.
    Stone(Side),
    /// A pavilion, by the side that raised it.
    Pavilion(Side),
}

/// A figure on its square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlacedPiece {
    /// Which one.
    pub id: PieceId,
    /// Where.
    pub at: Square,
    /// What it is.
    pub kind: PieceKind,
}

/// What a ply does to the things on the table, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// A piece goes along `path`, its first square included.
    Moves {
        /// Which one.
        id: PieceId,
        /// The squares it passes, from where it stood to where it lands.
        path: Vec<Square>,
    },
    /// A captured piece leaves the board.
    Leaves {
        /// Which one.
        id: PieceId,
        /// From where.
        at: Square,
    },
    /// A stone is put down, or a pavilion rises.
    Arrives(PlacedPiece),
    /// The sticks are thrown and show `throw`.
    Throws {
        /// By whom.
        side: Side,
        /// What they show.
        throw: Throw,
    },
    /// Nothing moves, but something is to be shown or heard.
    Event(Event),
}

/// The figures on the table, with their identities.
///
/// ```
/// use tabulae::games::{AnyPosition, Game, RuleSet};
/// use tabulae::table::{Effect, PieceKind, PieceId, PieceTracker, PlacedPiece};
///
/// let mut position = AnyPosition::start(RuleSet::TablutAshton);
/// let mut roster = PieceTracker::new(&position);
/// let before = position.clone();
/// let standing: PlacedPiece = roster.at("e4".parse()?).unwrap();
/// assert_eq!(standing.kind, PieceKind::Soldier { white: true });
/// let id: PieceId = standing.id;
/// let events = position.play(position.parse_move("e4-f4")?)?;
/// let effects = roster.follow(&before, &events);
/// assert!(matches!(&effects[..], [Effect::Moves { id: moved, .. }] if *moved == id));
/// assert_eq!(roster.at("f4".parse()?).map(|it| it.id), Some(id), "it is the same piece");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct PieceTracker {
    standing: Vec<PlacedPiece>,
    captured: Vec<PlacedPiece>,
    next: u16,
}

impl PieceTracker {
    /// Everything that stands in `position`, named in the order of squares.
    #[must_use]
    pub fn new(position: &AnyPosition) -> Self {
        let mut figures = pieces_on(position);
        figures.sort_by_key(|(at, _)| (at.rank, at.file));
        let mut roster = Self::default();
        for (at, figure) in figures {
            roster.arrive(at, figure);
        }
        roster
    }

    /// The figures now on the table.
    #[must_use]
    pub fn standing(&self) -> &[PlacedPiece] {
        &self.standing
    }

    /// The figures captured since, in that order, each as it stood last.
    #[must_use]
    pub fn captured(&self) -> &[PlacedPiece] {
        &self.captured
    }

    /// The figure on a square.
    #[must_use]
    pub fn at(&self, square: Square) -> Option<PlacedPiece> {
        self.standing.iter().copied().find(|standing| standing.at == square)
    }

    /// Follows one ply: `before` is the position it was played in, `events`
    /// what it did.
    pub fn follow(&mut self, before: &AnyPosition, events: &[Event]) -> Vec<Effect> {
        let mut effects = Vec::with_capacity(events.len());
        for &event in events {
            match event {
                Event::Slid { from, to } => {
                    if let Some(moved) = self.standing.iter_mut().find(|it| it.at == from) {
                        moved.at = to;
                        effects.push(Effect::Moves { id: moved.id, path: path(before, from, to) });
                    }
                }
                Event::Captured { at, .. } => {
                    if let Some(index) = self.standing.iter().position(|it| it.at == at) {
                        let gone = self.standing.swap_remove(index);
                        self.captured.push(gone);
                        effects.push(Effect::Leaves { id: gone.id, at });
                    }
                }
                Event::Placed { at, side } => {
                    let standing = self.arrive(at, PieceKind::Stone(side));
                    effects.push(Effect::Arrives(standing));
                }
                Event::PavilionRaised { at, side } => {
                    let standing = self.arrive(at, PieceKind::Pavilion(side));
                    effects.push(Effect::Arrives(standing));
                }
                Event::Thrown { side, throw } => effects.push(Effect::Throws { side, throw }),
                Event::Passed { .. }
                | Event::Lost { .. }
                | Event::Announced(_)
                | Event::Ended(_) => {
                    effects.push(Effect::Event(event));
                }
            }
        }
        effects
    }

    fn arrive(&mut self, at: Square, kind: PieceKind) -> PlacedPiece {
        let standing = PlacedPiece { id: PieceId(self.next), at, kind };
        self.next += 1;
        self.standing.push(standing);
        standing
    }
}
