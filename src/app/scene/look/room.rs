//! The desk, and the room round it.
//!
//! Planks in the light of a window at the left; what lies far off is out of
//! focus and dark. The room is one soft picture on the inside of a drum: a wall,
//! the window, shelves, as a lens sees them that looks at the table.

use bevy::{light::NotShadowCaster, prelude::*, render::render_resource::TextureFormat};

use super::{
    MeshBuilder, palette,
    textures::{Finish, Finishes, Grain, noise, picture},
};

/// Where the top of the table lies; a board's squares lie at 0.
pub(crate) const TABLE_Y: f32 = -0.36;

/// How far planks reach from the middle.
const REACH: f32 = 44.0;
const PLANK: f32 = 2.6;
const STEP: f32 = 1.0;
/// The room's half width, and how far up and down its wall reaches.
const ROOM: f32 = 46.0;
const WALL: (f32, f32) = (-10.0, 30.0);

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(Startup, (lay, surround));
}

/// The planks' own brightness there: a pool of daylight falls through the
/// window over the board, and the far away darkens, so that no edge shows.
fn daylight(at: Vec2) -> LinearRgba {
    let fade = 0.14 + 0.86 * (1.0 - at.length() / (REACH * 0.86)).clamp(0.0, 1.0).powf(1.3);
    // The pool lies aslant, as the light falls.
    let aslant = Vec2::new(at.x * 0.94 + at.y * 0.34, at.y * 0.94 - at.x * 0.34);
    let off = (aslant / Vec2::new(11.5, 8.5)).abs();
    let edge = (off.x.powi(4) + off.y.powi(4)).powf(0.25);
    let pool = 1.0 - ((edge - 0.72) / 0.62).clamp(0.0, 1.0);
    let pool = pool * pool * (3.0 - 2.0 * pool);
    (palette::OAK.to_linear() * (fade * (0.26 + 0.80 * pool))).with_alpha(1.0)
}

fn lay(
    mut commands: Commands,
    grain: Res<Grain>,
    mut finishes: ResMut<Finishes>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let mut planks = MeshBuilder::new();
    let rows = (2.0 * REACH / PLANK) as i32;
    for row in 0..rows {
        let near = row as f32 * PLANK - REACH;
        let tint = 0.90 + 0.10 * ((row * 37 % 11) as f32 / 11.0);
        let slide = (row * 29 % 17) as f32 * 0.37;
        let uv = |at: Vec3| Vec2::new(at.x * 0.14 + slide, (at.z - near) * 0.36 + slide);
        let shade = |at: Vec3| Color::from((daylight(at.xz()) * tint).with_alpha(1.0));
        let dark = |at: Vec3| Color::from((daylight(at.xz()) * (tint * 0.30)).with_alpha(1.0));
        let seam = 0.012;
        let far = near + PLANK;
        let middle = f32::midpoint(near, far);
        // Long strips far off, where light hardly changes.
        let step = if middle.abs() < 16.0 { STEP } else { 4.0 * STEP };
        let columns = (2.0 * REACH / step) as i32;
        for column in 0..columns {
            let left = column as f32 * step - REACH;
            let right = left + step;
            let quad = |low: f32, high: f32| {
                [(left, high), (right, high), (right, low), (left, low)]
                    .map(|(x, z)| Vec3::new(x, TABLE_Y, z))
            };
            planks.polygon_shaded(&quad(near, middle), uv, shade);
            planks.polygon_shaded(&quad(middle, far - seam), uv, shade);
            planks.polygon_shaded(&quad(far - seam, far), uv, dark);
        }
    }
    let oak = materials.add(StandardMaterial {
        base_color_texture: Some(grain.wood.clone()),
        perceptual_roughness: 0.50,
        reflectance: 0.30,
        ..default()
    });
    finishes.give(&oak, Finish::with_relief(&grain.fibres, 0.50));
    commands.spawn((
        Name::new("Table top"),
        Mesh3d(meshes.add(planks.build_for_relief())),
        MeshMaterial3d(oak),
        Pickable::IGNORE,
        NotShadowCaster,
    ));
}

/// The wall round the table, far out of focus.
fn surround(
    mut commands: Commands,
    mut images: ResMut<Assets<Image>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let mut drum = MeshBuilder::new();
    let parts = 48;
    let ring = |y: f32, v: f32| -> Vec<(Vec3, Vec3, Vec2)> {
        (0..=parts)
            .map(|i| {
                let turn = i as f32 / parts as f32;
                let (sin, cos) = (turn * std::f32::consts::TAU).sin_cos();
                let way = Vec3::new(sin, 0.0, -cos);
                (way * ROOM + Vec3::Y * y, -way, Vec2::new(turn, v))
            })
            .collect()
    };
    drum.strip(&ring(WALL.0, 1.0), &ring(WALL.1, 0.0), Color::WHITE);
    let wall = images.add(picture(256, 64, TextureFormat::Rgba8UnormSrgb, room));
    let material = materials.add(StandardMaterial {
        base_color_texture: Some(wall),
        unlit: true,
        cull_mode: None,
        ..default()
    });
    commands.spawn((
        Name::new("Room"),
        Mesh3d(meshes.add(drum.build())),
        MeshMaterial3d(material),
        Pickable::IGNORE,
        NotShadowCaster,
    ));
}

/// The room as the table sees it, `u` round from the far side by the right,
/// `v` from the ceiling down. Everything in it is blurred.
fn room(u: f32, v: f32) -> [u8; 4] {
    let soft = |distance: f32, blur: f32| {
        let t = (0.5 - distance / blur).clamp(0.0, 1.0);
        t * t * (3.0 - 2.0 * t)
    };
    let dusk = palette::DUSK.to_srgba().to_vec3();
    let up = ((0.98 - v) / 0.62).clamp(0.0, 1.0);
    let mut colour = dusk.lerp(Vec3::new(0.40, 0.335, 0.28), up.powf(0.7));
    // Shelves at the right, books of many colours.
    let books = soft((u - 0.22).abs() - 0.11, 0.03) * soft((v - 0.53).abs() - 0.20, 0.06);
    let shelf = 0.5 + 0.5 * (v * 44.0).sin();
    let spine = noise(u, v, (120, 7), 81);
    let cover = Vec3::new(0.30 + 0.25 * spine, 0.17 + 0.10 * noise(u, v, (90, 7), 82), 0.12);
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
    let byte = |value: f32| (value.clamp(0.0, 1.0) * 255.0) as u8;
    [byte(colour.x), byte(colour.y), byte(colour.z), 255]
}
