//! The meshes of highlights and arrows.

use std::f32::consts::FRAC_PI_2;

use super::MarkKind;
use crate::{
    app::scene::{
        look::{
            MeshBuilder,
            mesh_builder::rectangle,
            palette::{
                DRAWN_BLUE, DRAWN_GREEN, DRAWN_RED, DRAWN_YELLOW, HIGHLIGHT_CURSOR,
                HIGHLIGHT_CURSOR_EDGE, HIGHLIGHT_GLEAM, HIGHLIGHT_HINTED, HIGHLIGHT_HOVERED,
                HIGHLIGHT_LAST_MOVE, HIGHLIGHT_LAST_MOVE_EDGE, HIGHLIGHT_OUTLINE,
                HIGHLIGHT_REACHABLE, HIGHLIGHT_REACHABLE_EDGE, HIGHLIGHT_SELECTABLE,
                HIGHLIGHT_SELECTED, HIGHLIGHT_WARNED, mark_color,
            },
        },
        prelude::*,
    },
    records::ShapeColor,
};

/// Width of the dark outline of light highlights.
const OUTLINE: f32 = 0.014;

/// The shape of a kind of highlight about the origin.
pub(super) fn mark_mesh(kind: MarkKind) -> Mesh {
    let mut mesh = MeshBuilder::new();
    match kind {
        MarkKind::CorridorOpen => frame(&mut mesh, 0.44, 0.05, HIGHLIGHT_SELECTED),
        MarkKind::CorridorFilled => {
            let fill = HIGHLIGHT_SELECTED.with_alpha(0.42);
            mesh.polygon(&rectangle(Vec3::ZERO, Vec2::splat(0.47)), fill);
            frame(&mut mesh, 0.475, 0.06, HIGHLIGHT_SELECTED);
        }
        MarkKind::LastMoveFrom => strong_corners(&mut mesh),
        MarkKind::LastMove => {
            glow(&mut mesh, HIGHLIGHT_LAST_MOVE);
            strong_corners(&mut mesh);
        }
        MarkKind::Placed => {
            glow(&mut mesh, HIGHLIGHT_LAST_MOVE);
            for at in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
                // Within the square: beyond it a frame would cover them.
                let at = 0.36 * Vec3::new(at.0, 0.0, at.1);
                for (margin, colour) in [
                    (OUTLINE, HIGHLIGHT_OUTLINE),
                    (0.0, HIGHLIGHT_LAST_MOVE_EDGE),
                    (-0.024, HIGHLIGHT_GLEAM),
                ] {
                    let bar = Vec2::new(0.115, 0.036) + margin;
                    mesh.polygon(&rectangle(at, bar), colour);
                    mesh.polygon(&rectangle(at, bar.yx()), colour);
                }
            }
        }
        MarkKind::Captured => {
            cross(&mut mesh, 0.27 + OUTLINE, 0.045 + OUTLINE, HIGHLIGHT_OUTLINE);
            cross(&mut mesh, 0.27, 0.045, HIGHLIGHT_LAST_MOVE_EDGE);
            cross(&mut mesh, 0.245, 0.015, HIGHLIGHT_GLEAM);
        }
        MarkKind::SelectablePiece => {
            ring(&mut mesh, 0.385 - OUTLINE, 0.385, HIGHLIGHT_OUTLINE);
            ring(&mut mesh, 0.385, 0.46, HIGHLIGHT_SELECTABLE);
            ring(&mut mesh, 0.46, 0.46 + OUTLINE, HIGHLIGHT_OUTLINE);
        }
        MarkKind::SelectableSquare => {
            corners(&mut mesh, 0.455, 0.21, 0.10, HIGHLIGHT_OUTLINE);
            corners(&mut mesh, 0.42, 0.155, 0.045, HIGHLIGHT_SELECTABLE);
        }
        MarkKind::ReachableSquare => {
            mesh.annulus(Vec3::ZERO, 0.0, 0.15, 32, HIGHLIGHT_REACHABLE);
            mesh.annulus(Vec3::ZERO, 0.15, 0.185, 32, HIGHLIGHT_REACHABLE_EDGE);
        }
        MarkKind::ReachablePiece => {
            ring(&mut mesh, 0.385, 0.455, HIGHLIGHT_REACHABLE);
            ring(&mut mesh, 0.455, 0.48, HIGHLIGHT_REACHABLE_EDGE);
            ring(&mut mesh, 0.36, 0.385, HIGHLIGHT_REACHABLE_EDGE);
        }
        MarkKind::Warned => inward_triangles(&mut mesh),
        MarkKind::Selected => {
            glow(&mut mesh, HIGHLIGHT_SELECTED.with_alpha(0.30));
            frame(&mut mesh, 0.475, 0.075, HIGHLIGHT_SELECTED);
        }
        MarkKind::Hovered => frame(&mut mesh, 0.475, 0.055, HIGHLIGHT_HOVERED),
        MarkKind::Hinted => {
            ring(&mut mesh, 0.27, 0.40, HIGHLIGHT_HINTED);
            ring(&mut mesh, 0.40, 0.43, HIGHLIGHT_REACHABLE_EDGE);
            ring(&mut mesh, 0.24, 0.27, HIGHLIGHT_REACHABLE_EDGE);
            ring(&mut mesh, 0.43, 0.43 + OUTLINE, HIGHLIGHT_OUTLINE);
            ring(&mut mesh, 0.24 - OUTLINE, 0.24, HIGHLIGHT_OUTLINE);
        }
        MarkKind::GreenCircle => drawn_circle(&mut mesh, DRAWN_GREEN),
        MarkKind::RedCircle => drawn_circle(&mut mesh, DRAWN_RED),
        MarkKind::YellowCircle => drawn_circle(&mut mesh, DRAWN_YELLOW),
        MarkKind::BlueCircle => drawn_circle(&mut mesh, DRAWN_BLUE),
        MarkKind::PlayedMove => judged_circle(&mut mesh, MoveMark::Played),
        MarkKind::RightMove => judged_circle(&mut mesh, MoveMark::Right),
        MarkKind::WrongMove => judged_circle(&mut mesh, MoveMark::Wrong),
        MarkKind::Second => ranked_ring(&mut mesh, 0.07, 0.75),
        MarkKind::Third => ranked_ring(&mut mesh, 0.04, 0.5),
        MarkKind::Cursor => {
            let (half_size, length, width) = (0.50, 0.24, 0.085);
            let more = 2.0 * OUTLINE;
            let outline = HIGHLIGHT_OUTLINE;
            corners(&mut mesh, half_size + OUTLINE, length + more, width + more, outline);
            corners(&mut mesh, half_size, length, width, HIGHLIGHT_CURSOR_EDGE);
            corners(&mut mesh, 0.485, 0.21, 0.055, HIGHLIGHT_CURSOR);
        }
    }
    mesh.build()
}

