//! Carved pieces: figures of bone and antler, buds and cups of painted wood, seals of
//! jade. A figure is a stack of sections, each an ellipse or a rounded square.

use std::f32::consts::{FRAC_PI_2, TAU};

use bevy::prelude::*;

use super::{
    PieceMeshes,
    lathe::{add_crown, add_emblem, lathe_trim, torus},
};
use crate::{
    app::scene::look::{
        MeshBuilder,
        mesh_builder::{Detail, ProfileSegment, darkened},
        palette,
    },
    games::Side,
};

/// A horizontal section of a figure: its height, its half-width and half-depth, and how
/// square it is (2 for an ellipse).
type Section = (f32, f32, f32, f32);

/// The section at a share of the way up a stack, by linear interpolation.
fn section_at(stack: &[Section], up: f32) -> Section {
    let place = up.clamp(0.0, 1.0) * (stack.len() - 1) as f32;
    let low = (place as usize).min(stack.len() - 2);
    let (one, other, t) = (stack[low], stack[low + 1], place - low as f32);
    let mix = |a: f32, b: f32| a + (b - a) * t;
    (mix(one.0, other.0), mix(one.1, other.1), mix(one.2, other.2), mix(one.3, other.3))
}

/// Faces round a figure: four for each fold of a robe.
const SIDES: usize = 36;
/// Faces round small and plain parts.
const FEW_SIDES: usize = 20;

/// A stack of sections in so many faces, smooth between them. `relief` tells how far the
/// knife left the surface at a turn and a height: 1 is untouched; what lies deeper is
/// darker.
fn add_stack(
    mesh: &mut MeshBuilder,
    sides: usize,
    place: impl Fn(Vec3) -> Vec3,
    stack: &[Section],
    relief: impl Fn(f32, f32) -> f32,
    colour: Color,
) {
    mesh.moulded(sides, 2 * (stack.len() - 1), |turn, up| {
        let (y, half_x, half_z, square) = section_at(stack, up);
        let (sin, cos) = (turn * TAU).sin_cos();
        let (x, z) = ((cos / half_x.max(1e-4)).abs(), (sin / half_z.max(1e-4)).abs());
        let depth = relief(turn, y);
        let radius = depth / (x.powf(square) + z.powf(square)).powf(1.0 / square);
        let at = place(Vec3::new(cos * radius, y, sin * radius));
        // The floor takes light from the foot, and a cut from its bottom.
        let foot = 1.0 - 0.35 * (1.0 - at.y / 0.16).clamp(0.0, 1.0).powi(2);
        let light = foot * (1.0 - 4.5 * (1.0 - depth)).clamp(0.3, 1.0);
        (at, darkened(colour, light))
    });
}

/// Folds of a robe below a height: deeper towards the hem.
fn folds(turn: f32, y: f32, count: f32, belt: f32) -> f32 {
    let depth = 0.075 * ((belt - y) / belt).clamp(0.0, 1.0);
    let below = if (0.075..belt).contains(&y) { 1.0 } else { 0.0 };
    1.0 - depth * below * (0.5 + 0.5 * (turn * TAU * count).cos())
}

/// A turn of a shape about y towards the near seat: its axis becomes z.
fn facing(centre: Vec3) -> impl Fn(Vec3) -> Vec3 {
    move |at| centre + Quat::from_rotation_x(FRAC_PI_2) * at
}

/// The plinth, the robe and the shoulders of a figure.
fn add_body(mesh: &mut MeshBuilder, width: f32, colour: Color) {
    let plinth = [
        (0.0, width + 0.08, width + 0.06, 5.0),
        (0.055, width + 0.08, width + 0.06, 5.0),
        (0.07, width + 0.065, width + 0.045, 5.0),
        (0.071, 0.0, 0.0, 5.0),
    ];
    add_stack(mesh, SIDES, |at| at, &plinth, |_, _| 1.0, colour);
    let robe = [
        (0.06, width + 0.03, width, 2.6),
        (0.12, width + 0.01, width - 0.02, 2.6),
        (0.22, width - 0.03, width - 0.06, 2.4),
        (0.32, width - 0.05, width - 0.085, 2.3),
        (0.40, width - 0.03, width - 0.09, 2.3),
        (0.455, width - 0.05, width - 0.11, 2.2),
        (0.49, 0.085, 0.085, 2.0),
        (0.52, 0.07, 0.07, 2.0),
    ];
    add_stack(mesh, SIDES, |at| at, &robe, |turn, y| folds(turn, y, 9.0, 0.34), colour);
}

