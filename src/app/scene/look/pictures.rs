//! The pictures in `assets/scenes`: boards, cloths, planks, rooms, shadows.

use std::io::Cursor;

use bevy::{
    asset::RenderAssetUsages,
    image::{CompressedImageFormats, ImageAddressMode, ImageSampler, ImageType},
    render::render_resource::TextureFormat,
};
use image_webp::WebPDecoder;

use super::{
    files::{DamagedFile, GameFile, SceneFile, game_file, scene_file},
    models::{ModelFile, Part, parts},
    textures::{texture_from_texels, to_unorm8},
};
use crate::app::scene::prelude::*;

/// A picture, row by row.
struct Picture {
    width: u32,
    height: u32,
    texels: Vec<[u8; 4]>,
}

fn webp(file: SceneFile) -> Result<Picture, DamagedFile> {
    let damaged = |error| file.damaged(error);
    let mut decoder = WebPDecoder::new(Cursor::new(file.1)).map_err(damaged)?;
    let (width, height) = decoder.dimensions();
    let size = decoder.output_buffer_size().ok_or_else(|| file.damaged("it is too large"))?;
    let mut data = vec![0; size];
    decoder.read_image(&mut data).map_err(damaged)?;
    let texels = if decoder.has_alpha() {
        data.as_chunks().0.to_vec()
    } else {
        data.as_chunks().0.iter().map(|&[red, green, blue]| [red, green, blue, 255]).collect()
    };
    Ok(Picture { width, height, texels })
}

fn png(file: SceneFile) -> Result<Picture, DamagedFile> {
    let image = Image::from_buffer(
        file.1,
        ImageType::Extension("png"),
        CompressedImageFormats::NONE,
        false,
        ImageSampler::Default,
        RenderAssetUsages::MAIN_WORLD,
    );
    let image = image.map_err(|error| file.damaged(error))?;
    let (width, height) = (image.width(), image.height());
    let texels = image.data.unwrap_or_default().as_chunks().0.to_vec();
    Ok(Picture { width, height, texels })
}

/// What is wrong with the pictures of a game.
#[cfg(target_arch = "wasm32")]
pub(super) fn check(game: GameKind) -> Vec<DamagedFile> {
    let file = |file| game_file(game, file);
    let pictures = [webp(file(GameFile::Board)), webp(file(GameFile::Cloth))];
    let pictures = pictures.into_iter().chain([png(file(GameFile::Shadows))]);
    pictures.filter_map(Result::err).collect()
}

/// One white texel, in place of a picture that cannot be read; the log says why.
fn or_white(picture: Result<Picture, DamagedFile>) -> Picture {
    picture.unwrap_or_else(|damaged| {
        error!("{damaged}");
        Picture { width: 1, height: 1, texels: vec![[255; 4]] }
    })
}

impl Picture {
    fn texture(self, format: TextureFormat, edge: ImageAddressMode, quality: Quality) -> Image {
        texture_from_texels(self.width, self.height, format, self.texels, edge, quality)
    }
}

/// The board of a game with these squares, in a palette.
pub(crate) fn board_picture(
    game: GameKind,
    squares: &str,
    palette: Palette,
    quality: Quality,
) -> Image {
    let mut picture = or_white(webp(game_file(game, GameFile::Board)));
    for part in parts(ModelFile::Game(game), squares).unwrap_or_default() {
        if let Some((wanted, own)) = part.wanted(palette) {
            tint(&mut picture, part, wanted, own);
        }
    }
    picture.texture(TextureFormat::Rgba8UnormSrgb, ImageAddressMode::ClampToEdge, quality)
}

