//! The lakes: a bed that is painted with the board, a quay of stone, and water
//! over it that moves.
//!
//! Water moves while something else does, and calms in the seconds after: when
//! nothing happens nothing is drawn. Where a picture is drawn by the processor,
//! or motion is not liked, it stands.

use std::time::Duration;

use bevy::{light::NotShadowCaster, math::Affine2, prelude::*};

use super::{STREET_Y, WATER_Y};
use crate::{
    app::{
        scene::{
            animation::SceneSet,
            api::MotionStatus,
            layout::Layout,
            look::{
                CameraMoving, MeshBuilder, WaterRedraw, palette,
                textures::{Finish, Finishes, Grain},
            },
        },
        settings::{Settings, options::Quality},
    },
    games::Square,
    table::{BoardGrid, SquareKind},
};

/// Points of the water's surface along a square's side.
const POINTS: usize = 14;
/// How long water takes to calm.
const CALMING: f32 = 3.5;
/// The surface of a picture that stands.
const STILL: f32 = 4.2;

/// Each wave: its direction and length (as turns a unit), height, turns a
/// second.
const WAVES: [(Vec2, f32, f32); 5] = [
    (Vec2::new(0.9, 0.5), 0.0110, 0.42),
    (Vec2::new(-0.8, 1.5), 0.0075, 0.60),
    (Vec2::new(2.1, -1.1), 0.0050, 0.83),
    (Vec2::new(1.2, 2.9), 0.0034, 1.05),
    (Vec2::new(-3.4, 1.3), 0.0023, 1.31),
];

/// The water of one board.
#[derive(Component)]
pub(super) struct Water;

/// What lakes are made of.
#[derive(Resource)]
pub(super) struct Lakes {
    water: Handle<StandardMaterial>,
    stone: Handle<StandardMaterial>,
}

/// How far the waves have come, and how lively they are.
#[derive(Resource)]
struct Tide {
    clock: f32,
    life: f32,
}

pub(super) fn plugin(app: &mut App) {
    let grain = app.world().resource::<Grain>().clone();
    let mut materials = app.world_mut().resource_mut::<Assets<StandardMaterial>>();
    let water = materials.add(StandardMaterial {
        base_color: Color::linear_rgba(0.003, 0.020, 0.026, 0.40),
        perceptual_roughness: 0.07,
        reflectance: 0.62,
        alpha_mode: AlphaMode::Premultiplied,
        ..default()
    });
    let stone = materials.add(StandardMaterial {
        base_color_texture: Some(grain.stone.clone()),
        perceptual_roughness: 0.8,
        reflectance: 0.3,
        ..default()
    });
    let mut finishes = app.world_mut().resource_mut::<Finishes>();
    finishes.give(&water, Finish::with_relief(&grain.waves, 0.07));
    app.insert_resource(Lakes { water, stone })
        .insert_resource(Tide { clock: STILL, life: 0.0 })
        .add_systems(Update, flow.in_set(SceneSet::Highlights));
}

/// The lakes of a board, if it has some.
pub(super) fn fill(
    commands: &mut Commands,
    meshes: &mut Assets<Mesh>,
    lakes: &Lakes,
    board: &BoardGrid,
    layout: &Layout,
    root: Entity,
) {
    let squares: Vec<Vec3> = board
        .squares
        .iter()
        .filter(|(_, ground)| *ground == SquareKind::Lake)
        .map(|&(square, _)| layout.place(square))
        .collect();
    if squares.is_empty() {
        return;
    }
    commands.spawn((
        Water,
        Name::new("Water"),
        Mesh3d(meshes.add(surface(&squares, STILL))),
        MeshMaterial3d(lakes.water.clone()),
        Pickable::IGNORE,
        NotShadowCaster,
        ChildOf(root),
    ));
    commands.spawn((
        Name::new("Quay"),
        Mesh3d(meshes.add(quay(board, layout))),
        MeshMaterial3d(lakes.stone.clone()),
        Pickable::IGNORE,
        ChildOf(root),
    ));
}

/// How high water stands there and then, and how it slopes along x and z.
fn wave(at: Vec2, clock: f32) -> Vec3 {
    let mut wave = Vec3::ZERO;
    for (number, (way, high, speed)) in WAVES.into_iter().enumerate() {
        let turn = way * std::f32::consts::TAU;
        let phase = turn.dot(at) + std::f32::consts::TAU * speed * clock + 1.7 * number as f32;
        wave.y += high * phase.sin();
        let slope = high * phase.cos() * turn;
        wave.x += slope.x;
        wave.z += slope.y;
    }
    wave
}

fn moved(at: Vec2, clock: f32) -> (Vec3, Vec3) {
    let wave = wave(at, clock);
    let normal = Vec3::new(-wave.x, 1.0, -wave.z).normalize();
    (Vec3::new(at.x, WATER_Y + wave.y, at.y), normal)
}

