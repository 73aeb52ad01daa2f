//! Where a thing is on its way: pure functions of the part of its time that has
//! passed. Lifted, carried, set down with weight; knocked aside; dropped; risen.

use std::f32::consts::{PI, TAU};

use bevy::prelude::*;

use crate::{app::scene::layout::Layout, games::Square, table::PieceKind};

/// The part of its time after which a stone that is put down touches the board.
pub(super) const LANDING: f32 = 0.68;

/// A way over the board.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MovePath {
    points: Vec<Vec3>,
    lift: f32,
    hops: bool,
}

impl MovePath {
    /// Tablut's pieces slide just over the wood; Tablan's runners are carried
    /// over the heads of the others and dip at every square, so that the
    /// squares can be counted.
    pub(super) fn of(path: &[Square], figure: PieceKind, layout: &Layout) -> Self {
        let points = path.iter().map(|&at| layout.place(at)).collect();
        match figure {
            PieceKind::Runner(_) => Self { points, lift: 0.80, hops: true },
            _ => Self { points, lift: 0.20, hops: false },
        }
    }

    /// The last two points.
    pub(super) fn last_step(&self) -> Option<[Vec3; 2]> {
        self.points.last_chunk().copied()
    }

    fn distance(&self) -> f32 {
        self.points.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
    }

    pub(super) fn length(&self) -> f32 {
        let distance = self.distance();
        if self.hops { 0.55 + 0.15 * distance } else { 0.50 + 0.075 * distance }
    }

    /// The point `distance` along the way.
    fn at(&self, mut distance: f32) -> Vec3 {
        for pair in self.points.windows(2) {
            let step = pair[0].distance(pair[1]);
            if distance <= step {
                return pair[0].lerp(pair[1], distance / step.max(1e-6));
            }
            distance -= step;
        }
        self.points.last().copied().unwrap_or_default()
    }
}

fn ease(t: f32) -> f32 {
    t * t * (3.0 - 2.0 * t)
}

/// How long a piece settles after it was set down.
pub(super) const SETTLING: f32 = 0.16;
/// How far a piece leans into its way, and rocks when it is set down.
const LEAN: f32 = 0.10;

/// A piece on its way: lifted, carried at a lean, set down with weight, settled.
pub(crate) fn on_the_way(way: &MovePath, part: f32) -> Transform {
    if part >= 1.0 {
        return Transform::from_translation(way.at(f32::INFINITY));
    }
    let seconds = part * way.length();
    let landing = way.length() - SETTLING;
    let (up, down) = if way.hops { (0.2, 0.17) } else { (0.13, 0.11) };
    // It is carried from a little after it is lifted to a little before it lands.
    let carried = landing - 0.6 * up - 0.35 * down;
    let along = ((seconds - 0.6 * up) / carried).clamp(0.0, 1.0);
    let pace = |along: f32| if way.hops { gentle(along) } else { ease(along) };
    let distance = way.distance() * pace(along);
    // Let go of, it falls ever faster.
    let fall = ((seconds - landing + down) / down).clamp(0.0, 1.0);
    let rise = ease((seconds / up).min(1.0)).min(1.0 - fall * fall);
    let dip = if way.hops { 0.10 * (PI * distance).sin().abs() } else { 0.0 };
    let settled = ((seconds - landing) / SETTLING).clamp(0.0, 1.0);
    let rebound = if settled > 0.0 { 0.022 * (PI * settled).sin() * (1.0 - settled) } else { 0.0 };
    let at = way.at(distance) + Vec3::Y * ((way.lift + dip) * rise + rebound);

    let ahead = way.at(distance + 0.05) - way.at((distance - 0.05).max(0.0));
    let axis = Vec3::Y.cross(ahead).normalize_or_zero();
    // As it speeds up it leans back, as it slows down on; set down it rocks.
    let speeding =
        pace((along + 0.06).min(1.0)) + pace((along - 0.06).max(0.0)) - 2.0 * pace(along);
    let lean = if settled > 0.0 {
        0.5 * LEAN * (TAU * settled).sin() * (1.0 - settled).powi(2)
    } else {
        -LEAN * (speeding * 60.0).clamp(-1.0, 1.0) * rise
    };
    let rotation =
        if axis == Vec3::ZERO { Quat::IDENTITY } else { Quat::from_axis_angle(axis, lean) };
    Transform::from_translation(at).with_rotation(rotation)
}

