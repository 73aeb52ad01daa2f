//! The ghost of a piece: where it will stand after the first half of a pair of moves,
//! while the second half is chosen.

use bevy::{light::NotShadowCaster, prelude::*};

use super::{assets::Trim, board_transform, tokens::show_tokens};
use crate::{
    app::scene::{
        SceneSet,
        api::{FlatView, Highlights, OnSquare, Piece},
        layout::Layout,
        look::Surface,
    },
    games::Square,
};

/// How much of the ghost is seen.
const OPACITY: f32 = 0.78;
/// The light that the ghost gives by itself: it is paler than every piece.
const GLOW: LinearRgba = LinearRgba::rgb(0.34, 0.33, 0.30);

/// The ghost, with the step that it shows, and whether it is drawn flat.
#[derive(Component, PartialEq, Eq)]
struct GhostPiece(Square, Square, bool);

/// A piece whose place the ghost takes.
#[derive(Component)]
struct HiddenByGhost;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        update_ghost
            .after(show_tokens)
            .in_set(SceneSet::Surfaces)
            .run_if(resource_changed::<Highlights>.or_else(resource_changed::<FlatView>)),
    );
}

/// The mesh and the material of a piece or its metal.
type Look<'a> = (&'a Mesh3d, &'a Surface);

fn update_ghost(
    mut commands: Commands,
    (highlights, flat, layout): (Res<Highlights>, Res<FlatView>, Res<Layout>),
    mut materials: ResMut<Assets<StandardMaterial>>,
    mut pieces: Query<
        (Entity, &OnSquare, Look<'static>, Option<&Children>, &mut Visibility),
        With<Piece>,
    >,
    trims: Query<Look<'static>, (With<Trim>, Without<Piece>)>,
    hidden: Query<Entity, With<HiddenByGhost>>,
    ghosts: Query<(Entity, &GhostPiece)>,
) {
    let wanted = highlights.chosen_step.map(|(from, to)| GhostPiece(from, to, flat.0));
    if ghosts.iter().map(|it| it.1).eq(&wanted) {
        return;
    }
    for (entity, _) in &ghosts {
        commands.entity(entity).despawn();
    }
    for entity in &hidden {
        commands.entity(entity).try_remove::<HiddenByGhost>();
        if let Ok((.., mut visibility)) = pieces.get_mut(entity) {
            *visibility = Visibility::Inherited;
        }
    }
    let Some(ghost) = wanted else { return };
    let GhostPiece(from, to, is_flat) = ghost;
    // Two pieces in one place could not be told apart.
    for (entity, at, .., mut visibility) in &mut pieces {
        if at.0 == to {
            *visibility = Visibility::Hidden;
            commands.entity(entity).try_insert(HiddenByGhost);
        }
    }
    let Some((_, _, look, children, _)) = pieces.iter().find(|it| it.1.0 == from) else { return };
    let mut pale = |(mesh, material): Look<'_>| {
        let mut material = materials.get(&material.0).cloned().unwrap_or_default();
        material.base_color.set_alpha(OPACITY);
        material.emissive = GLOW;
        material.alpha_mode = AlphaMode::Blend;
        (mesh.clone(), Surface(materials.add(material)), Pickable::IGNORE, NotShadowCaster)
    };
    let body = pale(look);
    let trim = children.into_iter().flatten().find_map(|child| trims.get(*child).ok());
    let trim = trim.filter(|_| !is_flat).map(pale);
    let name = Name::new(format!("ghost {to}"));
    let mut spawned = commands.spawn((name, ghost, body, board_transform(&layout, to)));
    if let Some(trim) = trim {
        spawned.with_child((Name::new("Trim"), trim));
    }
}
