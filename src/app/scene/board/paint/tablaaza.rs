//! Tablaaza's board: the plan of a city with streets of pale flagstones. Red
//! plots are brick courts with a diamond, green plots are gardens with a circle.

use bevy::math::{Vec2, Vec3};

use super::{
    SamplePoint, SurfaceSample,
    sdf::{coverage, diamond, diamond_outline, fold_radial, ring, soft_coverage, square},
    srgb,
};
use crate::{
    app::scene::{
        board::is_lake_beside,
        look::{
            palette::{self, ColorScheme},
            textures::value_noise,
        },
    },
    games::Side,
    session::{BoardGrid, SquareKind},
};

/// Half a plot's width, in squares; the rest of its square is street.
pub(crate) const PLOT_HALF_SIZE: f32 = 0.456;

pub(super) fn sample(
    point: &SamplePoint,
    scheme: &ColorScheme,
    board: &BoardGrid,
) -> SurfaceSample {
    match point.ground {
        SquareKind::Lake => bed(point, board),
        SquareKind::Plot(side) => {
            let tint = srgb(scheme.plots[side.index()]);
            let mut sample = match side {
                Side::First => bricks(point, tint),
                Side::Second => garden(point, tint),
            };
            let street = street(point);
            let edge = square(point.within, PLOT_HALF_SIZE - 0.022);
            // A kerb of street stone round the plot.
            let kerb = coverage(-edge);
            sample.blend(kerb, street.colour * 1.04);
            sample.roughness += (street.roughness - sample.roughness) * kerb;
            sample.blend(soft_coverage(edge.abs() - 0.006, 0.012), srgb(palette::GROOVE) * 1.6);
            if edge > 0.030 { street } else { sample }
        }
        _ => street(point),
    }
}

/// Worn flagstones in running bond.
fn street(point: &SamplePoint) -> SurfaceSample {
    let at = point.at * 7.0;
    let row = at.y.floor();
    let stone =
        Vec2::new((at.x + 0.5 * row.rem_euclid(2.0)).rem_euclid(1.0) - 0.5, at.y - row - 0.5);
    let shade = value_noise(point.uv.x, point.uv.y, (56, 49), 71);
    let dust = value_noise(point.uv.x, point.uv.y, (300, 260), 72);
    let joint = soft_coverage(0.5 - stone.x.abs().max(stone.y.abs()) - 0.03, 0.06);
    let mut sample = SurfaceSample {
        colour: srgb(palette::PAVING) * (0.93 + 0.09 * shade + 0.06 * (dust - 0.5)),
        height: 0.004 * shade,
        roughness: 0.82,
        metallic: 0.0,
    };
    sample.engrave(0.7 * joint, srgb(palette::PAVING) * 0.70, 0.005);
    sample
}

/// A court of bricks in a basket weave, with a diamond of pale slabs.
fn bricks(point: &SamplePoint, tint: Vec3) -> SurfaceSample {
    let q = point.within;
    let at = (q + 0.5) * 6.0;
    let pair = at.floor();
    let horizontal = (pair.x + pair.y) as i32 % 2 == 0;
    let within = at - pair - 0.5;
    let within = if horizontal { within } else { within.perp() };
    // A pair is two bricks side by side.
    let second = within.y > 0.0;
    let brick = Vec2::new(within.x, within.y.abs() - 0.25);
    let edge = (0.5 - brick.x.abs()).min(0.25 - brick.y.abs());
    let id = pair * Vec2::new(0.013, 0.029) + point.at.floor() * 0.071;
    let shade =
        value_noise(id.x.fract(), (id.y + if second { 0.5 } else { 0.0 }).fract(), (41, 43), 73);
    let dust = value_noise(point.uv.x, point.uv.y, (400, 350), 74);
    let mut sample = SurfaceSample {
        colour: tint * (0.88 + 0.24 * shade + 0.12 * (dust - 0.5)),
        height: 0.010 + 0.003 * shade + 0.002 * dust,
        roughness: 0.78,
        metallic: 0.0,
    };
    sample.engrave(soft_coverage(edge - 0.03, 0.05), tint * 0.55, 0.009);
    let pale = tint.lerp(srgb(palette::PAVING), 0.58);
    sample.inlay(coverage(diamond(q, Vec2::splat(0.17))), pale, 0.7, 0.0);
    sample.engrave(coverage(diamond_outline(q, 0.185, 0.007)), tint * 0.5, 0.006);
    sample.engrave(coverage(diamond_outline(q, 0.085, 0.005)), tint * 0.6, 0.004);
    sample
}

/// A lawn with a circular hedge and four paths.
fn garden(point: &SamplePoint, tint: Vec3) -> SurfaceSample {
    let q = point.within;
    let (u, v) = (point.uv.x, point.uv.y);
    let grass = value_noise(u, v, (520, 460), 75);
    let tufts = value_noise(u, v, (120, 105), 76);
    let mut sample = SurfaceSample {
        colour: tint * (0.95 + 0.17 * (grass - 0.45) + 0.13 * (tufts - 0.5)),
        height: 0.010 + 0.006 * grass + 0.004 * tufts,
        roughness: 0.92,
        metallic: 0.0,
    };
    let gravel = tint.lerp(srgb(palette::PAVING), 0.55) * (0.92 + 0.16 * grass);
    let (arm, _) = fold_radial(q, 4);
    let path = (arm.y.abs() - 0.022).max(0.13 - arm.x);
    sample.inlay(soft_coverage(path, 0.014), gravel, 0.85, 0.0);
    sample.inlay(soft_coverage(ring(q, 0.165, 0.030), 0.014), gravel, 0.85, 0.0);
    let hedge = soft_coverage(ring(q, 0.115, 0.022), 0.022);
    sample.blend(hedge, tint * (0.42 + 0.35 * tufts));
    sample.height += 0.02 * hedge;
    sample
}

/// A lake's bed: sand and pebbles that darken away from the shore.
fn bed(point: &SamplePoint, board: &BoardGrid) -> SurfaceSample {
    let q = point.within;
    // Distance to the nearest shore; between two lake squares there is none.
    let mut shore = f32::INFINITY;
    for (direction, to_edge) in
        [([-1, 0], 0.5 + q.x), ([1, 0], 0.5 - q.x), ([0, 1], 0.5 + q.y), ([0, -1], 0.5 - q.y)]
    {
        if !is_lake_beside(board, point.square, direction) {
            shore = shore.min(to_edge);
        }
    }
    let (u, v) = (point.uv.x, point.uv.y);
    let pebbles = value_noise(u, v, (190, 166), 77);
    let clouds = value_noise(u, v, (26, 23), 78);
    let depth = ((shore - 0.04) / 0.40 + 0.25 * (clouds - 0.5)).clamp(0.0, 1.0);
    let depth = 1.0 - (1.0 - depth) * (1.0 - depth);
    let sand = srgb(palette::SAND) * (0.80 + 0.30 * pebbles);
    let deep = srgb(palette::WATER) * (0.86 + 0.22 * clouds);
    // Caustics: ridged noise.
    let ridges = |period, seed| {
        let bend = 0.012 * value_noise(u, v, (34, 30), seed + 5);
        1.0 - (2.0 * value_noise(u + bend, v + bend, period, seed) - 1.0).abs()
    };
    let caustics = (ridges((52, 45), 79) * ridges((61, 54), 80)).powi(5);
    let colour = sand.lerp(deep, depth) + Vec3::new(0.16, 0.20, 0.17) * caustics;
    SurfaceSample { colour, height: 0.0, roughness: 0.9, metallic: 0.0 }
}
