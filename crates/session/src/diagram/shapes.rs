//! The shapes and colours of a flat drawing of a board: what the SVG and the table's
//! flat view share.
//!
//! Points are in units of which [`SQUARE`] make a square, x to the right and y down.
//!
//! ```
//! use tabulae_session::shapes;
//!
//! assert!(shapes::KING_RADIUS * 2.0 < shapes::SQUARE);
//! ```

use std::fmt;

use crate::SquareKind;
use tabulae_games::Side;

/// The width of a square.
pub const SQUARE: f32 = 40.0;
/// The width of the line around pieces and squares.
pub const LINE: f32 = 1.5;
/// How much of a square's mark is seen.
pub const MARK_OPACITY: f32 = 0.35;

/// A colour, as red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rgb(pub u8, pub u8, pub u8);

impl fmt::Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

/// The line around pieces and squares, and black soldiers.
pub const INK: Rgb = Rgb(0x2a, 0x24, 0x20);
/// The ground, white pieces, emblems.
pub const WHITE: Rgb = Rgb(0xff, 0xff, 0xff);
/// The king's crown.
pub const GOLD: Rgb = Rgb(0xd9, 0xa1, 0x2c);

/// The radius of a piece.
pub const PIECE_RADIUS: f32 = 14.0;
/// The radius of the king.
pub const KING_RADIUS: f32 = 16.0;
/// The radius of the first side's emblem, a dot.
pub const DOT_RADIUS: f32 = 4.5;
/// The middle radius and the width of the second side's emblem, a ring.
pub const RING: (f32, f32) = (6.5, 3.0);

/// The colour of a side's emblem on a piece of this linear luminance.
pub fn emblem_color(luminance: f32) -> Rgb {
    if luminance < 0.35 { WHITE } else { INK }
}

/// A point of a shape.
type Point = (f32, f32);

/// The outline of the king's crown, about the middle of his square.
pub const CROWN: [Point; 7] =
    [(-9.0, 7.0), (-11.0, -5.0), (-5.0, 0.0), (0.0, -9.0), (5.0, 0.0), (11.0, -5.0), (9.0, 7.0)];
/// The points of [`CROWN`] that make up its convex parts, by index.
pub const CROWN_PARTS: [&[usize]; 4] = [&[0, 2, 4, 6], &[0, 1, 2], &[2, 3, 4], &[4, 5, 6]];

/// The outline of a pavilion, about the middle of its square.
pub const HOUSE: [Point; 7] = [
    (-16.0, -2.0),
    (0.0, -16.0),
    (16.0, -2.0),
    (12.0, -2.0),
    (12.0, 15.0),
    (-12.0, 15.0),
    (-12.0, -2.0),
];
/// The points of [`HOUSE`] that make up its convex parts, by index.
pub const HOUSE_PARTS: [&[usize]; 2] = [&[0, 1, 2], &[6, 3, 4, 5]];

/// The colour of a square.
pub const fn square_color(kind: SquareKind) -> Rgb {
    match kind {
        SquareKind::Plain => Rgb(0xfd, 0xfa, 0xf3),
        SquareKind::Castle => Rgb(0xe8, 0xcf, 0x9e),
        SquareKind::Camp => Rgb(0xd8, 0xce, 0xc0),
        SquareKind::Goal => Rgb(0xdf, 0xe8, 0xcd),
        SquareKind::StartRow(Side::First) => Rgb(0xf6, 0xe0, 0xd5),
        SquareKind::StartRow(Side::Second) => Rgb(0xdb, 0xe3, 0xf2),
        SquareKind::Plot(Side::First) => Rgb(0xf4, 0xd9, 0xd2),
        SquareKind::Plot(Side::Second) => Rgb(0xd9, 0xe9, 0xd3),
        SquareKind::Lake => Rgb(0xb5, 0xd0, 0xe0),
    }
}

/// What tells the square's kind without colours: lines, from its upper left corner.
pub const fn square_mark(kind: SquareKind) -> &'static [&'static [Point]] {
    match kind {
        SquareKind::Castle => &[&[(4.0, 4.0), (36.0, 36.0)], &[(36.0, 4.0), (4.0, 36.0)]],
        SquareKind::Camp => &[&[(20.0, 8.0), (32.0, 20.0), (20.0, 32.0), (8.0, 20.0), (20.0, 8.0)]],
        SquareKind::Goal => &[&[(20.0, 14.0), (20.0, 26.0)], &[(14.0, 20.0), (26.0, 20.0)]],
        SquareKind::Lake => &[
            &[(6.0, 16.0), (9.5, 13.6), (13.0, 13.0), (16.5, 13.6), (20.0, 16.0), (23.5, 18.4)],
            &[(23.5, 18.4), (27.0, 19.0), (30.5, 18.4), (34.0, 16.0)],
            &[(6.0, 26.0), (9.5, 23.6), (13.0, 23.0), (16.5, 23.6), (20.0, 26.0), (23.5, 28.4)],
            &[(23.5, 28.4), (27.0, 29.0), (30.5, 28.4), (34.0, 26.0)],
        ],
        SquareKind::Plain | SquareKind::StartRow(_) | SquareKind::Plot(_) => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Twice the signed area of a polygon.
    fn area(points: &[Point]) -> f32 {
        let next = points.iter().cycle().skip(1);
        points.iter().zip(next).map(|(a, b)| a.0 * b.1 - b.0 * a.1).sum()
    }

    #[test]
    fn the_convex_parts_fill_their_outline() {
        for (outline, parts) in [(&CROWN, &CROWN_PARTS[..]), (&HOUSE, &HOUSE_PARTS[..])] {
            let part = |indices: &&[usize]| -> f32 {
                area(&indices.iter().map(|&index| outline[index]).collect::<Vec<_>>())
            };
            let sum: f32 = parts.iter().map(part).sum();
            assert!((sum - area(outline)).abs() < 1e-3, "{sum} of {}", area(outline));
            assert!(parts.iter().all(|indices| part(indices) > 0.0), "all wind the same way");
        }
    }
}
