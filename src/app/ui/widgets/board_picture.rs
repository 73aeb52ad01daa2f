//! Small pictures of the three boards, drawn by `make pictures`.

use bevy_egui::egui::{
    Color32, ColorImage, Context, CornerRadius, Id, Rect, TextureHandle, TextureOptions, Ui,
    epaint::RectShape, pos2, vec2,
};

use crate::games::GameKind;

/// Width by height of a picture.
pub(crate) const ASPECT: f32 = 1.6;

const fn png(game: GameKind) -> &'static [u8] {
    match game {
        GameKind::Tablut => include_bytes!("../../../../assets/pictures/small/tablut.png"),
        GameKind::Tablan => include_bytes!("../../../../assets/pictures/small/tablan.png"),
        GameKind::Tablaaza => include_bytes!("../../../../assets/pictures/small/tablaaza.png"),
    }
}

/// Paints the board of a game, cut to the proportions of `rect`.
pub(crate) fn paint(ui: &Ui, rect: Rect, game: GameKind, corners: CornerRadius) {
    let Some(texture) = texture(ui.ctx(), game) else { return };
    let share = (rect.width() / rect.height() / ASPECT).min(1.0);
    let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
    let height = (ASPECT * rect.height() / rect.width()).min(1.0);
    let uv = Rect::from_center_size(whole.center(), vec2(share, height));
    let shape = RectShape::filled(rect, corners, Color32::WHITE);
    ui.painter().add(shape.with_texture(texture.id(), uv));
}

/// The texture of a game's picture, uploaded once.
fn texture(context: &Context, game: GameKind) -> Option<TextureHandle> {
    let id = Id::new("board-picture").with(game);
    if let Some(texture) = context.data(|data| data.get_temp::<TextureHandle>(id)) {
        return Some(texture);
    }
    let picture = decode(png(game))?;
    let name = format!("{game:?}");
    let texture = context.load_texture(name, picture, TextureOptions::LINEAR);
    context.data_mut(|data| data.insert_temp(id, texture.clone()));
    Some(texture)
}

fn decode(png: &[u8]) -> Option<ColorImage> {
    let format = bevy::image::ImageFormat::Png;
    let (kind, sampler) =
        (bevy::image::ImageType::Format(format), bevy::image::ImageSampler::Default);
    let supported = bevy::image::CompressedImageFormats::NONE;
    let usage = bevy::asset::RenderAssetUsages::MAIN_WORLD;
    let image = bevy::image::Image::from_buffer(png, kind, supported, true, sampler, usage).ok()?;
    let size = image.size();
    let size = [size.x as usize, size.y as usize];
    let rgba = image.try_into_dynamic().ok()?.into_rgba8();
    Some(ColorImage::from_rgba_unmultiplied(size, &rgba))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_game_has_a_small_picture() {
        for game in [GameKind::Tablut, GameKind::Tablan, GameKind::Tablaaza] {
            let picture = decode(png(game)).expect("a picture");
            let [width, height] = picture.size;
            #[expect(clippy::cast_precision_loss, reason = "a small picture")]
            let aspect = width as f32 / height as f32;
            assert!((aspect - ASPECT).abs() < 0.02, "{game:?}: {width}x{height}");
            assert!(png(game).len() < 60_000, "{game:?}: {} bytes", png(game).len());
        }
    }
}
