//! All colours of the scene.
//!
//! Colour is never the only difference between two things: the sides also
//! differ in shape and lightness.

use bevy::prelude::*;

use crate::{app::settings::options::Palette, session::shapes::Rgb};

/// Tablut's frame.
pub(crate) const WALNUT: Color = Color::srgb(0.27, 0.17, 0.115);
/// Tablan's frame.
pub(crate) const ROSEWOOD: Color = Color::srgb(0.25, 0.105, 0.075);
/// Tablaaza's frame, a city wall.
pub(crate) const WALL: Color = Color::srgb(0.50, 0.465, 0.41);
/// The lining of the trays: dark and light pieces stand out against it.
pub(crate) const FELT: Color = Color::srgb(0.40, 0.455, 0.355);
/// The grooves between squares.
pub(crate) const GROOVE: Color = Color::srgb(0.13, 0.08, 0.05);
/// Tablut's castle.
const CASTLE: Color = Color::srgb(0.60, 0.40, 0.22);
/// A square where the Tablut king escapes.
const ESCAPE: Color = Color::srgb(0.53, 0.545, 0.385);
/// Water.
pub(crate) const WATER: Color = Color::srgb(0.075, 0.225, 0.265);
/// A lake's bed near the shore.
pub(crate) const SAND: Color = Color::srgb(0.46, 0.49, 0.40);
/// Streets of Tablaaza's city.
pub(crate) const PAVING: Color = Color::srgb(0.60, 0.575, 0.525);
/// Inlaid metal.
pub(crate) const BRASS: Color = Color::srgb(0.90, 0.72, 0.40);
/// Inlaid ornaments on light wood.
pub(crate) const INLAY_DARK: Color = Color::srgb(0.22, 0.12, 0.07);
/// Inlaid ornaments on dark wood.
pub(crate) const INLAY_LIGHT: Color = Color::srgb(0.88, 0.79, 0.60);
/// Letters and numbers on the frame.
pub(crate) const LETTER: Color = Color::srgb(0.86, 0.75, 0.55);
/// Letters and numbers on a stone frame.
pub(crate) const LETTER_DARK: Color = Color::srgb(0.15, 0.12, 0.09);

/// The table's planks.
pub(crate) const OAK: Color = Color::srgb(0.385, 0.305, 0.235);
/// The planks of the cabin's table.
pub(crate) const PINE: Color = Color::srgb(0.345, 0.245, 0.165);
/// The background beyond the study's table.
pub(crate) const DUSK: Color = Color::srgb(0.055, 0.045, 0.042);
/// The background beyond the cabin's table.
pub(crate) const NIGHT: Color = Color::srgb(0.034, 0.024, 0.022);

/// Swedes and their king: ivory.
pub(crate) const IVORY: Color = Color::srgb(0.90, 0.86, 0.77);
/// Muscovites: ebony.
pub(crate) const EBONY: Color = Color::srgb(0.16, 0.118, 0.10);
/// Metal trim of Muscovites.
pub(crate) const COPPER: Color = Color::srgb(0.87, 0.49, 0.30);
/// Metal trim of other pieces.
pub(crate) const GOLD: Color = Color::srgb(0.95, 0.74, 0.34);
/// The cap inside the king's crown.
pub(crate) const CRIMSON: Color = Color::srgb(0.58, 0.07, 0.10);
/// Pavilions' walls and columns.
pub(crate) const LIME: Color = Color::srgb(0.89, 0.88, 0.85);
/// Pavilions' walls behind the columns.
pub(crate) const SHADED: Color = Color::srgb(0.80, 0.77, 0.71);
/// Pavilions' doorways.
pub(crate) const DOORWAY: Color = Color::srgb(0.16, 0.10, 0.07);

