//! Tablan's board: polished rosewood inlaid with bone and brass.
//!
//! Start rows are of other woods and have a lotus on each square; small brass
//! chevrons between the squares point along the course.

use bevy::math::{Vec2, Vec3};

use super::{
    SamplePoint, SurfaceSample,
    sdf::{chevron, coverage, diamond, fold_radial, ring, soft_coverage, square, square_outline},
    srgb,
};
use crate::{
    app::scene::look::{
        palette::{self, ColorScheme},
        textures::value_noise,
    },
    games::Side,
    session::SquareKind,
};

pub(super) fn sample(point: &SamplePoint, scheme: &ColorScheme, size: Vec2) -> SurfaceSample {
    let start_row = match point.ground {
        SquareKind::StartRow(side) => Some(side),
        _ => None,
    };
    let squares = usize::from(point.square.file + point.square.rank) % 2;
    let tint = start_row.map_or(scheme.middle[squares], |side| scheme.start_rows[side.index()]);
    let mut sample = rosewood(point, srgb(tint));
    let q = point.within;
    let bone = srgb(palette::INLAY_LIGHT);
    let brass = srgb(palette::BRASS);
    let dark = srgb(palette::GROOVE);
    if let Some(side) = start_row {
        lotus(&mut sample, q, bone, side);
    } else {
        sample.inlay(coverage(diamond(q, Vec2::splat(0.05))), brass, 0.42, 0.85);
        sample.inlay(
            coverage(square_outline(q, 0.40, 0.0035)),
            sample.colour.lerp(bone, 0.45),
            0.4,
            0.0,
        );
    }
    let to_line = (0.5 - q.x.abs()).min(0.5 - q.y.abs());
    sample.blend(coverage(to_line - 0.026), dark);
    sample.inlay(coverage(to_line - 0.014), bone * (0.94 + 0.06 * sample.height.abs()), 0.42, 0.0);
    sample.height -= 0.003 * soft_coverage((to_line - 0.020).abs() - 0.004, 0.006);
    let crossing = Vec2::splat(0.5) - q.abs();
    let plate = diamond(crossing, Vec2::splat(0.075));
    sample.blend(coverage(plate - 0.012), dark);
    sample.inlay(coverage(plate), brass, 0.42, 0.85);
    // Course chevrons lie on the line between two squares of a row.
    let from_line = Vec2::new(point.at.x - point.at.x.round(), q.y);
    if (0.5..size.x - 0.5).contains(&point.at.x) {
        let direction = if point.square.rank.is_multiple_of(2) { Vec2::X } else { Vec2::NEG_X };
        let background =
            square(from_line, 0.11).max(from_line.dot(direction) + from_line.y.abs() - 0.075);
        sample.blend(coverage(background.max(-from_line.dot(direction) - 0.07) - 0.012), dark);
        let arrow = chevron(from_line, direction, 0.045, 0.085, 0.024);
        sample.inlay(coverage(arrow), brass, 0.42, 0.85);
    }
    sample
}

/// Rosewood: dark purple-brown with black streaks along the grain.
fn rosewood(point: &SamplePoint, tint: Vec3) -> SurfaceSample {
    // Every row has another part of the pattern, like a plank of its own.
    let shift = f32::from(point.square.rank) * 0.271;
    let (u, v) = (point.uv.x, point.uv.y * 0.5 + shift);
    let bend = 0.03 * (value_noise(u, v, (5, 4), 61) - 0.5)
        + 0.012 * (value_noise(u, v, (13, 9), 62) - 0.5);
    let bands = value_noise(u, v + bend, (2, 44), 63);
    let streaks = (value_noise(u, v + bend, (4, 90), 64) - 0.52).max(0.0) * 1.25;
    let fibres = value_noise(u, v + bend, (60, 420), 65);
    let pores = (value_noise(u, v, (150, 500), 66) - 0.82).max(0.0) * 1.6;
    let light = 0.98 + 0.34 * (bands - 0.5) - 0.62 * streaks + 0.13 * (fibres - 0.5) - pores;
    let warmth = Vec3::new(1.0 + 0.12 * (bands - 0.5), 1.0, 1.0 - 0.10 * (bands - 0.5));
    SurfaceSample {
        colour: tint * warmth * light.max(0.25),
        height: 0.0006 * fibres,
        roughness: 0.30 + 0.10 * fibres,
        metallic: 0.0,
    }
}

/// A bone lotus: eight petals in a ring; North's is rotated by half a petal.
fn lotus(sample: &mut SurfaceSample, q: Vec2, bone: Vec3, side: Side) {
    let turn = if side == Side::First { 0.0 } else { std::f32::consts::PI / 8.0 };
    let (petal, _) = fold_radial(Vec2::from_angle(turn).rotate(q), 8);
    let leaf = diamond(petal - Vec2::X * 0.185, Vec2::new(0.10, 0.062));
    let pale = sample.colour.lerp(bone, 0.72);
    sample.inlay(coverage(leaf.abs() - 0.006), pale, 0.42, 0.0);
    sample.inlay(coverage(ring(q, 0.065, 0.010)), pale, 0.42, 0.0);
    sample.inlay(coverage(q.length() - 0.026), srgb(palette::BRASS), 0.32, 1.0);
    sample.inlay(coverage(ring(q, 0.335, 0.006)), pale, 0.42, 0.0);
}
