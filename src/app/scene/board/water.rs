//! Tablaaza's lakes: a quay of stone and an animated water surface above the
//! painted bed.
//!
//! The surface is a sum of sine waves. It moves while something else does and
//! calms down within seconds after, so that an idle window draws no frames. It
//! is still at low graphics quality and with reduced motion.

use std::time::Duration;

use bevy::{light::NotShadowCaster, math::Affine2, prelude::*};

use super::{WATER_Y, is_lake_beside};
use crate::{
    app::{
        core::redraw::NextFrame,
        scene::{
            SceneSet,
            api::MotionStatus,
            layout::BoardLayout,
            look::{
                CameraMoving, MeshBuilder, SolidOnly, Surface,
                finishes::{Finish, Finishes},
                mesh_builder::StripVertex,
                motion_step, palette,
                textures::SharedTextures,
            },
        },
        settings::{Settings, options::Quality},
    },
    session::{BoardGrid, SquareKind},
};

/// Quads of the surface along a square's side.
const QUADS: usize = 14;
/// How long the water takes to calm down, in seconds.
const CALMING_TIME: f32 = 3.5;
/// How long it takes to reach full speed, in seconds.
const RISING_TIME: f32 = 0.5;
/// The wave time of a still surface.
const STILL_TIME: f32 = 4.2;
/// The interval between redraws of moving water.
const REDRAW_INTERVAL: Duration = Duration::from_millis(40);

/// A sine wave.
struct Wave {
    /// Cycles per unit along x and z.
    wave_vector: Vec2,
    amplitude: f32,
    /// Cycles per second.
    frequency: f32,
}

const fn wave(x: f32, z: f32, amplitude: f32, frequency: f32) -> Wave {
    Wave { wave_vector: Vec2::new(x, z), amplitude, frequency }
}

const WAVES: [Wave; 5] = [
    wave(0.9, 0.5, 0.0110, 0.42),
    wave(-0.8, 1.5, 0.0075, 0.60),
    wave(2.1, -1.1, 0.0050, 0.83),
    wave(1.2, 2.9, 0.0034, 1.05),
    wave(-3.4, 1.3, 0.0023, 1.31),
];

/// The water surface of a board.
#[derive(Component)]
struct Water;

/// The materials of lakes.
#[derive(Resource)]
pub(super) struct LakeMaterials {
    water: Handle<StandardMaterial>,
    quay: Handle<StandardMaterial>,
}

/// The animation's state.
#[derive(Resource)]
struct WaveClock {
    /// Wave time in seconds.
    time: f32,
    /// How fast it runs: 0 for still water, 1 for full speed.
    activity: f32,
}

pub(super) fn plugin(app: &mut App) {
    let textures = app.world().resource::<SharedTextures>().clone();
    let mut materials = app.world_mut().resource_mut::<Assets<StandardMaterial>>();
    let water = materials.add(StandardMaterial {
        base_color: Color::linear_rgba(0.003, 0.020, 0.026, 0.40),
        perceptual_roughness: 0.07,
        reflectance: 0.62,
        alpha_mode: AlphaMode::Premultiplied,
        ..default()
    });
    let quay = materials.add(StandardMaterial {
        base_color_texture: Some(textures.stone.clone()),
        perceptual_roughness: 0.8,
        reflectance: 0.3,
        ..default()
    });
    let mut finishes = app.world_mut().resource_mut::<Finishes>();
    finishes.set(&water, Finish::with_normal_map(&textures.water_normal_map, 0.07));
    app.insert_resource(LakeMaterials { water, quay })
        .insert_resource(WaveClock { time: STILL_TIME, activity: 0.0 })
        .add_systems(Update, animate_water.in_set(SceneSet::Surfaces));
}

/// Spawns the lakes of a board, if it has any.
pub(super) fn spawn_lakes(
    commands: &mut Commands,
    meshes: &mut Assets<Mesh>,
    materials: &LakeMaterials,
    board: &BoardGrid,
    layout: &BoardLayout,
    root: Entity,
) {
    let centres: Vec<Vec3> = board
        .squares
        .iter()
        .filter(|(_, kind)| *kind == SquareKind::Lake)
        .map(|&(square, _)| layout.square_centre(square))
        .collect();
    if centres.is_empty() {
        return;
    }
    commands.spawn((
        Water,
        Name::new("Water"),
        SolidOnly,
        Mesh3d(meshes.add(water_mesh(&centres, STILL_TIME))),
        Surface(materials.water.clone()),
        Pickable::IGNORE,
        NotShadowCaster,
        ChildOf(root),
    ));
    commands.spawn((
        Name::new("Quay"),
        SolidOnly,
        Mesh3d(meshes.add(quay_mesh(board, layout))),
        Surface(materials.quay.clone()),
        Pickable::IGNORE,
        ChildOf(root),
    ));
}

/// The waves at a point: the height in y, its slopes in x and z.
fn wave_slopes(at: Vec2, time: f32) -> Vec3 {
    let mut sum = Vec3::ZERO;
    for (number, wave) in WAVES.iter().enumerate() {
        let vector = wave.wave_vector * std::f32::consts::TAU;
        let phase =
            vector.dot(at) + std::f32::consts::TAU * wave.frequency * time + 1.7 * number as f32;
        sum.y += wave.amplitude * phase.sin();
        let slope = wave.amplitude * phase.cos() * vector;
        sum.x += slope.x;
        sum.z += slope.y;
    }
    sum
}

/// Position and normal of the surface above a point.
fn surface_vertex(at: Vec2, time: f32) -> (Vec3, Vec3) {
    let waves = wave_slopes(at, time);
    let normal = Vec3::new(-waves.x, 1.0, -waves.z).normalize();
    (Vec3::new(at.x, WATER_Y + waves.y, at.y), normal)
}

