//! Tablan: polished rosewood inlaid with bone and brass.
//!
//! Home rows are of other woods, each with a lotus; small brass points between
//! the squares lead along the course.

use bevy::math::{Vec2, Vec3};

use super::{
    Point, Surface,
    ornament::{block, chevron, cover, diamond, rim, ring, soft, wheel},
    rgb,
};
use crate::{
    app::scene::look::{
        palette::{self, Scheme},
        textures::noise,
    },
    games::Side,
    table::SquareKind,
};

pub(super) fn surface(point: &Point, scheme: &Scheme, size: Vec2) -> Surface {
    let home = match point.ground {
        SquareKind::StartRow(side) => Some(side),
        _ => None,
    };
    let squares = usize::from(point.square.file + point.square.rank) % 2;
    let tint = home.map_or(scheme.middle[squares], |side| scheme.rows[side.index()]);
    let mut here = rosewood(point, rgb(tint));
    let q = point.within;
    let bone = rgb(palette::INLAY_LIGHT);
    let brass = rgb(palette::BRASS);
    let dark = rgb(palette::GROOVE);
    if let Some(side) = home {
        lotus(&mut here, q, bone, side);
    } else {
        here.inlay(cover(diamond(q, Vec2::splat(0.05))), brass, 0.42, 0.85);
        here.inlay(cover(rim(q, 0.40, 0.0035)), here.colour.lerp(bone, 0.45), 0.4, 0.0);
    }
    let to_line = (0.5 - q.x.abs()).min(0.5 - q.y.abs());
    here.dye(cover(to_line - 0.026), dark);
    here.inlay(cover(to_line - 0.014), bone * (0.94 + 0.06 * here.height.abs()), 0.42, 0.0);
    here.height -= 0.003 * soft((to_line - 0.020).abs() - 0.004, 0.006);
    let crossing = Vec2::splat(0.5) - q.abs();
    let plate = diamond(crossing, Vec2::splat(0.075));
    here.dye(cover(plate - 0.012), dark);
    here.inlay(cover(plate), brass, 0.42, 0.85);
    // The course: over the line between two squares of a row.
    let beside = Vec2::new(point.at.x - point.at.x.round(), q.y);
    if (0.5..size.x - 0.5).contains(&point.at.x) {
        let way = if point.square.rank.is_multiple_of(2) { Vec2::X } else { Vec2::NEG_X };
        let tip = block(beside, 0.11).max(beside.dot(way) + beside.y.abs() - 0.075);
        here.dye(cover(tip.max(-beside.dot(way) - 0.07) - 0.012), dark);
        let point_of = chevron(beside, way, 0.045, 0.085, 0.024);
        here.inlay(cover(point_of), brass, 0.42, 0.85);
    }
    here
}

/// Dark, purple-brown, with black streaks along its grain.
fn rosewood(point: &Point, tint: Vec3) -> Surface {
    // Every row is cut from another plank.
    let row = f32::from(point.square.rank) * 0.271;
    let (u, v) = (point.uv.x, point.uv.y * 0.5 + row);
    let bend = 0.03 * (noise(u, v, (5, 4), 61) - 0.5) + 0.012 * (noise(u, v, (13, 9), 62) - 0.5);
    let bands = noise(u, v + bend, (2, 44), 63);
    let streaks = (noise(u, v + bend, (4, 90), 64) - 0.52).max(0.0) * 1.25;
    let fibres = noise(u, v + bend, (60, 420), 65);
    let pores = (noise(u, v, (150, 500), 66) - 0.82).max(0.0) * 1.6;
    let light = 0.98 + 0.34 * (bands - 0.5) - 0.62 * streaks + 0.13 * (fibres - 0.5) - pores;
    let warm = Vec3::new(1.0 + 0.12 * (bands - 0.5), 1.0, 1.0 - 0.10 * (bands - 0.5));
    Surface {
        colour: tint * warm * light.max(0.25),
        height: 0.0006 * fibres,
        rough: 0.30 + 0.10 * fibres,
        metal: 0.0,
    }
}

/// A lotus of bone: eight petals in a ring, South's and North's turned against
/// each other.
fn lotus(here: &mut Surface, q: Vec2, bone: Vec3, side: Side) {
    let turn = if side == Side::First { 0.0 } else { std::f32::consts::PI / 8.0 };
    let (petal, _) = wheel(Vec2::from_angle(turn).rotate(q), 8);
    let leaf = diamond(petal - Vec2::X * 0.185, Vec2::new(0.10, 0.062));
    let pale = here.colour.lerp(bone, 0.72);
    here.inlay(cover(leaf.abs() - 0.006), pale, 0.42, 0.0);
    here.inlay(cover(ring(q, 0.065, 0.010)), pale, 0.42, 0.0);
    here.inlay(cover(q.length() - 0.026), rgb(palette::BRASS), 0.32, 1.0);
    here.inlay(cover(ring(q, 0.335, 0.006)), pale, 0.42, 0.0);
}