/// A light within a square: strongest along its edge.
fn glow(mesh: &mut MeshBuilder, colour: Color) {
    let (half, steps) = (0.47, 6);
    let width = half / steps as f32;
    for step in 0..steps {
        let alpha = colour.alpha() * (1.25 - 0.7 * (step as f32 / steps as f32).sqrt());
        let outer = half - width * step as f32;
        mesh.square_outline(Vec3::ZERO, outer, width, colour.with_alpha(alpha.min(1.0)));
    }
}

/// A ring round the centre.
fn ring(mesh: &mut MeshBuilder, inner: f32, outer: f32, colour: Color) {
    mesh.annulus(Vec3::ZERO, inner, outer, 48, colour);
}

/// A circle that the user drew: at the edge of its square, outside all other rings.
fn drawn_circle(mesh: &mut MeshBuilder, color: Color) {
    ring(mesh, 0.425, 0.49, color);
    // A light line on dark squares, a dark one on light squares.
    ring(mesh, 0.425 - OUTLINE, 0.425, HIGHLIGHT_REACHABLE_EDGE);
    ring(mesh, 0.49, 0.49 + OUTLINE, HIGHLIGHT_OUTLINE);
}

/// A ring with a sign at its near right corner, clear of a piece.
fn judged_circle(mesh: &mut MeshBuilder, mark: MoveMark) {
    let color = mark_color(mark);
    drawn_circle(mesh, color);
    let (corner, radius) = (Vec3::new(SIGN_PLACE, 0.0, SIGN_PLACE), 0.16);
    mesh.annulus(corner, 0.0, radius + OUTLINE, 32, HIGHLIGHT_OUTLINE);
    mesh.annulus(corner, 0.0, radius, 32, color);
    let ink = if mark == MoveMark::Played { HIGHLIGHT_OUTLINE } else { HIGHLIGHT_REACHABLE_EDGE };
    for line in mark.sign() {
        for ends in line.windows(2) {
            let [from, to] =
                [ends[0], ends[1]].map(|(x, z)| corner + Vec3::new(x, 0.0, z) * radius);
            let along = (to - from).normalize_or(Vec3::X) * SIGN_WIDTH;
            let across = along.cross(Vec3::Y);
            let (from, to) = (from - along, to + along);
            mesh.polygon(&[from + across, to + across, to - across, from - across], ink);
        }
    }
}

