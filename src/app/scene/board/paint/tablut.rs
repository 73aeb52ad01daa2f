//! Tablut's board: pale birch with engraved lines and stained ornaments.
//!
//! The castle is a bone sun in a double outline on ochre. A camp has a sawtooth
//! fence. The king's goal squares have chevrons towards the edge; Linnaeus'
//! corners have a looped square.

use bevy::{
    color::Luminance as _,
    math::{Vec2, Vec3},
};

use super::{
    SamplePoint, SurfaceSample,
    sdf::{
        chevron, coverage, diamond, diamond_outline, fold_radial, looped_square, ring, sawtooth,
        soft_coverage, square, square_outline,
    },
    srgb,
};
use crate::{
    app::scene::look::{
        palette::{self, ColorScheme},
        textures::value_noise,
    },
    games::{AnyRules, RuleSet},
    session::SquareKind,
};

/// Depth of engraved lines, in squares.
const GROOVE_DEPTH: f32 = 0.012;

pub(super) fn sample(
    point: &SamplePoint,
    scheme: &ColorScheme,
    rules: RuleSet,
    size: Vec2,
) -> SurfaceSample {
    let mut sample = birch(point, scheme);
    let q = point.within;
    let stained = |sample: &mut SurfaceSample, colour, coverage| {
        let grain = sample.colour / srgb(scheme.plain[0]);
        sample.blend(coverage, srgb(colour) * grain);
    };
    // A stain ends at the engraved lines.
    let field = soft_coverage(square(q, 0.482), 0.02);
    match point.ground {
        SquareKind::Castle => {
            stained(&mut sample, scheme.castle, field);
            castle(&mut sample, q);
        }
        SquareKind::Camp => {
            stained(&mut sample, scheme.camp, field);
            camp(&mut sample, q, scheme);
        }
        SquareKind::Goal => {
            stained(&mut sample, scheme.escape, field);
            if matches!(rules.rules(), AnyRules::Tablut(rules) if rules.has_corner_goals()) {
                corner(&mut sample, q, scheme);
            } else {
                chevrons(&mut sample, q, outwards(point.at, size), scheme);
            }
        }
        _ => {}
    }
    let to_line = (0.5 - q.x.abs()).min(0.5 - q.y.abs());
    let line = soft_coverage(to_line - 0.011, 0.012);
    // The lines look burnt in: the wood beside them is brown.
    sample.blend(0.35 * soft_coverage(to_line - 0.03, 0.05), srgb(palette::INLAY_DARK));
    sample.engrave(line, srgb(palette::GROOVE), GROOVE_DEPTH);
    let crossing = Vec2::splat(0.5) - q.abs();
    let inner = point.at.cmpgt(Vec2::splat(0.5)).all() && point.at.cmplt(size - 0.5).all();
    if inner {
        sample.engrave(
            soft_coverage(diamond(crossing, Vec2::splat(0.062)), 0.012),
            srgb(palette::GROOVE),
            GROOVE_DEPTH,
        );
    }
    sample
}

/// Direction of the nearest edge; from a corner square, the diagonal.
fn outwards(at: Vec2, size: Vec2) -> Vec2 {
    let sign = |at: f32, size: f32| {
        if at < 1.0 {
            -1.0
        } else if at > size - 1.0 {
            1.0
        } else {
            0.0
        }
    };
    Vec2::new(sign(at.x, size.x), sign(at.y, size.y)).normalize_or(Vec2::Y)
}

/// Curly birch: pale, with broad waves across the grain and brown flecks.
fn birch(point: &SamplePoint, scheme: &ColorScheme) -> SurfaceSample {
    let Vec2 { x: u, y: v } = point.uv;
    let bend = 0.02 * (value_noise(u, v, (4, 3), 51) - 0.5);
    let rings = value_noise(u, v + bend, (3, 34), 52);
    let fibres = value_noise(u, v + bend, (26, 400), 53);
    let curl = value_noise(u + 3.0 * bend, v, (30, 9), 54);
    // Flecks come in clusters.
    let cluster = value_noise(u, v, (24, 20), 56);
    let flecks = (value_noise(u, v + bend, (90, 560), 55) + 0.35 * cluster - 1.04).max(0.0) * 1.5;
    let light =
        0.965 + 0.10 * (rings - 0.5) + 0.06 * (fibres - 0.5) + 0.055 * (curl - 0.5) - flecks;
    let squares = (u32::from(point.square.file) + u32::from(point.square.rank)) % 2;
    let tint = srgb(scheme.plain[0]).lerp(srgb(scheme.plain[1]), squares as f32);
    let warmth = Vec3::new(1.0, 0.985 + 0.015 * rings, 0.95 + 0.05 * rings);
    SurfaceSample {
        colour: tint * warmth * light,
        height: 0.0012 * fibres - 0.02 * flecks,
        roughness: 0.50 + 0.10 * (1.0 - rings),
        metallic: 0.0,
    }
}

/// A sun with eight rays in a double outline.
fn castle(sample: &mut SurfaceSample, q: Vec2) {
    let bone = srgb(palette::INLAY_LIGHT);
    let mut inlay = |distance: f32| sample.inlay(coverage(distance), bone, 0.38, 0.0);
    inlay(square_outline(q, 0.435, 0.016));
    inlay(square_outline(q, 0.385, 0.006));
    inlay(q.length() - 0.055);
    inlay(ring(q, 0.10, 0.009));
    let (ray, part) = fold_radial(q, 8);
    let length = if part % 2 == 0 { 0.105 } else { 0.075 };
    inlay(diamond(ray - Vec2::X * (0.14 + length), Vec2::new(length, 0.042)));
}

/// A sawtooth fence round a diamond.
fn camp(sample: &mut SurfaceSample, q: Vec2, scheme: &ColorScheme) {
    // Light on dark wood, dark on light.
    let contrast = if scheme.camp.to_linear().luminance() > 0.3 {
        palette::EBONY
    } else {
        palette::INLAY_LIGHT
    };
    let colour = srgb(scheme.camp).lerp(srgb(contrast), 0.62);
    // By symmetry, every side is drawn as the near one.
    let folded =
        if q.x.abs() > q.y.abs() { Vec2::new(q.y, q.x.abs()) } else { Vec2::new(q.x, q.y.abs()) };
    let fence = sawtooth(Vec2::new(folded.x, folded.y - 0.435), 0.0967, 0.085);
    let mut inlay = |distance: f32| sample.inlay(coverage(distance), colour, 0.5, 0.0);
    inlay(fence.max((folded.x.abs() - folded.y) * 0.7));
    inlay(diamond_outline(q, 0.20, 0.012));
    inlay(diamond(q, Vec2::splat(0.10)));
}

/// Three chevrons that grow towards the edge.
fn chevrons(sample: &mut SurfaceSample, q: Vec2, direction: Vec2, scheme: &ColorScheme) {
    let green = srgb(scheme.escape) * 0.52;
    for (tip, reach) in [(0.04, 0.13), (0.20, 0.19), (0.36, 0.25)] {
        sample.engrave(coverage(chevron(q, direction, tip, reach, 0.019)), green, 0.006);
    }
}

/// A looped square in an outline.
fn corner(sample: &mut SurfaceSample, q: Vec2, scheme: &ColorScheme) {
    let green = srgb(scheme.escape) * 0.45;
    sample.engrave(coverage(looped_square(q, 0.17, 0.022)), green, 0.008);
    sample.engrave(coverage(square_outline(q, 0.435, 0.012)), green, 0.006);
    sample.engrave(coverage(diamond(q, Vec2::splat(0.07))), green, 0.006);
}
