//! The table itself: planks that fade into the dusk away from the board.

use bevy::prelude::*;

use super::{Solid, grain::Grain, palette};

/// Where the top of the table lies; a board's squares lie at 0.
pub(crate) const TABLE_Y: f32 = -0.36;

/// How far planks reach from the middle.
const REACH: f32 = 44.0;
const PLANK: f32 = 2.2;
const STEP: f32 = 2.0;

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(Startup, lay);
}

fn lay(
    mut commands: Commands,
    grain: Res<Grain>,
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
            let uv = |at: Vec3| Vec2::new(at.x * 0.07 + slide, (at.z - near) * 0.16 + slide);
            let middle = Vec2::new(left + STEP / 2.0, near + PLANK / 2.0);
            // The far away darkens, so that no edge of the table shows.
            let fade = (1.0 - middle.length() / (REACH * 0.82)).clamp(0.0, 1.0).powf(1.4);
            let bright = palette::OAK.to_linear() * (tint * fade);
            let seam = 0.014;
            planks.polygon_with_uv(
                &[
                    Vec3::new(left, TABLE_Y, near + PLANK - seam),
                    Vec3::new(left + STEP, TABLE_Y, near + PLANK - seam),
                    Vec3::new(left + STEP, TABLE_Y, near),
                    Vec3::new(left, TABLE_Y, near),
                ],
                uv,
                Color::from(bright.with_alpha(1.0)),
            );
            planks.polygon_with_uv(
                &[
                    Vec3::new(left, TABLE_Y, near + PLANK),
                    Vec3::new(left + STEP, TABLE_Y, near + PLANK),
                    Vec3::new(left + STEP, TABLE_Y, near + PLANK - seam),
                    Vec3::new(left, TABLE_Y, near + PLANK - seam),
                ],
                uv,
                Color::from((bright * 0.25).with_alpha(1.0)),
            );
        }
    }
    commands.spawn((
        Name::new("Table top"),
        Mesh3d(meshes.add(planks.build())),
        MeshMaterial3d(materials.add(StandardMaterial {
            base_color_texture: Some(grain.wood.clone()),
            perceptual_roughness: 0.62,
            reflectance: 0.3,
            ..default()
        })),
        Pickable::IGNORE,
    ));
}
