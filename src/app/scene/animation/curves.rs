//! Animation curves of pieces: pure functions from time to transform.
//!
//! Every function takes a time `t` from 0 to 1. Pieces are lifted, carried and
//! set down; captured pieces are knocked aside and carried to their tray; stones
//! drop; pavilions rise.

use std::f32::consts::{PI, TAU};

use crate::app::scene::{look::textures::smoothstep, pieces::TRAY_SCALE, prelude::*};

/// Time until which a stone is carried over its square, and at which it hits the board.
const CARRIED: f32 = 0.62;
pub(super) const DROP_IMPACT: f32 = 0.80;
/// How high over its square a stone is let go.
const DROP_HEIGHT: f32 = 0.55;

/// A piece's path over the board: a polyline.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MovePath {
    points: Vec<Vec3>,
    /// How high the piece is carried.
    lift: f32,
    /// Whether the piece dips over every square.
    hops: bool,
    /// Whether it is set down by the hand that holds it.
    from_hand: bool,
}

/// How long a piece settles that the hand has dropped on its square, in seconds.
pub(super) const FROM_HAND_TIME: f32 = 0.09;
/// How long a piece glides that was dropped where it may not stand, in seconds.
pub(super) const GLIDE_HOME_TIME: f32 = 0.18;

impl MovePath {
    /// Most pieces are carried just above the board. Tablan's runners are carried
    /// above the others and dip over every square, so that the player can count
    /// them.
    pub(super) fn new(path: &[Square], kind: PieceKind, layout: &BoardLayout) -> Self {
        let points = path.iter().map(|&at| layout.square_centre(at)).collect();
        match kind {
            PieceKind::Runner(_) => Self { points, lift: 0.80, hops: true, from_hand: false },
            _ => Self { points, lift: 0.20, hops: false, from_hand: false },
        }
    }

    /// The path of a piece that the hand sets down.
    pub(super) fn from_hand(hand: Vec3, square: Vec3) -> Self {
        Self { points: vec![hand, square], lift: 0.0, hops: false, from_hand: true }
    }

    /// The same path; a piece in the hand starts where it is held.
    pub(super) fn starting_at(&self, here: Vec3) -> Self {
        match *self.points {
            [_, square] if self.from_hand => Self::from_hand(here, square),
            _ => self.clone(),
        }
    }

    /// The last two points.
    pub(super) fn last_step(&self) -> Option<[Vec3; 2]> {
        self.points.last_chunk().copied()
    }

    fn distance(&self) -> f32 {
        self.points.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
    }

    /// How long the move takes, in seconds.
    pub(super) fn duration(&self) -> f32 {
        let distance = self.distance();
        if self.from_hand {
            // The first half of a pair of moves is there already.
            if distance < SET_DOWN { 0.0 } else { FROM_HAND_TIME }
        } else if self.hops {
            0.55 + 0.15 * distance
        } else {
            0.50 + 0.075 * distance
        }
    }

    /// When the piece touches its last square, from 0 to 1.
    pub(super) fn landing(&self) -> f32 {
        if self.from_hand { 1.0 } else { 1.0 - SETTLE_TIME / self.duration() }
    }

