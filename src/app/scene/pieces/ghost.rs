//! The ghost of a piece: where it came from, while it is in the hand, or while the second half
//! of a pair of moves is chosen.

use super::{PieceAssets, board_transform, tokens::show_tokens};
use crate::app::scene::prelude::*;

/// The ghost, with the step of its piece, and whether it is drawn flat.
#[derive(Component, PartialEq, Eq)]
struct GhostPiece(Square, Square, bool);

/// A piece whose place another has taken.
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

fn update_ghost(
    mut commands: Commands,
    (highlights, hand): (Res<Highlights>, Res<Hand>),
    (flat, layout): (Res<FlatView>, Res<BoardLayout>),
    assets: Res<PieceAssets>,
    pieces: Query<(Entity, &OnSquare, &Mesh3d), With<Piece>>,
    hidden: Query<Entity, With<HiddenByGhost>>,
    ghosts: Query<(Entity, &GhostPiece)>,
) {
    let held = hand.piece().map(|from| (from, from));
    let steps = highlights.chosen_step.into_iter().chain(held);
    let wanted: Vec<_> = steps.map(|(from, to)| GhostPiece(from, to, flat.0)).collect();
    if ghosts.iter().map(|ghost| ghost.1).eq(&wanted) {
        return;
    }
    for (entity, _) in &ghosts {
        commands.entity(entity).despawn();
    }
    for entity in &hidden {
        commands.entity(entity).try_remove::<HiddenByGhost>().try_insert(Visibility::Inherited);
    }
    for ghost in wanted {
        let GhostPiece(from, to, _) = ghost;
        // Two pieces in one place could not be told apart. A held piece is elsewhere.
        for (entity, at, _) in &pieces {
            if at.0 == to && from != to {
                commands.entity(entity).try_insert((HiddenByGhost, Visibility::Hidden));
            }
        }
        let Some((.., mesh)) = pieces.iter().find(|piece| piece.1.0 == from) else { continue };
        commands.spawn((
            Name::new(format!("ghost {from}")),
            ghost,
            mesh.clone(),
            MeshMaterial3d(assets.ghost.clone()),
            Pickable::IGNORE,
            board_transform(&layout, from),
        ));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use bevy::{ecs::system::RunSystemOnce as _, mesh::MeshVertexAttributeId};

    use super::*;
    use crate::app::{
        scene::{
            api::AnimationSpeed,
            components::Captured,
            look::{TableMaterial, shader_warmup::WarmupMeshes},
        },
        settings::Settings,
    };

    /// What decides which pipeline draws a mesh.
    type PipelineKind = (bool, String, Vec<MeshVertexAttributeId>);

    /// The kinds of pipelines that draw what is there, or were compiled at the start.
    fn pipelines(app: &mut App) -> HashSet<PipelineKind> {
        let world = app.world_mut();
        let mut drawn = world.query::<(&Mesh3d, &MeshMaterial3d<TableMaterial>)>();
        let drawn: Vec<_> = drawn.iter(world).map(|drawn| (drawn.0.id(), drawn.1.id())).collect();
        let compiled = &world.resource::<WarmupMeshes>().0;
        let compiled = compiled.iter().map(|compiled| (compiled.0.id(), compiled.1.id()));
        let meshes = world.resource::<Assets<Mesh>>();
        let materials = world.resource::<Assets<TableMaterial>>();
        let kinds = drawn.into_iter().chain(compiled).filter_map(|(mesh, material)| {
            let (mesh, material) = (meshes.get(mesh)?, materials.get(material)?);
            let attributes = mesh.attributes().map(|attribute| attribute.0.id).collect();
            let mode = format!("{:?}", material.alpha_mode);
            Some((material.picture.is_some(), mode, attributes))
        });
        kinds.collect()
    }

    #[test]
    fn a_ghost_is_drawn_by_a_pipeline_that_the_table_has() {
        for diagram in [false, true] {
            let mut app = crate::app::headless((900, 600));
            app.world_mut().resource_mut::<Settings>().diagram = diagram;
            let setup = Setup { seed: Some(1), ..Setup::new(RuleSet::TablanOrdered) };
            app.world_mut().write_message(Action::from(GameAction::NewGame(setup)));
            app.insert_resource(AnimationSpeed(None));
            (0..10).for_each(|_| app.update());
            let before = pipelines(&mut app);
            assert!(before.len() > 1);
            let world = app.world_mut();
            let mut pieces = world.query_filtered::<&OnSquare, With<Piece>>();
            let squares: Vec<Square> = pieces.iter(world).take(2).map(|piece| piece.0).collect();
            app.world_mut()
                .run_system_once(move |mut highlights: ResMut<Highlights>| {
                    highlights.chosen_step = Some((squares[0], squares[1]));
                })
                .expect("highlights");
            app.world_mut().run_system_once(update_ghost).expect("a scene");
            let world = app.world_mut();
            let mut ghosts =
                world.query_filtered::<&MeshMaterial3d<TableMaterial>, With<GhostPiece>>();
            let ghost = ghosts.single(world).expect("one ghost").id();
            let ghost = world.resource::<Assets<TableMaterial>>().get(ghost).expect("a material");
            assert!(ghost.color.alpha < 0.85 && ghost.color.red > 1.2, "it is paler than a piece");
            let new: Vec<_> = pipelines(&mut app).difference(&before).cloned().collect();
            assert!(new.is_empty(), "{diagram}: {new:?}");
        }
    }

    #[test]
    fn a_piece_that_is_captured_under_the_ghost_is_seen_again() {
        let mut app = crate::app::headless((900, 600));
        let setup = Setup { seed: Some(1), ..Setup::new(RuleSet::Tablan) };
        app.world_mut().write_message(Action::from(GameAction::NewGame(setup)));
        (0..10).for_each(|_| app.update());
        let world = app.world_mut();
        let mut pieces = world.query_filtered::<(Entity, &OnSquare), With<Piece>>();
        let [mover, target] = [0, 1].map(|n| {
            pieces.iter(world).nth(n).map(|(entity, at)| (entity, at.0)).expect("24 pieces")
        });
        let choose = |app: &mut App, step: Option<(Square, Square)>| {
            app.world_mut().resource_mut::<Highlights>().chosen_step = step;
            app.world_mut().run_system_once(update_ghost).expect("a scene");
            app.world().get::<Visibility>(target.0).copied()
        };
        assert_eq!(choose(&mut app, Some((mover.1, target.1))), Some(Visibility::Hidden));
        app.world_mut().entity_mut(target.0).insert(Captured { slot: 0 });
        assert!(app.world().get::<OnSquare>(target.0).is_none());
        assert_eq!(choose(&mut app, None), Some(Visibility::Inherited));
    }
}
