//! The letters and numbers on the frame, from the font that is shipped.

use ab_glyph::{Font, FontRef, PxScale, ScaleFont, point};
use bevy::{
    asset::RenderAssetUsages,
    image::{ImageFilterMode, ImageSampler, ImageSamplerDescriptor},
    prelude::*,
    render::render_resource::{Extent3d, TextureDimension, TextureFormat},
};

use super::frame::{FRAME_Y, Style};
use crate::{
    app::scene::{
        layout::{FRAME, Layout},
        look::{MeshBuilder, palette},
    },
    games::Square,
};

/// Cabin, semibold, see `assets/CREDITS.md`.
static FONT: &[u8] =
    include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/fonts/Cabin-SemiBold.otf"));

/// The signs that boards need, in the order of their cells.
const SIGNS: &str = "abcdefghijkl123456789";

/// Half a cell's side on the frame at the usual size, and how far its middle is
/// from the rim.
const HALF: f32 = 0.27;
const RIM: f32 = 0.23;

/// Pixels of a cell's side.
const CELL: u32 = 96;
const COLUMNS: u32 = 7;

/// Where each sign is in the picture of all signs.
#[derive(Resource)]
pub(super) struct Letters {
    pale: Handle<StandardMaterial>,
    dark: Handle<StandardMaterial>,
}

pub(super) fn plugin(app: &mut App) {
    let picture = app.world_mut().resource_mut::<Assets<Image>>().add(picture());
    let mut materials = app.world_mut().resource_mut::<Assets<StandardMaterial>>();
    let [pale, dark] = [palette::LETTER, palette::LETTER_DARK].map(|colour| {
        materials.add(StandardMaterial {
            base_color: colour,
            base_color_texture: Some(picture.clone()),
            alpha_mode: AlphaMode::Blend,
            perceptual_roughness: 0.6,
            reflectance: 0.2,
            ..default()
        })
    });
    app.insert_resource(Letters { pale, dark });
}

impl Letters {
    /// The material of the labels on a frame.
    pub(super) fn material(&self, style: Style) -> Handle<StandardMaterial> {
        match style {
            Style::Walnut | Style::Rosewood => &self.pale,
            Style::Stone => &self.dark,
        }
        .clone()
    }
}

/// How large labels are, as times their usual size, where text has so many
/// hundredths of its own: no more than the frame has room for.
pub(super) fn size(text: u16) -> f32 {
    (f32::from(text) / 100.0).clamp(1.0, 1.6)
}

/// A mesh of all labels of a board, on all four bars, upright for who sits
/// near or far.
pub(super) fn labels(layout: &Layout, from_far: bool, size: f32) -> Mesh {
    let mut solid = MeshBuilder::new();
    let half = layout.half();
    let out = FRAME - RIM - 0.13 * (size - 1.0);
    let mut label = |sign: char, x: f32, z: f32| {
        label(&mut solid, sign, Vec3::new(x, FRAME_Y + 0.003, z), HALF * size, from_far);
    };
    for file in 0..layout.files {
        let x = layout.place(Square::new(file, 0)).x;
        for z in [half.y + out, -half.y - out] {
            label(char::from(b'a' + file), x, z);
        }
    }
    for rank in 0..layout.ranks {
        let z = layout.place(Square::new(0, rank)).z;
        for x in [half.x + out, -half.x - out] {
            label(char::from(b'1' + rank), x, z);
        }
    }
    solid.build()
}

fn label(solid: &mut MeshBuilder, sign: char, middle: Vec3, half: f32, from_far: bool) {
    let Some(index) = SIGNS.chars().position(|other| other == sign) else { return };
    let index = u32::try_from(index).unwrap_or_default();
    let rows = rows();
    let (column, row) = ((index % COLUMNS) as f32, (index / COLUMNS) as f32);
    let corners = [(-1.0, 1.0), (1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)]
        .map(|(x, z)| middle + Vec3::new(x * half, 0.0, z * half));
    let uv = move |at: Vec3| {
        let turn = if from_far { -1.0 } else { 1.0 };
        let within = turn * (at - middle) / (2.0 * half) + 0.5;
        Vec2::new((column + within.x) / COLUMNS as f32, (row + within.z) / rows as f32)
    };
    solid.polygon_with_uv(&corners, uv, Color::WHITE);
}

fn rows() -> u32 {
    u32::try_from(SIGNS.len()).unwrap_or_default().div_ceil(COLUMNS)
}

/// All signs, white on nothing, each in the middle of its cell.
fn picture() -> Image {
    let (width, height) = (CELL * COLUMNS, CELL * rows());
    let mut data = [255, 255, 255, 0].repeat((width * height) as usize);
    // The font is a part of the program; were it broken, boards would merely
    // have no letters.
    if let Ok(font) = FontRef::try_from_slice(FONT) {
        let scale = PxScale::from(CELL as f32 * 0.72);
        let scaled = font.as_scaled(scale);
        for (index, sign) in (0..).zip(SIGNS.chars()) {
            let id = scaled.glyph_id(sign);
            let wide = scaled.h_advance(id);
            let base = CELL as f32 * 0.70;
            let glyph = id.with_scale_and_position(scale, point((CELL as f32 - wide) / 2.0, base));
            let Some(outline) = font.outline_glyph(glyph) else { continue };
            let bounds = outline.px_bounds();
            let (left, top) = (index % COLUMNS * CELL, index / COLUMNS * CELL);
            outline.draw(|x, y, cover| {
                let x = x as f32 + bounds.min.x;
                let y = y as f32 + bounds.min.y;
                let cell = 0.0..CELL as f32;
                if cell.contains(&x) && cell.contains(&y) {
                    let pixel = (top + y as u32) * width + left + x as u32;
                    data[pixel as usize * 4 + 3] = (cover.clamp(0.0, 1.0) * 255.0) as u8;
                }
            });
        }
    }
    let mut image = Image::new(
        Extent3d { width, height, depth_or_array_layers: 1 },
        TextureDimension::D2,
        data,
        TextureFormat::Rgba8UnormSrgb,
        RenderAssetUsages::RENDER_WORLD,
    );
    image.sampler = ImageSampler::Descriptor(ImageSamplerDescriptor {
        mag_filter: ImageFilterMode::Linear,
        min_filter: ImageFilterMode::Linear,
        ..default()
    });
    image
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sign_leaves_ink_in_its_cell() {
        let image = picture();
        let data = image.data.unwrap_or_default();
        let width = (CELL * COLUMNS) as usize;
        for (index, sign) in SIGNS.chars().enumerate() {
            let (left, top) = (index % COLUMNS as usize, index / COLUMNS as usize);
            let ink = (0..CELL as usize)
                .flat_map(|y| (0..CELL as usize).map(move |x| (x, y)))
                .filter(|(x, y)| {
                    let pixel = (top * CELL as usize + y) * width + left * CELL as usize + x;
                    data[pixel * 4 + 3] > 128
                })
                .count();
            assert!(ink > 100, "{sign}: {ink} pixels");
        }
    }
}
