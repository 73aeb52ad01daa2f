//! The icon: Tablut's king from above, as he stands on his board, attackers at the corners.

use crate::drawing::{Colour, Shape};

const EDGE: Colour = [0x24, 0x15, 0x0d];
const FRAME: Colour = [0x5a, 0x38, 0x22];
const GROOVE: Colour = [0x3b, 0x23, 0x15];
const FIELDS: [Colour; 2] = [[0xe8, 0xc8, 0x93], [0xdb, 0xb4, 0x79]];
const SHADOW: Colour = [0x8f, 0x63, 0x38];
const BLACK: [Colour; 3] = [[0x1b, 0x14, 0x11], [0xd8, 0xaa, 0x55], [0x2f, 0x25, 0x20]];
const ANTLER: [Colour; 2] = [[0xfb, 0xf3, 0xe0], [0xd9, 0xc3, 0x99]];
const RED: [Colour; 2] = [[0x8e, 0x1a, 0x1c], [0xa9, 0x24, 0x22]];
const GOLD: [Colour; 2] = [[0xf4, 0xc6, 0x55], [0xb9, 0x7d, 0x1e]];

const MIDDLE: [f32; 2] = [128.0, 128.0];
/// The crown, the balls on its points, and its band, from the middle.
const CROWN: [[f32; 2]; 7] = [
    [-41.0, 41.0],
    [-54.0, -24.0],
    [-26.0, 2.0],
    [0.0, -44.0],
    [26.0, 2.0],
    [54.0, -24.0],
    [41.0, 41.0],
];
const TIPS: [[f32; 2]; 3] = [[-54.0, -26.0], [0.0, -46.0], [54.0, -26.0]];
const BAND: [[f32; 2]; 4] = [[-45.0, 20.0], [45.0, 20.0], [42.5, 38.0], [-42.5, 38.0]];
/// Of three squares in a row: their side, and the offset of the first.
const SQUARE: f32 = 68.0;
const FIRST: f32 = 26.0;

/// The shapes of the icon, bottom to top.
pub(crate) fn shapes() -> Vec<Shape> {
    let square = |inset: f32, round: f32, fill: Colour| Shape::Square {
        at: [inset, inset],
        side: 256.0 - 2.0 * inset,
        round,
        fill,
    };
    let mut shapes =
        vec![square(4.0, 44.0, EDGE), square(8.0, 40.0, FRAME), square(22.0, 14.0, GROOVE)];
    for index in 0..9_u8 {
        let at = [index % 3, index / 3].map(|place| FIRST + f32::from(place) * SQUARE + 1.5);
        let fill = FIELDS[usize::from(index % 2)];
        shapes.push(Shape::Square { at, side: SQUARE - 3.0, round: 5.0, fill });
    }
    for at in [[54.0, 54.0], [202.0, 54.0], [54.0, 202.0], [202.0, 202.0]] {
        shapes.extend(attacker(at));
    }
    shapes.extend(king());
    shapes
}

fn disc([x, y]: [f32; 2], radius: f32, fill: Colour) -> Shape {
    Shape::Disc { at: [x, y], radius, fill }
}

/// A black piece from above: its shadow, foot, brim of brass, and hat.
fn attacker([x, y]: [f32; 2]) -> [Shape; 5] {
    [
        disc([x + 2.0, y + 3.0], 24.0, SHADOW),
        disc([x, y], 23.0, BLACK[0]),
        disc([x, y], 18.0, BLACK[1]),
        disc([x, y], 14.5, BLACK[2]),
        disc([x, y], 5.0, BLACK[0]),
    ]
}

/// The king: his shadow, a bell of antler, and a crown on his red cap.
fn king() -> Vec<Shape> {
    let [x, y] = MIDDLE;
    let mut shapes = vec![
        disc([x + 4.0, y + 6.0], 85.0, SHADOW),
        disc(MIDDLE, 84.0, ANTLER[1]),
        disc(MIDDLE, 81.0, ANTLER[0]),
        disc(MIDDLE, 73.0, RED[0]),
        disc([x, y - 2.0], 70.0, RED[1]),
    ];
    for (down, fill) in [(5.0, GOLD[1]), (0.0, GOLD[0])] {
        let at = |[dx, dy]: [f32; 2]| [x + dx, y + dy + down];
        shapes.push(Shape::Polygon { corners: CROWN.map(at).to_vec(), fill });
        shapes.extend(TIPS.map(|tip| disc(at(tip), 9.0, fill)));
    }
    shapes.push(Shape::Polygon {
        corners: BAND.map(|[dx, dy]| [x + dx, y + dy]).to_vec(),
        fill: GOLD[1],
    });
    shapes.extend([-22.0, 0.0, 22.0].map(|dx| disc([x + dx, y + 29.0], 5.5, RED[0])));
    shapes
}
