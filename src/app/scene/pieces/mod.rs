//! The pieces on the table: men, stones, pavilions.
//!
//! Every piece keeps one entity as long as it is on the table, captured pieces in
//! their trays included. [`SceneCommand::SetPosition`](super::api::SceneCommand::SetPosition) is carried out here; plies are
//! played by the animation.

mod assets;
mod bowls;
mod ghost;
mod tokens;

use bevy::camera::visibility::RenderLayers;

use self::assets::PieceAssets;
use super::look::{CASTER_LAYERS, GroundShadows, ShadowOf};
use crate::app::scene::prelude::*;

/// Scale of a captured piece in its tray: small enough to be told from the next.
pub(super) const TRAY_SCALE: f32 = 0.80;

/// Piece assets and piece entities.
pub(crate) fn plugin(app: &mut App) {
    app.add_plugins((assets::plugin, bowls::plugin, ghost::plugin, tokens::plugin));
    app.add_observer(dress_piece).add_systems(Update, apply_set_position.in_set(SceneSet::Pieces));
}

/// Gives a new piece, or a stone in the hand, its name, body and shadow.
fn dress_piece(
    added: On<Add, LooksLike>,
    mut commands: Commands,
    pieces: Query<(&LooksLike, Option<&Piece>)>,
    (assets, shadows): (Res<PieceAssets>, Res<GroundShadows>),
) {
    let Ok((&LooksLike(kind), piece)) = pieces.get(added.entity) else { return };
    let number = piece.map(|piece| format!(" {}", piece.id.0)).unwrap_or_default();
    let (game, place) = assets::game_of(kind);
    commands
        .entity(added.entity)
        .insert((
            Name::new(format!("{kind:?}{number}")),
            Mesh3d(assets.mesh(kind)),
            MeshMaterial3d(assets.material.clone()),
            RenderLayers::from_layers(&CASTER_LAYERS),
        ))
        .with_child((Name::new("Shadow"), ShadowOf::PIECE, shadows.of(game, place)));
}

/// Where a side's stones come from: the top of those in its bowl.
pub(crate) fn stone_source(layout: &BoardLayout, side: Side) -> Vec3 {
    layout.bowl_position(side) + Vec3::Y * 0.19
}

/// The transform of a piece at rest on a square.
fn board_transform(layout: &BoardLayout, at: Square) -> Transform {
    Transform::from_translation(layout.square_centre(at))
}

/// The transform of a captured piece in its owner's tray.
pub(crate) fn tray_transform(layout: &BoardLayout, owner: Owner, captured: Captured) -> Transform {
    Transform::from_translation(layout.tray_position(owner.0, captured.slot))
        .with_scale(Vec3::splat(TRAY_SCALE))
}

/// Carries out the frame's last [`SceneCommand::SetPosition`](super::api::SceneCommand::SetPosition), by comparing the pieces on
/// the table with it. Pieces that keep their identity and kind are moved, others are
/// spawned and despawned.
fn apply_set_position(
    mut commands: Commands,
    mut position: NewPosition,
    layout: Res<BoardLayout>,
    mut shown: Query<(Entity, &Piece, &mut Transform)>,
) {
    let Some(ShownPosition { pieces, captured, .. }) = position.read() else { return };
    for (entity, piece, _) in &shown {
        if !pieces.iter().chain(captured).any(|other| Piece::from(*other) == *piece) {
            commands.entity(entity).despawn();
        }
    }
    let mut place = |commands: &mut Commands, piece: Piece, transform: Transform| {
        let known = shown.iter_mut().find(|shown| *shown.1 == piece);
        let Some((entity, _, mut at)) = known else {
            return commands.spawn((piece, transform)).id();
        };
        *at = transform;
        entity
    };
    for &piece in pieces {
        let entity = place(&mut commands, piece.into(), board_transform(&layout, piece.at));
        commands.entity(entity).remove::<Captured>().insert(OnSquare(piece.at));
    }
    let mut filled = [0; 2];
    for &piece in captured {
        let owner = Owner::from(piece.kind);
        let captured = Captured { slot: filled[owner.0.index()] };
        filled[owner.0.index()] += 1;
        let entity = place(&mut commands, piece.into(), tray_transform(&layout, owner, captured));
        commands.entity(entity).insert(captured);
    }
}
