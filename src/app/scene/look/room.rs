//! The table top, and the room behind it.
//!
//! The table is a plane of planks with the room's light baked into their vertex
//! colours. The room is one blurred procedural texture on the inside of a cylinder:
//! a wall, a window, shelves or a fire, as out of focus as a lens would show them.

use bevy::{light::NotShadowCaster, prelude::*, render::render_resource::TextureFormat};

use super::{
    MeshBuilder, SolidOnly, Surface,
    finishes::{Finish, Finishes},
    mesh_builder::StripVertex,
    palette, room_layers,
    textures::{SharedTextures, smoothstep, texture_from_fn, to_unorm8, value_noise},
};
use crate::app::{
    scene::{SceneSet, layout::TABLE_Y},
    settings::{Settings, options::Room},
};

/// Half the table's width.
const TABLE_REACH: f32 = 44.0;
/// Distance between a plank's vertices near the board.
const VERTEX_STEP: f32 = 1.0;
/// Radius of the room's wall.
const ROOM_RADIUS: f32 = 46.0;
/// Height of the wall's lower and upper edge.
const WALL_HEIGHTS: (f32, f32) = (-10.0, 30.0);
/// Segments of the wall's cylinder.
const WALL_SEGMENTS: usize = 48;

/// What the planks of a room's table are like.
struct TableTop {
    wood: Color,
    plank_width: f32,
    /// Width of the dark seam between two planks.
    seam_width: f32,
    /// By how much planks differ in lightness.
    variety: f32,
}

impl TableTop {
    const fn new(room: Room) -> Self {
        match room {
            Room::Study => {
                Self { wood: palette::OAK, plank_width: 2.6, seam_width: 0.012, variety: 0.10 }
            }
            Room::Cabin => {
                Self { wood: palette::PINE, plank_width: 3.8, seam_width: 0.030, variety: 0.24 }
            }
        }
    }
}

/// The mesh of the table and the picture of the wall, which a room replaces.
#[derive(Resource)]
struct RoomAssets {
    table: Handle<Mesh>,
    wall: Handle<StandardMaterial>,
}

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(Startup, spawn_room).add_systems(
        Update,
        follow_room.in_set(SceneSet::Board).run_if(resource_exists_and_changed::<Settings>),
    );
}

/// The planks' vertex colour: a pool of light from the window or the fire lies over
/// the board; the table darkens with distance, so that its edge cannot be seen.
fn table_light(room: Room, at: Vec2) -> LinearRgba {
    let fade = 0.14 + 0.86 * (1.0 - at.length() / (TABLE_REACH * 0.86)).clamp(0.0, 1.0).powf(1.1);
    let wood = TableTop::new(room).wood.to_linear();
    let share = match room {
        Room::Study => {
            // The pool is rotated, as the light falls at an angle.
            let rotated = Vec2::new(at.x * 0.94 + at.y * 0.34, at.y * 0.94 - at.x * 0.34);
            let off = (rotated / Vec2::new(13.0, 10.0)).abs();
            let edge = (off.x.powi(4) + off.y.powi(4)).powf(0.25);
            0.62 + 0.44 * smoothstep(1.0 - ((edge - 0.6) / 1.5).clamp(0.0, 1.0))
        }
        // It is lighter towards the fire, at the right behind the board.
        Room::Cabin => {
            let distance = at.distance(Vec2::new(9.0, -5.0)) / 24.0;
            0.30 + 0.95 * smoothstep((1.0 - distance).clamp(0.0, 1.0))
        }
    };
    (wood * (fade * share)).with_alpha(1.0)
}

fn table_mesh(room: Room) -> Mesh {
    let mut planks = MeshBuilder::new();
    for row in 0..(2.0 * TABLE_REACH / TableTop::new(room).plank_width) as i32 {
        add_plank(&mut planks, room, row);
    }
    planks.build_with_tangents()
}

/// Adds the `row`-th plank and the seam at its near edge.
fn add_plank(planks: &mut MeshBuilder, room: Room, row: i32) {
    let TableTop { plank_width, seam_width, variety, .. } = TableTop::new(room);
    let far = row as f32 * plank_width - TABLE_REACH;
    let tint = 1.0 - variety + variety * ((row * 37 % 11) as f32 / 11.0);
    // Each plank shows another part of the texture.
    let shift = (row * 29 % 17) as f32 * 0.37;
    let uv = |at: Vec3| Vec2::new(at.x * 0.075 + shift, (at.z - far) * 0.36 + shift);
    let light = |at: Vec3, share: f32| (table_light(room, at.xz()) * share).with_alpha(1.0);
    let plank_colour = |at: Vec3| Color::from(light(at, tint));
    let seam_colour = |at: Vec3| Color::from(light(at, tint * 0.30));
    let near = far + plank_width;
    let middle = f32::midpoint(far, near);
    // Far off, where the light hardly changes, fewer vertices are enough.
    let step = if middle.abs() < 16.0 { VERTEX_STEP } else { 4.0 * VERTEX_STEP };
    for column in 0..(2.0 * TABLE_REACH / step) as i32 {
        let left = column as f32 * step - TABLE_REACH;
        let right = left + step;
        let strip = |from: f32, to: f32| {
            [(left, to), (right, to), (right, from), (left, from)]
                .map(|(x, z)| Vec3::new(x, TABLE_Y, z))
        };
        planks.polygon_with_colours(&strip(far, middle), uv, plank_colour);
        planks.polygon_with_colours(&strip(middle, near - seam_width), uv, plank_colour);
        planks.polygon_with_colours(&strip(near - seam_width, near), uv, seam_colour);
    }
}