/// How far the middle of a sign is from that of its square, in both directions.
const SIGN_PLACE: f32 = 0.37;
/// Half the width of a line of a sign.
const SIGN_WIDTH: f32 = 0.018;

const fn drawn_color(color: ShapeColor) -> Color {
    match color {
        ShapeColor::Green => DRAWN_GREEN,
        ShapeColor::Red => DRAWN_RED,
        ShapeColor::Yellow => DRAWN_YELLOW,
        ShapeColor::Blue => DRAWN_BLUE,
    }
}

/// The ring of a next-best move: thinner and paler than a hint's.
fn ranked_ring(mesh: &mut MeshBuilder, width: f32, alpha: f32) {
    ring(mesh, 0.38 - width, 0.38, HIGHLIGHT_HINTED.with_alpha(alpha));
    ring(mesh, 0.38, 0.40, HIGHLIGHT_REACHABLE_EDGE.with_alpha(alpha));
    ring(mesh, 0.40, 0.40 + OUTLINE, HIGHLIGHT_OUTLINE);
}

/// A square frame with a dark outline on both sides.
fn frame(mesh: &mut MeshBuilder, half_size: f32, width: f32, colour: Color) {
    let outline = HIGHLIGHT_OUTLINE;
    mesh.square_outline(Vec3::ZERO, half_size + OUTLINE, width + 2.0 * OUTLINE, outline);
    mesh.square_outline(Vec3::ZERO, half_size, width, colour);
}

/// The four corners of a square frame.
fn corners(mesh: &mut MeshBuilder, half_size: f32, length: f32, width: f32, colour: Color) {
    let half = half_size;
    for turn in 0..4 {
        let rotation = Quat::from_rotation_y(FRAC_PI_2 * turn as f32);
        for (min, max) in [
            (Vec2::new(-half, half - width), Vec2::new(-half + length, half)),
            (Vec2::new(-half, half - length), Vec2::new(-half + width, half - width)),
        ] {
            let bar = [(min.x, max.y), (max.x, max.y), (max.x, min.y), (min.x, min.y)]
                .map(|(x, z)| rotation * Vec3::new(x, 0.0, z));
            mesh.polygon(&bar, colour);
        }
    }
}

/// The corners of both squares of the last move, like bars of brass.
fn strong_corners(mesh: &mut MeshBuilder) {
    corners(mesh, 0.497, 0.30, 0.115, HIGHLIGHT_OUTLINE);
    corners(mesh, 0.475, 0.255, 0.07, HIGHLIGHT_LAST_MOVE_EDGE);
    corners(mesh, 0.455, 0.21, 0.024, HIGHLIGHT_GLEAM);
}