fn surface(squares: &[Vec3], clock: f32) -> Mesh {
    let mut solid = MeshBuilder::new();
    let step = 1.0 / POINTS as f32;
    for middle in squares {
        let row = |z: usize| -> Vec<(Vec3, Vec3, Vec2)> {
            (0..=POINTS)
                .map(|x| {
                    let at = middle.xz() - 0.5 + Vec2::new(x as f32, z as f32) * step;
                    let (place, normal) = moved(at, clock);
                    (place, normal, at * 0.8)
                })
                .collect()
        };
        for z in 0..POINTS {
            solid.strip(&row(z + 1), &row(z), Color::WHITE);
        }
    }
    solid.build_for_relief()
}

/// Coping stones round each lake, and the walls down to its bed.
fn quay(board: &BoardGrid, layout: &Layout) -> Mesh {
    let mut solid = MeshBuilder::new();
    let is_water = |square: Square, (file, rank): (i16, i16)| {
        let by = |n: u8, by: i16| u8::try_from(i16::from(n) + by).ok();
        let other = by(square.file, file).zip(by(square.rank, rank));
        other.and_then(|(file, rank)| board.kind(Square::new(file, rank))) == Some(SquareKind::Lake)
    };
    for &(square, ground) in &board.squares {
        if ground != SquareKind::Lake {
            continue;
        }
        let middle = layout.place(square);
        for side in [(0, -1), (1, 0), (0, 1), (-1, 0)] {
            if is_water(square, side) {
                continue;
            }
            let out = Vec3::new(f32::from(side.0), 0.0, -f32::from(side.1));
            let along = out.cross(Vec3::Y).abs();
            // Three stones a side, over the edge of the street.
            for stone in -1..=1 {
                let at = middle + out * 0.515 + along * (stone as f32 / 3.0);
                let half = out.abs() * 0.055 + along * 0.158;
                let tint =
                    0.80 + 0.05 * ((square.rank as i32 * 3 + stone + side.0 as i32 * 2) % 4) as f32;
                let colour = Color::from(palette::PAVING.to_linear() * tint).with_alpha(1.0);
                solid.slab(
                    (at - half).with_y(-0.2),
                    (at + half).with_y(0.012),
                    0.012,
                    |it| it.xz() * 0.9 + at.xz() * 0.37,
                    colour,
                );
            }
        }
    }
    solid.build()
}

/// Moves the water on.
fn flow(
    time: Res<Time>,
    quality: Res<Quality>,
    settings: Res<Settings>,
    motion: Res<MotionStatus>,
    easing: Res<CameraMoving>,
    lakes: Res<Lakes>,
    layout: Res<Layout>,
    mut tide: ResMut<Tide>,
    mut flowing: ResMut<WaterRedraw>,
    water: Query<&Mesh3d, With<Water>>,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
    mut stood: Local<Option<Layout>>,
) {
    let free = *quality != Quality::Light && !settings.reduced_motion;
    let new = stood.replace(*layout) != Some(*layout);
    let Some(mesh) = water.iter().next().filter(|_| free && !new) else {
        flowing.set_if_neq(WaterRedraw(None));
        return;
    };
    let seconds = time.delta_secs().min(0.1);
    tide.life = if motion.is_busy() || easing.0 {
        (tide.life + 2.0 * seconds).min(1.0)
    } else {
        (tide.life - seconds / CALMING).max(0.0)
    };
    let lively = tide.life > 0.0;
    flowing.set_if_neq(WaterRedraw(lively.then_some(Duration::from_millis(40))));
    if !lively || seconds == 0.0 {
        return;
    }
    tide.clock += seconds * tide.life * (2.0 - tide.life);
    let clock = tide.clock;
    if let Some(mut mesh) = meshes.get_mut(&mesh.0)
        && let Some(places) = mesh.attribute(Mesh::ATTRIBUTE_POSITION).and_then(|it| it.as_float3())
    {
        let (places, normals): (Vec<[f32; 3]>, Vec<[f32; 3]>) = places
            .iter()
            .map(|&[x, _, z]| {
                let (place, normal) = moved(Vec2::new(x, z), clock);
                (place.to_array(), normal.to_array())
            })
            .unzip();
        mesh.insert_attribute(Mesh::ATTRIBUTE_POSITION, places);
        mesh.insert_attribute(Mesh::ATTRIBUTE_NORMAL, normals);
    }
    if let Some(mut water) = materials.get_mut(&lakes.water) {
        water.uv_transform = Affine2::from_translation(Vec2::new(0.021, 0.013) * clock);
    }
}

/// Where a lake's bed lies.
pub(super) const BED: f32 = STREET_Y - 0.13;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waves_slope_as_they_stand() {
        let (at, clock, step) = (Vec2::new(0.3, -1.2), 2.5, 1e-3);
        let high = |by: Vec2| wave(at + by, clock).y;
        let here = wave(at, clock);
        let along = (high(Vec2::X * step) - high(Vec2::X * -step)) / (2.0 * step);
        let across = (high(Vec2::Y * step) - high(Vec2::Y * -step)) / (2.0 * step);
        assert!((along - here.x).abs() < 1e-3 && (across - here.z).abs() < 1e-3, "{here}");
    }

    #[test]
    fn water_stays_in_its_bed() {
        let most: f32 = WAVES.iter().map(|it| it.1).sum();
        assert!(WATER_Y + most < STREET_Y && WATER_Y - most > BED);
    }
}