/// A head with two eyes and a nose, which looks towards the near seat.
fn add_head(mesh: &mut MeshBuilder, centre: Vec3, colour: Color) {
    let ball: Vec<Section> = (0..=8)
        .map(|i| {
            let (sin, cos) = (std::f32::consts::PI * (i as f32 / 8.0 - 0.5)).sin_cos();
            (0.105 * sin, 0.088 * cos.max(0.0), 0.092 * cos.max(0.0), 2.0)
        })
        .collect();
    let face = |turn: f32, y: f32| {
        let from_front = (turn - 0.25).abs();
        let eye = (from_front - 0.085).hypot(2.2 * (y - 0.018)) < 0.045;
        let nose = from_front < 0.035 && (-0.04..0.03).contains(&y);
        if eye {
            0.93
        } else if nose {
            1.14
        } else {
            1.0
        }
    };
    mesh.moulded(SIDES, 16, |turn, up| {
        let (y, half_x, half_z, _) = section_at(&ball, up);
        let (sin, cos) = (turn * TAU).sin_cos();
        let depth = face(turn, y);
        let light = if depth < 1.0 { 0.35 } else { 1.0 };
        (centre + Vec3::new(cos * half_x, y, sin * half_z) * depth, darkened(colour, light))
    });
}

/// The profile of a ring so thin that few points round it.
fn thin_ring(radius: f32, y: f32, thickness: f32) -> [(f32, f32); 5] {
    [-1.0, -0.5, 0.0, 0.5, 1.0].map(|up: f32| {
        let (sin, cos) = (up * FRAC_PI_2).sin_cos();
        (radius + thickness * cos, y + thickness * sin)
    })
}

/// A Swede of bone: a warder with a round helmet and a round shield.
pub(super) fn swede(detail: Detail) -> PieceMeshes {
    let bone = palette::BONE;
    let mut body = MeshBuilder::with_detail(detail);
    add_body(&mut body, 0.225, bone);
    add_head(&mut body, Vec3::new(0.0, 0.575, 0.015), bone);
    let helmet = [
        (0.585, 0.122, 0.122, 2.0),
        (0.605, 0.124, 0.124, 2.0),
        (0.655, 0.108, 0.108, 2.0),
        (0.695, 0.07, 0.07, 2.0),
        (0.712, 0.0, 0.0, 2.0),
    ];
    let ribs = |turn: f32, y: f32| 1.0 - 0.05 * ridge(turn, 8.0) * f32::from(u8::from(y > 0.61));
    add_stack(&mut body, SIDES, |at| at, &helmet, ribs, bone);
    let shield = [
        (0.0, 0.145, 0.145, 2.0),
        (0.026, 0.148, 0.148, 2.0),
        (0.04, 0.12, 0.12, 2.0),
        (0.047, 0.06, 0.06, 2.0),
        (0.05, 0.0, 0.0, 2.0),
    ];
    let cross = |turn: f32, _: f32| 1.0 - 0.12 * ridge(turn + 0.125, 4.0).powi(6);
    add_stack(&mut body, SIDES, facing(Vec3::new(0.03, 0.295, 0.145)), &shield, cross, bone);
    let mut trim = MeshBuilder::with_detail(detail);
    let boss: [Section; 4] = [
        (0.035, 0.05, 0.05, 2.0),
        (0.055, 0.046, 0.046, 2.0),
        (0.075, 0.025, 0.025, 2.0),
        (0.08, 0.0, 0.0, 2.0),
    ];
    add_stack(
        &mut trim,
        FEW_SIDES,
        facing(Vec3::new(0.03, 0.295, 0.145)),
        &boss,
        |_, _| 1.0,
        palette::PEWTER,
    );
    trim.lathe(FEW_SIDES, &[ProfileSegment(&thin_ring(0.112, 0.592, 0.016), palette::PEWTER)]);
    PieceMeshes { body: body.build(), trim: Some(trim.build()) }
}

/// A wave from 0 to 1 with so many crests round a piece.
fn ridge(turn: f32, count: f32) -> f32 {
    0.5 + 0.5 * (turn * TAU * count).cos()
}

