//! The room: its lamps, the table, and what is seen beyond it.

use bevy::{
    light::{DirectionalLightShadowMap, PointLightShadowMap},
    render::renderer::RenderDevice,
};

use super::{
    SolidOnly,
    lamps::{Lamps, UNUSED_MAP_SIZE},
    material::TableMaterial,
    models::{ModelFile, model_mesh},
    palette,
    pictures::{panorama_picture, planks_picture, sheen_picture},
    warm_up,
};
use crate::app::{scene::prelude::*, settings::options::TimeOfDay};

/// The table and what is seen beyond it, of the room that is shown.
#[derive(Resource)]
struct RoomAssets {
    table: Handle<Mesh>,
    planks: Handle<TableMaterial>,
    panorama: Handle<TableMaterial>,
}

/// What polished things mirror.
#[derive(Resource, Default)]
struct Sheen(Option<Handle<Image>>);

pub(super) fn plugin(app: &mut App) {
    let (room, time) = (Room::default(), TimeOfDay::default());
    let mut meshes = app.world_mut().resource_mut::<Assets<Mesh>>();
    let table = meshes.add(table_mesh(room));
    let dome = meshes.add(model_mesh(ModelFile::Rooms, &["dome"], Palette::default()));
    let mut materials = app.world_mut().resource_mut::<Assets<TableMaterial>>();
    let planks = materials.add(TableMaterial { in_room: true, ..TableMaterial::pictured() });
    let panorama = materials.add(TableMaterial::pictured());
    for (name, mesh, material) in [("Table top", &table, &planks), ("Room", &dome, &panorama)] {
        warm_up(app, mesh.clone(), material.clone());
        app.world_mut().spawn((
            Name::new(name),
            SolidOnly,
            Mesh3d(mesh.clone()),
            MeshMaterial3d(material.clone()),
            Pickable::IGNORE,
        ));
    }
    app.insert_resource(RoomAssets { table, planks, panorama })
        .insert_resource(Lamps::new(room, time))
        .insert_resource(ClearColor(palette::DUSK))
        .init_resource::<Sheen>()
        .insert_resource(DirectionalLightShadowMap { size: UNUSED_MAP_SIZE })
        .insert_resource(PointLightShadowMap { size: UNUSED_MAP_SIZE })
        .add_systems(
            Update,
            (
                follow_room.in_set(SceneSet::Board),
                show_room.run_if(resource_exists::<RenderDevice>).in_set(SceneSet::Board),
                light_materials.in_set(SceneSet::Materials),
            ),
        );
}

fn table_mesh(room: Room) -> Mesh {
    let name = match room {
        Room::Study => "table_study",
        Room::Cabin => "table_cabin",
    };
    model_mesh(ModelFile::Rooms, &[name], Palette::default())
}

/// Lights the lamps of the settings' room, for a photograph at its time of day.
fn follow_room(
    (settings, photo): (Res<Settings>, Res<Photo>),
    assets: Res<RoomAssets>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<TableMaterial>>,
    mut lamps: ResMut<Lamps>,
    mut current: Local<Room>,
) {
    let time = photo.0.map_or_else(TimeOfDay::default, |photo| photo.time);
    let wanted = Lamps::new(settings.room, time);
    if lamps.set_if_neq(wanted)
        && let Some(mut panorama) = materials.get_mut(&assets.panorama)
    {
        // The panorama is of the room at its usual time.
        let usual = Lamps::new(settings.room, TimeOfDay::Usual).sum();
        panorama.color = LinearRgba::from_vec3(wanted.sum() / usual);
    }
    if std::mem::replace(&mut *current, settings.room) != settings.room
        && let Some(mut table) = meshes.get_mut(&assets.table)
    {
        *table = table_mesh(settings.room);
    }
}

/// Loads the pictures of the room.
fn show_room(
    (settings, quality): (Res<Settings>, Res<Quality>),
    assets: Res<RoomAssets>,
    mut images: ResMut<Assets<Image>>,
    mut materials: ResMut<Assets<TableMaterial>>,
    mut sheen: ResMut<Sheen>,
    mut shown: Local<Option<(Room, Quality)>>,
) {
    let wanted = (settings.room, *quality);
    if shown.replace(wanted) == Some(wanted) {
        return;
    }
    let (room, quality) = wanted;
    for (material, picture) in [
        (&assets.planks, planks_picture(room, quality)),
        (&assets.panorama, panorama_picture(room, quality)),
    ] {
        if let Some(mut material) = materials.get_mut(material) {
            material.picture = Some(images.add(picture));
        }
    }
    sheen.0 = Some(images.add(sheen_picture(room)));
}

