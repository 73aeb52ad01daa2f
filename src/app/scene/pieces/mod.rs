//! The pieces on the table: men, stones, pavilions.
//!
//! Every [`PieceId`] keeps one entity as long as it is on the table, captured
//! pieces in their trays included. [`SceneCommand::SetPosition`] is carried out
//! here; plies are played by the animation.

mod assets;
mod carved;
mod cast;
mod contact_shadow;
mod ghost;
mod lathe;
mod pavilion;
mod tokens;

use std::collections::HashMap;

use bevy::prelude::*;

use super::{
    SceneSet,
    api::{OnSquare, Piece, SceneCommand},
    layout::Layout,
    look::Surface,
};
use crate::{
    games::{Side, Square},
    session::{PieceId, PieceKind, PlacedPiece},
};

pub(crate) use assets::PieceAssets;

/// Scale of a captured piece in its tray: small enough to be told from the next.
pub(super) const TRAY_SCALE: f32 = 0.70;

/// The meshes of a kind of piece.
struct PieceMeshes {
    body: Mesh,
    /// The metal on it.
    trim: Option<Mesh>,
}

/// A piece and the entity that shows it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PieceEntity {
    pub(crate) entity: Entity,
    /// What it is, and its current or last square.
    pub(crate) piece: PlacedPiece,
}

/// The entity of each piece, and the captured pieces in order of capture.
#[derive(Resource, Default)]
pub(crate) struct PieceEntities {
    by_id: HashMap<PieceId, PieceEntity>,
    captured: Vec<(PieceId, Side)>,
}

impl PieceEntities {
    /// The entity of a piece, if it is on the table.
    pub(crate) fn get(&self, id: PieceId) -> Option<PieceEntity> {
        self.by_id.get(&id).copied()
    }

    /// Sets a piece's square, here and on its entity.
    pub(crate) fn set_square(&mut self, commands: &mut Commands, id: PieceId, at: Square) {
        if let Some(known) = self.by_id.get_mut(&id) {
            known.piece.at = at;
            commands.entity(known.entity).try_insert((Piece(known.piece), OnSquare(at)));
        }
    }

    /// Removes a piece and despawns its entity.
    pub(crate) fn despawn(&mut self, commands: &mut Commands, id: PieceId) {
        if let Some(known) = self.by_id.remove(&id) {
            commands.entity(known.entity).despawn();
        }
    }

    /// The index of a captured piece in its side's tray; the next free one if the
    /// piece has none yet.
    pub(crate) fn tray_index(&mut self, id: PieceId, side: Side) -> usize {
        let count = |list: &[(PieceId, Side)]| list.iter().filter(|it| it.1 == side).count();
        if let Some(known) = self.captured.iter().position(|it| it.0 == id) {
            return count(&self.captured[..known]);
        }
        let next = count(&self.captured);
        self.captured.push((id, side));
        next
    }
}

/// Whose tray a captured piece goes to; `None` for pieces that are never
/// captured.
pub(crate) const fn tray_side(kind: PieceKind) -> Option<Side> {
    match kind {
        PieceKind::King | PieceKind::Soldier { white: true } => Some(Side::First),
        PieceKind::Soldier { white: false } => Some(Side::Second),
        PieceKind::Runner(side) => Some(side),
        PieceKind::Stone(_) | PieceKind::Pavilion(_) => None,
    }
}

/// Piece assets, piece entities, and their contact shadows.
pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<PieceEntities>();
    app.add_plugins((assets::plugin, contact_shadow::plugin, ghost::plugin, tokens::plugin));
    app.add_systems(Update, apply_set_position.in_set(SceneSet::Pieces));
}

/// Spawns a piece on its square.
pub(crate) fn spawn_piece(
    commands: &mut Commands,
    entities: &mut PieceEntities,
    assets: &PieceAssets,
    layout: &Layout,
    piece: PlacedPiece,
) -> Entity {
    let kind = piece.kind;
    let entity = commands
        .spawn((
            Name::new(format!("{kind:?} {}", piece.id.0)),
            Piece(piece),
            OnSquare(piece.at),
            Mesh3d(assets.mesh(kind)),
            Surface(assets.material(kind)),
            board_transform(layout, piece.at),
        ))
        .with_child(assets.contact_shadows.of(kind))
        .id();
    if let Some(trim) = assets.trim(kind) {
        commands.entity(entity).with_child(trim);
    }
    entities.by_id.insert(piece.id, PieceEntity { entity, piece });
    entity
}

/// The transform of a piece at rest on a square.
fn board_transform(layout: &Layout, at: Square) -> Transform {
    Transform::from_translation(layout.square_centre(at))
}

/// The transform of a captured piece in its tray.
pub(crate) fn tray_transform(layout: &Layout, side: Side, index: usize) -> Transform {
    Transform::from_translation(layout.tray_position(side, index))
        .with_scale(Vec3::splat(TRAY_SCALE))
}

/// Carries out the frame's last [`SceneCommand::SetPosition`]. Pieces that keep
/// their identity and kind are moved, others are spawned and despawned.
fn apply_set_position(
    mut commands: Commands,
    mut scene_commands: MessageReader<SceneCommand>,
    mut entities: ResMut<PieceEntities>,
    assets: Res<PieceAssets>,
    layout: Res<Layout>,
) {
    let positions = scene_commands.read().filter_map(|command| match command {
        SceneCommand::SetPosition { pieces, captured, .. } => Some((pieces, captured)),
        SceneCommand::PlayPly { .. } | SceneCommand::SkipAnimations => None,
    });
    let Some((pieces, captured)) = positions.last() else { return };
    let mut old = std::mem::take(&mut entities.by_id);
    entities.captured.clear();
    let mut reuse_or_spawn =
        |commands: &mut Commands, entities: &mut PieceEntities, piece: PlacedPiece| match old
            .get(&piece.id)
        {
            Some(&PieceEntity { entity, piece: was }) if was.kind == piece.kind => {
                old.remove(&piece.id);
                entities.by_id.insert(piece.id, PieceEntity { entity, piece });
                entity
            }
            _ => spawn_piece(commands, entities, &assets, &layout, piece),
        };
    for &piece in pieces {
        let entity = reuse_or_spawn(&mut commands, &mut entities, piece);
        commands.entity(entity).remove::<Pickable>().insert((
            Piece(piece),
            OnSquare(piece.at),
            board_transform(&layout, piece.at),
        ));
    }
    for &piece in captured {
        let Some(side) = tray_side(piece.kind) else { continue };
        let entity = reuse_or_spawn(&mut commands, &mut entities, piece);
        let index = entities.tray_index(piece.id, side);
        commands
            .entity(entity)
            .remove::<OnSquare>()
            .insert((Pickable::IGNORE, tray_transform(&layout, side, index)));
    }
    for known in old.values() {
        commands.entity(known.entity).despawn();
    }
}
