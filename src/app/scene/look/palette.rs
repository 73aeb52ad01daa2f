//! All colours of the scene that are not those of its models.
//!
//! Colour is never the only difference between two things: the sides also
//! differ in shape and lightness.

use crate::{
    app::scene::prelude::*,
    games::{AnyRules, tablut::Army},
    session::shapes::Rgb,
};

/// Letters and numbers on the frame.
pub(crate) const LETTER: Color = Color::srgb(0.97, 0.89, 0.71);
/// Letters and numbers on a stone frame.
pub(crate) const LETTER_DARK: Color = Color::srgb(0.08, 0.06, 0.045);
/// The background before anything is drawn.
pub(crate) const DUSK: Color = Color::srgb(0.055, 0.045, 0.042);

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
pub(crate) const HIGHLIGHT_LAST_MOVE: Color = Color::srgba(0.98, 0.68, 0.16, 0.55);
/// The corners of the last move's squares.
pub(crate) const HIGHLIGHT_LAST_MOVE_EDGE: Color = Color::srgba(1.0, 0.84, 0.42, 0.95);
/// The gleam along the middle of the last move's marks, which are like bars of brass.
pub(crate) const HIGHLIGHT_GLEAM: Color = Color::srgba(1.0, 0.96, 0.80, 0.95);
/// The dark outline of light highlights, for contrast on every square.
pub(crate) const HIGHLIGHT_OUTLINE: Color = Color::srgba(0.045, 0.03, 0.02, 0.94);
/// Highlight: warnings.
pub(crate) const HIGHLIGHT_WARNED: Color = Color::srgba(0.84, 0.10, 0.42, 0.95);
/// Circles and arrows drawn in a record.
pub(crate) const DRAWN_GREEN: Color = Color::srgba(0.20, 0.62, 0.18, 0.92);
pub(crate) const DRAWN_RED: Color = Color::srgba(0.80, 0.16, 0.13, 0.92);
pub(crate) const DRAWN_YELLOW: Color = Color::srgba(0.95, 0.76, 0.12, 0.92);
pub(crate) const DRAWN_BLUE: Color = Color::srgba(0.10, 0.40, 0.85, 0.92);
/// The colour of a judged move.
pub(crate) const fn mark_color(mark: MoveMark) -> Color {
    match mark {
        MoveMark::Played => DRAWN_YELLOW,
        MoveMark::Right => DRAWN_GREEN,
        MoveMark::Wrong => DRAWN_RED,
    }
}
/// Highlight: hints; no side has this colour.
pub(crate) const HIGHLIGHT_HINTED: Color = Color::srgba(0.38, 0.20, 0.74, 0.95);
/// The course arrows along Tablan's rows.
pub(crate) const COURSE: Color = Color::srgba(0.98, 0.95, 0.84, 0.9);
/// Highlight: the keyboard cursor.
pub(crate) const HIGHLIGHT_CURSOR: Color = Color::srgba(0.10, 0.62, 0.86, 1.0);
/// The light edge of the keyboard cursor.
pub(crate) const HIGHLIGHT_CURSOR_EDGE: Color = Color::srgba(0.96, 0.99, 1.0, 0.95);

