//! What stands over and under an exported picture: the players with their clocks, and the
//! last move or the result.

use ab_glyph::{Font, FontRef, PxScale, ScaleFont, point};
use image::{Rgba, RgbaImage, imageops};

use crate::{
    app::{core::prelude::*, scene::look::palette::side_color, settings::options::Palette},
    session::{Clock, format_clock, shapes::Rgb, side_label},
};

/// Inter SemiBold, see `assets/CREDITS.md`.
static FONT: &[u8] =
    include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/fonts/Inter-SemiBold.otf"));

/// The ground of the plates, the ring round a stone, and the letters.
const GROUND: Rgba<u8> = Rgba([24, 19, 14, 255]);
const RING: Rgba<u8> = Rgba([185, 171, 147, 255]);
const INK: Rgba<u8> = Rgba([243, 234, 217, 255]);

/// The share of the picture's height that each plate has.
const PLATE_SHARE: f32 = 0.07;
/// The height of letters, as a share of the plate's.
const TEXT_SHARE: f32 = 0.58;

/// The plates of a game.
pub(super) struct Plates {
    /// What is written for each side, by [`Side::index`].
    players: [String; 2],
    colors: [Rgba<u8>; 2],
    clock: Option<Clock>,
    /// What is written under the board after each ply.
    below: Vec<String>,
    height: u32,
}

impl Plates {
    /// The plates of a game in a picture of this size.
    pub(super) fn new(record: &Record, palette: Palette, size: (u32, u32)) -> Self {
        let (rules, history) = (record.rules(), record.history());
        let player = |side: Side| match record.players[side.index()].as_str() {
            "?" | "" => side_label(rules, side).to_owned(),
            name => format!("{} · {name}", side_label(rules, side)),
        };
        let told = (1..=history.len()).map(|ply| describe_ply(history, ply).join(" "));
        let mut below: Vec<String> = std::iter::once(String::new()).chain(told).collect();
        let outcome = GameSession::from_record(record).outcome();
        if let Some((last, outcome)) = below.last_mut().zip(outcome) {
            *last = describe_outcome(rules, outcome);
        }
        let color = |side: Side| {
            let Rgb(red, green, blue) = side_color(palette, rules, side);
            Rgba([red, green, blue, u8::MAX])
        };
        Self {
            players: Side::BOTH.map(player),
            colors: Side::BOTH.map(color),
            clock: Clock::from_record(record),
            below,
            height: pixels(size.1 as f32 * PLATE_SHARE).max(12),
        }
    }

    /// What the plates leave of a picture of this size to the board.
    pub(super) fn board_size(&self, (width, height): (u32, u32)) -> (u32, u32) {
        (width, height.saturating_sub(2 * self.height).max(16))
    }

    /// The picture of the board after `ply` plies, between its plates.
    pub(super) fn frame(&self, board: &RgbaImage, ply: usize) -> RgbaImage {
        let (width, height) = (board.width(), board.height() + 2 * self.height);
        let mut picture = RgbaImage::from_pixel(width, height, GROUND);
        imageops::replace(&mut picture, board, 0, i64::from(self.height));
        let plate = self.height as f32;
        let half = width as f32 / 2.0;
        for side in Side::BOTH {
            let is_left = side == Side::First;
            let (inner, outer) = (plate * 0.3, plate * 1.05);
            let middle = if is_left { plate * 0.6 } else { width as f32 - plate * 0.6 };
            disc(&mut picture, middle, plate / 2.0, plate * 0.24, self.colors[side.index()]);
            let clock = self.clock.as_ref().map(|clock| clock.after_ply(ply)[side.index()]);
            let clock = clock.map_or_else(String::new, format_clock);
            let time = if clock.is_empty() { 0.0 } else { plate * 2.6 };
            let room = half - inner - outer - time;
            let player = &self.players[side.index()];
            let (name_at, clock_at) = if is_left {
                (outer, half - inner - time)
            } else {
                (half + inner + time, half + inner)
            };
            let (name, time) = (Span { at: name_at, room }, Span { at: clock_at, room: time });
            write(&mut picture, player, name, plate / 2.0, plate, if is_left { 0.0 } else { 1.0 });
            write(&mut picture, &clock, time, plate / 2.0, plate, if is_left { 1.0 } else { 0.0 });
        }
        let below = self.below.get(ply).map_or("", String::as_str);
        let row = Span { at: plate * 0.3, room: width as f32 - plate * 0.6 };
        write(&mut picture, below, row, height as f32 - plate / 2.0, plate, 0.5);
        picture
    }
}

/// A number of pixels.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within a picture")]
const fn pixels(length: f32) -> u32 {
    length.round() as u32
}

/// A part of a row, from its left end.
struct Span {
    at: f32,
    room: f32,
}

