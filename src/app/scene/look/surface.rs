//! What surfaces are like, and the material that shows them at each quality.
//!
//! The scene describes each surface by a [`StandardMaterial`]. At low quality a
//! [`PlainMaterial`] made from it is drawn in its place.

use std::collections::HashMap;

use bevy::prelude::*;

use super::plain::{self, PlainMaterial, TableLights};
use crate::app::{scene::SceneSet, settings::options::Quality};

/// What the surface of a mesh is like.
#[derive(Component, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Surface(pub(crate) Handle<StandardMaterial>);

/// The plain material of each surface that was shown at low quality.
#[derive(Resource, Default)]
struct PlainMaterials(HashMap<AssetId<StandardMaterial>, Handle<PlainMaterial>>);

pub(super) fn plugin(app: &mut App) {
    app.add_plugins(plain::plugin)
        .init_resource::<PlainMaterials>()
        .add_systems(Update, (follow_changes, set_materials).chain().in_set(SceneSet::Materials));
}

/// The lights as they are now.
type Lights<'w, 's> = (
    Query<'w, 's, (Ref<'static, DirectionalLight>, Ref<'static, Transform>)>,
    Query<'w, 's, Ref<'static, EnvironmentMapLight>>,
    Res<'w, GlobalAmbientLight>,
);

/// The lights over the table, and whether they changed.
fn table_lights((keys, rooms, ambient): &Lights<'_, '_>) -> Option<(TableLights, bool)> {
    let (key, place) = keys.iter().next()?;
    let room = rooms.iter().next()?;
    let changed =
        key.is_changed() || place.is_changed() || room.is_changed() || ambient.is_changed();
    let lights = TableLights {
        key: key.color.to_linear() * key.illuminance,
        towards_key: place.back().as_vec3(),
        ambient: ambient.color.to_linear() * ambient.brightness,
        room: EnvironmentMapLight::clone(&room),
    };
    Some((lights, changed))
}

/// Makes plain materials again when their surface or the light changed.
fn follow_changes(
    lights: Lights,
    mut events: MessageReader<AssetEvent<StandardMaterial>>,
    standard: Res<Assets<StandardMaterial>>,
    mut made: ResMut<PlainMaterials>,
    mut plain: ResMut<Assets<PlainMaterial>>,
) {
    let Some((lights, is_relit)) = table_lights(&lights) else { return };
    let mut changed: Vec<_> = if is_relit { made.0.keys().copied().collect() } else { Vec::new() };
    for event in events.read() {
        match *event {
            AssetEvent::Modified { id } => changed.push(id),
            AssetEvent::Unused { id } | AssetEvent::Removed { id } => {
                made.0.remove(&id);
            }
            AssetEvent::Added { .. } | AssetEvent::LoadedWithDependencies { .. } => {}
        }
    }
    for id in changed {
        let Some(mut shown) = made.0.get(&id).and_then(|handle| plain.get_mut(handle)) else {
            continue;
        };
        if let Some(surface) = standard.get(id) {
            *shown = PlainMaterial::new(surface, &lights);
        }
    }
}

/// Gives each surface that is new or that changed the material of the quality.
fn set_materials(
    mut commands: Commands,
    quality: Res<Quality>,
    lights: Lights,
    surfaces: Query<(Entity, Ref<Surface>)>,
    standard: Res<Assets<StandardMaterial>>,
    mut made: ResMut<PlainMaterials>,
    mut plain: ResMut<Assets<PlainMaterial>>,
) {
    let changed = |it: &(Entity, Ref<Surface>)| it.1.is_changed() || quality.is_changed();
    for (entity, surface) in surfaces.iter().filter(changed) {
        let handle = &surface.0;
        if *quality != Quality::Low {
            commands
                .entity(entity)
                .try_remove::<MeshMaterial3d<PlainMaterial>>()
                .try_insert(MeshMaterial3d(handle.clone()));
            continue;
        }
        let Some((lights, _)) = table_lights(&lights) else { return };
        let Some(described) = standard.get(handle) else { continue };
        let plain = made
            .0
            .entry(handle.id())
            .or_insert_with(|| plain.add(PlainMaterial::new(described, &lights)));
        commands
            .entity(entity)
            .try_remove::<MeshMaterial3d<StandardMaterial>>()
            .try_insert(MeshMaterial3d(plain.clone()));
    }
}

