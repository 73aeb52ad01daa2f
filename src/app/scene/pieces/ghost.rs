//! The ghost of a piece: where it will stand after the first half of a pair of moves,
//! while the second half is chosen.

use bevy::{light::NotShadowCaster, prelude::*};

use super::{PieceAssets, board_transform};
use crate::{
    app::scene::{
        SceneSet,
        api::{Highlights, OnSquare, Piece},
        layout::Layout,
    },
    games::Square,
};

/// How much of the ghost is seen.
const OPACITY: f32 = 0.55;

/// The ghost, with the step that it shows.
#[derive(Component)]
struct GhostPiece(Square, Square);

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        update_ghost.in_set(SceneSet::Highlights).run_if(resource_changed::<Highlights>),
    );
}

fn update_ghost(
    mut commands: Commands,
    highlights: Res<Highlights>,
    (assets, layout): (Res<PieceAssets>, Res<Layout>),
    mut materials: ResMut<Assets<StandardMaterial>>,
    pieces: Query<(&OnSquare, &Piece)>,
    ghosts: Query<(Entity, &GhostPiece)>,
) {
    let wanted = highlights.chosen_step;
    if ghosts.iter().map(|(_, it)| (it.0, it.1)).eq(wanted) {
        return;
    }
    for (entity, _) in &ghosts {
        commands.entity(entity).despawn();
    }
    let Some((from, to)) = wanted else { return };
    let Some((_, piece)) = pieces.iter().find(|(at, _)| at.0 == from) else { return };
    let kind = piece.0.kind;
    let mut material = materials.get(&assets.material(kind)).cloned().unwrap_or_default();
    material.base_color.set_alpha(OPACITY);
    material.alpha_mode = AlphaMode::Blend;
    commands.spawn((
        Name::new(format!("ghost {to}")),
        GhostPiece(from, to),
        Mesh3d(assets.mesh(kind)),
        MeshMaterial3d(materials.add(material)),
        board_transform(&layout, to),
        Pickable::IGNORE,
        NotShadowCaster,
    ));
}
