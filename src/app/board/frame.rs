//! The wooden frame and the bed under the squares.

use bevy::prelude::*;

use super::layout::{FRAME, Layout};
use crate::{
    app::look::{Solid, palette, tabletop::TABLE_Y},
    games::Side,
};

/// How high the frame stands over the squares.
pub(super) const FRAME_Y: f32 = 0.035;

/// Four mitred bars with a bevel and a thin light line, and the dark bed.
pub(super) fn frame(layout: &Layout) -> Mesh {
    let inner = layout.half() + 0.012;
    let outer = layout.half() + FRAME;
    let bevel = 0.06;
    let mut solid = Solid::new();
    let corner = |i: usize, half: Vec2, y: f32| {
        let (x, z) = [(-1.0, 1.0), (1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)][i % 4];
        Vec3::new(x * half.x, y, z * half.y)
    };
    for i in 0..4 {
        // Grain runs along each bar.
        let along = move |at: Vec3| {
            let at = if i % 2 == 0 { Vec2::new(at.x, at.z) } else { Vec2::new(at.z, at.x) };
            at * Vec2::new(0.07, 0.45) + Vec2::splat(i as f32 * 0.31)
        };
        let mut bar = |from: (Vec2, f32), to: (Vec2, f32), colour: Color| {
            solid.polygon_with_uv(
                &[
                    corner(i, from.0, from.1),
                    corner(i + 1, from.0, from.1),
                    corner(i + 1, to.0, to.1),
                    corner(i, to.0, to.1),
                ],
                along,
                colour,
            );
        };
        let line_out = inner + 0.085;
        let line_in = inner + 0.055;
        bar((outer, TABLE_Y), (outer, FRAME_Y - bevel), palette::WALNUT);
        bar((outer, FRAME_Y - bevel), (outer - bevel, FRAME_Y), palette::WALNUT);
        bar((outer - bevel, FRAME_Y), (line_out, FRAME_Y), palette::WALNUT);
        bar((line_out, FRAME_Y), (line_in, FRAME_Y), palette::INLAY_LIGHT);
        bar((line_in, FRAME_Y), (inner, FRAME_Y), palette::WALNUT);
        bar((inner, FRAME_Y), (inner, -0.2), palette::GROOVE);
    }
    let bed: Vec<Vec3> = (0..4).map(|i| corner(i, inner, super::BED_Y)).collect();
    solid.polygon(&bed, palette::GROOVE);
    solid.build_for_relief()
}

/// Room round a captured piece in its tray.
const ROOM: f32 = 0.34;
/// How thick a tray's rim is, and how high over the table.
const RIM: (f32, f32) = (0.07, 0.08);

/// A shallow tray for the captured pieces of each side, as long as `captives`
/// of them need.
pub(super) fn trays(layout: &Layout, captives: [usize; 2]) -> Mesh {
    let mut solid = Solid::new();
    for side in Side::BOTH {
        let places = (0..captives[side.index()]).map(|n| layout.tray(side, n).xz());
        let mut bounds = Rect::EMPTY;
        for place in places {
            bounds = bounds.union_point(place);
        }
        if bounds.is_empty() && captives[side.index()] < 2 {
            continue;
        }
        let inner = bounds.inflate(ROOM);
        let outer = inner.inflate(RIM.0);
        let floor = TABLE_Y + 0.004;
        let flat = |rect: Rect, y: f32| {
            [
                Vec3::new(rect.min.x, y, rect.max.y),
                Vec3::new(rect.max.x, y, rect.max.y),
                Vec3::new(rect.max.x, y, rect.min.y),
                Vec3::new(rect.min.x, y, rect.min.y),
            ]
        };
        let along = |at: Vec3| Vec2::new(at.x * 0.09, at.z * 0.4);
        solid.polygon_with_uv(&flat(inner, floor), along, palette::FELT);
        let top = TABLE_Y + RIM.1;
        let rings = [flat(outer, TABLE_Y), flat(outer, top), flat(inner, top), flat(inner, floor)];
        for pair in rings.windows(2) {
            for i in 0..4 {
                let j = (i + 1) % 4;
                let bar = [pair[0][i], pair[0][j], pair[1][j], pair[1][i]];
                solid.polygon_with_uv(&bar, along, palette::WALNUT);
            }
        }
    }
    solid.build_for_relief()
}