/// A Muscovite of antler: a long coat, a belt, a tall pointed hat with a brim of fur.
pub(super) fn muscovite(detail: Detail) -> PieceMeshes {
    let (antler, copper) = (palette::ANTLER, palette::COPPER);
    let mut body = MeshBuilder::with_detail(detail);
    add_body(&mut body, 0.235, antler);
    add_head(&mut body, Vec3::new(0.0, 0.54, 0.015), antler);
    let beard = [
        (0.40, 0.01, 0.01, 2.0),
        (0.44, 0.05, 0.04, 2.0),
        (0.50, 0.075, 0.05, 2.0),
        (0.53, 0.06, 0.03, 2.0),
    ];
    let strands = |turn: f32, _: f32| 1.0 - 0.10 * ridge(turn, 14.0);
    add_stack(&mut body, SIDES, |at| at + Vec3::Z * 0.075, &beard, strands, antler);
    let fur = [
        (0.555, 0.13, 0.13, 2.0),
        (0.57, 0.188, 0.188, 2.0),
        (0.60, 0.182, 0.182, 2.0),
        (0.615, 0.12, 0.12, 2.0),
    ];
    let tufts = |turn: f32, y: f32| 1.0 - 0.07 * ridge(turn + 6.0 * y, 16.0);
    add_stack(&mut body, SIDES, |at| at, &fur, tufts, darkened(antler, 1.5));
    let hat = [
        (0.60, 0.118, 0.118, 2.0),
        (0.66, 0.085, 0.085, 2.0),
        (0.715, 0.045, 0.045, 2.0),
        (0.75, 0.0, 0.0, 2.0),
    ];
    add_stack(&mut body, SIDES, |at| at, &hat, |_, _| 1.0, antler);
    let mut trim = MeshBuilder::with_detail(detail);
    let belt: [Section; 4] = [
        (0.325, 0.185, 0.15, 2.3),
        (0.33, 0.196, 0.162, 2.3),
        (0.355, 0.198, 0.160, 2.3),
        (0.36, 0.185, 0.148, 2.3),
    ];
    add_stack(&mut trim, FEW_SIDES, |at| at, &belt, |_, _| 1.0, copper);
    trim.lathe(FEW_SIDES, &[ProfileSegment(&thin_ring(0.118, 0.618, 0.014), copper)]);
    PieceMeshes { body: body.build(), trim: Some(trim.build()) }
}

/// A king of bone on his throne, in a robe stained red, with a golden crown and a sword
/// across his knees.
pub(super) fn king(detail: Detail) -> PieceMeshes {
    let (bone, gold, robe_red) = (palette::BONE, palette::GOLD, palette::CRIMSON);
    let mut body = MeshBuilder::with_detail(detail);
    let mut block = |min: Vec3, max: Vec3| {
        body.bevelled_box(min, max, 0.018, |at| Vec2::new(at.x + at.z, at.y), bone);
    };
    block(Vec3::new(-0.33, 0.0, -0.31), Vec3::new(0.33, 0.075, 0.33));
    block(Vec3::new(-0.26, 0.07, -0.29), Vec3::new(0.26, 0.62, -0.20));
    for side in [-1.0_f32, 1.0] {
        let (near, far) = (0.20 * side, 0.27 * side);
        block(Vec3::new(near.min(far), 0.07, -0.24), Vec3::new(near.max(far), 0.36, 0.15));
    }
    let robe = [
        (0.06, 0.225, 0.215, 2.6),
        (0.16, 0.215, 0.20, 2.6),
        (0.27, 0.205, 0.19, 2.5),
        (0.34, 0.185, 0.165, 2.4),
        (0.44, 0.190, 0.135, 2.3),
        (0.53, 0.195, 0.125, 2.3),
        (0.585, 0.155, 0.105, 2.2),
        (0.62, 0.08, 0.08, 2.0),
        (0.65, 0.07, 0.07, 2.0),
    ];
    add_stack(&mut body, SIDES, |at| at, &robe, |turn, y| folds(turn, y, 8.0, 0.34), robe_red);
    add_head(&mut body, Vec3::new(0.0, 0.71, 0.01), bone);
    let mut trim = lathe_trim(detail, &[&[ProfileSegment(&torus(0.105, 0.752, 0.02), gold)]]);
    add_crown(&mut trim, 0.125, 0.76, 0.12, 8, gold);
    let blade: [Section; 3] =
        [(-0.25, 0.012, 0.030, 2.0), (0.20, 0.012, 0.030, 2.0), (0.29, 0.0, 0.0, 2.0)];
    let lap = |at: Vec3| Vec3::new(at.y, 0.365 - at.x, 0.165 + at.z);
    trim.moulded(12, 8, |turn, up| {
        let (along, thick, wide, _) = section_at(&blade, up);
        let (sin, cos) = (turn * TAU).sin_cos();
        (lap(Vec3::new(cos * thick, along, sin * wide)), gold)
    });
    PieceMeshes { body: body.build(), trim: Some(trim.build()) }
}