/// The colour that a palette gives a material of the models in place of its own.
pub(crate) fn tint(palette: Palette, material: &str) -> Option<Color> {
    let (red, green, blue) = match palette {
        Palette::Wood => return None,
        // For higher contrast: Tablut's squares lie half-way between its white and its
        // black pieces, and its camps, where only black pieces start, are light.
        Palette::Clear => match material {
            "square_plain" => (0.55, 0.44, 0.31),
            "square_camp" => (0.70, 0.57, 0.39),
            "square_escape" => (0.33, 0.48, 0.27),
            "square_middle" => (0.66, 0.55, 0.41),
            "square_south" => (0.62, 0.37, 0.27),
            "square_north" => (0.36, 0.46, 0.60),
            "plot_red" => (0.46, 0.12, 0.09),
            "plot_green" => (0.50, 0.64, 0.40),
            "piece_king" | "piece_soldier_white" => (0.93, 0.88, 0.78),
            "piece_runner_south" => (0.58, 0.08, 0.04),
            "piece_runner_north" => (0.04, 0.12, 0.40),
            "piece_stone_red" | "bowl_red" => (0.58, 0.05, 0.03),
            "piece_stone_green" | "bowl_green" => (0.04, 0.33, 0.12),
            "piece_pavilion_red" => (0.66, 0.07, 0.04),
            "piece_pavilion_green" => (0.05, 0.38, 0.12),
            _ => return None,
        },
        // Blue and orange, dark and light: distinct in every kind of colour vision.
        Palette::BlueOrange => match material {
            "square_middle" => (0.60, 0.52, 0.41),
            "square_south" => (0.72, 0.52, 0.26),
            "square_north" => (0.31, 0.42, 0.58),
            // The rules call these sides red and green: a dark red, and a light green
            // with some blue.
            "plot_red" => (0.46, 0.14, 0.07),
            "plot_green" => (0.54, 0.68, 0.61),
            "piece_runner_south" => (0.84, 0.42, 0.04),
            "piece_runner_north" => (0.04, 0.15, 0.42),
            "piece_stone_red" | "bowl_red" => (0.50, 0.09, 0.02),
            "piece_stone_green" | "bowl_green" => (0.42, 0.72, 0.60),
            "piece_pavilion_red" => (0.64, 0.12, 0.03),
            "piece_pavilion_green" => (0.38, 0.70, 0.58),
            _ => return None,
        },
    };
    Some(Color::srgb(red, green, blue))
}

/// The colours of the sides, as they are drawn in the diagram and on Tablan's course.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ColorScheme {
    /// Tablan's pieces, South's and North's.
    pub(crate) runners: [Color; 2],
    /// Pavilions, the first side's and the second's.
    pub(crate) bases: [Color; 2],
    /// Stones, the first side's and the second's.
    pub(crate) stones: [Color; 2],
}

impl ColorScheme {
    /// The colours of a palette.
    pub(crate) const fn new(palette: Palette) -> Self {
        match palette {
            Palette::Wood => Self {
                runners: [Color::srgb(0.66, 0.10, 0.06), Color::srgb(0.08, 0.30, 0.47)],
                bases: [Color::srgb(0.62, 0.10, 0.07), Color::srgb(0.10, 0.36, 0.14)],
                stones: [Color::srgb(0.47, 0.05, 0.045), Color::srgb(0.05, 0.27, 0.13)],
            },
            Palette::Clear => Self {
                runners: [Color::srgb(0.62, 0.16, 0.06), Color::srgb(0.05, 0.12, 0.42)],
                bases: [Color::srgb(0.72, 0.08, 0.04), Color::srgb(0.06, 0.42, 0.12)],
                stones: [Color::srgb(0.60, 0.06, 0.03), Color::srgb(0.05, 0.36, 0.12)],
            },
            Palette::BlueOrange => Self {
                runners: [Color::srgb(0.88, 0.46, 0.04), Color::srgb(0.04, 0.16, 0.44)],
                bases: [Color::srgb(0.70, 0.14, 0.03), Color::srgb(0.42, 0.80, 0.66)],
                stones: [Color::srgb(0.52, 0.10, 0.02), Color::srgb(0.50, 0.84, 0.70)],
            },
        }
    }
}

