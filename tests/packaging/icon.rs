//! The icon: Tablut's king in the castle, with soldiers around.

use crate::drawing::{Colour, Shape};

const FRAME: Colour = [0x4a, 0x2f, 0x1f];
const EDGE: Colour = [0x2e, 0x1c, 0x12];
const LINE: Colour = [0x8a, 0x5a, 0x33];
const FIELD: Colour = [0xe3, 0xc2, 0x8e];
const CASTLE: Colour = [0xc9, 0x8f, 0x4e];
const DARK: [Colour; 3] = [[0x1d, 0x14, 0x10], [0x3a, 0x2a, 0x22], [0x52, 0x3e, 0x33]];
const LIGHT: [Colour; 3] = [[0x9c, 0x85, 0x63], [0xef, 0xe4, 0xcc], [0xfb, 0xf6, 0xe9]];
const GOLD: Colour = [0xd9, 0x9a, 0x1f];

/// Squares in a row, their side, and the offset of the first.
const SQUARES: usize = 5;
const SQUARE: f32 = 40.0;
const FIRST: f32 = 28.0;

/// The pieces, top row first.
const BOARD: [&str; SQUARES] = ["..b..", "..w..", "bwKwb", "..w..", "..b.."];

/// The shapes of the icon, bottom to top.
pub(crate) fn shapes() -> Vec<Shape> {
    let mut shapes = vec![
        Shape::Square { at: [4.0, 4.0], side: 248.0, round: 40.0, fill: EDGE },
        Shape::Square { at: [8.0, 8.0], side: 240.0, round: 36.0, fill: FRAME },
        Shape::Square { at: [24.0, 24.0], side: 208.0, round: 8.0, fill: LINE },
    ];
    let place = |index: usize| FIRST + index as f32 * SQUARE;
    let mut pieces = Vec::new();
    for (row, line) in BOARD.iter().enumerate() {
        for (column, what) in line.chars().enumerate() {
            let (x, y) = (place(column), place(row));
            let fill = if what == 'K' { CASTLE } else { FIELD };
            let at = [x + 1.5, y + 1.5];
            shapes.push(Shape::Square { at, side: SQUARE - 3.0, round: 3.0, fill });
            let middle = [x + SQUARE / 2.0, y + SQUARE / 2.0];
            match what {
                'b' => pieces.extend(piece(middle, DARK, 15.0)),
                'w' => pieces.extend(piece(middle, LIGHT, 15.0)),
                'K' => {
                    pieces.extend(piece(middle, LIGHT, 24.0));
                    pieces.push(crown(middle));
                }
                _ => {}
            }
        }
    }
    shapes.extend(pieces);
    shapes
}

/// A round piece from above: shadow, rim and top.
fn piece([x, y]: [f32; 2], [shadow, rim, top]: [Colour; 3], radius: f32) -> [Shape; 3] {
    [
        Shape::Disc { at: [x, y + 2.0], radius, fill: shadow },
        Shape::Disc { at: [x, y - 1.0], radius: radius - 0.5, fill: rim },
        Shape::Disc { at: [x, y - 1.0], radius: radius - 4.0, fill: top },
    ]
}

fn crown([x, y]: [f32; 2]) -> Shape {
    let points = [
        [-14.0, 9.0],
        [-15.0, -9.0],
        [-7.0, -1.0],
        [0.0, -13.0],
        [7.0, -1.0],
        [15.0, -9.0],
        [14.0, 9.0],
    ];
    let corners = points.iter().map(|[dx, dy]| [x + dx, y + dy]).collect();
    Shape::Polygon { corners, fill: GOLD }
}