/// The wall's picture, in a few blurred shapes.
fn wall_picture(room: Room) -> Image {
    let texel = match room {
        Room::Study => study_texel,
        Room::Cabin => cabin_texel,
    };
    texture_from_fn(256, 64, TextureFormat::Rgba8UnormSrgb, texel)
}

fn spawn_room(
    mut commands: Commands,
    textures: Res<SharedTextures>,
    mut finishes: ResMut<Finishes>,
    mut images: ResMut<Assets<Image>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let planks = materials.add(StandardMaterial {
        base_color_texture: Some(textures.wood.clone()),
        perceptual_roughness: 0.46,
        reflectance: 0.34,
        ..default()
    });
    finishes.set(&planks, Finish::with_normal_map(&textures.wood_normal_map, 0.46));
    let ring = |y: f32, v: f32| -> Vec<StripVertex> {
        (0..=WALL_SEGMENTS)
            .map(|i| {
                let turn = i as f32 / WALL_SEGMENTS as f32;
                let (sin, cos) = (turn * std::f32::consts::TAU).sin_cos();
                let outward = Vec3::new(sin, 0.0, -cos);
                (outward * ROOM_RADIUS + Vec3::Y * y, -outward, Vec2::new(turn, v))
            })
            .collect()
    };
    let mut cylinder = MeshBuilder::new();
    cylinder.strip(&ring(WALL_HEIGHTS.0, 1.0), &ring(WALL_HEIGHTS.1, 0.0), Color::WHITE);
    let wall = materials.add(StandardMaterial {
        base_color_texture: Some(images.add(wall_picture(Room::default()))),
        unlit: true,
        cull_mode: None,
        ..default()
    });
    let table = meshes.add(table_mesh(Room::default()));
    for (name, mesh, material) in
        [("Table top", table.clone(), planks), ("Room", meshes.add(cylinder.build()), wall.clone())]
    {
        commands.spawn((
            Name::new(name),
            SolidOnly,
            room_layers(),
            Mesh3d(mesh),
            Surface(material),
            Pickable::IGNORE,
            NotShadowCaster,
        ));
    }
    commands.insert_resource(RoomAssets { table, wall });
}

/// Shows the room of the settings.
fn follow_room(
    settings: Res<Settings>,
    assets: Res<RoomAssets>,
    mut images: ResMut<Assets<Image>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    mut current: Local<Room>,
) {
    if std::mem::replace(&mut *current, settings.room) == settings.room {
        return;
    }
    if let Some(mut table) = meshes.get_mut(&assets.table) {
        *table = table_mesh(settings.room);
    }
    if let Some(mut wall) = materials.get_mut(&assets.wall) {
        wall.base_color_texture = Some(images.add(wall_picture(settings.room)));
    }
}

/// The share of a blurred shape at a signed distance from its edge.
fn soft(distance: f32, blur: f32) -> f32 {
    smoothstep((0.5 - distance / blur).clamp(0.0, 1.0))
}

/// The study as seen from the table: `u` clockwise from the far side, `v` down
/// from the ceiling. Every shape is a blurred signed distance field.
fn study_texel(u: f32, v: f32) -> [u8; 4] {
    let dusk = palette::DUSK.to_srgba().to_vec3();
    let up = ((0.98 - v) / 0.62).clamp(0.0, 1.0);
    let mut colour = dusk.lerp(Vec3::new(0.40, 0.335, 0.28), up.powf(0.7));
    // Bookshelves at the right.
    let books = soft((u - 0.22).abs() - 0.11, 0.03) * soft((v - 0.53).abs() - 0.20, 0.06);
    let shelf = 0.5 + 0.5 * (v * 44.0).sin();
    let spine = value_noise(u, v, (120, 7), 81);
    let cover = Vec3::new(0.30 + 0.25 * spine, 0.17 + 0.10 * value_noise(u, v, (90, 7), 82), 0.12);
    colour = colour.lerp(cover * (0.35 + 0.5 * shelf), 0.8 * books);
    // A picture on the far wall.
    let frame = soft((u - 0.02).abs().max((v - 0.50).abs() * 0.55) - 0.035, 0.02);
    colour = colour.lerp(Vec3::new(0.42, 0.33, 0.20), 0.5 * frame);
    // The window at the left, over the far edge.
    let (x, y) = (u - 0.86, v - 0.43);
    let pane = soft((x.abs() - 0.052).max(y.abs() * 0.5 - 0.13), 0.018);
    let bars = soft(x.abs() - 0.004, 0.008).max(soft((y + 0.05).abs() * 0.5 - 0.006, 0.012));
    let glow = soft((x * x + 0.2 * y * y).sqrt() - 0.06, 0.16);
    colour += Vec3::new(0.30, 0.29, 0.27) * glow * up.max(0.25);
    colour = colour.lerp(Vec3::new(0.93, 0.95, 0.97), pane * (1.0 - 0.8 * bars));
    [to_unorm8(colour.x), to_unorm8(colour.y), to_unorm8(colour.z), 255]
}

