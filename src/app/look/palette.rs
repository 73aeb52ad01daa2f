//! The colours of the table, in one place.
//!
//! What tells two things apart is never colour alone: sides differ in shape
//! and lightness too.

use bevy::prelude::*;

/// Plain squares of a Tablut or Tablan board: pale birch.
pub(crate) const BIRCH: Color = Color::srgb(0.80, 0.68, 0.50);
/// Every other plain square, a little deeper.
pub(crate) const BIRCH_DEEP: Color = Color::srgb(0.755, 0.63, 0.45);
/// The frame of the board.
pub(crate) const WALNUT: Color = Color::srgb(0.30, 0.175, 0.105);
/// The lining of the trays.
pub(crate) const FELT: Color = Color::srgb(0.20, 0.115, 0.085);
/// The grooves between squares.
pub(crate) const GROOVE: Color = Color::srgb(0.13, 0.08, 0.05);
/// Tablut's castle.
pub(crate) const CASTLE: Color = Color::srgb(0.60, 0.40, 0.22);
/// An Ashton camp.
pub(crate) const CAMP: Color = Color::srgb(0.45, 0.37, 0.33);
/// A square where the Tablut king is home.
pub(crate) const HOME: Color = Color::srgb(0.62, 0.61, 0.45);
/// Tablan's southern home row.
pub(crate) const SOUTH_ROW: Color = Color::srgb(0.67, 0.46, 0.36);
/// Tablan's northern home row.
pub(crate) const NORTH_ROW: Color = Color::srgb(0.46, 0.53, 0.61);
/// A red plot of Tablaaza.
pub(crate) const RED_PLOT: Color = Color::srgb(0.46, 0.185, 0.14);
/// A green plot of Tablaaza.
pub(crate) const GREEN_PLOT: Color = Color::srgb(0.53, 0.61, 0.43);
/// Water.
pub(crate) const WATER: Color = Color::srgb(0.07, 0.27, 0.37);
/// Waves on it.
pub(crate) const FOAM: Color = Color::srgb(0.36, 0.56, 0.64);
/// Inlaid ornaments on light wood.
pub(crate) const INLAY_DARK: Color = Color::srgb(0.22, 0.12, 0.07);
/// Inlaid ornaments on dark wood.
pub(crate) const INLAY_LIGHT: Color = Color::srgb(0.88, 0.79, 0.60);
/// Letters and numbers on the frame.
pub(crate) const LETTER: Color = Color::srgb(0.86, 0.75, 0.55);

/// The table's planks.
pub(crate) const OAK: Color = Color::srgb(0.45, 0.325, 0.225);
/// What lies beyond the table.
pub(crate) const DUSK: Color = Color::srgb(0.055, 0.045, 0.042);

/// Swedes and their king: ivory.
pub(crate) const IVORY: Color = Color::srgb(0.93, 0.87, 0.74);
/// Muscovites: ebony.
pub(crate) const EBONY: Color = Color::srgb(0.165, 0.122, 0.105);
/// The edge of a Muscovite's hat.
pub(crate) const COPPER: Color = Color::srgb(0.66, 0.33, 0.17);
/// Crowns and collars.
pub(crate) const GOLD: Color = Color::srgb(0.87, 0.64, 0.20);
/// The lining of the crown.
pub(crate) const CRIMSON: Color = Color::srgb(0.58, 0.07, 0.10);
/// Tablan's southern pieces.
pub(crate) const TERRACOTTA: Color = Color::srgb(0.52, 0.17, 0.10);
/// Tablan's northern pieces.
pub(crate) const INDIGO: Color = Color::srgb(0.10, 0.19, 0.42);
/// Stones.
pub(crate) const BASALT: Color = Color::srgb(0.045, 0.048, 0.055);
/// Pavilions' walls and columns.
pub(crate) const LIME: Color = Color::srgb(0.93, 0.92, 0.88);
/// Pavilions' roofs.
pub(crate) const SLATE: Color = Color::srgb(0.80, 0.79, 0.77);
/// The base of Red's pavilions.
pub(crate) const RED_BASE: Color = Color::srgb(0.62, 0.10, 0.07);
/// The base of Green's pavilions.
pub(crate) const GREEN_BASE: Color = Color::srgb(0.10, 0.36, 0.14);

/// The flat, plain side of a stick.
pub(crate) const STICK_PLAIN: Color = Color::srgb(0.94, 0.84, 0.62);
/// The round, marked side of a stick.
pub(crate) const STICK_ROUND: Color = Color::srgb(0.42, 0.16, 0.10);
/// The paint on it.
pub(crate) const STICK_PAINT: Color = Color::srgb(0.95, 0.85, 0.55);

/// Marks: what can be touched.
pub(crate) const MARK_TOUCHABLE: Color = Color::srgba(0.98, 0.95, 0.85, 0.55);
/// Marks: under the pointer.
pub(crate) const MARK_HOVERED: Color = Color::srgba(1.0, 0.97, 0.86, 0.95);
/// Marks: chosen.
pub(crate) const MARK_CHOSEN: Color = Color::srgba(1.0, 0.78, 0.18, 0.95);
/// Marks: can be reached.
pub(crate) const MARK_REACHABLE: Color = Color::srgba(0.06, 0.36, 0.56, 0.90);
/// The light edge round a reachable mark.
pub(crate) const MARK_REACHABLE_EDGE: Color = Color::srgba(0.93, 0.97, 1.0, 0.95);
/// Marks: of the last move.
pub(crate) const MARK_LAST: Color = Color::srgba(0.93, 0.55, 0.05, 0.38);
/// The corners of such a mark.
pub(crate) const MARK_LAST_EDGE: Color = Color::srgba(0.62, 0.27, 0.02, 0.9);
/// Marks: hinted or warned of.
pub(crate) const MARK_NOTED: Color = Color::srgba(0.84, 0.10, 0.42, 0.95);

/// A colour as vertices carry it.
pub(crate) fn vertex(colour: Color) -> [f32; 4] {
    colour.to_linear().to_f32_array()
}