#[cfg(test)]
mod tests {
    use bevy::core_pipeline::prepass::DepthPrepass;

    use super::*;
    use crate::{
        app::{
            core::actions::{Action, GameAction},
            settings::{
                Settings,
                options::{PieceSet, PieceSets},
            },
        },
        games::RuleSet,
        session::Setup,
    };

    /// The table of a new game at low quality.
    fn table(rules: RuleSet, set: PieceSet, diagram: bool) -> App {
        let mut app = crate::app::headless((900, 600));
        let mut settings = app.world_mut().resource_mut::<Settings>();
        settings.quality = Some(Quality::Low);
        settings.sets = PieceSets::all(set);
        settings.diagram = diagram;
        app.world_mut().write_message(Action::Game(GameAction::NewGame(Setup::new(rules))));
        for _ in 0..10 {
            app.update();
        }
        app
    }

    /// How many triangles the meshes with a plain material have that are not hidden.
    fn triangles(app: &mut App) -> usize {
        let world = app.world_mut();
        let mut shown = world
            .query_filtered::<(&Mesh3d, &InheritedVisibility), With<MeshMaterial3d<PlainMaterial>>>(
            );
        let meshes = world.resource::<Assets<Mesh>>();
        let shown = shown.iter(world).filter(|it| it.1.get());
        let indices = shown.filter_map(|(mesh, _)| meshes.get(&mesh.0)?.indices());
        indices.map(bevy::mesh::Indices::len).sum::<usize>() / 3
    }

    /// `StandardMaterial`, shadows and prepasses take a software renderer many times as long.
    #[test]
    fn low_quality_draws_few_triangles_once_with_a_small_shader() {
        let games = [RuleSet::TablutAshton, RuleSet::Tablan, RuleSet::Tablaaza];
        for (rules, set) in games.into_iter().flat_map(|it| PieceSet::ALL.map(|set| (it, set))) {
            let mut app = table(rules, set, false);
            let world = app.world_mut();
            let standard = world.query::<&MeshMaterial3d<StandardMaterial>>().iter(world).count();
            assert_eq!(standard, 0, "{rules} {set}");
            let mut lights = world.query::<&DirectionalLight>();
            assert!(lights.iter(world).all(|it| !it.shadow_maps_enabled), "{rules} {set}");
            let mut passes = world.query_filtered::<(), With<DepthPrepass>>();
            assert_eq!(passes.iter(world).count(), 0, "{rules} {set}");
            let count = triangles(&mut app);
            assert!((5_000..70_000).contains(&count), "{rules} {set}: {count}");
        }
        let count = triangles(&mut table(RuleSet::TablutAshton, PieceSet::Turned, true));
        assert!((500..10_000).contains(&count), "the diagram: {count}");
    }

    #[test]
    fn surfaces_follow_the_quality() {
        let mut app = table(RuleSet::TablutAshton, PieceSet::Turned, false);
        let counts = |app: &mut App| {
            let world = app.world_mut();
            let plain = world.query::<&MeshMaterial3d<PlainMaterial>>().iter(world).count();
            let standard = world.query::<&MeshMaterial3d<StandardMaterial>>().iter(world).count();
            let surfaces = world.query::<&Surface>().iter(world).count();
            (plain, standard, surfaces)
        };
        let (plain, standard, surfaces) = counts(&mut app);
        assert!(plain == surfaces && standard == 0 && plain > 50, "{plain} {standard} {surfaces}");
        app.world_mut().resource_mut::<Settings>().quality = Some(Quality::High);
        app.update();
        let (plain, standard, surfaces) = counts(&mut app);
        assert!(plain == 0 && standard == surfaces, "{plain} {standard} {surfaces}");
    }
}
