//! The colours of the table, in one place.
//!
//! What tells two things apart is never colour alone: sides differ in shape
//! and lightness too.

use bevy::prelude::*;

use crate::app::settings::options::Palette;

/// The frame of the board.
pub(crate) const WALNUT: Color = Color::srgb(0.27, 0.17, 0.115);
/// Tablan's frame.
pub(crate) const ROSEWOOD: Color = Color::srgb(0.25, 0.105, 0.075);
/// Tablaaza's frame, the wall of its city.
pub(crate) const WALL: Color = Color::srgb(0.50, 0.465, 0.41);
/// The lining of the trays.
pub(crate) const FELT: Color = Color::srgb(0.20, 0.115, 0.085);
/// The grooves between squares.
pub(crate) const GROOVE: Color = Color::srgb(0.13, 0.08, 0.05);
/// Tablut's castle.
pub(crate) const CASTLE: Color = Color::srgb(0.60, 0.40, 0.22);
/// A square where the Tablut king is home.
pub(crate) const HOME: Color = Color::srgb(0.53, 0.545, 0.385);
/// Water.
pub(crate) const WATER: Color = Color::srgb(0.075, 0.225, 0.265);
/// The shore of a lake, under water.
pub(crate) const SAND: Color = Color::srgb(0.46, 0.49, 0.40);
/// Streets of a city, and its wall.
pub(crate) const PAVING: Color = Color::srgb(0.60, 0.575, 0.525);
/// Inlaid metal.
pub(crate) const BRASS: Color = Color::srgb(0.90, 0.72, 0.40);
/// Inlaid ornaments on light wood.
pub(crate) const INLAY_DARK: Color = Color::srgb(0.22, 0.12, 0.07);
/// Inlaid ornaments on dark wood.
pub(crate) const INLAY_LIGHT: Color = Color::srgb(0.88, 0.79, 0.60);
/// Letters and numbers on the frame.
pub(crate) const LETTER: Color = Color::srgb(0.86, 0.75, 0.55);
/// The same on a wall of stone.
pub(crate) const LETTER_DARK: Color = Color::srgb(0.15, 0.12, 0.09);

/// The table's planks.
pub(crate) const OAK: Color = Color::srgb(0.385, 0.305, 0.235);
/// What lies beyond the table.
pub(crate) const DUSK: Color = Color::srgb(0.055, 0.045, 0.042);

/// Swedes and their king: ivory.
pub(crate) const IVORY: Color = Color::srgb(0.90, 0.86, 0.77);
/// Muscovites: ebony.
pub(crate) const EBONY: Color = Color::srgb(0.16, 0.118, 0.10);
/// The edge of a Muscovite's hat.
pub(crate) const COPPER: Color = Color::srgb(0.87, 0.49, 0.30);
/// Crowns and collars.
pub(crate) const GOLD: Color = Color::srgb(0.95, 0.74, 0.34);
/// The lining of the crown.
pub(crate) const CRIMSON: Color = Color::srgb(0.58, 0.07, 0.10);
/// Stones.
pub(crate) const BASALT: Color = Color::srgb(0.045, 0.048, 0.055);
/// Pavilions' walls and columns.
pub(crate) const LIME: Color = Color::srgb(0.89, 0.88, 0.85);
/// Their walls behind the columns.
pub(crate) const SHADED: Color = Color::srgb(0.80, 0.77, 0.71);
/// Their doorways.
pub(crate) const DOORWAY: Color = Color::srgb(0.16, 0.10, 0.07);
/// Tiles of their roofs, course by course.
pub(crate) const ROOF: Color = Color::srgb(0.84, 0.83, 0.80);
/// Every other course.
pub(crate) const ROOF_OTHER: Color = Color::srgb(0.74, 0.73, 0.71);

/// The flat, plain side of a stick.
pub(crate) const STICK_PLAIN: Color = Color::srgb(0.80, 0.68, 0.49);
/// The round, marked side of a stick.
pub(crate) const STICK_ROUND: Color = Color::srgb(0.42, 0.16, 0.10);
/// The paint on it.
pub(crate) const STICK_PAINT: Color = Color::srgb(0.95, 0.85, 0.55);

/// Highlights: what can be touched.
pub(crate) const MARK_TOUCHABLE: Color = Color::srgba(0.98, 0.95, 0.85, 0.95);
/// Highlights: under the pointer.
pub(crate) const MARK_HOVERED: Color = Color::srgba(1.0, 0.97, 0.86, 0.95);
/// Highlights: chosen.
pub(crate) const MARK_CHOSEN: Color = Color::srgba(1.0, 0.78, 0.18, 0.95);
/// Highlights: can be reached.
pub(crate) const MARK_REACHABLE: Color = Color::srgba(0.02, 0.21, 0.40, 0.92);
/// The light edge round a reachable mark.
pub(crate) const MARK_REACHABLE_EDGE: Color = Color::srgba(0.93, 0.97, 1.0, 0.95);
/// Highlights: of the last move.
pub(crate) const MARK_LAST: Color = Color::srgba(0.95, 0.66, 0.20, 0.34);
/// The corners of such a mark.
pub(crate) const MARK_LAST_EDGE: Color = Color::srgba(1.0, 0.84, 0.42, 0.95);
/// The dark line round light marks: with it they are seen on any ground.
pub(crate) const MARK_SHADE: Color = Color::srgba(0.045, 0.03, 0.02, 0.94);
/// Highlights: hinted or warned of.
pub(crate) const MARK_NOTED: Color = Color::srgba(0.84, 0.10, 0.42, 0.95);

