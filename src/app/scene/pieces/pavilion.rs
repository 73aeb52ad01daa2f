//! Pavilions: a small white hall on steps with a colonnade, dark doors, and a roof with
//! upturned corners in the colour of its side; a hall of timber with two roofs; a round
//! temple with a dome.

use bevy::prelude::*;

use super::PieceMeshes;
use crate::app::scene::look::{
    MeshBuilder,
    mesh_builder::{Detail, ProfileSegment, StripVertex, darkened},
    palette,
};

/// A white pavilion whose plinth and roof have the colour of the side that raised it.
pub(super) fn pavilion(base: Color, detail: Detail) -> PieceMeshes {
    let lime = palette::LIME;
    let mut mesh = MeshBuilder::with_detail(detail);
    block(&mut mesh, 0.425, 0.0, 0.055, 0.012, base);
    for (step, half) in [0.385, 0.345, 0.305].into_iter().enumerate() {
        let low = 0.055 + 0.024 * step as f32;
        block(&mut mesh, half, low, low + 0.024, 0.004, lime);
    }
    let floor = 0.127;
    block(&mut mesh, 0.135, floor, 0.36, 0.0, palette::SHADED);
    add_doors(&mut mesh, 0.1365, floor);
    for x in -1..=1 {
        for z in -1..=1 {
            if (x, z) != (0, 0) {
                add_column(&mut mesh, Vec3::new(x as f32 * 0.24, floor, z as f32 * 0.24));
            }
        }
    }
    block(&mut mesh, 0.282, 0.352, 0.378, 0.0, lime);
    block(&mut mesh, 0.288, 0.378, 0.396, 0.0, base);
    block(&mut mesh, 0.315, 0.396, 0.414, 0.0, lime);
    add_roof(&mut mesh, 0.375, 0.414, 0.58, [darkened(base, 0.9), darkened(base, 0.72)]);
    let finial = [(0.032, 0.0), (0.05, 0.03), (0.036, 0.06), (0.014, 0.085), (0.0, 0.10)];
    mesh.lathe_at(Vec3::new(0.0, 0.56, 0.0), 16, &[ProfileSegment(&finial, palette::GOLD)]);
    PieceMeshes { body: mesh.build(), trim: None }
}

/// Adds a square block about the axis.
fn block(mesh: &mut MeshBuilder, half: f32, low: f32, high: f32, bevel: f32, colour: Color) {
    let (min, max) = (Vec3::new(-half, low, -half), Vec3::new(half, high, half));
    mesh.bevelled_box(min, max, bevel, Vec3Swizzles::xz, colour);
}

/// A hall of timber: posts, a gallery, and two roofs in the colour of its side.
pub(super) fn carved_pavilion(base: Color, detail: Detail) -> PieceMeshes {
    let timber = palette::TIMBER;
    let dark = darkened(timber, 0.45);
    let mut mesh = MeshBuilder::with_detail(detail);
    block(&mut mesh, 0.41, 0.0, 0.05, 0.012, base);
    block(&mut mesh, 0.35, 0.05, 0.085, 0.006, timber);
    block(&mut mesh, 0.225, 0.085, 0.26, 0.0, dark);
    add_doors(&mut mesh, 0.2265, 0.085);
    for x in [-0.285_f32, -0.10, 0.10, 0.285] {
        for z in [-0.285_f32, -0.10, 0.10, 0.285] {
            if x.abs() > 0.2 || z.abs() > 0.2 {
                let (min, max) =
                    (Vec3::new(x - 0.024, 0.085, z - 0.024), Vec3::new(x + 0.024, 0.27, z + 0.024));
                mesh.bevelled_box(min, max, 0.0, Vec3Swizzles::xz, timber);
            }
        }
    }
    block(&mut mesh, 0.325, 0.255, 0.285, 0.0, timber);
    let tiles = [darkened(base, 0.85), darkened(base, 0.5)];
    add_roof(&mut mesh, 0.41, 0.285, 0.46, tiles);
    block(&mut mesh, 0.155, 0.38, 0.47, 0.0, timber);
    add_roof(&mut mesh, 0.265, 0.465, 0.64, tiles);
    let finial = [(0.022, 0.0), (0.034, 0.03), (0.014, 0.06), (0.0, 0.09)];
    mesh.lathe_at(Vec3::new(0.0, 0.62, 0.0), 12, &[ProfileSegment(&finial, palette::GOLD)]);
    PieceMeshes { body: mesh.build(), trim: None }
}

