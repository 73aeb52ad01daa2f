//! Shapes to draw with: how far a point lies from each, in squares, negative
//! within.

use bevy::math::Vec2;

use super::PIXEL;

/// How much of a pixel a shape covers whose edge lies that far off.
pub(super) fn cover(distance: f32) -> f32 {
    (0.5 - distance / PIXEL).clamp(0.0, 1.0)
}

/// [`cover`] with an edge that runs out over `soft`.
pub(super) fn soft(distance: f32, soft: f32) -> f32 {
    let t = (0.5 - distance / soft).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// A ring, its line `half` wide to each side.
pub(super) fn ring(at: Vec2, radius: f32, half: f32) -> f32 {
    (at.length() - radius).abs() - half
}

/// A square that stands straight.
pub(super) fn block(at: Vec2, half: f32) -> f32 {
    at.x.abs().max(at.y.abs()) - half
}

/// The line round such a square.
pub(super) fn rim(at: Vec2, radius: f32, half: f32) -> f32 {
    block(at, radius).abs() - half
}

/// A square that stands on a corner; of another length along x if stretched.
pub(super) fn diamond(at: Vec2, half: Vec2) -> f32 {
    let at = at.abs() / half;
    (at.x + at.y - 1.0) * half.min_element() * 0.8
}

/// The line round such a square.
pub(super) fn diamond_rim(at: Vec2, half: f32, line: f32) -> f32 {
    ((at.x.abs() + at.y.abs() - half) * 0.7).abs() - line
}

/// The point as it would lie in the first of `parts` equal parts of a wheel,
/// that one round the x axis; and which part it was.
pub(super) fn wheel(at: Vec2, parts: u8) -> (Vec2, i32) {
    let part = std::f32::consts::TAU / f32::from(parts);
    let number = (at.to_angle() / part).round();
    (Vec2::from_angle(-number * part).rotate(at), number as i32)
}

/// A straight line with round ends.
pub(super) fn stroke(at: Vec2, from: Vec2, to: Vec2, half: f32) -> f32 {
    let (along, way) = (to - from, at - from);
    let share = (way.dot(along) / along.length_squared()).clamp(0.0, 1.0);
    (way - along * share).length() - half
}

/// A chevron that points along `way`, its tip `tip` from the middle.
pub(super) fn chevron(at: Vec2, way: Vec2, tip: f32, wide: f32, half: f32) -> f32 {
    let (along, across) = (at.dot(way), at.dot(way.perp()).abs());
    let line = (along + across - tip).abs() * 0.7 - half;
    line.max(across - wide)
}

/// A row of teeth along a line at y = 0, pointing to negative y.
pub(super) fn teeth(at: Vec2, wide: f32, high: f32) -> f32 {
    let phase = (at.x / wide).rem_euclid(1.0);
    let tooth = high * (1.0 - (2.0 * phase - 1.0).abs());
    let slope = (high * 2.0 / wide).hypot(1.0);
    ((-at.y - tooth) / slope).max(at.y)
}

/// A square looped at its four corners, a sign of the north.
pub(super) fn looped(at: Vec2, half: f32, line: f32) -> f32 {
    let at = at.abs();
    let loops = ring(at - Vec2::splat(half * 1.36), half * 0.36, line);
    let long = Vec2::new(half * 1.36, half);
    let bars = stroke(at, Vec2::new(0.0, long.y), long, line).min(stroke(
        at,
        Vec2::new(long.y, 0.0),
        Vec2::new(long.y, long.x),
        line,
    ));
    loops.min(bars)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_lie_where_they_should() {
        assert!(ring(Vec2::new(0.3, 0.0), 0.3, 0.01) < 0.0);
        assert!(ring(Vec2::ZERO, 0.3, 0.01) > 0.2);
        assert!(diamond(Vec2::new(0.0, 0.19), Vec2::splat(0.2)) < 0.0);
        assert!(diamond(Vec2::new(0.15, 0.15), Vec2::splat(0.2)) > 0.0);
        assert!(chevron(Vec2::new(0.2, 0.0), Vec2::X, 0.2, 0.2, 0.02) < 0.0);
        assert!(chevron(Vec2::new(0.1, 0.1), Vec2::X, 0.2, 0.2, 0.02) < 0.0);
        assert!(chevron(Vec2::new(-0.2, 0.0), Vec2::X, 0.2, 0.2, 0.02) > 0.0);
        let (folded, part) = wheel(Vec2::Y * 0.3, 4);
        assert!(folded.distance(Vec2::X * 0.3) < 1e-6 && part == 1);
        assert_eq!((cover(-1.0), cover(1.0), soft(-1.0, 0.1)), (1.0, 0.0, 1.0));
        assert!(teeth(Vec2::new(0.05, -0.02), 0.1, 0.08) < 0.0);
        assert!(teeth(Vec2::new(0.0, -0.05), 0.1, 0.08) > 0.0);
    }
}