/// The water of the squares with these centres, as a grid of quads.
fn water_mesh(centres: &[Vec3], time: f32) -> Mesh {
    let mut mesh = MeshBuilder::new();
    let step = 1.0 / QUADS as f32;
    for centre in centres {
        let row = |z: usize| -> Vec<StripVertex> {
            (0..=QUADS)
                .map(|x| {
                    let at = centre.xz() - 0.5 + Vec2::new(x as f32, z as f32) * step;
                    let (position, normal) = surface_vertex(at, time);
                    (position, normal, at * 0.8)
                })
                .collect()
        };
        for z in 0..QUADS {
            mesh.strip(&row(z + 1), &row(z), Color::WHITE);
        }
    }
    mesh.build_with_tangents()
}

/// Coping stones round each lake, which reach down to its bed.
fn quay_mesh(board: &BoardGrid, layout: &BoardLayout) -> Mesh {
    let mut mesh = MeshBuilder::new();
    for &(square, kind) in &board.squares {
        if kind != SquareKind::Lake {
            continue;
        }
        let centre = layout.square_centre(square);
        for side in [[0, -1], [1, 0], [0, 1], [-1, 0]] {
            if is_lake_beside(board, square, side) {
                continue;
            }
            let out = Vec3::new(f32::from(side[0]), 0.0, -f32::from(side[1]));
            let along = out.cross(Vec3::Y).abs();
            // Three stones a side, over the edge of the street.
            for stone in -1..=1 {
                let at = centre + out * 0.515 + along * (stone as f32 / 3.0);
                let half = out.abs() * 0.055 + along * 0.158;
                let shade = (i32::from(square.rank) * 3 + stone + i32::from(side[0]) * 2) % 4;
                let tint = 0.80 + 0.05 * shade as f32;
                let colour = Color::from(palette::PAVING.to_linear() * tint).with_alpha(1.0);
                mesh.bevelled_box(
                    (at - half).with_y(-0.2),
                    (at + half).with_y(0.012),
                    0.012,
                    |it| it.xz() * 0.9 + at.xz() * 0.37,
                    colour,
                );
            }
        }
    }
    mesh.build()
}

/// Advances the waves and updates the surface.
fn animate_water(
    time: Res<Time<Real>>,
    (quality, settings): (Res<Quality>, Res<Settings>),
    (motion, camera_moving): (Res<MotionStatus>, Res<CameraMoving>),
    lake_materials: Res<LakeMaterials>,
    layout: Res<BoardLayout>,
    mut clock: ResMut<WaveClock>,
    mut next: ResMut<NextFrame>,
    water: Query<&Mesh3d, With<Water>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    mut last_layout: Local<Option<BoardLayout>>,
) {
    let animated = *quality != Quality::Low && !settings.reduced_motion;
    let is_new = last_layout.replace(*layout) != Some(*layout);
    let Some(mesh) = water.iter().next().filter(|_| animated && !is_new) else { return };
    let seconds = motion_step(&time, clock.activity > 0.0);
    clock.activity = if motion.is_busy() || camera_moving.0 {
        (clock.activity + seconds / RISING_TIME).min(1.0)
    } else {
        (clock.activity - seconds / CALMING_TIME).max(0.0)
    };
    let moving = clock.activity > 0.0;
    if moving {
        next.within(REDRAW_INTERVAL);
    }
    if !moving || seconds == 0.0 {
        return;
    }
    clock.time += seconds * clock.activity * (2.0 - clock.activity);
    let wave_time = clock.time;
    if let Some(mut mesh) = meshes.get_mut(&mesh.0) {
        move_surface(&mut mesh, wave_time);
    }
    if let Some(mut water) = materials.get_mut(&lake_materials.water) {
        water.uv_transform = Affine2::from_translation(Vec2::new(0.021, 0.013) * wave_time);
    }
}

/// Moves every vertex of a water mesh to its place at a wave time.
fn move_surface(mesh: &mut Mesh, time: f32) {
    let Some(positions) = mesh.attribute(Mesh::ATTRIBUTE_POSITION).and_then(|it| it.as_float3())
    else {
        return;
    };
    let (positions, normals): (Vec<[f32; 3]>, Vec<[f32; 3]>) = positions
        .iter()
        .map(|&[x, _, z]| {
            let (position, normal) = surface_vertex(Vec2::new(x, z), time);
            (position.to_array(), normal.to_array())
        })
        .unzip();
    mesh.insert_attribute(Mesh::ATTRIBUTE_POSITION, positions);
    mesh.insert_attribute(Mesh::ATTRIBUTE_NORMAL, normals);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::scene::board::{LAKE_BED_Y, STREET_Y};

    #[test]
    fn wave_slopes_are_the_derivatives_of_the_height() {
        let (at, time, step) = (Vec2::new(0.3, -1.2), 2.5, 1e-3);
        let height = |by: Vec2| wave_slopes(at + by, time).y;
        let here = wave_slopes(at, time);
        let along = (height(Vec2::X * step) - height(Vec2::X * -step)) / (2.0 * step);
        let across = (height(Vec2::Y * step) - height(Vec2::Y * -step)) / (2.0 * step);
        assert!((along - here.x).abs() < 1e-3 && (across - here.z).abs() < 1e-3, "{here}");
    }

    #[test]
    fn waves_stay_between_bed_and_street() {
        let highest: f32 = WAVES.iter().map(|it| it.amplitude).sum();
        assert!(WATER_Y + highest < STREET_Y && WATER_Y - highest > LAKE_BED_Y);
    }
}
