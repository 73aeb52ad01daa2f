//! Signed distance fields of 2D shapes, in squares: negative inside, positive
//! outside. Some are only bounds of the true distance, exact enough near the
//! edge. See Inigo Quilez, "2D distance functions".

use bevy::math::Vec2;

use super::TEXEL_SIZE;
use crate::app::scene::look::textures::smoothstep;

/// How much of a texel a shape covers, from 0 to 1: an antialiased edge one
/// texel wide.
pub(super) fn coverage(distance: f32) -> f32 {
    (0.5 - distance / TEXEL_SIZE).clamp(0.0, 1.0)
}

/// [`coverage`] with a smooth edge `blur` squares wide.
pub(super) fn soft_coverage(distance: f32, blur: f32) -> f32 {
    smoothstep((0.5 - distance / blur).clamp(0.0, 1.0))
}

/// A circle drawn as a line, `half_width` to each side.
pub(super) fn ring(at: Vec2, radius: f32, half_width: f32) -> f32 {
    (at.length() - radius).abs() - half_width
}

/// An axis-aligned square.
pub(super) fn square(at: Vec2, half_size: f32) -> f32 {
    at.x.abs().max(at.y.abs()) - half_size
}

/// The outline of a [`square`].
pub(super) fn square_outline(at: Vec2, half_size: f32, half_width: f32) -> f32 {
    square(at, half_size).abs() - half_width
}

/// A rhombus with its corners on the axes.
pub(super) fn diamond(at: Vec2, half_size: Vec2) -> f32 {
    let at = at.abs() / half_size;
    (at.x + at.y - 1.0) * half_size.min_element() * 0.8
}

/// The outline of a [`diamond`] with equal diagonals.
pub(super) fn diamond_outline(at: Vec2, half_size: f32, half_width: f32) -> f32 {
    ((at.x.abs() + at.y.abs() - half_size) * 0.7).abs() - half_width
}

/// Folds the plane into the first of `parts` equal sectors, which lies about the
/// x axis. Returns the folded point and the number of its sector.
pub(super) fn fold_radial(at: Vec2, parts: u8) -> (Vec2, i32) {
    let part = std::f32::consts::TAU / f32::from(parts);
    let number = (at.to_angle() / part).round();
    (Vec2::from_angle(-number * part).rotate(at), number as i32)
}

/// A line segment with round ends.
pub(super) fn segment(at: Vec2, from: Vec2, to: Vec2, half_width: f32) -> f32 {
    let (along, offset) = (to - from, at - from);
    let share = (offset.dot(along) / along.length_squared()).clamp(0.0, 1.0);
    (offset - along * share).length() - half_width
}

/// A chevron that points along `direction`; its tip is `tip` from the origin.
pub(super) fn chevron(at: Vec2, direction: Vec2, tip: f32, reach: f32, half_width: f32) -> f32 {
    let (along, across) = (at.dot(direction), at.dot(direction.perp()).abs());
    let line = (along + across - tip).abs() * 0.7 - half_width;
    line.max(across - reach)
}

/// A row of triangles along y = 0 that point to negative y.
pub(super) fn sawtooth(at: Vec2, width: f32, height: f32) -> f32 {
    let phase = (at.x / width).rem_euclid(1.0);
    let tooth = height * (1.0 - (2.0 * phase - 1.0).abs());
    let slope = (height * 2.0 / width).hypot(1.0);
    ((-at.y - tooth) / slope).max(at.y)
}

/// A looped square (Saint John's Arms, an old Nordic symbol): a square outline
/// with a loop at each corner.
pub(super) fn looped_square(at: Vec2, half_size: f32, half_width: f32) -> f32 {
    let at = at.abs();
    let corner = half_size * 1.36;
    let loops = ring(at - Vec2::splat(corner), half_size * 0.36, half_width);
    let horizontal =
        segment(at, Vec2::new(0.0, half_size), Vec2::new(corner, half_size), half_width);
    let vertical = segment(at, Vec2::new(half_size, 0.0), Vec2::new(half_size, corner), half_width);
    loops.min(horizontal.min(vertical))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_have_the_right_sign() {
        assert!(ring(Vec2::new(0.3, 0.0), 0.3, 0.01) < 0.0);
        assert!(ring(Vec2::ZERO, 0.3, 0.01) > 0.2);
        assert!(diamond(Vec2::new(0.0, 0.19), Vec2::splat(0.2)) < 0.0);
        assert!(diamond(Vec2::new(0.15, 0.15), Vec2::splat(0.2)) > 0.0);
        assert!(chevron(Vec2::new(0.2, 0.0), Vec2::X, 0.2, 0.2, 0.02) < 0.0);
        assert!(chevron(Vec2::new(0.1, 0.1), Vec2::X, 0.2, 0.2, 0.02) < 0.0);
        assert!(chevron(Vec2::new(-0.2, 0.0), Vec2::X, 0.2, 0.2, 0.02) > 0.0);
        let (folded, part) = fold_radial(Vec2::Y * 0.3, 4);
        assert!(folded.distance(Vec2::X * 0.3) < 1e-6 && part == 1);
        assert_eq!((coverage(-1.0), coverage(1.0), soft_coverage(-1.0, 0.1)), (1.0, 0.0, 1.0));
        assert!(sawtooth(Vec2::new(0.05, -0.02), 0.1, 0.08) < 0.0);
        assert!(sawtooth(Vec2::new(0.0, -0.05), 0.1, 0.08) > 0.0);
    }
}
