//! Plain shapes, as SVG and as pixels.

use std::fmt::Write;

/// The picture's side in pixels.
pub(crate) const SIDE: u32 = 256;

/// So many samples a pixel, each way.
const SAMPLES: u32 = 4;

/// A colour, as `#rrggbb` has it.
pub(crate) type Colour = [u8; 3];

/// A figure filled with one colour.
pub(crate) enum Shape {
    /// Upper left corner, side, radius of its corners.
    Square { at: [f32; 2], side: f32, round: f32, fill: Colour },
    /// Middle and radius.
    Disc { at: [f32; 2], radius: f32, fill: Colour },
    /// Corners.
    Polygon { corners: Vec<[f32; 2]>, fill: Colour },
}

impl Shape {
    const fn fill(&self) -> Colour {
        match self {
            Self::Square { fill, .. } | Self::Disc { fill, .. } | Self::Polygon { fill, .. } => {
                *fill
            }
        }
    }

    fn holds(&self, x: f32, y: f32) -> bool {
        match self {
            Self::Square { at, side, round, .. } => {
                // From the nearest point of the square without its rounding.
                let (least, most) = (*round, side - round);
                let aside =
                    |value: f32, from: f32| value - from - (value - from).clamp(least, most);
                let (x, y) = (aside(x, at[0]), aside(y, at[1]));
                x * x + y * y <= round * round
            }
            Self::Disc { at, radius, .. } => {
                let (x, y) = (x - at[0], y - at[1]);
                x * x + y * y <= radius * radius
            }
            Self::Polygon { corners, .. } => {
                let mut inside = false;
                let mut last = corners[corners.len() - 1];
                for &corner in corners {
                    let crosses = (corner[1] > y) != (last[1] > y);
                    let at = (last[0] - corner[0]) * (y - corner[1]) / (last[1] - corner[1]);
                    inside ^= crosses && x < at + corner[0];
                    last = corner;
                }
                inside
            }
        }
    }
}

/// The shapes as a text, one above the other.
pub(crate) fn svg(shapes: &[Shape]) -> String {
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {SIDE} {SIDE}\" \
         width=\"{SIDE}\" height=\"{SIDE}\">\n"
    );
    for shape in shapes {
        let [red, green, blue] = shape.fill();
        let fill = format!("fill=\"#{red:02x}{green:02x}{blue:02x}\"");
        let figure = match shape {
            Shape::Square { at: [x, y], side, round, .. } => format!(
                "rect x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" rx=\"{round}\""
            ),
            Shape::Disc { at: [x, y], radius, .. } => {
                format!("circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"")
            }
            Shape::Polygon { corners, .. } => {
                let points: Vec<_> = corners.iter().map(|[x, y]| format!("{x},{y}")).collect();
                format!("polygon points=\"{}\"", points.join(" "))
            }
        };
        writeln!(text, "  <{figure} {fill}/>").unwrap();
    }
    text + "</svg>\n"
}

/// The shapes as red, green, blue and alpha of each pixel.
pub(crate) fn pixels(shapes: &[Shape]) -> Vec<u8> {
    let mut pixels = Vec::new();
    for y in 0..SIDE {
        for x in 0..SIDE {
            pixels.extend(pixel(shapes, x, y));
        }
    }
    pixels
}

fn pixel(shapes: &[Shape], x: u32, y: u32) -> [u8; 4] {
    let (mut sum, mut covered) = ([0_u32; 3], 0);
    for sample in 0..SAMPLES * SAMPLES {
        let place = |pixel: u32, step: u32| pixel as f32 + (step as f32 + 0.5) / SAMPLES as f32;
        let (x, y) = (place(x, sample % SAMPLES), place(y, sample / SAMPLES));
        if let Some(shape) = shapes.iter().rev().find(|shape| shape.holds(x, y)) {
            covered += 1;
            for (sum, part) in sum.iter_mut().zip(shape.fill()) {
                *sum += u32::from(part);
            }
        }
    }
    let [red, green, blue] = sum.map(|sum| (sum / covered.max(1)) as u8);
    [red, green, blue, (covered * 255 / (SAMPLES * SAMPLES)) as u8]
}
