//! The table itself: planks that fade into the dusk away from the board.

use bevy::prelude::*;

use super::{
    Solid,
    grain::{Grain, Relief, Reliefs},
    palette,
};

/// Where the top of the table lies; a board's squares lie at 0.
pub(crate) const TABLE_Y: f32 = -0.36;

/// How far planks reach from the middle.
const REACH: f32 = 44.0;
const PLANK: f32 = 2.2;
const STEP: f32 = 2.0;

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(Startup, lay);
}

/// The planks' own brightness there: daylight comes in at the left, behind the
/// board, and the far away darkens, so that no edge of the table shows.
fn daylight(at: Vec2) -> LinearRgba {
    let fade = (1.0 - at.length() / (REACH * 0.82)).clamp(0.0, 1.0).powf(1.4);
    let near_window = (at.distance(Vec2::new(-9.0, -7.0)) / 26.0).min(1.0);
    (palette::OAK.to_linear() * (fade * (1.2 - 0.55 * near_window))).with_alpha(1.0)
}

fn lay(
    mut commands: Commands,
    grain: Res<Grain>,
    mut reliefs: ResMut<Reliefs>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) {
    let mut planks = Solid::new();
    let rows = (2.0 * REACH / PLANK) as i32;
    let columns = (2.0 * REACH / STEP) as i32;
    for row in 0..rows {
        let near = row as f32 * PLANK - REACH;
        let tint = 0.86 + 0.14 * ((row * 37 % 11) as f32 / 11.0);
        let slide = (row * 29 % 17) as f32 * 0.37;
        for column in 0..columns {
            let left = column as f32 * STEP - REACH;
            let uv = |at: Vec3| Vec2::new(at.x * 0.09 + slide, (at.z - near) * 0.22 + slide);
            let shade = |at: Vec3| Color::from((daylight(at.xz()) * tint).with_alpha(1.0));
            let seam = 0.014;
            let (right, far) = (left + STEP, near + PLANK);
            let quad = |low: f32, high: f32| {
                [(left, high), (right, high), (right, low), (left, low)]
                    .map(|(x, z)| Vec3::new(x, TABLE_Y, z))
            };
            planks.polygon_shaded(&quad(near, far - seam), uv, shade);
            planks.polygon_shaded(&quad(far - seam, far), uv, |at| {
                Color::from((daylight(at.xz()) * (tint * 0.25)).with_alpha(1.0))
            });
        }
    }
    let oak = materials.add(StandardMaterial {
        base_color_texture: Some(grain.wood.clone()),
        perceptual_roughness: 0.52,
        reflectance: 0.34,
        ..default()
    });
    reliefs.0.push((oak.clone(), Relief::Wood));
    commands.spawn((
        Name::new("Table top"),
        Mesh3d(meshes.add(planks.build_for_relief())),
        MeshMaterial3d(oak),
        Pickable::IGNORE,
    ));
}