/// Carved Swedes and their king: bone.
pub(crate) const BONE: Color = Color::srgb(0.87, 0.785, 0.63);
/// Carved Muscovites: dark antler.
pub(crate) const ANTLER: Color = Color::srgb(0.255, 0.16, 0.10);
/// Metal trim of carved Swedes.
pub(crate) const PEWTER: Color = Color::srgb(0.66, 0.64, 0.60);
/// Swedes of cast glass.
pub(crate) const ICE: Color = Color::srgb(0.60, 0.86, 0.93);
/// Muscovites of cast glass.
pub(crate) const SMOKE: Color = Color::srgb(0.135, 0.085, 0.20);
/// Posts and shingles of carved pavilions.
pub(crate) const TIMBER: Color = Color::srgb(0.40, 0.275, 0.175);
/// Walls and columns of cast pavilions: biscuit porcelain.
pub(crate) const PORCELAIN: Color = Color::srgb(0.86, 0.87, 0.88);

/// Glass of a colour, of which this share is opaque.
pub(crate) fn glass(colour: Color, opacity: f32) -> Color {
    Color::from((colour.to_linear() * opacity).with_alpha(opacity))
}

/// A stick's flat, plain side.
pub(crate) const STICK_PLAIN: Color = Color::srgb(0.80, 0.68, 0.49);
/// A stick's round, marked side.
pub(crate) const STICK_ROUND: Color = Color::srgb(0.42, 0.16, 0.10);
/// The paint on a stick's round side.
pub(crate) const STICK_PAINT: Color = Color::srgb(0.95, 0.85, 0.55);

/// Highlight: selectable squares.
pub(crate) const HIGHLIGHT_SELECTABLE: Color = Color::srgba(0.98, 0.95, 0.85, 0.95);
/// Highlight: the square under the pointer.
pub(crate) const HIGHLIGHT_HOVERED: Color = Color::srgba(1.0, 0.97, 0.86, 0.95);
/// Highlight: selected squares.
pub(crate) const HIGHLIGHT_SELECTED: Color = Color::srgba(1.0, 0.78, 0.18, 0.95);
/// The light under sticks that wait: on brown wood a yellow would look green.
pub(crate) const STICKS_HALO: Color = Color::srgb(1.0, 0.60, 0.25);
/// Highlight: reachable squares.
pub(crate) const HIGHLIGHT_REACHABLE: Color = Color::srgba(0.02, 0.21, 0.40, 0.92);
/// The light edge of reachable squares.
pub(crate) const HIGHLIGHT_REACHABLE_EDGE: Color = Color::srgba(0.93, 0.97, 1.0, 0.95);
/// Highlight: the last move.
pub(crate) const HIGHLIGHT_LAST_MOVE: Color = Color::srgba(0.95, 0.66, 0.20, 0.42);
/// Highlight: where the last move came from.
pub(crate) const HIGHLIGHT_LAST_MOVE_FROM: Color = Color::srgba(0.95, 0.66, 0.20, 0.26);
/// The corners of the last move's squares.
pub(crate) const HIGHLIGHT_LAST_MOVE_EDGE: Color = Color::srgba(1.0, 0.84, 0.42, 0.95);
/// The dark outline of light highlights, for contrast on every square.
pub(crate) const HIGHLIGHT_OUTLINE: Color = Color::srgba(0.045, 0.03, 0.02, 0.94);
/// Highlight: warnings.
pub(crate) const HIGHLIGHT_WARNED: Color = Color::srgba(0.84, 0.10, 0.42, 0.95);
/// Circles and arrows drawn in a record.
pub(crate) const DRAWN_GREEN: Color = Color::srgba(0.20, 0.62, 0.18, 0.92);
pub(crate) const DRAWN_RED: Color = Color::srgba(0.80, 0.16, 0.13, 0.92);
pub(crate) const DRAWN_YELLOW: Color = Color::srgba(0.95, 0.76, 0.12, 0.92);
pub(crate) const DRAWN_BLUE: Color = Color::srgba(0.10, 0.40, 0.85, 0.92);
/// Highlight: hints; no side has this colour.
pub(crate) const HIGHLIGHT_HINTED: Color = Color::srgba(0.38, 0.20, 0.74, 0.95);
/// The course arrows along Tablan's rows.
pub(crate) const COURSE: Color = Color::srgba(0.98, 0.95, 0.84, 0.9);
/// Highlight: the keyboard cursor.
pub(crate) const HIGHLIGHT_CURSOR: Color = Color::srgba(0.10, 0.62, 0.86, 1.0);
/// The light edge of the keyboard cursor.
pub(crate) const HIGHLIGHT_CURSOR_EDGE: Color = Color::srgba(0.96, 0.99, 1.0, 0.95);