/// Writes a line into a span of the row around `middle`, smaller where it has no room, and
/// `align`ed from the left (0) to the right (1).
fn write(picture: &mut RgbaImage, text: &str, row: Span, middle: f32, plate: f32, align: f32) {
    // The font is embedded; were it invalid, only the words would be missing.
    let Ok(font) = FontRef::try_from_slice(FONT) else { return };
    let width = |scale: f32| {
        let font = font.as_scaled(PxScale::from(scale));
        text.chars().map(|it| font.h_advance(font.glyph_id(it))).sum::<f32>()
    };
    let usual = plate * TEXT_SHARE;
    let scale = usual * (row.room.max(1.0) / width(usual).max(1.0)).min(1.0);
    let scaled = font.as_scaled(PxScale::from(scale));
    let mut x = row.at + (row.room - width(scale)) * align;
    let baseline = middle + (scaled.ascent() + scaled.descent()) / 2.0;
    for character in text.chars() {
        let id = scaled.glyph_id(character);
        let glyph = id.with_scale_and_position(scale, point(x, baseline));
        x += scaled.h_advance(id);
        let Some(outline) = font.outline_glyph(glyph) else { continue };
        let corner = outline.px_bounds().min;
        outline.draw(|dx, dy, share| {
            mix(picture, corner.x + dx as f32, corner.y + dy as f32, INK, share);
        });
    }
}

/// Paints a round stone.
fn disc(picture: &mut RgbaImage, x: f32, y: f32, radius: f32, color: Rgba<u8>) {
    let reach = radius.ceil() + 2.0;
    for (radius, color) in [(radius + 1.5, RING), (radius, color)] {
        let steps = pixels(2.0 * reach);
        for (dx, dy) in (0..=steps).flat_map(|dx| (0..=steps).map(move |dy| (dx, dy))) {
            let (at_x, at_y) = ((x - reach).floor() + dx as f32, (y - reach).floor() + dy as f32);
            let distance = (at_x + 0.5 - x).hypot(at_y + 0.5 - y);
            mix(picture, at_x, at_y, color, radius + 0.5 - distance);
        }
    }
}

/// Covers a share of a pixel with a colour; what is outside the picture is left out.
fn mix(picture: &mut RgbaImage, x: f32, y: f32, color: Rgba<u8>, share: f32) {
    if x < 0.0 || y < 0.0 {
        return;
    }
    let Some(pixel) = picture.get_pixel_mut_checked(pixels(x), pixels(y)) else { return };
    let share = share.clamp(0.0, 1.0);
    for (under, over) in pixel.0.iter_mut().zip(color.0).take(3) {
        let mixed = f32::from(*under) * (1.0 - share) + f32::from(over) * share;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a channel")]
        let mixed = mixed.round() as u8;
        *under = mixed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::read_games;

    #[test]
    fn plates_name_the_players_with_their_clocks_and_tell_the_result_at_the_end() {
        let text = "[Rules \"tablaaza\"]\n[Red \"Aili\"]\n[Green \"Piera\"]\n[TimeControl \"600+5\"]\n\
                    [Result \"1-0\"]\n[Termination \"resignation\"]\n\n\
                    1. c7 {[%clk 0:04:30]} c6 {[%clk 0:04:10]} 1-0\n";
        let record = read_games(text.as_bytes()).remove(0).expect("a record");
        let size = (640, 480);
        let plates = Plates::new(&record, Palette::Wood, size);
        assert_eq!(plates.players, ["Red · Aili", "Green · Piera"]);
        let (width, height) = plates.board_size(size);
        let board = RgbaImage::from_pixel(width, height, Rgba([90, 60, 30, 255]));
        let pictures = [0, 1, 2].map(|ply| plates.frame(&board, ply));
        assert!(pictures.iter().all(|picture| picture.dimensions() == size));
        // The board is untouched, what stands round it changes with each ply.
        let rows = |picture: &RgbaImage, from: u32, to: u32| {
            imageops::crop_imm(picture, 0, from, width, to - from).to_image()
        };
        let [above, below] = [(0, plates.height), (size.1 - plates.height, size.1)];
        for pair in pictures.windows(2) {
            let differ = |(from, to)| rows(&pair[0], from, to) != rows(&pair[1], from, to);
            assert!(!differ((above.1, below.0)) && differ(below));
        }
        assert!(rows(&pictures[0], above.0, above.1) != rows(&pictures[2], above.0, above.1));
        assert!(plates.below[2].contains("Red wins"), "{}", plates.below[2]);
    }

    #[test]
    fn a_long_name_stays_in_its_own_half() {
        let mut picture = RgbaImage::from_pixel(200, 30, Rgba([0, 0, 0, 255]));
        let long = "A very long name of a player that nobody would ever have";
        write(&mut picture, long, Span { at: 10.0, room: 80.0 }, 15.0, 30.0, 0.0);
        let lit = picture.enumerate_pixels().filter(|(.., pixel)| pixel.0[0] > 60);
        let columns: Vec<u32> = lit.map(|(x, ..)| x).collect();
        assert!(columns.iter().all(|x| (9..92).contains(x)) && columns.len() > 30, "{columns:?}");
    }
}
