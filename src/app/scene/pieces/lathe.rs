//! Pieces that are surfaces of revolution: their lathe profiles, as points
//! (radius, height) from bottom to top.

use std::f32::consts::{PI, TAU};

use bevy::prelude::*;

use super::PieceMeshes;
use crate::{
    app::scene::look::{
        MeshBuilder,
        mesh_builder::{Detail, ProfileSegment},
        palette,
    },
    games::Side,
};

/// Faces round a piece's axis.
const SIDES: usize = 40;

/// A body with metal trim; the trim fills gaps between the body's segments.
pub(super) fn piece_meshes(
    detail: Detail,
    body: &[ProfileSegment<'_>],
    trim: &[&[ProfileSegment<'_>]],
) -> PieceMeshes {
    PieceMeshes {
        body: lathe_body(detail, body).build(),
        trim: Some(lathe_trim(detail, trim).build()),
    }
}

fn lathe_body(detail: Detail, profile: &[ProfileSegment<'_>]) -> MeshBuilder {
    let mut mesh = MeshBuilder::with_detail(detail);
    mesh.lathe_with_gaps(SIDES, profile);
    mesh
}

pub(super) fn lathe_trim(detail: Detail, profiles: &[&[ProfileSegment<'_>]]) -> MeshBuilder {
    let mut mesh = MeshBuilder::with_detail(detail);
    for profile in profiles {
        mesh.lathe(SIDES, profile);
    }
    mesh
}

/// The profile of a half torus about a piece.
pub(super) fn torus(radius: f32, y: f32, thickness: f32) -> Vec<(f32, f32)> {
    (0..=10)
        .map(|i| {
            let (sin, cos) = (PI * (i as f32 / 10.0 - 0.5)).sin_cos();
            (radius + thickness * cos, y + thickness * sin)
        })
        .collect()
}

/// A crowned king.
pub(super) fn king(detail: Detail) -> PieceMeshes {
    let ivory = palette::IVORY;
    let gold = palette::GOLD;
    let cap = [(0.155, 0.61), (0.142, 0.67), (0.10, 0.715), (0.0, 0.73)];
    let knob = [(0.028, 0.72), (0.046, 0.744), (0.046, 0.764), (0.028, 0.786), (0.0, 0.793)];
    let body = lathe_body(
        detail,
        &[
            ProfileSegment(&[(0.345, 0.0), (0.372, 0.035), (0.372, 0.06), (0.345, 0.09)], ivory),
            ProfileSegment(&[(0.345, 0.09), (0.355, 0.115), (0.33, 0.15), (0.285, 0.175)], ivory),
            ProfileSegment(&[(0.285, 0.175), (0.20, 0.225), (0.155, 0.285), (0.142, 0.35)], ivory),
            ProfileSegment(&[(0.142, 0.43), (0.157, 0.50), (0.187, 0.57)], ivory),
            ProfileSegment(&cap, palette::CRIMSON),
        ],
    );
    let mut trim = lathe_trim(
        detail,
        &[
            &[ProfileSegment(&torus(0.335, 0.105, 0.022), gold)],
            &[ProfileSegment(&torus(0.205, 0.39, 0.030), gold)],
            &[ProfileSegment(&torus(0.150, 0.435, 0.016), gold)],
            &[
                ProfileSegment(&[(0.14, 0.345), (0.205, 0.36)], gold),
                ProfileSegment(&[(0.205, 0.36), (0.205, 0.42), (0.14, 0.435)], gold),
            ],
            &[
                ProfileSegment(
                    &[(0.185, 0.56), (0.212, 0.568), (0.217, 0.597), (0.21, 0.617)],
                    gold,
                ),
                ProfileSegment(&[(0.21, 0.617), (0.15, 0.617)], gold),
            ],
            &[ProfileSegment(&knob, gold)],
        ],
    );
    add_crown(&mut trim, 0.211, 0.61, 0.105, 8, gold);
    PieceMeshes { body: body.build(), trim: Some(trim.build()) }
}

/// Adds a crown: a ring of outward leaning points, two-sided, each with a pearl.
pub(super) fn add_crown(
    mesh: &mut MeshBuilder,
    radius: f32,
    foot: f32,
    height: f32,
    points: usize,
    colour: Color,
) {
    let step = TAU / points as f32;
    let at = |turn: f32, r: f32, y: f32| {
        let (sin, cos) = turn.sin_cos();
        Vec3::new(cos * r, y, sin * r)
    };
    let pearl_radius = 0.026;
    let pearl: Vec<(f32, f32)> = (0..=6)
        .map(|i| {
            let (sin, cos) = (PI * (i as f32 / 6.0 - 0.5)).sin_cos();
            (pearl_radius * cos.max(0.0), pearl_radius * sin)
        })
        .collect();
    for point in 0..points {
        let turn = point as f32 * step;
        let left = at(turn + step * 0.5, radius, foot);
        let right = at(turn - step * 0.5, radius, foot);
        let low = at(turn, radius * 1.03, foot);
        let tip = at(turn, radius * 1.17, foot + height);
        let valley_left = at(turn + step * 0.5, radius * 1.03, foot + height * 0.32);
        let valley_right = at(turn - step * 0.5, radius * 1.03, foot + height * 0.32);
        let inner = |v: Vec3| Vec3::new(v.x * 0.93, v.y, v.z * 0.93);
        mesh.polygon(&[left, low, tip, valley_left], colour);
        mesh.polygon(&[low, right, valley_right, tip], colour);
        let (l, m, r) = (inner(left), inner(low), inner(right));
        mesh.polygon(&[m, l, valley_left, tip], colour);
        mesh.polygon(&[r, m, tip, valley_right], colour);
        mesh.lathe_at(tip, 10, &[ProfileSegment(&pearl, colour)]);
    }
}

/// A Swede: a round head on a slim neck.
pub(super) fn swede(detail: Detail) -> PieceMeshes {
    let ivory = palette::IVORY;
    piece_meshes(
        detail,
        &[
            ProfileSegment(&[(0.285, 0.0), (0.310, 0.03), (0.310, 0.055), (0.285, 0.08)], ivory),
            ProfileSegment(
                &[(0.285, 0.08), (0.255, 0.11), (0.170, 0.18), (0.118, 0.29), (0.106, 0.39)],
                ivory,
            ),
            ProfileSegment(
                &[
                    (0.10, 0.435),
                    (0.145, 0.475),
                    (0.172, 0.55),
                    (0.15, 0.635),
                    (0.085, 0.69),
                    (0.0, 0.707),
                ],
                ivory,
            ),
        ],
        &[&[ProfileSegment(&torus(0.135, 0.412, 0.028), palette::GOLD)]],
    )
}

/// A Muscovite: a bell with a brimmed, pointed hat.
pub(super) fn muscovite(detail: Detail) -> PieceMeshes {
    let ebony = palette::EBONY;
    let copper = palette::COPPER;
    piece_meshes(
        detail,
        &[
            ProfileSegment(&[(0.29, 0.0), (0.312, 0.025), (0.312, 0.06), (0.29, 0.085)], ebony),
            ProfileSegment(
                &[(0.29, 0.085), (0.262, 0.115), (0.238, 0.22), (0.185, 0.35), (0.15, 0.425)],
                ebony,
            ),
            ProfileSegment(&[(0.15, 0.425), (0.235, 0.445), (0.24, 0.462), (0.185, 0.485)], ebony),
            ProfileSegment(
                &[(0.185, 0.485), (0.15, 0.545), (0.072, 0.65), (0.022, 0.70), (0.0, 0.715)],
                ebony,
            ),
        ],
        &[
            &[ProfileSegment(&torus(0.272, 0.10, 0.028), copper)],
            &[ProfileSegment(&torus(0.180, 0.490, 0.026), copper)],
        ],
    )
}

/// A southern runner, which ends in a bud.
pub(super) fn south(red: Color, detail: Detail) -> PieceMeshes {
    let gold = palette::GOLD;
    piece_meshes(
        detail,
        &[
            ProfileSegment(&[(0.272, 0.0), (0.298, 0.03), (0.298, 0.055), (0.272, 0.08)], red),
            ProfileSegment(&[(0.272, 0.08), (0.235, 0.115), (0.155, 0.18), (0.108, 0.285)], red),
            ProfileSegment(
                &[
                    (0.108, 0.31),
                    (0.175, 0.375),
                    (0.218, 0.455),
                    (0.19, 0.545),
                    (0.085, 0.625),
                    (0.0, 0.66),
                ],
                red,
            ),
        ],
        &[
            &[ProfileSegment(&torus(0.250, 0.095, 0.016), gold)],
            &[ProfileSegment(&torus(0.105, 0.30, 0.030), gold)],
            &[ProfileSegment(&[(0.045, 0.64), (0.052, 0.665), (0.03, 0.69), (0.0, 0.70)], gold)],
        ],
    )
}

/// A northern runner, which ends in a cup.
pub(super) fn north(blue: Color, detail: Detail) -> PieceMeshes {
    let gold = palette::GOLD;
    let cream = palette::IVORY;
    piece_meshes(
        detail,
        &[
            ProfileSegment(&[(0.272, 0.0), (0.298, 0.03), (0.298, 0.055), (0.272, 0.08)], blue),
            ProfileSegment(&[(0.272, 0.08), (0.235, 0.115), (0.145, 0.19), (0.108, 0.285)], blue),
            ProfileSegment(&[(0.108, 0.31), (0.15, 0.40), (0.212, 0.49), (0.244, 0.575)], blue),
            ProfileSegment(&[(0.215, 0.585), (0.16, 0.525), (0.0, 0.48)], cream),
            ProfileSegment(
                &[(0.03, 0.48), (0.07, 0.515), (0.078, 0.57), (0.05, 0.62), (0.0, 0.635)],
                blue,
            ),
        ],
        &[
            &[ProfileSegment(&torus(0.250, 0.095, 0.016), gold)],
            &[ProfileSegment(&torus(0.105, 0.30, 0.030), gold)],
            &[
                ProfileSegment(&[(0.238, 0.565), (0.256, 0.58), (0.252, 0.602)], gold),
                ProfileSegment(&[(0.252, 0.602), (0.232, 0.61), (0.212, 0.585)], gold),
            ],
        ],
    )
}

/// Half the width and the height of a stone.
const STONE: (f32, f32) = (0.375, 0.22);

/// The profile of a stone at an angle above its rim.
fn stone_point(angle: f32) -> (f32, f32) {
    let (half_width, height) = STONE;
    let (sin, cos) = angle.sin_cos();
    (half_width * cos.max(0.0).powf(0.82), height * (0.5 + 0.5 * sin))
}

/// Height of a stone's surface at a distance from its axis.
fn stone_surface(radius: f32) -> f32 {
    stone_point((radius / STONE.0).powf(1.0 / 0.82).acos()).1
}

/// A biconvex stone, like those of go, of this colour. The sides differ in the
/// emblem inlaid on its top, too: a diamond or a ring.
pub(super) fn stone(side: Side, colour: Color, detail: Detail) -> PieceMeshes {
    let profile: Vec<(f32, f32)> =
        (0..=16).map(|i| stone_point(PI * (i as f32 / 16.0 - 0.5))).collect();
    let mut mesh = MeshBuilder::with_detail(detail);
    mesh.lathe(48, &[ProfileSegment(&profile, colour)]);
    add_emblem(&mut mesh, side, colour, stone_surface);
    PieceMeshes { body: mesh.build(), trim: None }
}

/// Adds the emblem of a side to the top of a stone of this colour, whose surface has
/// this height at a distance from its axis.
pub(super) fn add_emblem(
    mesh: &mut MeshBuilder,
    side: Side,
    colour: Color,
    surface: impl Fn(f32) -> f32,
) {
    let is_dark = colour.to_linear().luminance() < 0.25;
    let emblem = if is_dark { palette::IVORY } else { palette::INLAY_DARK };
    let points = |lift: f32, radii: &[f32]| -> Vec<(f32, f32)> {
        radii.iter().map(|&radius| (radius, surface(radius) + lift)).collect()
    };
    match side {
        // The flat faces of the diamond must not dip below the stone.
        Side::First => {
            let points = points(0.009, &[0.20, 0.13, 0.07, 0.0]);
            mesh.lathe(4, &[ProfileSegment(&points, emblem)]);
        }
        Side::Second => {
            let points = points(0.003, &[0.185, 0.15, 0.115]);
            mesh.lathe(48, &[ProfileSegment(&points, emblem)]);
        }
    }
}
