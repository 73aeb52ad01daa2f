//! The ghost of a piece: where it will stand after the first half of a pair of moves,
//! while the second half is chosen; and where it came from, while it is in the hand.

use bevy::{light::NotShadowCaster, prelude::*};

use super::{assets::Trim, board_transform, tokens::show_tokens};
use crate::{
    app::scene::{
        SceneSet,
        api::{FlatView, Hand, Highlights},
        components::{OnSquare, Piece},
        layout::BoardLayout,
        look::Surface,
    },
    games::Square,
};

/// How much of the ghost is seen.
const OPACITY: f32 = 0.78;
/// How much is seen of the ghost of the piece in the hand.
const HELD_OPACITY: f32 = 0.35;
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
        update_ghost.after(show_tokens).in_set(SceneSet::Surfaces).run_if(
            resource_changed::<Highlights>
                .or_else(resource_changed::<FlatView>)
                .or_else(resource_changed::<Hand>),
        ),
    );
}

/// The mesh and the material of a piece or its metal.
type Look<'a> = (&'a Mesh3d, &'a Surface);

fn update_ghost(
    mut commands: Commands,
    (highlights, hand): (Res<Highlights>, Res<Hand>),
    (flat, layout): (Res<FlatView>, Res<BoardLayout>),
    mut materials: ResMut<Assets<StandardMaterial>>,
    mut pieces: Query<
        (Entity, &OnSquare, Look<'static>, Option<&Children>, &mut Visibility),
        With<Piece>,
    >,
    trims: Query<Look<'static>, (With<Trim>, Without<Piece>)>,
    hidden: Query<Entity, With<HiddenByGhost>>,
    ghosts: Query<(Entity, &GhostPiece)>,
) {
    let held = hand.0.map(|held| (held.from, held.from));
    let wanted = highlights.chosen_step.or(held).map(|(from, to)| GhostPiece(from, to, flat.0));
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
    // Two pieces in one place could not be told apart. A held piece is elsewhere.
    for (entity, at, .., mut visibility) in &mut pieces {
        if at.0 == to && from != to {
            *visibility = Visibility::Hidden;
            commands.entity(entity).try_insert(HiddenByGhost);
        }
    }
    let Some((_, _, look, children, _)) = pieces.iter().find(|it| it.1.0 == from) else { return };
    let mut pale = |(mesh, material): Look<'_>| {
        let mut material = materials.get(&material.0).cloned().unwrap_or_default();
        make_pale(&mut material, if from == to { HELD_OPACITY } else { OPACITY });
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

/// Makes a piece's material a ghost's. It is drawn like the letters of the board, which are
/// on every table: a pipeline of its own would be compiled while the player waits.
fn make_pale(material: &mut StandardMaterial, opacity: f32) {
    material.base_color.set_alpha(opacity);
    material.emissive = GLOW;
    material.alpha_mode = AlphaMode::Blend;
    material.normal_map_texture = None;
    material.clearcoat = 0.0;
    material.depth_bias = 0.0;
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use bevy::{
        ecs::system::RunSystemOnce as _, mesh::MeshVertexAttributeId, pbr::StandardMaterialKey,
    };

    use super::*;
    use crate::{
        app::{
            core::actions::{Action, GameAction},
            scene::api::AnimationSpeed,
            settings::{
                Settings,
                options::{PieceSet, PieceSets, Quality},
            },
        },
        games::RuleSet,
        session::Setup,
    };

    /// What decides which pipeline draws a mesh.
    type PipelineKind = (u64, String, Vec<MeshVertexAttributeId>);

    /// The kinds of pipelines that draw what is there.
    fn pipelines(app: &mut App) -> HashSet<PipelineKind> {
        let world = app.world_mut();
        let mut drawn = world.query::<(&Mesh3d, &Surface)>();
        let drawn: Vec<_> = drawn.iter(world).map(|it| (it.0.id(), it.1.0.id())).collect();
        let meshes = world.resource::<Assets<Mesh>>();
        let materials = world.resource::<Assets<StandardMaterial>>();
        let kinds = drawn.into_iter().filter_map(|(mesh, material)| {
            let (mesh, material) = (meshes.get(mesh)?, materials.get(material)?);
            let attributes = mesh.attributes().map(|it| it.0.id).collect();
            let key = StandardMaterialKey::from(material).bits();
            Some((key, format!("{:?}", material.alpha_mode), attributes))
        });
        kinds.collect()
    }

    #[test]
    fn a_ghost_is_drawn_by_a_pipeline_that_the_table_has() {
        for (set, diagram) in [
            (PieceSet::Turned, false),
            (PieceSet::Carved, false),
            (PieceSet::Cast, false),
            (PieceSet::Turned, true),
        ] {
            let mut app = crate::app::headless((900, 600));
            let mut settings = app.world_mut().resource_mut::<Settings>();
            // Its materials are those of high quality; without a renderer there is no such camera.
            settings.quality = Some(Quality::Medium);
            settings.sets = PieceSets::all(set);
            settings.diagram = diagram;
            let setup = Setup { seed: Some(1), ..Setup::new(RuleSet::TablanOrdered) };
            app.world_mut().write_message(Action::from(GameAction::NewGame(setup)));
            app.insert_resource(AnimationSpeed { speed: 1000.0 });
            (0..10).for_each(|_| app.update());
            let before = pipelines(&mut app);
            assert!(before.len() > 1);
            let world = app.world_mut();
            let mut pieces = world.query_filtered::<&OnSquare, With<Piece>>();
            let squares: Vec<Square> = pieces.iter(world).take(2).map(|it| it.0).collect();
            app.world_mut()
                .run_system_once(move |mut highlights: ResMut<Highlights>| {
                    highlights.chosen_step = Some((squares[0], squares[1]));
                })
                .expect("highlights");
            app.world_mut().run_system_once(update_ghost).expect("a scene");
            let world = app.world_mut();
            assert_eq!(world.query::<&GhostPiece>().iter(world).count(), 1);
            let new: Vec<_> = pipelines(&mut app).difference(&before).cloned().collect();
            assert!(new.is_empty(), "{set} {diagram}: {new:?}");
        }
    }
}