/// The colour that stands for a side beside its name, bright enough for a dark ground.
pub(crate) fn side_color(palette: Palette, rules: RuleSet, side: Side) -> Rgb {
    let is_blue_orange = palette == Palette::BlueOrange;
    let sides = match (rules.rules(), is_blue_orange) {
        (AnyRules::Tablut(rules), _) => Side::BOTH.map(|side| match rules.army(side) {
            Army::White => Rgb(240, 230, 206),
            Army::Black => Rgb(30, 26, 24),
        }),
        (AnyRules::Tablan(_), true) => [Rgb(236, 152, 40), Rgb(52, 104, 190)],
        // Red and green are their names: a dark red, a light green.
        (AnyRules::Tablaaza, true) => [Rgb(186, 54, 24), Rgb(150, 214, 184)],
        (AnyRules::Tablan(_), false) => [Rgb(214, 92, 52), Rgb(66, 104, 176)],
        (AnyRules::Tablaaza, false) if palette == Palette::Clear => {
            [Rgb(176, 46, 34), Rgb(152, 204, 116)]
        }
        (AnyRules::Tablaaza, false) => [Rgb(190, 66, 52), Rgb(74, 142, 82)],
    };
    sides[side.index()]
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
    use crate::app::scene::look::models::colours_of;

    /// How far two colours are apart in lightness.
    fn contrast(one: LinearRgba, other: LinearRgba) -> f32 {
        let (one, other) = (one.luminance() + 0.05, other.luminance() + 0.05);
        one.max(other) / one.min(other)
    }

    /// The colours of these materials of a game in a palette.
    fn colours(game: GameKind, palette: Palette, names: [&str; 2]) -> [LinearRgba; 2] {
        let known = colours_of(game, palette);
        names.map(|name| *known.get(name).unwrap_or_else(|| panic!("no {name}")))
    }

    const SIDES: [(GameKind, [&str; 2]); 5] = [
        (GameKind::Tablan, ["square_south", "square_north"]),
        (GameKind::Tablan, ["piece_runner_south", "piece_runner_north"]),
        (GameKind::Tablaaza, ["plot_red", "plot_green"]),
        (GameKind::Tablaaza, ["piece_stone_red", "piece_stone_green"]),
        (GameKind::Tablaaza, ["piece_pavilion_red", "piece_pavilion_green"]),
    ];

    /// Tablaaza's sides are named Red and Green.
    #[test]
    fn red_is_red_and_green_is_green_in_every_palette() {
        for &palette in Palette::VARIANTS {
            let scheme = ColorScheme::new(palette);
            let drawn = [scheme.bases, scheme.stones]
                .map(|pair| pair.map(|color: Color| color.to_linear()));
            let modelled = SIDES[2..].iter().map(|&(game, names)| colours(game, palette, names));
            for [first, second] in modelled.chain(drawn) {
                let (first, second) = (Srgba::from(first), Srgba::from(second));
                let others = first.green.max(first.blue);
                assert!(first.red > 1.6 * others, "{palette:?}: {first:?} is not red");
                let others = second.red.max(second.blue);
                assert!(second.green > 1.1 * others, "{palette:?}: {second:?} is not green");
            }
        }
    }

    #[test]
    fn squares_and_pieces_of_tablut_stand_out_in_the_clear_palette() {
        let known = colours_of(GameKind::Tablut, Palette::Clear);
        let [plain, camp] = ["square_plain", "square_camp"].map(|name| known[name]);
        for piece in ["piece_king", "piece_soldier_white", "piece_soldier_black"] {
            assert!(contrast(known[piece], plain) > 2.4, "{piece}");
        }
        assert!(contrast(known["piece_soldier_black"], camp) > 4.0);
        assert!(contrast(camp, plain) > 1.4 && contrast(known["square_castle"], plain) > 1.5);
    }

    /// In the palette for colour-blind players, hue is not the only difference.
    #[test]
    fn sides_differ_in_luminance_in_the_blue_orange_palette() {
        for (game, names) in SIDES {
            let [one, other] = colours(game, Palette::BlueOrange, names);
            let contrast = contrast(one, other);
            assert!(contrast > 1.5, "{names:?}: {contrast}");
        }
    }

    /// A new player must see which squares are special.
    #[test]
    fn each_kind_of_square_has_a_distinct_colour() {
        for &palette in Palette::VARIANTS {
            for game in [GameKind::Tablut, GameKind::Tablan, GameKind::Tablaaza] {
                let known = colours_of(game, palette);
                let squares: Vec<_> =
                    known.iter().filter(|known| !known.0.starts_with("piece_")).collect();
                for (i, (one, a)) in squares.iter().enumerate() {
                    for (other, b) in &squares[i + 1..] {
                        let [a, b] = [a, b].map(|colour| Srgba::from(**colour).to_vec3());
                        let apart = a.distance(b);
                        assert!(apart > 0.08, "{palette:?}: {one} {other} {apart}");
                    }
                }
            }
        }
    }
}
