//! Tablut: a board of pale birch, its lines and signs cut in and stained.
//!
//! The castle is a sun in a double rim, of bone on ochre. A camp is fenced in
//! by teeth. Where the king is home, chevrons lead off the board; Linnaeus'
//! corners carry a looped square.

use bevy::math::Vec2;

use super::{
    Point, Surface,
    ornament::{
        block, chevron, cover, diamond, diamond_rim, looped, rim, ring, soft, teeth, wheel,
    },
    rgb,
};
use crate::{
    app::scene::look::{
        palette::{self, Scheme},
        textures::noise,
    },
    games::RuleSet,
    table::SquareKind,
};

/// How deep lines are cut, in squares.
const DEEP: f32 = 0.012;

pub(super) fn surface(point: &Point, scheme: &Scheme, rules: RuleSet, size: Vec2) -> Surface {
    let mut here = birch(point, scheme);
    let q = point.within;
    let stained = |here: &mut Surface, colour, cover| {
        let grain = here.colour / rgb(scheme.plain[0]);
        here.dye(cover, rgb(colour) * grain);
    };
    // A stain stays within its lines.
    let field = soft(block(q, 0.482), 0.02);
    match point.ground {
        SquareKind::Castle => {
            stained(&mut here, palette::CASTLE, field);
            castle(&mut here, q);
        }
        SquareKind::Camp => {
            stained(&mut here, scheme.camp, field);
            camp(&mut here, q, scheme);
        }
        SquareKind::Goal => {
            stained(&mut here, palette::HOME, field);
            if rules == RuleSet::TablutLinnaeus {
                gate(&mut here, q);
            } else {
                way_out(&mut here, q, outwards(point.at, size));
            }
        }
        _ => {}
    }
    let to_line = (0.5 - q.x.abs()).min(0.5 - q.y.abs());
    let line = soft(to_line - 0.011, 0.012);
    // Burnt in: the wood is brown beside the line.
    here.dye(0.35 * soft(to_line - 0.03, 0.05), rgb(palette::INLAY_DARK));
    here.cut(line, rgb(palette::GROOVE), DEEP);
    let crossing = Vec2::splat(0.5) - q.abs();
    let inner = point.at.cmpgt(Vec2::splat(0.5)).all() && point.at.cmplt(size - 0.5).all();
    if inner {
        here.cut(soft(diamond(crossing, Vec2::splat(0.062)), 0.012), rgb(palette::GROOVE), DEEP);
    }
    here
}

/// Which way the nearest edge lies; from a corner, both.
fn outwards(at: Vec2, size: Vec2) -> Vec2 {
    let way = |at: f32, size: f32| {
        if at < 1.0 {
            -1.0
        } else if at > size - 1.0 {
            1.0
        } else {
            0.0
        }
    };
    Vec2::new(way(at.x, size.x), way(at.y, size.y)).normalize_or(Vec2::Y)
}

/// Curly birch: pale, with slow waves across its grain and brown flecks.
fn birch(point: &Point, scheme: &Scheme) -> Surface {
    let Vec2 { x: u, y: v } = point.uv;
    let bend = 0.02 * (noise(u, v, (4, 3), 51) - 0.5);
    let rings = noise(u, v + bend, (3, 34), 52);
    let fibres = noise(u, v + bend, (26, 400), 53);
    let curl = noise(u + 3.0 * bend, v, (30, 9), 54);
    // Flecks lie together in places.
    let place = noise(u, v, (24, 20), 56);
    let flecks = (noise(u, v + bend, (90, 560), 55) + 0.35 * place - 1.04).max(0.0) * 1.5;
    let light =
        0.965 + 0.10 * (rings - 0.5) + 0.06 * (fibres - 0.5) + 0.055 * (curl - 0.5) - flecks;
    let squares = (u32::from(point.square.file) + u32::from(point.square.rank)) % 2;
    let tint = rgb(scheme.plain[0]).lerp(rgb(scheme.plain[1]), squares as f32);
    let warm = bevy::math::Vec3::new(1.0, 0.985 + 0.015 * rings, 0.95 + 0.05 * rings);
    Surface {
        colour: tint * warm * light,
        height: 0.0012 * fibres - 0.02 * flecks,
        rough: 0.50 + 0.10 * (1.0 - rings),
        metal: 0.0,
    }
}

fn castle(here: &mut Surface, q: Vec2) {
    let bone = rgb(palette::INLAY_LIGHT);
    let mut inlay = |distance: f32| here.inlay(cover(distance), bone, 0.38, 0.0);
    inlay(rim(q, 0.435, 0.016));
    inlay(rim(q, 0.385, 0.006));
    inlay(q.length() - 0.055);
    inlay(ring(q, 0.10, 0.009));
    let (ray, part) = wheel(q, 8);
    let long = if part % 2 == 0 { 0.105 } else { 0.075 };
    inlay(diamond(ray - Vec2::X * (0.14 + long), Vec2::new(long, 0.042)));
}

fn camp(here: &mut Surface, q: Vec2, scheme: &Scheme) {
    let pale = rgb(scheme.camp).lerp(rgb(palette::INLAY_LIGHT), 0.62);
    // Each side of the square as if it were the near one.
    let side =
        if q.x.abs() > q.y.abs() { Vec2::new(q.y, q.x.abs()) } else { Vec2::new(q.x, q.y.abs()) };
    let fence = teeth(Vec2::new(side.x, side.y - 0.435), 0.0967, 0.085);
    let mut inlay = |distance: f32| here.inlay(cover(distance), pale, 0.5, 0.0);
    inlay(fence.max((side.x.abs() - side.y) * 0.7));
    inlay(diamond_rim(q, 0.20, 0.012));
    inlay(diamond(q, Vec2::splat(0.10)));
}

/// Three chevrons, one behind the other, that grow towards the edge.
fn way_out(here: &mut Surface, q: Vec2, way: Vec2) {
    let green = rgb(palette::HOME) * 0.52;
    for (tip, wide) in [(0.04, 0.13), (0.20, 0.19), (0.36, 0.25)] {
        here.cut(cover(chevron(q, way, tip, wide, 0.019)), green, 0.006);
    }
}

/// A looped square in a double rim.
fn gate(here: &mut Surface, q: Vec2) {
    let green = rgb(palette::HOME) * 0.45;
    here.cut(cover(looped(q, 0.17, 0.022)), green, 0.008);
    here.cut(cover(rim(q, 0.435, 0.012)), green, 0.006);
    here.cut(cover(diamond(q, Vec2::splat(0.07))), green, 0.006);
}