/// Highlights: what a hint advises.
pub(crate) const MARK_ADVICE: Color = Color::srgba(0.10, 0.52, 0.30, 0.95);
/// Arrows along the rows of Tablan.
pub(crate) const COURSE: Color = Color::srgba(0.98, 0.95, 0.84, 0.9);
/// Highlights: the keyboard's cursor.
pub(crate) const MARK_CURSOR: Color = Color::srgba(0.10, 0.62, 0.86, 1.0);
/// The light edge round the cursor.
pub(crate) const MARK_CURSOR_EDGE: Color = Color::srgba(0.96, 0.99, 1.0, 0.95);

/// The colours that a person can choose: what tells the two sides apart, and
/// the plain squares under them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scheme {
    /// Plain squares, and every other of them.
    pub(crate) plain: [Color; 2],
    /// Squares between Tablan's home rows, and every other of them.
    pub(crate) middle: [Color; 2],
    /// An Ashton camp.
    pub(crate) camp: Color,
    /// Tablan's home rows, South's and North's.
    pub(crate) rows: [Color; 2],
    /// Plots of Tablaaza, the first side's and the second's.
    pub(crate) plots: [Color; 2],
    /// Tablan's pieces, South's and North's.
    pub(crate) runners: [Color; 2],
    /// The bases of pavilions, the first side's and the second's.
    pub(crate) bases: [Color; 2],
}

impl Scheme {
    /// The colours of a palette.
    pub(crate) const fn of(palette: Palette) -> Self {
        match palette {
            Palette::Wood => Self {
                plain: [Color::srgb(0.735, 0.645, 0.505), Color::srgb(0.695, 0.60, 0.46)],
                middle: [Color::srgb(0.44, 0.27, 0.195), Color::srgb(0.40, 0.24, 0.17)],
                camp: Color::srgb(0.36, 0.27, 0.22),
                rows: [Color::srgb(0.52, 0.25, 0.175), Color::srgb(0.29, 0.36, 0.43)],
                plots: [Color::srgb(0.50, 0.245, 0.19), Color::srgb(0.40, 0.49, 0.30)],
                runners: [Color::srgb(0.66, 0.10, 0.06), Color::srgb(0.08, 0.30, 0.47)],
                bases: [Color::srgb(0.62, 0.10, 0.07), Color::srgb(0.10, 0.36, 0.14)],
            },
            // Light squares, dark camps: more between light and dark.
            Palette::Clear => Self {
                plain: [Color::srgb(0.90, 0.83, 0.70), Color::srgb(0.82, 0.73, 0.57)],
                middle: [Color::srgb(0.88, 0.80, 0.66), Color::srgb(0.80, 0.70, 0.54)],
                camp: Color::srgb(0.30, 0.26, 0.25),
                rows: [Color::srgb(0.80, 0.47, 0.34), Color::srgb(0.42, 0.54, 0.72)],
                plots: [Color::srgb(0.52, 0.12, 0.09), Color::srgb(0.58, 0.77, 0.45)],
                runners: [Color::srgb(0.62, 0.16, 0.06), Color::srgb(0.05, 0.12, 0.42)],
                bases: [Color::srgb(0.72, 0.08, 0.04), Color::srgb(0.06, 0.42, 0.12)],
            },
            // Blue and orange, dark and light: told apart whatever an eye
            // lacks.
            Palette::BlueOrange => Self {
                plain: [Color::srgb(0.80, 0.70, 0.54), Color::srgb(0.74, 0.64, 0.48)],
                middle: [Color::srgb(0.80, 0.70, 0.54), Color::srgb(0.74, 0.64, 0.48)],
                camp: Color::srgb(0.36, 0.33, 0.34),
                rows: [Color::srgb(0.86, 0.60, 0.26), Color::srgb(0.34, 0.48, 0.70)],
                // These are called red and green: a dark red, a light green
                // with blue in it.
                plots: [Color::srgb(0.53, 0.15, 0.06), Color::srgb(0.62, 0.82, 0.73)],
                runners: [Color::srgb(0.88, 0.46, 0.04), Color::srgb(0.04, 0.16, 0.44)],
                bases: [Color::srgb(0.70, 0.14, 0.03), Color::srgb(0.42, 0.80, 0.66)],
            },
        }
    }
}

/// A colour as vertices carry it.
pub(crate) fn vertex(colour: Color) -> [f32; 4] {
    colour.to_linear().to_f32_array()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lightness as the eye weighs it, for red, green and blue alike in every
    /// kind of colour vision.
    fn light(colour: Color) -> f32 {
        colour.to_linear().luminance()
    }

    /// Tablaaza's sides have the names of colours.
    #[test]
    fn red_is_red_and_green_is_green_in_every_palette() {
        for palette in Palette::ALL {
            let scheme = Scheme::of(palette);
            for [first, second] in [scheme.plots, scheme.bases] {
                let (first, second) = (first.to_srgba(), second.to_srgba());
                let others = first.green.max(first.blue);
                assert!(first.red > 1.8 * others, "{palette:?}: {first:?} is no red");
                let others = second.red.max(second.blue);
                assert!(second.green > 1.1 * others, "{palette:?}: {second:?} is no green");
            }
        }
    }

    /// What two sides look like in the palette for colour-blind eyes differs
    /// in lightness, not in hue alone.
    #[test]
    fn the_sides_of_the_blue_and_orange_palette_differ_in_lightness() {
        let scheme = Scheme::of(Palette::BlueOrange);
        for [one, other] in [scheme.rows, scheme.plots, scheme.runners, scheme.bases] {
            let (one, other) = (light(one) + 0.05, light(other) + 0.05);
            let contrast = one.max(other) / one.min(other);
            assert!(contrast > 1.7, "{contrast}");
        }
    }
}
