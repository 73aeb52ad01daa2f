//! The table top, and the room behind it.
//!
//! The table is a plane of planks with daylight baked into their vertex colours.
//! The room is one blurred procedural texture on the inside of a cylinder: a
//! wall, a window, shelves, as out of focus as a lens would show them.

use bevy::{light::NotShadowCaster, prelude::*, render::render_resource::TextureFormat};

use super::{
    MeshBuilder, SolidOnly,
    finishes::{Finish, Finishes},
    mesh_builder::StripVertex,
    palette,
    textures::{SharedTextures, smoothstep, texture_from_fn, to_unorm8, value_noise},
};
use crate::app::scene::layout::TABLE_Y;

/// Half the table's width.
const TABLE_REACH: f32 = 44.0;
/// Width of a plank.
const PLANK_WIDTH: f32 = 2.6;
/// Width of the dark seam between two planks.
const SEAM_WIDTH: f32 = 0.012;
/// Distance between a plank's vertices near the board.
const VERTEX_STEP: f32 = 1.0;
/// Radius of the room's wall.
const ROOM_RADIUS: f32 = 46.0;
/// Height of the wall's lower and upper edge.
const WALL_HEIGHTS: (f32, f32) = (-10.0, 30.0);
/// Segments of the wall's cylinder.
const WALL_SEGMENTS: usize = 48;

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(Startup, (spawn_table, spawn_room));
}

/// The planks' vertex colour: a pool of daylight from the window lies over the
/// board; the table darkens with distance, so that its edge cannot be seen.
fn daylight(at: Vec2) -> LinearRgba {
    let fade = 0.14 + 0.86 * (1.0 - at.length() / (TABLE_REACH * 0.86)).clamp(0.0, 1.0).powf(1.1);
    // The pool is rotated, as the light falls at an angle.
    let rotated = Vec2::new(at.x * 0.94 + at.y * 0.34, at.y * 0.94 - at.x * 0.34);
    let off = (rotated / Vec2::new(13.0, 10.0)).abs();
    let edge = (off.x.powi(4) + off.y.powi(4)).powf(0.25);
    let pool = smoothstep(1.0 - ((edge - 0.6) / 1.5).clamp(0.0, 1.0));
    (palette::OAK.to_linear() * (fade * (0.62 + 0.44 * pool))).with_alpha(1.0)
}

fn spawn_table(
    mut commands: Commands,
    textures: Res<SharedTextures>,
    mut finishes: ResMut<Finishes>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let mut planks = MeshBuilder::new();
    for row in 0..(2.0 * TABLE_REACH / PLANK_WIDTH) as i32 {
        add_plank(&mut planks, row);
    }
    let oak = materials.add(StandardMaterial {
        base_color_texture: Some(textures.wood.clone()),
        perceptual_roughness: 0.46,
        reflectance: 0.34,
        ..default()
    });
    finishes.set(&oak, Finish::with_normal_map(&textures.wood_normal_map, 0.46));
    commands.spawn((
        Name::new("Table top"),
        SolidOnly,
        Mesh3d(meshes.add(planks.build_with_tangents())),
        MeshMaterial3d(oak),
        Pickable::IGNORE,
        NotShadowCaster,
    ));
}

/// Adds the `row`-th plank and the seam at its near edge.
fn add_plank(planks: &mut MeshBuilder, row: i32) {
    let far = row as f32 * PLANK_WIDTH - TABLE_REACH;
    let tint = 0.90 + 0.10 * ((row * 37 % 11) as f32 / 11.0);
    // Each plank shows another part of the texture.
    let shift = (row * 29 % 17) as f32 * 0.37;
    let uv = |at: Vec3| Vec2::new(at.x * 0.14 + shift, (at.z - far) * 0.36 + shift);
    let plank_colour = |at: Vec3| Color::from((daylight(at.xz()) * tint).with_alpha(1.0));
    let seam_colour = |at: Vec3| Color::from((daylight(at.xz()) * (tint * 0.30)).with_alpha(1.0));
    let near = far + PLANK_WIDTH;
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
        planks.polygon_with_colours(&strip(middle, near - SEAM_WIDTH), uv, plank_colour);
        planks.polygon_with_colours(&strip(near - SEAM_WIDTH, near), uv, seam_colour);
    }
}

fn spawn_room(
    mut commands: Commands,
    mut images: ResMut<Assets<Image>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
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
    let mut wall = MeshBuilder::new();
    wall.strip(&ring(WALL_HEIGHTS.0, 1.0), &ring(WALL_HEIGHTS.1, 0.0), Color::WHITE);
    let picture = images.add(texture_from_fn(256, 64, TextureFormat::Rgba8UnormSrgb, room_texel));
    let material = materials.add(StandardMaterial {
        base_color_texture: Some(picture),
        unlit: true,
        cull_mode: None,
        ..default()
    });
    commands.spawn((
        Name::new("Room"),
        SolidOnly,
        Mesh3d(meshes.add(wall.build())),
        MeshMaterial3d(material),
        Pickable::IGNORE,
        NotShadowCaster,
    ));
}

/// The room as seen from the table: `u` clockwise from the far side, `v` down
/// from the ceiling. Every shape is a blurred signed distance field.
fn room_texel(u: f32, v: f32) -> [u8; 4] {
    let soft = |distance: f32, blur: f32| smoothstep((0.5 - distance / blur).clamp(0.0, 1.0));
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