/// A diagonal cross of two bars, with this half length and half width.
fn cross(mesh: &mut MeshBuilder, half_length: f32, half_width: f32, colour: Color) {
    for turn in [0.5, 1.5] {
        let rotation = Quat::from_rotation_y(FRAC_PI_2 * turn);
        let bar = [(-1.0, 1.0), (1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)]
            .map(|(x, z)| rotation * Vec3::new(x * half_length, 0.0, z * half_width));
        mesh.polygon(&bar, colour);
    }
}

/// A triangle at each side that points to the centre, with a light edge and a
/// dark outline.
fn inward_triangles(mesh: &mut MeshBuilder) {
    for turn in 0..4 {
        let rotation = Quat::from_rotation_y(FRAC_PI_2 * turn as f32);
        for (triangle, colour) in [
            ([(-0.24, 0.498), (0.24, 0.498), (0.0, 0.28)], HIGHLIGHT_OUTLINE),
            ([(-0.21, 0.485), (0.21, 0.485), (0.0, 0.30)], HIGHLIGHT_REACHABLE_EDGE),
            ([(-0.16, 0.47), (0.16, 0.47), (0.0, 0.33)], HIGHLIGHT_WARNED),
        ] {
            mesh.polygon(&triangle.map(|(x, z)| rotation * Vec3::new(x, 0.0, z)), colour);
        }
    }
}

/// An arrow from the origin, which is the centre of its first square. A long one ends
/// short of both centres, so that the pieces there stay visible.
pub(super) fn arrow_mesh(from: Vec3, to: Vec3, arrow: Arrow) -> Mesh {
    let (half_width, colour, edge) = match arrow {
        Arrow::Hint(..) => (0.085, HIGHLIGHT_HINTED, HIGHLIGHT_REACHABLE_EDGE),
        Arrow::Ranked(_, _, rank) => {
            let (half_width, alpha) = if rank < 2 { (0.06, 0.8) } else { (0.045, 0.65) };
            let edge = HIGHLIGHT_REACHABLE_EDGE.with_alpha(alpha);
            (half_width, HIGHLIGHT_HINTED.with_alpha(alpha), edge)
        }
        Arrow::Warning(..) => (0.04, HIGHLIGHT_WARNED, HIGHLIGHT_REACHABLE_EDGE),
        Arrow::Drawn(_, _, color) => (0.07, drawn_color(color), HIGHLIGHT_OUTLINE),
        Arrow::Moved(_, _, side) => return way_mesh(&[Vec3::ZERO, to - from], side, Side::First),
    };
    let length = (to - from).length();
    let along = (to - from).normalize_or(Vec3::X);
    let across = along.cross(Vec3::Y);
    // To the next square, a shaft would be hidden under the piece: the arrow begins
    // at its foot and ends beyond the middle of the other square.
    let is_short = length < 1.5;
    let head_length = if is_short { 0.30 + half_width } else { 5.0 * half_width };
    let start = if is_short { 0.30 } else { 0.18 };
    let tip = if is_short { length + 0.24 } else { length - 0.06 };
    let neck = (tip - head_length).max(start);
    let at = |forward: f32, side: f32, up: f32| along * forward + across * side + Vec3::Y * up;
    let mut mesh = MeshBuilder::new();
    // The light edge is the same arrow, larger and below.
    for (margin, up, colour) in [(0.025, 0.0, edge), (0.0, 0.002, colour)] {
        let half = half_width + margin;
        let shaft = [
            at(start - margin, half, up),
            at(neck, half, up),
            at(neck, -half, up),
            at(start - margin, -half, up),
        ];
        mesh.polygon(&shaft, colour);
        let wing = head_length * 0.6 + 1.6 * margin;
        let head = [
            at(neck - margin, wing, up),
            at(tip + 2.0 * margin, 0.0, up),
            at(neck - margin, -wing, up),
        ];
        mesh.polygon(&head, colour);
    }
    mesh.build()
}

/// How far the ways of a pair of pieces lie beside the middle of the squares: beyond the feet
/// of the pieces there, on the side of the player, where no piece of the row hides them.
const WAY_LANES: [f32; 2] = [0.365, 0.452];
/// Where a way has reached its lane, and where it leaves it, from the middle of its first
/// square and of its last.
const WAY_ENTRY: f32 = 0.42;
const WAY_EXIT: f32 = 0.62;
/// How far from the middle of a square a way ends: at the foot of the piece that went there.
const WAY_END: f32 = 0.335;