/// A round temple of porcelain with a glazed dome in the colour of its side.
pub(super) fn cast_pavilion(base: Color, detail: Detail) -> PieceMeshes {
    let white = palette::PORCELAIN;
    let mut mesh = MeshBuilder::with_detail(detail);
    block(&mut mesh, 0.41, 0.0, 0.05, 0.012, base);
    for (step, radius) in [0.385_f32, 0.345].into_iter().enumerate() {
        let low = 0.05 + 0.03 * step as f32;
        let profile = [(radius, low), (radius, low + 0.03)];
        mesh.lathe_with_gaps(
            40,
            &[
                ProfileSegment(&profile, white),
                ProfileSegment(&[(radius, low + 0.03), (0.1, low + 0.03)], white),
            ],
        );
    }
    mesh.lathe_with_gaps(
        32,
        &[ProfileSegment(&[(0.17, 0.11), (0.17, 0.33)], darkened(white, 0.72))],
    );
    add_doors(&mut mesh, 0.1715, 0.11);
    for column in 0..10 {
        let (sin, cos) = (std::f32::consts::TAU * (column as f32 + 0.5) / 10.0).sin_cos();
        let shaft = [(0.034, 0.0), (0.030, 0.11), (0.027, 0.20), (0.040, 0.225)];
        let foot = Vec3::new(cos * 0.275, 0.11, sin * 0.275);
        mesh.lathe_at(foot, 12, &[ProfileSegment(&shaft, white)]);
    }
    let dome = [(0.285, 0.39), (0.282, 0.44), (0.25, 0.52), (0.17, 0.59), (0.06, 0.62)];
    let lantern = [(0.055, 0.61), (0.055, 0.65), (0.03, 0.68), (0.0, 0.71)];
    mesh.lathe_with_gaps(
        48,
        &[
            ProfileSegment(&[(0.24, 0.33), (0.33, 0.335)], white),
            ProfileSegment(&[(0.33, 0.335), (0.335, 0.36), (0.345, 0.38)], white),
            ProfileSegment(&[(0.345, 0.38), (0.285, 0.39)], white),
            ProfileSegment(&dome, base),
            ProfileSegment(&lantern, palette::GOLD),
        ],
    );
    PieceMeshes { body: mesh.build(), trim: None }
}

/// Adds a column with its foot there.
fn add_column(mesh: &mut MeshBuilder, foot: Vec3) {
    let lime = palette::LIME;
    mesh.lathe_at(
        foot,
        14,
        &[
            ProfileSegment(&[(0.050, 0.0), (0.050, 0.018)], lime),
            ProfileSegment(&[(0.050, 0.018), (0.036, 0.026)], lime),
            ProfileSegment(&[(0.036, 0.026), (0.036, 0.11), (0.030, 0.195)], lime),
            ProfileSegment(&[(0.030, 0.195), (0.048, 0.212)], lime),
            ProfileSegment(&[(0.048, 0.212), (0.048, 0.228)], lime),
        ],
    );
}

/// Adds a dark doorway in each wall.
fn add_doors(mesh: &mut MeshBuilder, wall: f32, floor: f32) {
    for turn in 0..4 {
        let turn = Quat::from_rotation_y(std::f32::consts::FRAC_PI_2 * turn as f32);
        let corner = |x: f32, y: f32| turn * Vec3::new(x, floor + y, wall);
        let door = [corner(-0.05, 0.0), corner(0.05, 0.0), corner(0.05, 0.16), corner(-0.05, 0.16)];
        mesh.polygon(&door, palette::DOORWAY);
    }
}

/// Adds four roof faces of tile courses in two colours that sweep up to a point, and the
/// edge of the eaves.
fn add_roof(mesh: &mut MeshBuilder, half: f32, low: f32, high: f32, tiles: [Color; 2]) {
    let (courses, parts) = (7, 10);
    let point = |across: f32, up: f32| {
        let reach = half * (1.0 - up).powf(1.45) + 0.012;
        let upturn = 0.055 * (1.0 - up).powi(3) * across.abs().powi(4);
        Vec3::new(across * reach, low + (high - low) * up + upturn, reach)
    };
    let normal = |across: f32, up: f32| {
        let step = 0.02;
        let along = point(across + step, up) - point(across - step, up);
        let rise = point(across, (up + step).min(0.99)) - point(across, (up - step).max(0.0));
        along.cross(rise).normalize_or(Vec3::Y)
    };
    for side in 0..4 {
        let turn = Quat::from_rotation_y(std::f32::consts::FRAC_PI_2 * side as f32);
        let row = |up: f32| -> Vec<StripVertex> {
            (0..=parts)
                .map(|i| {
                    let across = 1.0 - 2.0 * i as f32 / parts as f32;
                    let at = point(across, up);
                    (turn * at, turn * normal(across, up), Vec2::ZERO)
                })
                .collect()
        };
        for course in 0..courses {
            let at = |n: usize| n as f32 / courses as f32;
            // All courses are flush: a step would leave a gap.
            mesh.strip(&row(at(course)), &row(at(course + 1)), tiles[course % 2]);
        }
        let edge = |lift: f32| -> Vec<StripVertex> {
            let lifted = |at: Vec3| at + Vec3::Y * lift;
            row(0.0).into_iter().map(|(at, _, uv)| (lifted(at), turn * Vec3::Z, uv)).collect()
        };
        let (under, eave) = (edge(-0.02), edge(0.0));
        mesh.strip(&under, &eave, tiles[1]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::scene::look::mesh_builder::boundary_edges;

    #[test]
    fn a_roof_is_open_at_its_eaves_and_under_the_finial_only() {
        let (half, low, high) = (0.375, 0.414, 0.58);
        let mut mesh = MeshBuilder::new();
        add_roof(&mut mesh, half, low, high, [Color::WHITE, Color::BLACK]);
        let open = boundary_edges(&mesh.build());
        assert!(!open.is_empty());
        for ends in open {
            let reach = |at: Vec3| at.x.abs().max(at.z.abs());
            let is_eave = ends.iter().all(|&end| reach(end) > half);
            let is_top = ends.iter().all(|&end| reach(end) < 0.02 && end.y > high - 1e-3);
            assert!(is_eave || is_top, "{ends:?}");
        }
    }
}
