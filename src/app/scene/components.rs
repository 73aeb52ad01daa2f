//! What the things on the table are: the components that the scene puts on its entities
//! and that other parts of the app ask for.
//!
//! Whether there is a king, and where it stands, is a query: `Query<&OnSquare, With<King>>`.

use bevy::ecs::{lifecycle::HookContext, world::DeferredWorld};

use crate::{
    app::core::prelude::*,
    session::{PieceId, PlacedPiece},
};

/// A piece, stone or pavilion. It brings its [`Owner`] and the marker of its kind:
/// [`King`], [`Soldier`], [`Runner`], [`Stone`] or [`Pavilion`]. On the board it is
/// [`OnSquare`], in a tray [`Captured`].
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[component(immutable, on_add = mark_piece)]
#[require(Transform, Visibility)]
pub struct Piece {
    /// Its identity, which it keeps for the whole game.
    pub id: PieceId,
    /// Its kind.
    pub kind: PieceKind,
}

/// What an entity looks like: a piece, or a stone in the hand.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct LooksLike(pub PieceKind);

/// Marks Tablut's king.
#[derive(Component, Clone, Copy, Debug, Default)]
pub struct King;

/// Marks a soldier of Tablut.
#[derive(Component, Clone, Copy, Debug, Default)]
pub struct Soldier;

/// Marks a piece of Tablan.
#[derive(Component, Clone, Copy, Debug, Default)]
pub struct Runner;

/// Marks a stone of Tablaaza.
#[derive(Component, Clone, Copy, Debug, Default)]
pub struct Stone;

/// Marks a pavilion of Tablaaza.
#[derive(Component, Clone, Copy, Debug, Default)]
pub struct Pavilion;

/// The side that a piece belongs to, or that raised a pavilion.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner(pub Side);

/// The square that an entity stands for: a board square, or the piece on it.
/// Only entities that can be clicked have one.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct OnSquare(pub Square);

/// A captured piece. It stands in its owner's tray, is [`OnSquare`] no longer, and cannot
/// be clicked.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[component(on_add = leave_board, on_remove = be_pickable)]
pub struct Captured {
    /// Its place in the tray, in order of capture, from 0.
    pub slot: usize,
}

/// A stone in the player's hand, which is on no square yet.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[require(Transform, Visibility, Pickable = Pickable::IGNORE)]
pub struct StoneInHand(pub Side);

/// The bowl of a side's stones beside the board.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bowl(pub Side);

/// One of the four casting sticks.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[require(ThrowTarget)]
pub struct CastingStick {
    /// Which of the four, from 0.
    pub index: usize,
    /// The throw that it shows, and the seed of its tumbling; none before the first throw.
    pub shows: Option<(Throw, u64)>,
}

/// Clicking this entity throws the sticks.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ThrowTarget;

impl From<PlacedPiece> for Piece {
    fn from(PlacedPiece { id, kind, .. }: PlacedPiece) -> Self {
        Self { id, kind }
    }
}

impl From<PieceKind> for Owner {
    fn from(kind: PieceKind) -> Self {
        Self(match kind {
            PieceKind::King | PieceKind::Soldier { white: true } => Side::First,
            PieceKind::Soldier { white: false } => Side::Second,
            PieceKind::Runner(side) | PieceKind::Stone(side) | PieceKind::Pavilion(side) => side,
        })
    }
}

/// Gives a new piece its owner and the marker of its kind.
fn mark_piece(mut world: DeferredWorld<'_>, HookContext { entity, .. }: HookContext) {
    let Some(Piece { kind, .. }) = world.get(entity).copied() else { return };
    let mut commands = world.commands();
    let mut entity = commands.entity(entity);
    entity.insert((Owner::from(kind), LooksLike(kind)));
    match kind {
        PieceKind::King => entity.insert(King),
        PieceKind::Soldier { .. } => entity.insert(Soldier),
        PieceKind::Runner(_) => entity.insert(Runner),
        PieceKind::Stone(_) => entity.insert(Stone),
        PieceKind::Pavilion(_) => entity.insert(Pavilion),
    };
}

/// Takes a captured piece from its square.
fn leave_board(mut world: DeferredWorld<'_>, HookContext { entity, .. }: HookContext) {
    world.commands().entity(entity).remove::<OnSquare>().insert(Pickable::IGNORE);
}

/// Lets a piece that is not captured any more be clicked again.
fn be_pickable(mut world: DeferredWorld<'_>, HookContext { entity, .. }: HookContext) {
    world.commands().entity(entity).try_remove::<Pickable>();
}
