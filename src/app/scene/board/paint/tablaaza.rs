//! Tablaaza: the plan of a city. Streets of pale stone, red plots paved with
//! brick round a diamond, green plots planted round a circle, and the beds of
//! the lakes.

use bevy::math::{Vec2, Vec3};

use super::{
    Point, Surface,
    ornament::{block, cover, diamond, diamond_rim, ring, soft, wheel},
    rgb,
};
use crate::{
    app::scene::look::{
        palette::{self, Scheme},
        textures::noise,
    },
    games::{Side, Square},
    table::{BoardGrid, SquareKind},
};

/// Half a plot's width; what lies round it is street.
pub(crate) const PLOT: f32 = 0.456;

pub(super) fn surface(point: &Point, scheme: &Scheme, board: &BoardGrid) -> Surface {
    match point.ground {
        SquareKind::Lake => bed(point, board),
        SquareKind::Plot(side) => {
            let tint = rgb(scheme.plots[side.index()]);
            let mut here = match side {
                Side::First => bricks(point, tint),
                Side::Second => garden(point, tint),
            };
            let street = street(point);
            let edge = block(point.within, PLOT - 0.022);
            // A kerb round the plot.
            let kerb = cover(-edge);
            here.dye(kerb, street.colour * 1.04);
            here.rough += (street.rough - here.rough) * kerb;
            here.dye(soft(edge.abs() - 0.006, 0.012), rgb(palette::GROOVE) * 1.6);
            if edge > 0.030 { street } else { here }
        }
        _ => street(point),
    }
}

/// Flagstones, worn.
fn street(point: &Point) -> Surface {
    let at = point.at * 7.0;
    let row = at.y.floor();
    let stone =
        Vec2::new((at.x + 0.5 * row.rem_euclid(2.0)).rem_euclid(1.0) - 0.5, at.y - row - 0.5);
    let number = noise(point.uv.x, point.uv.y, (56, 49), 71);
    let dust = noise(point.uv.x, point.uv.y, (300, 260), 72);
    let joint = soft(0.5 - stone.x.abs().max(stone.y.abs()) - 0.03, 0.06);
    let mut here = Surface {
        colour: rgb(palette::PAVING) * (0.93 + 0.09 * number + 0.06 * (dust - 0.5)),
        height: 0.004 * number,
        rough: 0.82,
        metal: 0.0,
    };
    here.cut(0.7 * joint, rgb(palette::PAVING) * 0.70, 0.005);
    here
}

/// A court of bricks in a basket weave, a diamond of pale slabs in its middle.
fn bricks(point: &Point, tint: Vec3) -> Surface {
    let q = point.within;
    let at = (q + 0.5) * 6.0;
    let pair = at.floor();
    let lies = (pair.x + pair.y) as i32 % 2 == 0;
    let within = at - pair - 0.5;
    let within = if lies { within } else { within.perp() };
    // Two bricks in a pair, side by side.
    let second = within.y > 0.0;
    let brick = Vec2::new(within.x, within.y.abs() - 0.25);
    let edge = (0.5 - brick.x.abs()).min(0.25 - brick.y.abs());
    let id = pair * Vec2::new(0.013, 0.029) + point.at.floor() * 0.071;
    let shade = noise(id.x.fract(), (id.y + if second { 0.5 } else { 0.0 }).fract(), (41, 43), 73);
    let dust = noise(point.uv.x, point.uv.y, (400, 350), 74);
    let mut here = Surface {
        colour: tint * (0.88 + 0.24 * shade + 0.12 * (dust - 0.5)),
        height: 0.010 + 0.003 * shade + 0.002 * dust,
        rough: 0.78,
        metal: 0.0,
    };
    here.cut(soft(edge - 0.03, 0.05), tint * 0.55, 0.009);
    let pale = tint.lerp(rgb(palette::PAVING), 0.58);
    here.inlay(cover(diamond(q, Vec2::splat(0.17))), pale, 0.7, 0.0);
    here.cut(cover(diamond_rim(q, 0.185, 0.007)), tint * 0.5, 0.006);
    here.cut(cover(diamond_rim(q, 0.085, 0.005)), tint * 0.6, 0.004);
    here
}

/// A lawn with a clipped hedge in a ring and four paths.
fn garden(point: &Point, tint: Vec3) -> Surface {
    let q = point.within;
    let (u, v) = (point.uv.x, point.uv.y);
    let grass = noise(u, v, (520, 460), 75);
    let tufts = noise(u, v, (120, 105), 76);
    let mut here = Surface {
        colour: tint * (0.95 + 0.17 * (grass - 0.45) + 0.13 * (tufts - 0.5)),
        height: 0.010 + 0.006 * grass + 0.004 * tufts,
        rough: 0.92,
        metal: 0.0,
    };
    let gravel = tint.lerp(rgb(palette::PAVING), 0.55) * (0.92 + 0.16 * grass);
    let (arm, _) = wheel(q, 4);
    let path = (arm.y.abs() - 0.022).max(0.13 - arm.x);
    here.inlay(soft(path, 0.014), gravel, 0.85, 0.0);
    here.inlay(soft(ring(q, 0.165, 0.030), 0.014), gravel, 0.85, 0.0);
    let hedge = soft(ring(q, 0.115, 0.022), 0.022);
    here.dye(hedge, tint * (0.42 + 0.35 * tufts));
    here.height += 0.02 * hedge;
    here
}

/// Sand and pebbles that darken away from the shore.
fn bed(point: &Point, board: &BoardGrid) -> Surface {
    let q = point.within;
    let lake = |file: i16, rank: i16| {
        let at = |n: u8, by: i16| u8::try_from(i16::from(n) + by).ok();
        let square = at(point.square.file, file).zip(at(point.square.rank, rank));
        square.and_then(|(file, rank)| board.kind(Square::new(file, rank)))
            == Some(SquareKind::Lake)
    };
    // The nearest shore; where the lake goes on there is none.
    let mut shore = f32::INFINITY;
    for (is_water, to_edge) in [
        (lake(-1, 0), 0.5 + q.x),
        (lake(1, 0), 0.5 - q.x),
        (lake(0, 1), 0.5 + q.y),
        (lake(0, -1), 0.5 - q.y),
    ] {
        if !is_water {
            shore = shore.min(to_edge);
        }
    }
    let (u, v) = (point.uv.x, point.uv.y);
    let pebbles = noise(u, v, (190, 166), 77);
    let clouds = noise(u, v, (26, 23), 78);
    let depth = ((shore - 0.04) / 0.40 + 0.25 * (clouds - 0.5)).clamp(0.0, 1.0);
    let depth = 1.0 - (1.0 - depth) * (1.0 - depth);
    let sand = rgb(palette::SAND) * (0.80 + 0.30 * pebbles);
    let deep = rgb(palette::WATER) * (0.86 + 0.22 * clouds);
    // The light that waves gather on the ground.
    let web = |period, seed| {
        let bend = 0.012 * noise(u, v, (34, 30), seed + 5);
        1.0 - (2.0 * noise(u + bend, v + bend, period, seed) - 1.0).abs()
    };
    let gathered = (web((52, 45), 79) * web((61, 54), 80)).powi(5);
    let colour = sand.lerp(deep, depth) + Vec3::new(0.16, 0.20, 0.17) * gathered;
    Surface { colour, height: 0.0, rough: 0.9, metal: 0.0 }
}