/// Starts and ends softly, even in between.
fn gentle(t: f32) -> f32 {
    let soft = 0.12;
    let full = 1.0 - soft;
    if t < soft {
        t * t / (2.0 * soft * full)
    } else if t > full {
        1.0 - (1.0 - t) * (1.0 - t) / (2.0 * soft * full)
    } else {
        (t - soft / 2.0) / full
    }
}

/// The part of its time in which a captured piece is knocked aside.
pub(super) const KNOCKED: f32 = 0.24;

/// A captured piece: knocked the way the captor pushes, then picked up and
/// stood in its place in the tray.
pub(crate) fn leaving(from: Vec3, push: Vec3, there: &Transform, part: f32) -> Transform {
    let hit = (part / KNOCKED).min(1.0);
    let knock = 1.0 - (1.0 - hit).powi(2);
    let carried = ((part - KNOCKED) / (1.0 - KNOCKED)).clamp(0.0, 1.0);
    let t = ease(carried);
    let aside = push * 0.26 * knock;
    let lift = 1.25 * (PI * carried.powf(0.8)).sin().max(0.0);
    let axis = Vec3::Y.cross(push).normalize_or_zero();
    let tilt = 0.55 * knock * (1.0 - t);
    let rotation =
        if axis == Vec3::ZERO { Quat::IDENTITY } else { Quat::from_axis_angle(axis, tilt) };
    // Tilted it stands on its rim, which must not sink into the board.
    let rim = 0.30 * tilt.sin();
    let place = (from + aside).lerp(there.translation, t);
    Transform::from_translation(place + Vec3::Y * (lift + rim * (1.0 - t)))
        .with_rotation(rotation)
        .with_scale(Vec3::ONE.lerp(there.scale, t))
}

/// A stone put down: it falls, and hardly bounces.
pub(crate) fn dropping(place: Vec3, part: f32) -> Transform {
    let height = if part < LANDING {
        let t = part / LANDING;
        1.2 * (1.0 - t * t)
    } else {
        let t = (part - LANDING) / (1.0 - LANDING);
        0.07 * 4.0 * t * (1.0 - t)
    };
    let size = 0.6 + 0.4 * (part / 0.3).min(1.0);
    Transform::from_translation(place + Vec3::Y * height).with_scale(Vec3::splat(size))
}

/// A pavilion growing out of its square, a little too high for a moment.
pub(crate) fn rising(place: Vec3, part: f32) -> Transform {
    let over = 1.3;
    let t = part - 1.0;
    let height = 1.0 + (over + 1.0) * t * t * t + over * t * t;
    let wide = 0.7 + 0.3 * ease(part);
    Transform::from_translation(place).with_scale(Vec3::new(wide, height.max(0.02), wide))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Side;

    fn layout() -> Layout {
        Layout { files: 9, ranks: 9, sticks: false }
    }

    fn square(name: &str) -> Square {
        name.parse().unwrap_or(Square::new(0, 0))
    }

    #[test]
    fn a_way_begins_and_ends_on_its_squares() {
        let layout = layout();
        for figure in [PieceKind::King, PieceKind::Runner(Side::First)] {
            let path = [square("a1"), square("b1"), square("b2")];
            let way = MovePath::of(&path, figure, &layout);
            let begin = on_the_way(&way, 0.0).translation;
            let end = on_the_way(&way, 1.0).translation;
            assert!(begin.distance(layout.place(path[0])) < 1e-4, "{begin}");
            assert!(end.distance(layout.place(path[2])) < 1e-4, "{end}");
            for part in 1..100 {
                let here = on_the_way(&way, part as f32 / 100.0).translation;
                let before = on_the_way(&way, (part - 1) as f32 / 100.0).translation;
                assert!(here.distance(before) < 0.2, "{figure:?} leaps at {part}");
                assert!(here.y >= 0.0);
            }
        }
    }

    #[test]
    fn what_leaves_and_what_arrives_ends_in_its_place() {
        let there = Transform::from_xyz(3.0, -0.3, -6.0).with_scale(Vec3::splat(0.8));
        let end = leaving(Vec3::ZERO, Vec3::X, &there, 1.0);
        assert!(end.rotation.angle_between(Quat::IDENTITY) < 1e-4);
        assert!(end.translation.distance(there.translation) < 1e-4);
        assert!(end.scale.distance(there.scale) < 1e-4);
        for end in [dropping(Vec3::X, 1.0), rising(Vec3::X, 1.0)] {
            assert!(end.translation.distance(Vec3::X) < 1e-4);
            assert!(end.scale.distance(Vec3::ONE) < 1e-4);
        }
    }
}