/// A foot and a stem of painted wood, which every runner stands on.
fn add_stem(mesh: &mut MeshBuilder, colour: Color) {
    let stem = [
        (0.0, 0.295, 0.295, 2.0),
        (0.05, 0.302, 0.302, 2.0),
        (0.085, 0.285, 0.285, 2.0),
        (0.115, 0.235, 0.235, 2.0),
        (0.18, 0.15, 0.15, 2.0),
        (0.27, 0.115, 0.115, 2.0),
        (0.33, 0.13, 0.13, 2.0),
    ];
    let petals = |turn: f32, y: f32| {
        let depth = if (0.05..0.26).contains(&y) { 0.10 } else { 0.0 };
        1.0 - depth * ridge(turn, 8.0).powi(3)
    };
    add_stack(mesh, SIDES, |at| at, &stem, petals, colour);
}

fn runner_trim(detail: Detail) -> MeshBuilder {
    let gold = palette::GOLD;
    lathe_trim(
        detail,
        &[
            &[ProfileSegment(&thin_ring(0.288, 0.05, 0.018), gold)],
            &[ProfileSegment(&thin_ring(0.108, 0.29, 0.026), gold)],
        ],
    )
}

/// A southern runner of painted wood: a lotus bud.
pub(super) fn south(red: Color, detail: Detail) -> PieceMeshes {
    let mut body = MeshBuilder::with_detail(detail);
    add_stem(&mut body, red);
    let bud = [
        (0.30, 0.11, 0.11, 2.0),
        (0.36, 0.20, 0.20, 2.0),
        (0.43, 0.248, 0.248, 2.0),
        (0.50, 0.232, 0.232, 2.0),
        (0.58, 0.155, 0.155, 2.0),
        (0.64, 0.065, 0.065, 2.0),
        (0.67, 0.0, 0.0, 2.0),
    ];
    let petals = |turn: f32, y: f32| 1.0 - 0.13 * ridge(turn + 0.25 * (y - 0.3), 7.0).powi(4);
    add_stack(&mut body, SIDES, |at| at, &bud, petals, red);
    let mut trim = runner_trim(detail);
    let tip = [(0.05, 0.645), (0.056, 0.672), (0.03, 0.70), (0.0, 0.71)];
    trim.lathe(24, &[ProfileSegment(&tip, palette::GOLD)]);
    PieceMeshes { body: body.build(), trim: Some(trim.build()) }
}

/// A northern runner of painted wood: an open, fluted flower.
pub(super) fn north(blue: Color, detail: Detail) -> PieceMeshes {
    let mut body = MeshBuilder::with_detail(detail);
    add_stem(&mut body, blue);
    let flower = [
        (0.30, 0.11, 0.11, 2.0),
        (0.38, 0.145, 0.145, 2.0),
        (0.47, 0.195, 0.195, 2.0),
        (0.55, 0.262, 0.262, 2.0),
        (0.60, 0.300, 0.300, 2.0),
        (0.605, 0.270, 0.270, 2.0),
        (0.56, 0.205, 0.205, 2.0),
    ];
    let flutes = |turn: f32, _: f32| 1.0 - 0.09 * ridge(turn, 10.0).powi(2);
    add_stack(&mut body, SIDES, |at| at, &flower, flutes, blue);
    let throat = [
        (0.565, 0.22, 0.22, 2.0),
        (0.55, 0.18, 0.18, 2.0),
        (0.53, 0.10, 0.10, 2.0),
        (0.525, 0.0, 0.0, 2.0),
    ];
    add_stack(&mut body, SIDES, |at| at, &throat, flutes, palette::IVORY);
    let mut trim = runner_trim(detail);
    let heart = [(0.075, 0.52), (0.082, 0.56), (0.055, 0.60), (0.0, 0.615)];
    trim.lathe(24, &[ProfileSegment(&heart, palette::GOLD)]);
    PieceMeshes { body: body.build(), trim: Some(trim.build()) }
}

/// The height of a carved stone's flat top.
const SEAL_HEIGHT: f32 = 0.20;

/// A stone of jade: a square seal with rounded corners and a cut round its foot.
pub(super) fn stone(side: Side, colour: Color, detail: Detail) -> PieceMeshes {
    let mut mesh = MeshBuilder::with_detail(detail);
    let seal = [
        (0.0, 0.325, 0.325, 4.0),
        (0.04, 0.345, 0.345, 4.0),
        (0.065, 0.315, 0.315, 4.0),
        (0.09, 0.345, 0.345, 4.0),
        (0.155, 0.335, 0.335, 4.0),
        (0.19, 0.285, 0.285, 3.4),
        (SEAL_HEIGHT, 0.235, 0.235, 3.0),
        (SEAL_HEIGHT, 0.0, 0.0, 2.0),
    ];
    add_stack(&mut mesh, SIDES, |at| at, &seal, |_, _| 1.0, colour);
    add_emblem(&mut mesh, side, colour, |_| SEAL_HEIGHT);
    PieceMeshes { body: mesh.build(), trim: None }
}
