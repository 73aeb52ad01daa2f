//! Small pictures of the three boards, drawn by `make pictures`.

use std::io::Cursor;

use bevy_egui::egui::{ColorImage, TextureHandle, TextureOptions, epaint::RectShape};
use image_webp::WebPDecoder;

use crate::app::ui::prelude::*;

/// Width by height of a picture.
pub(crate) const ASPECT: f32 = 1.6;

const fn webp(game: GameKind) -> &'static [u8] {
    match game {
        GameKind::Tablut => include_bytes!("../../../../assets/pictures/small/tablut.webp"),
        GameKind::Tablan => include_bytes!("../../../../assets/pictures/small/tablan.webp"),
        GameKind::Tablaaza => include_bytes!("../../../../assets/pictures/small/tablaaza.webp"),
    }
}

/// Paints the board of a game, cut to the proportions of `rect`, as opaque as said.
pub(crate) fn paint(ui: &Ui, rect: Rect, game: GameKind, corners: CornerRadius, opacity: f32) {
    paint_on(ui.painter(), rect, game, corners, opacity);
}

/// The same with a painter.
pub(crate) fn paint_on(
    painter: &Painter,
    rect: Rect,
    game: GameKind,
    corners: CornerRadius,
    opacity: f32,
) {
    if opacity <= 0.0 {
        return;
    }
    let Some(texture) = texture(painter.ctx(), game) else { return };
    let share = (rect.width() / rect.height() / ASPECT).min(1.0);
    let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
    let height = (ASPECT * rect.height() / rect.width()).min(1.0);
    let uv = Rect::from_center_size(whole.center(), vec2(share, height));
    let shape = RectShape::filled(rect, corners, Color32::WHITE.gamma_multiply(opacity));
    painter.add(shape.with_texture(texture.id(), uv));
}

/// The texture of a game's picture, uploaded once.
fn texture(context: &Context, game: GameKind) -> Option<TextureHandle> {
    uploaded(context, "board-picture", game, |picture| picture)
}

/// The colours of a game's picture without its shapes, as a ground for texts.
pub(crate) fn blurred(context: &Context, game: GameKind) -> Option<TextureHandle> {
    uploaded(context, "blurred-board", game, |picture| shrunk(&picture))
}

/// All colours of the blurred pictures.
#[cfg(test)]
pub(crate) fn blurred_colors() -> Vec<Color32> {
    let pictures = [GameKind::Tablut, GameKind::Tablan, GameKind::Tablaaza].map(webp);
    pictures
        .iter()
        .flat_map(|webp| decode(webp).map(|picture| shrunk(&picture).pixels).expect("a picture"))
        .collect()
}

/// By how much a picture is shrunk before it is stretched over the window.
const SHRUNK: usize = 20;

/// The picture in a few pixels, each the mean of three blocks by three.
fn shrunk(picture: &ColorImage) -> ColorImage {
    let [width, height] = picture.size.map(|length| length / SHRUNK);
    let mean = |x: usize, y: usize| {
        let near = |at: usize, length: usize| {
            at.saturating_sub(1) * SHRUNK..((at + 2) * SHRUNK).min(length)
        };
        let [columns, rows] = [near(x, picture.size[0]), near(y, picture.size[1])];
        let count = columns.len() * rows.len();
        let mut sum = [0; 3];
        for row in rows {
            for pixel in &picture.pixels[row * picture.size[0]..][columns.clone()] {
                for (sum, channel) in sum.iter_mut().zip(pixel.to_array()) {
                    *sum += usize::from(channel);
                }
            }
        }
        let [red, green, blue] =
            sum.map(|channel| u8::try_from(channel / count.max(1)).unwrap_or(u8::MAX));
        Color32::from_rgb(red, green, blue)
    };
    let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    ColorImage::new([width, height], pixels.map(|(x, y)| mean(x, y)).collect())
}

/// The texture of a game's picture after a change, made and uploaded once.
fn uploaded(
    context: &Context,
    name: &str,
    game: GameKind,
    change: impl FnOnce(ColorImage) -> ColorImage,
) -> Option<TextureHandle> {
    let id = Id::new(name).with(game);
    if let Some(texture) = context.data(|data| data.get_temp::<TextureHandle>(id)) {
        return Some(texture);
    }
    let picture = change(decode(webp(game))?);
    let texture = context.load_texture(format!("{name}-{game:?}"), picture, TextureOptions::LINEAR);
    context.data_mut(|data| data.insert_temp(id, texture.clone()));
    Some(texture)
}

fn decode(webp: &[u8]) -> Option<ColorImage> {
    let mut decoder = WebPDecoder::new(Cursor::new(webp)).ok()?;
    let (width, height) = decoder.dimensions();
    let mut rgb = vec![0; decoder.output_buffer_size()?];
    decoder.read_image(&mut rgb).ok()?;
    let size = [usize::try_from(width).ok()?, usize::try_from(height).ok()?];
    (!decoder.has_alpha()).then(|| ColorImage::from_rgb(size, &rgb))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_game_has_a_small_picture() {
        for game in [GameKind::Tablut, GameKind::Tablan, GameKind::Tablaaza] {
            let picture = decode(webp(game)).expect("a picture");
            let [width, height] = picture.size;
            #[expect(clippy::cast_precision_loss, reason = "a small picture")]
            let aspect = width as f32 / height as f32;
            assert!((aspect - ASPECT).abs() < 0.02, "{game:?}: {width}x{height}");
            assert!(width >= 480, "{game:?}: a card of the title is as wide");
            assert!(webp(game).len() < 45_000, "{game:?}: {} bytes", webp(game).len());
        }
    }
}