    /// The point at a distance along the path.
    fn point_at(&self, mut distance: f32) -> Vec3 {
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

/// A piece that is held nearer to its square, in squares, is set down.
const SET_DOWN: f32 = 0.01;

/// How long a piece settles at the end of its move, in seconds.
const SETTLE_TIME: f32 = 0.16;
/// The largest angle at which a moving piece leans, in radians.
const MAX_LEAN: f32 = 0.10;

/// A moving piece: lifted, carried with a lean against its acceleration, set
/// down, settled.
pub(super) fn move_transform(path: &MovePath, t: f32) -> Transform {
    if t >= 1.0 {
        return Transform::from_translation(path.point_at(f32::INFINITY));
    }
    if path.from_hand {
        let carried = EaseFunction::CubicInOut.sample_clamped(t);
        return Transform::from_translation(path.point_at(path.distance() * carried));
    }
    let seconds = t * path.duration();
    let landing = path.duration() - SETTLE_TIME;
    let (up, down) = if path.hops { (0.2, 0.17) } else { (0.13, 0.11) };
    // Carrying overlaps with lifting and setting down.
    let carry_time = landing - 0.6 * up - 0.35 * down;
    let carried = ((seconds - 0.6 * up) / carry_time).clamp(0.0, 1.0);
    let ease = |t: f32| if path.hops { trapezoidal(t) } else { smoothstep(t) };
    let distance = path.distance() * ease(carried);
    // Set down, it accelerates like a falling body.
    let fall = ((seconds - landing + down) / down).clamp(0.0, 1.0);
    let rise = smoothstep((seconds / up).min(1.0)).min(1.0 - fall * fall);
    let dip = if path.hops { 0.10 * (PI * distance).sin().abs() } else { 0.0 };
    let settled = ((seconds - landing) / SETTLE_TIME).clamp(0.0, 1.0);
    let rebound = if settled > 0.0 { 0.022 * (PI * settled).sin() * (1.0 - settled) } else { 0.0 };
    let position = path.point_at(distance) + Vec3::Y * ((path.lift + dip) * rise + rebound);

    let forward = path.point_at(distance + 0.05) - path.point_at((distance - 0.05).max(0.0));
    // The second difference of the distance.
    let acceleration =
        ease((carried + 0.06).min(1.0)) + ease((carried - 0.06).max(0.0)) - 2.0 * ease(carried);
    let lean = if settled > 0.0 {
        0.5 * MAX_LEAN * (TAU * settled).sin() * (1.0 - settled).powi(2)
    } else {
        -MAX_LEAN * (acceleration * 60.0).clamp(-1.0, 1.0) * rise
    };
    Transform::from_translation(position).with_rotation(tilt_towards(forward, lean))
}

/// A rotation from upright towards a horizontal direction.
fn tilt_towards(direction: Vec3, angle: f32) -> Quat {
    let axis = Vec3::Y.cross(direction).normalize_or_zero();
    if axis == Vec3::ZERO { Quat::IDENTITY } else { Quat::from_axis_angle(axis, angle) }
}

/// Eases with constant acceleration at both ends and constant speed in between
/// (a trapezoidal velocity profile).
fn trapezoidal(t: f32) -> f32 {
    let ramp = 0.12;
    let rest = 1.0 - ramp;
    if t < ramp {
        t * t / (2.0 * ramp * rest)
    } else if t > rest {
        1.0 - (1.0 - t) * (1.0 - t) / (2.0 * ramp * rest)
    } else {
        (t - ramp / 2.0) / rest
    }
}

/// Time until which a captured piece is knocked aside.
pub(super) const KNOCK_TIME: f32 = 0.24;

/// How high a captured piece is carried over the others: the king is 0.87 high.
const CLEARANCE: f32 = 1.1;

/// A captured piece: knocked in the direction of `push`, lifted over the others, carried to its
/// place in the tray and set down there.
pub(super) fn capture_transform(from: Vec3, push: Vec3, to: &Transform, t: f32) -> Transform {
    let knock = 1.0 - (1.0 - (t / KNOCK_TIME).min(1.0)).powi(2);
    let carried = ((t - KNOCK_TIME) / (1.0 - KNOCK_TIME)).clamp(0.0, 1.0);
    let part =
        |start: f32, end: f32| smoothstep(((carried - start) / (end - start)).clamp(0.0, 1.0));
    let (lifted, along, lowered) = (part(0.0, 0.3), part(0.15, 0.85), part(0.8, 1.0));
    let knocked = from + push * 0.26 * knock;
    let tilt = 0.55 * knock * (1.0 - along);
    // A tilted piece stands on its rim, which must not sink into the board.
    let rim = 0.30 * tilt.sin() * (1.0 - along);
    let height = (from.y + CLEARANCE * lifted).lerp(to.translation.y, lowered) + rim;
    Transform::from_translation(knocked.lerp(to.translation, along).with_y(height))
        .with_rotation(tilt_towards(push, tilt))
        .with_scale(Vec3::ONE.lerp(to.scale, along))
}

/// A placed stone: carried from beside the board, let go over its square, it bounces once.
pub(super) fn place_transform(from: Vec3, square: Vec3, t: f32) -> Transform {
    let carried = smoothstep((t / CARRIED).min(1.0));
    let fall = ((t - CARRIED) / (DROP_IMPACT - CARRIED)).clamp(0.0, 1.0);
    let bounce = ((t - DROP_IMPACT) / (1.0 - DROP_IMPACT)).clamp(0.0, 1.0);
    let arc = 0.6 * (PI * carried).sin();
    let height = DROP_HEIGHT * (carried - fall * fall) + arc + 0.28 * bounce * (1.0 - bounce);
    Transform::from_translation(from.lerp(square, carried) + Vec3::Y * height)
        .with_scale(Vec3::splat(TRAY_SCALE.lerp(1.0, carried)))
}

/// A pavilion that rises out of its square and overshoots its height.
pub(super) fn rise_transform(place: Vec3, t: f32) -> Transform {
    let height = EaseFunction::BackOut.sample_clamped(t);
    let width = 0.7 + 0.3 * smoothstep(t);
    Transform::from_translation(place).with_scale(Vec3::new(width, height.max(0.02), width))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::scene::{
        components::{Captured, Owner},
        pieces::tray_transform,
    };

    fn layout() -> BoardLayout {
        BoardLayout { files: 9, ranks: 9, sticks: false }
    }

    fn square(name: &str) -> Square {
        name.parse().unwrap_or(Square::new(0, 0))
    }

    #[test]
    fn a_move_starts_and_ends_on_its_squares_without_jumps() {
        let layout = layout();
        for kind in [PieceKind::King, PieceKind::Runner(Side::First)] {
            let squares = [square("a1"), square("b1"), square("b2")];
            let path = MovePath::new(&squares, kind, &layout);
            let start = move_transform(&path, 0.0).translation;
            let end = move_transform(&path, 1.0).translation;
            assert!(start.distance(layout.square_centre(squares[0])) < 1e-4, "{start}");
            assert!(end.distance(layout.square_centre(squares[2])) < 1e-4, "{end}");
            for percent in 1..100 {
                let here = move_transform(&path, percent as f32 / 100.0).translation;
                let before = move_transform(&path, (percent - 1) as f32 / 100.0).translation;
                assert!(here.distance(before) < 0.2, "{kind:?} jumps at {percent}");
                assert!(here.y >= 0.0);
            }
        }
    }

    #[test]
    fn captures_and_arrivals_end_exactly_in_place() {
        let tray = Transform::from_xyz(3.0, -0.3, -6.0).with_scale(Vec3::splat(0.8));
        let end = capture_transform(Vec3::ZERO, Vec3::X, &tray, 1.0);
        assert!(end.rotation.angle_between(Quat::IDENTITY) < 1e-4);
        assert!(end.translation.distance(tray.translation) < 1e-4);
        assert!(end.scale.distance(tray.scale) < 1e-4);
        for end in [place_transform(Vec3::Z, Vec3::X, 1.0), rise_transform(Vec3::X, 1.0)] {
            assert!(end.translation.distance(Vec3::X) < 1e-4);
            assert!(end.scale.distance(Vec3::ONE) < 1e-4);
        }
    }

    #[test]
    fn a_captured_piece_is_carried_over_the_pieces_on_its_way() {
        let layout = layout();
        let squares = (0..9).flat_map(|file| (0..9).map(move |rank| Square::new(file, rank)));
        let squares: Vec<Vec3> = squares.map(|square| layout.square_centre(square)).collect();
        // Twice the radius of a piece, and the height of the king.
        let (apart, height) = (0.6, 0.87);
        for side in Side::BOTH {
            let to = tray_transform(&layout, Owner(side), Captured { slot: 15 });
            for (from, push) in squares.iter().flat_map(|from| [(from, Vec3::X), (from, Vec3::Z)]) {
                for percent in 0..=100 {
                    let at = capture_transform(*from, push, &to, percent as f32 / 100.0);
                    let at = at.translation;
                    let touches = |other: &&Vec3| {
                        *other != from && at.with_y(0.0).distance(other.with_y(0.0)) < apart
                    };
                    let touched = squares.iter().find(touches);
                    assert!(touched.is_none() || at.y >= height, "{from} {push} {percent}: {at}");
                }
            }
        }
    }

    #[test]
    fn a_stone_comes_from_beside_the_board_and_falls_onto_its_square() {
        let (from, square) = (Vec3::new(5.0, -0.36, 3.0), Vec3::new(-1.5, 0.0, 0.5));
        let at = |t: f32| place_transform(from, square, t);
        assert!(at(0.0).translation.distance(from) < 1e-4, "{:?}", at(0.0));
        let over = at(CARRIED).translation;
        assert!(over.distance(square + Vec3::Y * DROP_HEIGHT) < 1e-3, "{over}");
        assert!(at(DROP_IMPACT).translation.distance(square) < 1e-3, "the sound is due");
        for percent in 1..=100 {
            let [before, here] =
                [percent - 1, percent].map(|percent| at(percent as f32 / 100.0).translation);
            assert!(here.distance(before) < 0.3 && here.y >= from.y, "{percent}: {here}");
        }
    }
}
