//! Simple shapes, rendered as SVG and as pixels.

use std::fmt::Write;

/// Side of the picture, in pixels.
pub(crate) const SIDE: u32 = 256;

/// Samples for each pixel and axis, for anti-aliasing.
const SAMPLES: u32 = 4;

/// Red, green and blue.
pub(crate) type Colour = [u8; 3];

/// A figure filled with one colour.
pub(crate) enum Shape {
    /// A square with rounded corners: upper left corner, side, corner radius.
    Square { at: [f32; 2], side: f32, round: f32, fill: Colour },
    /// A disc: centre and radius.
    Disc { at: [f32; 2], radius: f32, fill: Colour },
    /// A polygon: its corners.
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

    fn contains(&self, x: f32, y: f32) -> bool {
        match self {
            Self::Square { at, side, round, .. } => {
                // Distance to the nearest point of the square's inner core.
                let (min, max) = (*round, side - round);
                let distance =
                    |value: f32, from: f32| value - from - (value - from).clamp(min, max);
                let (x, y) = (distance(x, at[0]), distance(y, at[1]));
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

/// Renders the shapes as SVG, bottom to top.
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

/// Renders the shapes as RGBA pixels, row by row.
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
        if let Some(shape) = shapes.iter().rev().find(|shape| shape.contains(x, y)) {
            covered += 1;
            for (sum, part) in sum.iter_mut().zip(shape.fill()) {
                *sum += u32::from(part);
            }
        }
    }
    let [red, green, blue] = sum.map(|sum| (sum / covered.max(1)) as u8);
    [red, green, blue, (covered * 255 / (SAMPLES * SAMPLES)) as u8]
}