/// Gives the squares of a part the wanted colour in place of their own. The grain stays,
/// weaker: else a dark wood would turn blotchy as a pale one.
fn tint(picture: &mut Picture, part: &Part, wanted: LinearRgba, own: LinearRgba) {
    let (width, height) = (picture.width as usize, picture.height as usize);
    let size = Vec2::new(width as f32, height as f32);
    let mut is_painted = vec![false; picture.texels.len()];
    // The triangles are halves of rectangles.
    for triangle in part.indices.chunks_exact(3) {
        let corners = triangle.iter().map(|&index| Vec2::from(part.uvs[index as usize]) * size);
        let bounds = corners.fold(Rect::EMPTY, |bounds, corner| bounds.union_point(corner));
        let (low, high) = (bounds.min.max(Vec2::ZERO).as_usizevec2(), bounds.max.ceil());
        for y in low.y..(high.y as usize).min(height) {
            is_painted[y * width + low.x.min(width)..y * width + (high.x as usize).min(width)]
                .fill(true);
        }
    }
    let linear: Vec<f32> =
        (0..=255).map(|value| Color::srgb_u8(value, 0, 0).to_linear().red).collect();
    for (texel, _) in picture.texels.iter_mut().zip(is_painted).filter(|texel| texel.1) {
        let [red, green, blue, share] = *texel;
        let [red, green, blue] = [red, green, blue].map(|channel| linear[usize::from(channel)]);
        let colour = LinearRgba::rgb(red, green, blue);
        let grain = (colour.luminance() / own.luminance()).min(4.0).powf(0.6);
        let tinted = Srgba::from(colour.mix(&(wanted * grain), f32::from(share) / 255.0));
        *texel = [to_unorm8(tinted.red), to_unorm8(tinted.green), to_unorm8(tinted.blue), share];
    }
}

/// The cloth under a game's board.
pub(crate) fn cloth_picture(game: GameKind, quality: Quality) -> Image {
    let picture = or_white(webp(game_file(game, GameFile::Cloth)));
    picture.texture(TextureFormat::Rgba8UnormSrgb, ImageAddressMode::Repeat, quality)
}

/// The planks of a room's table.
pub(crate) fn planks_picture(room: Room, quality: Quality) -> Image {
    let picture = or_white(webp(match room {
        Room::Study => scene_file!("study_planks.webp"),
        Room::Cabin => scene_file!("cabin_planks.webp"),
    }));
    picture.texture(TextureFormat::Rgba8UnormSrgb, ImageAddressMode::Repeat, quality)
}

/// What is seen of a room beyond the table.
pub(crate) fn panorama_picture(room: Room, quality: Quality) -> Image {
    let picture = or_white(webp(match room {
        Room::Study => scene_file!("study_panorama.webp"),
        Room::Cabin => scene_file!("cabin_panorama.webp"),
    }));
    picture.texture(TextureFormat::Rgba8UnormSrgb, ImageAddressMode::ClampToEdge, quality)
}

/// What polished things mirror of a room.
pub(crate) fn sheen_picture(room: Room) -> Image {
    let picture = or_white(webp(match room {
        Room::Study => scene_file!("study_sheen.webp"),
        Room::Cabin => scene_file!("cabin_sheen.webp"),
    }));
    let edge = ImageAddressMode::ClampToEdge;
    picture.texture(TextureFormat::Rgba8UnormSrgb, edge, Quality::Medium)
}

/// The shadows of a game's pieces and sticks on the ground, side by side, where each lamp
/// gives this share of the light.
pub(crate) fn shadow_picture(game: GameKind, shares: Vec4) -> Image {
    let mut picture = or_white(png(game_file(game, GameFile::Shadows)));
    for texel in &mut picture.texels {
        let taken = Vec4::from(texel.map(f32::from)) / 255.0;
        *texel = [0, 0, 0, to_unorm8(taken.dot(shares))];
    }
    let edge = ImageAddressMode::ClampToEdge;
    picture.texture(TextureFormat::Rgba8UnormSrgb, edge, Quality::Medium)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_picture_is_named() {
        for (file, read) in [
            (game_file(GameKind::Tablan, GameFile::Cloth), webp as fn(SceneFile) -> _),
            (game_file(GameKind::Tablan, GameFile::Shadows), png),
        ] {
            assert!(read(file).is_ok());
            let half = SceneFile(file.0, &file.1[..file.1.len() / 2]);
            let error = read(half).err().expect("an error").to_string();
            assert!(error.starts_with(&format!("assets/scenes/{} is damaged: ", file.0)));
        }
    }
}