/// The colours that depend on the palette setting: those of the sides, and of
/// the squares under their pieces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ColorScheme {
    /// Plain squares, in a chequered pattern.
    pub(crate) plain: [Color; 2],
    /// Squares between Tablan's start rows, in a chequered pattern.
    pub(crate) middle: [Color; 2],
    /// Tablut's camps.
    pub(crate) camp: Color,
    /// Tablut's castle.
    pub(crate) castle: Color,
    /// The squares of Tablut on which the king escapes.
    pub(crate) escape: Color,
    /// Tablan's start rows, South's and North's.
    pub(crate) start_rows: [Color; 2],
    /// Plots of Tablaaza, the first side's and the second's.
    pub(crate) plots: [Color; 2],
    /// Tablan's pieces, South's and North's.
    pub(crate) runners: [Color; 2],
    /// The bases of pavilions, the first side's and the second's.
    pub(crate) bases: [Color; 2],
    /// Stones, the first side's and the second's.
    pub(crate) stones: [Color; 2],
}

impl ColorScheme {
    /// The colours of a palette.
    pub(crate) const fn new(palette: Palette) -> Self {
        match palette {
            Palette::Wood => Self {
                plain: [Color::srgb(0.735, 0.645, 0.505), Color::srgb(0.695, 0.60, 0.46)],
                middle: [Color::srgb(0.44, 0.27, 0.195), Color::srgb(0.40, 0.24, 0.17)],
                camp: Color::srgb(0.36, 0.27, 0.22),
                castle: CASTLE,
                escape: ESCAPE,
                start_rows: [Color::srgb(0.52, 0.25, 0.175), Color::srgb(0.29, 0.36, 0.43)],
                plots: [Color::srgb(0.50, 0.245, 0.19), Color::srgb(0.40, 0.49, 0.30)],
                runners: [Color::srgb(0.66, 0.10, 0.06), Color::srgb(0.08, 0.30, 0.47)],
                bases: [Color::srgb(0.62, 0.10, 0.07), Color::srgb(0.10, 0.36, 0.14)],
                stones: [Color::srgb(0.47, 0.05, 0.045), Color::srgb(0.05, 0.27, 0.13)],
            },
            // For higher contrast: Tablut's squares lie half-way between its white and its
            // black pieces, and its camps, where only black pieces start, are light.
            Palette::Clear => Self {
                plain: [Color::srgb(0.58, 0.475, 0.34), Color::srgb(0.54, 0.44, 0.31)],
                middle: [Color::srgb(0.88, 0.80, 0.66), Color::srgb(0.80, 0.70, 0.54)],
                camp: Color::srgb(0.80, 0.66, 0.46),
                castle: Color::srgb(0.87, 0.62, 0.28),
                escape: Color::srgb(0.38, 0.57, 0.30),
                start_rows: [Color::srgb(0.80, 0.47, 0.34), Color::srgb(0.42, 0.54, 0.72)],
                plots: [Color::srgb(0.52, 0.12, 0.09), Color::srgb(0.58, 0.77, 0.45)],
                runners: [Color::srgb(0.62, 0.16, 0.06), Color::srgb(0.05, 0.12, 0.42)],
                bases: [Color::srgb(0.72, 0.08, 0.04), Color::srgb(0.06, 0.42, 0.12)],
                stones: [Color::srgb(0.60, 0.06, 0.03), Color::srgb(0.05, 0.36, 0.12)],
            },
            // Blue and orange, dark and light: distinct in every kind of colour
            // vision.
            Palette::BlueOrange => Self {
                plain: [Color::srgb(0.80, 0.70, 0.54), Color::srgb(0.74, 0.64, 0.48)],
                middle: [Color::srgb(0.80, 0.70, 0.54), Color::srgb(0.74, 0.64, 0.48)],
                camp: Color::srgb(0.36, 0.33, 0.34),
                castle: CASTLE,
                escape: ESCAPE,
                start_rows: [Color::srgb(0.86, 0.60, 0.26), Color::srgb(0.34, 0.48, 0.70)],
                // The rules call these sides red and green: a dark red, and a
                // light green with some blue.
                plots: [Color::srgb(0.53, 0.15, 0.06), Color::srgb(0.62, 0.82, 0.73)],
                runners: [Color::srgb(0.88, 0.46, 0.04), Color::srgb(0.04, 0.16, 0.44)],
                bases: [Color::srgb(0.70, 0.14, 0.03), Color::srgb(0.42, 0.80, 0.66)],
                stones: [Color::srgb(0.52, 0.10, 0.02), Color::srgb(0.50, 0.84, 0.70)],
            },
        }
    }
}