/// The cabin, likewise: walls of logs, a fire in its hearth at the right, a window with
/// snow on its sill at the left.
fn cabin_texel(u: f32, v: f32) -> [u8; 4] {
    let night = palette::NIGHT.to_srgba().to_vec3();
    let up = ((0.98 - v) / 0.62).clamp(0.0, 1.0);
    // Logs, lit from the fire's side.
    let log = (v * 13.0).fract();
    let round = 0.45 + 0.55 * (log * std::f32::consts::PI).sin();
    let knots = 0.88 + 0.24 * value_noise(u, v, (50, 13), 71);
    // How far round the room from the fire: the picture is a closed ring.
    let apart = |at: f32| (u - at + 0.5).rem_euclid(1.0) - 0.5;
    let from_fire = apart(0.20);
    let light = 0.30 + 0.85 * smoothstep((1.0 - from_fire.abs() / 0.42).clamp(0.0, 1.0));
    let wood = Vec3::new(0.34, 0.205, 0.115) * (round * knots * light);
    let mut colour = night.lerp(wood, up.powf(0.6));
    // The chimney and its stones.
    let stones = 0.7 + 0.5 * value_noise(u, v, (96, 24), 72);
    let chimney = soft(from_fire.abs() - 0.075 - 0.03 * (v - 0.35).max(0.0), 0.012);
    colour = colour.lerp(Vec3::new(0.30, 0.225, 0.17) * (stones * up.max(0.2)), chimney);
    // The fire: flames that rise to a point, over embers.
    let hearth = soft((from_fire.abs() - 0.045).max((v - 0.60).abs() - 0.10), 0.012);
    colour = colour.lerp(Vec3::new(0.10, 0.045, 0.025), hearth);
    let tongues = 0.5 + 0.5 * (value_noise(u, 0.5, (110, 1), 73) * 2.0 - 0.5);
    let height = (0.71 - v) / (0.16 * tongues.max(0.2));
    let flame = soft(from_fire.abs() - 0.036 * (1.0 - 0.8 * height.clamp(0.0, 1.0)), 0.022)
        * soft(-height, 0.3)
        * soft(height - 1.0, 0.7);
    colour = colour.lerp(Vec3::new(1.0, 0.72 - 0.30 * height.clamp(0.0, 1.0), 0.20), flame);
    let glow = (from_fire * from_fire + 0.25 * (v - 0.64) * (v - 0.64)).sqrt();
    colour += Vec3::new(0.42, 0.19, 0.06) * soft(glow - 0.05, 0.22) * up.max(0.3);
    // The window by night, its bars and the snow on its sill.
    let (x, y) = (apart(0.86), v - 0.45);
    let frame = soft((x.abs() - 0.055).max(y.abs() * 0.5 - 0.085), 0.014);
    colour = colour.lerp(Vec3::new(0.17, 0.105, 0.06), frame);
    let pane = soft((x.abs() - 0.044).max(y.abs() * 0.5 - 0.068), 0.012);
    let bars = soft(x.abs() - 0.004, 0.008).max(soft(y.abs() * 0.5 - 0.005, 0.010));
    let drift = soft(0.085 - y - 0.03 * value_noise(u, 0.5, (60, 1), 74), 0.05);
    let sky = Vec3::new(0.10, 0.16, 0.30).lerp(Vec3::new(0.42, 0.53, 0.70), drift);
    colour = colour.lerp(sky, pane * (1.0 - 0.85 * bars));
    [to_unorm8(colour.x), to_unorm8(colour.y), to_unorm8(colour.z), 255]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_wall_is_a_closed_ring() {
        for texel in [study_texel, cabin_texel] {
            for v in [0.2, 0.45, 0.6, 0.9] {
                let (first, last) = (texel(0.001, v), texel(0.999, v));
                let apart = (0..3).map(|i| first[i].abs_diff(last[i])).max();
                assert!(apart < Some(26), "at {v}: {first:?} {last:?}");
            }
        }
    }

    #[test]
    fn the_cabin_has_a_fire_at_the_right_and_a_blue_window_at_the_left() {
        let [red, _, blue, _] = cabin_texel(0.20, 0.68);
        assert!(red > 200 && blue < red / 2, "the fire: {red} {blue}");
        let [red, _, blue, _] = cabin_texel(0.84, 0.41);
        assert!(blue > red + 20, "the window: {red} {blue}");
    }
}