/// Gives the lamps to each new material, and to all when the room changes.
fn light_materials(
    (lamps, sheen, quality): (Res<Lamps>, Res<Sheen>, Res<Quality>),
    mut events: MessageReader<AssetEvent<TableMaterial>>,
    mut materials: ResMut<Assets<TableMaterial>>,
) {
    let added = events.read().filter_map(|event| match *event {
        AssetEvent::Added { id } => Some(id),
        _ => None,
    });
    let mut new: Vec<_> = added.collect();
    if lamps.is_changed() || sheen.is_changed() || quality.is_changed() {
        new = materials.ids().collect();
    }
    new.retain(|&id| materials.get(id).is_some_and(|material| material.in_room));
    for id in new {
        if let Some(mut material) = materials.get_mut(id) {
            material.lamps = lamps.0.map(|lamp| lamp.extend(0.0));
            if let Some(key) = lamps.key(*quality) {
                material.lamps[key].w = Lamps::shadow_depth(key);
            }
            material.sheen.clone_from(&sheen.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::scene::components::Piece;

    /// The table of a new game.
    fn table(rules: RuleSet, settings: Settings) -> App {
        let mut app = crate::app::headless((900, 600));
        app.insert_resource(settings);
        app.world_mut().write_message(Action::Game(GameAction::NewGame(Setup::new(rules))));
        (0..10).for_each(|_| app.update());
        app
    }

    /// Without a renderer no picture is loaded. With one, a material whose picture came late
    /// would go on being drawn without it: the room was white.
    #[test]
    fn what_gets_a_picture_has_one_from_the_start() {
        let app = table(RuleSet::TablutAshton, Settings::default());
        let materials = app.world().resource::<Assets<TableMaterial>>();
        let with_picture = materials.iter().filter(|(_, material)| material.picture.is_some());
        // Table and room, board and cloth, the shadows of three games, letters in four colours,
        // sticks that wait and that shine.
        assert_eq!(with_picture.count(), 13);
    }

    /// The lamps that light the pieces, and the corners of the table.
    fn seen(app: &mut App) -> (Vec<[Vec4; 4]>, usize) {
        let world = app.world_mut();
        let mut pieces = world.query_filtered::<&MeshMaterial3d<TableMaterial>, With<Piece>>();
        let pieces: Vec<_> = pieces.iter(world).map(|piece| piece.id()).collect();
        let materials = world.resource::<Assets<TableMaterial>>();
        let lamps = pieces.iter().filter_map(|&piece| Some(materials.get(piece)?.lamps)).collect();
        let table = &world.resource::<RoomAssets>().table;
        let table = world.resource::<Assets<Mesh>>().get(table).expect("a table");
        (lamps, table.count_vertices())
    }

    #[test]
    fn a_room_is_shown_at_once_on_the_table() {
        let mut app = table(RuleSet::TablutAshton, Settings::default());
        let day = seen(&mut app);
        assert_eq!(day.0.len(), 25);
        assert!(day.0.iter().all(|lamps| lamps[1].x > 0.5), "the sun shines on all");
        app.world_mut().resource_mut::<Settings>().room = Room::Cabin;
        app.update();
        let night = seen(&mut app);
        assert!(night.0.iter().all(|lamps| lamps[1].x == 0.0 && lamps[2].x > 0.5), "a fire");
        assert_ne!(night.1, day.1, "another table");
        app.world_mut().resource_mut::<Settings>().room = Room::Study;
        app.update();
        assert_eq!(seen(&mut app), day, "as it was");
    }

    /// How many triangles are drawn.
    fn triangles(app: &mut App) -> usize {
        let world = app.world_mut();
        let mut shown = world
            .query_filtered::<(&Mesh3d, &InheritedVisibility), With<MeshMaterial3d<TableMaterial>>>(
            );
        let meshes = world.resource::<Assets<Mesh>>();
        let shown = shown.iter(world).filter(|shown| shown.1.get());
        let indices = shown.filter_map(|(mesh, _)| meshes.get(&mesh.0)?.indices());
        indices.map(bevy::mesh::Indices::len).sum::<usize>() / 3
    }

    /// A software renderer takes its time for each triangle.
    #[test]
    fn no_more_triangles_are_drawn_than_are_seen() {
        for rules in [RuleSet::TablutAshton, RuleSet::Tablan, RuleSet::Tablaaza] {
            let count = triangles(&mut table(rules, Settings::default()));
            assert!((3_000..60_000).contains(&count), "{rules}: {count}");
        }
        let diagram = Settings { diagram: true, ..Settings::default() };
        let count = triangles(&mut table(RuleSet::TablutAshton, diagram));
        assert!((500..10_000).contains(&count), "the diagram: {count}");
    }
}
