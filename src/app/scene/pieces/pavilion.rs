//! A pavilion: a small white hall on steps, with columns all round, a dark
//! door, and a roof whose corners turn up.

use bevy::prelude::*;

use super::shapes::Sculpture;
use crate::app::scene::look::{MeshBuilder, mesh_builder::Run, palette};

/// A pavilion on a plinth in its raiser's colour.
pub(super) fn pavilion(base: Color) -> Sculpture {
    let lime = palette::LIME;
    let mut solid = MeshBuilder::new();
    let block =
        |solid: &mut MeshBuilder, half: f32, low: f32, high: f32, bevel: f32, colour: Color| {
            let (min, max) = (Vec3::new(-half, low, -half), Vec3::new(half, high, half));
            solid.slab(min, max, bevel, Vec3Swizzles::xz, colour);
        };
    block(&mut solid, 0.425, 0.0, 0.055, 0.012, base);
    for (step, half) in [0.385, 0.345, 0.305].into_iter().enumerate() {
        let low = 0.055 + 0.024 * step as f32;
        block(&mut solid, half, low, low + 0.024, 0.004, lime);
    }
    let floor = 0.127;
    block(&mut solid, 0.135, floor, 0.36, 0.0, palette::SHADED);
    doors(&mut solid, 0.1365, floor);
    for x in -1..=1 {
        for z in -1..=1 {
            if (x, z) != (0, 0) {
                column(&mut solid, Vec3::new(x as f32 * 0.24, floor, z as f32 * 0.24));
            }
        }
    }
    block(&mut solid, 0.282, 0.352, 0.378, 0.0, lime);
    block(&mut solid, 0.288, 0.378, 0.396, 0.0, base);
    block(&mut solid, 0.315, 0.396, 0.414, 0.0, lime);
    roof(&mut solid, 0.375, 0.414, 0.62);
    let finial = [(0.032, 0.0), (0.05, 0.03), (0.036, 0.06), (0.014, 0.085), (0.0, 0.10)];
    solid.turned_at(Vec3::new(0.0, 0.60, 0.0), 16, &[Run(&finial, base)]);
    Sculpture { body: solid.build(), trim: None }
}

fn column(solid: &mut MeshBuilder, foot: Vec3) {
    let lime = palette::LIME;
    solid.turned_at(
        foot,
        14,
        &[
            Run(&[(0.050, 0.0), (0.050, 0.018)], lime),
            Run(&[(0.050, 0.018), (0.036, 0.026)], lime),
            Run(&[(0.036, 0.026), (0.036, 0.11), (0.030, 0.195)], lime),
            Run(&[(0.030, 0.195), (0.048, 0.212)], lime),
            Run(&[(0.048, 0.212), (0.048, 0.228)], lime),
        ],
    );
}

/// A dark doorway in each wall.
fn doors(solid: &mut MeshBuilder, wall: f32, floor: f32) {
    for turn in 0..4 {
        let turn = Quat::from_rotation_y(std::f32::consts::FRAC_PI_2 * turn as f32);
        let corner = |x: f32, y: f32| turn * Vec3::new(x, floor + y, wall);
        let door = [corner(-0.05, 0.0), corner(0.05, 0.0), corner(0.05, 0.16), corner(-0.05, 0.16)];
        solid.polygon(&door, palette::DOORWAY);
    }
}

/// Four sides that sweep up to a point, courses of tiles on them, and the
/// underside of the eaves.
fn roof(solid: &mut MeshBuilder, half: f32, low: f32, high: f32) {
    let (courses, parts) = (9, 10);
    let point = |across: f32, up: f32| {
        let reach = half * (1.0 - up).powf(1.45) + 0.012;
        let turned_up = 0.055 * (1.0 - up).powi(3) * across.abs().powi(4);
        Vec3::new(across * reach, low + (high - low) * up + turned_up, reach)
    };
    let normal = |across: f32, up: f32| {
        let step = 0.02;
        let along = point(across + step, up) - point(across - step, up);
        let rise = point(across, (up + step).min(0.99)) - point(across, (up - step).max(0.0));
        along.cross(rise).normalize_or(Vec3::Y)
    };
    for side in 0..4 {
        let turn = Quat::from_rotation_y(std::f32::consts::FRAC_PI_2 * side as f32);
        let row = |up: f32, lift: f32| -> Vec<(Vec3, Vec3, Vec2)> {
            (0..=parts)
                .map(|i| {
                    let across = 1.0 - 2.0 * i as f32 / parts as f32;
                    let at = point(across, up) + Vec3::Y * lift;
                    (turn * at, turn * normal(across, up), Vec2::ZERO)
                })
                .collect()
        };
        for course in 0..courses {
            let at = |n: usize| n as f32 / courses as f32;
            // Each course of tiles laps over the one below.
            let colour = if course % 2 == 0 { palette::ROOF } else { palette::ROOF_OTHER };
            solid.strip(&row(at(course), 0.006), &row(at(course + 1), 0.0), colour);
        }
        let eave: Vec<(Vec3, Vec3, Vec2)> =
            row(0.0, 0.006).into_iter().map(|(at, _, uv)| (at, turn * Vec3::Z, uv)).collect();
        let under: Vec<(Vec3, Vec3, Vec2)> =
            row(0.0, -0.016).into_iter().map(|(at, _, uv)| (at, turn * Vec3::Z, uv)).collect();
        solid.strip(&under, &eave, palette::ROOF_OTHER);
    }
}