/// The places through which a way runs beside the middle of its squares. To the next square it
/// is straight.
fn lane(way: &[Vec3], side: i8, near: Side) -> Vec<Vec3> {
    if matches!(way, [one, next] if one.distance(*next) < 1.5) {
        return way.to_vec();
    }
    let shift = WAY_LANES[usize::from(side > 0)] * if near == Side::First { 1.0 } else { -1.0 };
    let is_along_x = |a: &Vec3, b: &Vec3| (b.x - a.x).abs() > (b.z - a.z).abs();
    let mut places = way.to_vec();
    for (index, pair) in way.windows(2).enumerate() {
        let beside = if is_along_x(&pair[0], &pair[1]) { Vec3::Z } else { Vec3::X } * shift;
        for end in [index, index + 1] {
            // A corner lies beside both of its lines.
            let moved = places[end] - way[end];
            places[end] = way[end] + moved.abs().max(beside.abs()) * shift.signum();
        }
    }
    let [first, second, ..] = way else { return places };
    let [.., before, last] = way else { return places };
    let from_first = *second - *first;
    let to_last = (*last - *before).normalize_or(Vec3::X);
    let count = places.len();
    places[0] += WAY_ENTRY * from_first.normalize_or(Vec3::X);
    places[count - 1] -= WAY_EXIT * to_last;
    places.insert(0, *first);
    places.push(*last);
    places
}

/// The way of a moved piece through these places, relative to the first: a line from a disc in
/// the square it left to the foot of the piece. It passes before other pieces, as the player at
/// `near` sees them. Of a pair, the disc of the way on side -1 has a Roman one, for the first,
/// and the other has a two.
pub(super) fn way_mesh(way: &[Vec3], side: i8, near: Side) -> Mesh {
    let places = lane(way, side, near);
    let mut mesh = MeshBuilder::new();
    let (Some(first), Some(end)) = (places.first(), places.last()) else { return mesh.build() };
    for (margin, up, colour) in
        [(0.016, 0.0, HIGHLIGHT_OUTLINE), (0.0, 0.0003, HIGHLIGHT_LAST_MOVE_EDGE)]
    {
        let half = 0.022 + margin;
        let up = Vec3::Y * up;
        let disc = if side == 0 { 0.075 } else { 0.205 };
        mesh.annulus(*first + up, 0.0, disc + margin, 32, colour);
        for corner in &places[1..places.len() - 1] {
            mesh.annulus(*corner + up, 0.0, half, 16, colour);
        }
        for pair in places.windows(2) {
            let (from, mut to) = (pair[0], pair[1]);
            let along = (to - from).normalize_or(Vec3::X);
            let across = along.cross(Vec3::Y);
            if to == *end {
                let tip = to - along * WAY_END;
                to = tip - along * 0.19;
                let (wing, back) = (across * (0.105 + 1.5 * margin), to - along * margin + up);
                mesh.polygon(
                    &[back + wing, tip + along * (1.8 * margin) + up, back - wing],
                    colour,
                );
            }
            let side = across * half;
            mesh.polygon(
                &[from + side + up, to + side + up, to - side + up, from - side + up],
                colour,
            );
        }
    }
    let strokes: &[f32] = match side {
        0 => &[],
        ..0 => &[0.0],
        1.. => &[-0.055, 0.055],
    };
    let mut bar = |x: f32, z: f32, half: Vec2| {
        let at = *first + Vec3::new(x, 0.0006, z);
        mesh.polygon(&rectangle(at, half), HIGHLIGHT_OUTLINE);
    };
    for stroke in strokes {
        bar(*stroke, 0.0, Vec2::new(0.024, 0.115));
    }
    if let Some(last) = strokes.last() {
        for z in [-0.115, 0.115] {
            bar(0.0, z, Vec2::new(last + 0.055, 0.017));
        }
    }
    mesh.build()
}