/// A colour of the flat drawing.
pub(crate) fn printed(Rgb(red, green, blue): Rgb) -> Color {
    Color::srgb_u8(red, green, blue)
}

/// A colour as a vertex attribute: linear RGBA.
pub(crate) fn vertex_color(colour: Color) -> [f32; 4] {
    colour.to_linear().to_f32_array()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance.
    fn luminance(colour: Color) -> f32 {
        colour.to_linear().luminance()
    }

    /// Tablaaza's sides are named Red and Green.
    #[test]
    fn red_is_red_and_green_is_green_in_every_palette() {
        for palette in Palette::ALL {
            let scheme = ColorScheme::new(palette);
            for [first, second] in [scheme.plots, scheme.bases, scheme.stones] {
                let (first, second) = (first.to_srgba(), second.to_srgba());
                let others = first.green.max(first.blue);
                assert!(first.red > 1.8 * others, "{palette:?}: {first:?} is not red");
                let others = second.red.max(second.blue);
                assert!(second.green > 1.1 * others, "{palette:?}: {second:?} is not green");
            }
        }
    }

    /// A stranger can count the captured pieces.
    #[test]
    fn captured_pieces_stand_out_against_the_felt() {
        let felt = luminance(FELT) + 0.05;
        for piece in [IVORY, EBONY, BONE, ANTLER, ICE, SMOKE] {
            let piece = luminance(piece) + 0.05;
            let contrast = piece.max(felt) / piece.min(felt);
            assert!(contrast > 2.4, "{contrast}");
        }
    }

    #[test]
    fn squares_and_pieces_of_tablut_stand_out_in_the_clear_palette() {
        let scheme = ColorScheme::new(Palette::Clear);
        let contrast = |one: Color, other: Color| {
            let (one, other) = (luminance(one) + 0.05, luminance(other) + 0.05);
            one.max(other) / one.min(other)
        };
        for plain in scheme.plain {
            for piece in [IVORY, EBONY, BONE, ANTLER, ICE, SMOKE] {
                assert!(contrast(piece, plain) > 2.4, "{piece:?}");
            }
            assert!(contrast(scheme.camp, plain) > 1.7);
            assert!(contrast(scheme.castle, plain) > 1.5);
        }
        for piece in [EBONY, ANTLER, SMOKE] {
            assert!(contrast(piece, scheme.camp) > 4.0, "{piece:?} on a camp");
        }
    }

    /// In the palette for colour-blind players, hue is not the only difference.
    #[test]
    fn sides_differ_in_luminance_in_the_blue_orange_palette() {
        let scheme = ColorScheme::new(Palette::BlueOrange);
        for [one, other] in
            [scheme.start_rows, scheme.plots, scheme.runners, scheme.bases, scheme.stones]
        {
            let (one, other) = (luminance(one) + 0.05, luminance(other) + 0.05);
            let contrast = one.max(other) / one.min(other);
            assert!(contrast > 1.7, "{contrast}");
        }
    }
}
