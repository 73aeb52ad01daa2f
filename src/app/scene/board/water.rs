//! The water of Tablaaza's lakes: an animated surface above the painted bed.
//!
//! The surface is a sum of sine waves. It moves while something else does and
//! calms down within seconds after, so that an idle window draws no frames. It
//! is still at low graphics quality and with reduced motion.

use crate::{
    app::scene::{
        look::{
            CameraMoving, MeshBuilder, SolidOnly, TableMaterial, mesh_builder::StripVertex,
            models::evenly_lit, motion_step, warm_up,
        },
        prelude::*,
    },
    session::{BoardGrid, SquareKind},
};

/// Mean height of a lake's surface, between its bed and the streets.
const WATER_Y: f32 = -0.108;
/// How strongly it mirrors.
const GLOSS: f32 = 0.38;
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
    wave(0.9, 0.5, 0.0055, 0.42),
    wave(-0.8, 1.5, 0.0038, 0.60),
    wave(2.1, -1.1, 0.0025, 0.83),
    wave(1.2, 2.9, 0.0017, 1.05),
    wave(-3.4, 1.3, 0.0011, 1.31),
];

/// The water surface of a board.
#[derive(Component)]
struct Water;

/// The material of the water.
#[derive(Resource)]
pub(super) struct WaterMaterial(Handle<TableMaterial>);

/// The animation's state.
#[derive(Resource)]
struct WaveClock {
    /// Wave time in seconds.
    time: f32,
    /// How fast it runs: 0 for still water, 1 for full speed.
    activity: f32,
}

pub(super) fn plugin(app: &mut App) {
    let mut materials = app.world_mut().resource_mut::<Assets<TableMaterial>>();
    // What it lets through is as bright as the bed is painted; what it mirrors is added.
    let water = materials.add(TableMaterial {
        color: LinearRgba::new(0.003, 0.014, 0.018, 0.10),
        alpha_mode: AlphaMode::Premultiplied,
        in_room: true,
        ..default()
    });
    let mesh = app.world_mut().resource_mut::<Assets<Mesh>>().add(water_mesh(&[Vec3::ZERO], 0.0));
    warm_up(app, mesh, water.clone());
    app.insert_resource(WaterMaterial(water))
        .insert_resource(WaveClock { time: STILL_TIME, activity: 0.0 })
        .add_systems(Update, animate_water.in_set(SceneSet::Surfaces));
}

/// Spawns the lakes of a board, if it has any.
pub(super) fn spawn_lakes(
    commands: &mut Commands,
    meshes: &mut Assets<Mesh>,
    material: &WaterMaterial,
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
        MeshMaterial3d(material.0.clone()),
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
            mesh.strip(&row(z), &row(z + 1), Color::WHITE);
        }
    }
    evenly_lit(mesh.build(), GLOSS)
}

/// Advances the waves and updates the surface.
fn animate_water(
    time: Res<Time<Real>>,
    (quality, settings, flat): (Res<Quality>, Res<Settings>, Res<FlatView>),
    (motion, camera_moving): (Res<MotionStatus>, Res<CameraMoving>),
    layout: Res<BoardLayout>,
    mut clock: ResMut<WaveClock>,
    mut next: ResMut<NextFrame>,
    water: Query<&Mesh3d, With<Water>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut last_layout: Local<Option<BoardLayout>>,
) {
    let animated = *quality != Quality::Low && !settings.reduced_motion && !flat.0;
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
}

/// Moves every vertex of a water mesh to its place at a wave time.
fn move_surface(mesh: &mut Mesh, time: f32) {
    let Some(positions) =
        mesh.attribute(Mesh::ATTRIBUTE_POSITION).and_then(|attribute| attribute.as_float3())
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
    fn the_surface_is_seen_from_above() {
        let mesh = water_mesh(&[Vec3::ZERO], STILL_TIME);
        for triangle in mesh.triangles().expect("triangles") {
            let [a, b, c] = triangle.vertices;
            assert!((b - a).cross(c - a).y > 0.0, "{a} faces down");
        }
    }

    #[test]
    fn waves_stay_between_bed_and_street() {
        // As `tools/art/README.md` has them.
        let (street, bed) = (-0.024, -0.170);
        let highest: f32 = WAVES.iter().map(|wave| wave.amplitude).sum();
        assert!(WATER_Y + highest < street && WATER_Y - highest > bed);
    }
}
