//! A software rasterizer for the panels: `PICTURES=folder cargo test --lib
//! ui::tests::every_screen` writes a picture of every screen into the folder.

use bevy_egui::egui::{
    Color32, ColorImage, Context, ImageData, Mesh, Pos2, Rect, TextureId, TexturesDelta,
    epaint::{ClippedShape, Primitive},
};
use image::{Rgba, RgbaImage};

/// The background, in place of the scene.
const TABLE: Rgba<u8> = Rgba([104, 86, 66, 255]);

/// The texture with the letters.
pub(crate) struct FontAtlas(ColorImage);

impl Default for FontAtlas {
    fn default() -> Self {
        Self(ColorImage::filled([1, 1], Color32::WHITE))
    }
}

impl FontAtlas {
    /// Applies the changes of a frame.
    pub(crate) fn take(&mut self, delta: &mut TexturesDelta) {
        for (texture, changes) in &delta.set {
            if *texture != TextureId::default() {
                continue;
            }
            for change in changes {
                let ImageData::Color(image) = &change.image;
                match change.pos {
                    None => self.0 = (**image).clone(),
                    Some([x, y]) => {
                        for row in 0..image.height() {
                            for column in 0..image.width() {
                                self.0[(x + column, y + row)] = image[(column, row)];
                            }
                        }
                    }
                }
            }
        }
        delta.clear();
    }

    fn at(&self, uv: Pos2) -> [f32; 4] {
        let [width, height] = self.0.size;
        let (x, y) = (uv.x * width as f32 - 0.5, uv.y * height as f32 - 0.5);
        let (left, top) = (x.floor(), y.floor());
        let mut sum = [0.0; 4];
        for (dx, dy) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] {
            let share = (1.0 - (x - left - dx).abs()) * (1.0 - (y - top - dy).abs());
            let column = (left + dx).clamp(0.0, width as f32 - 1.0) as usize;
            let row = (top + dy).clamp(0.0, height as f32 - 1.0) as usize;
            for (sum, value) in sum.iter_mut().zip(self.0[(column, row)].to_array()) {
                *sum += share * f32::from(value) / 255.0;
            }
        }
        sum
    }
}

/// Draws the shapes of a frame; `points` is the size, `scale` the pixels of a
/// point.
pub(crate) fn draw(
    context: &Context,
    shapes: Vec<ClippedShape>,
    atlas: &FontAtlas,
    points: (f32, f32),
    scale: f32,
) -> RgbaImage {
    let (width, height) = ((points.0 * scale) as u32, (points.1 * scale) as u32);
    let mut picture = RgbaImage::from_pixel(width, height, TABLE);
    for clipped in context.tessellate(shapes, scale) {
        // Of the textures only the letters are known.
        if let Primitive::Mesh(mesh) = &clipped.primitive
            && mesh.texture_id == TextureId::default()
        {
            fill(&mut picture, mesh, clipped.clip_rect, atlas, scale);
        }
    }
    picture
}

fn fill(picture: &mut RgbaImage, mesh: &Mesh, clip: Rect, atlas: &FontAtlas, scale: f32) {
    let last = (picture.width() as f32, picture.height() as f32);
    for corner in mesh.indices.chunks_exact(3) {
        let [a, b, c] = [0, 1, 2].map(|index| &mesh.vertices[corner[index] as usize]);
        let [pa, pb, pc] = [a, b, c].map(|vertex| (vertex.pos.to_vec2() * scale).to_pos2());
        let area = (pb - pa).x * (pc - pa).y - (pb - pa).y * (pc - pa).x;
        if area.abs() < 1e-6 {
            continue;
        }
        let rect = Rect::from_points(&[pa, pb, pc])
            .intersect(Rect::from_min_max(
                (clip.min.to_vec2() * scale).round().to_pos2(),
                (clip.max.to_vec2() * scale).round().to_pos2(),
            ))
            .intersect(Rect::from_min_max(Pos2::ZERO, last.into()));
        if !rect.is_positive() {
            continue;
        }
        for y in rect.top().floor() as u32..rect.bottom().ceil().min(last.1) as u32 {
            for x in rect.left().floor() as u32..rect.right().ceil().min(last.0) as u32 {
                let at = Pos2::new(x as f32 + 0.5, y as f32 + 0.5);
                if !rect.contains(at) {
                    continue;
                }
                let weight = |from: Pos2, to: Pos2| {
                    ((to - from).x * (at - from).y - (to - from).y * (at - from).x) / area
                };
                let (wa, wb, wc) = (weight(pb, pc), weight(pc, pa), weight(pa, pb));
                if wa < 0.0 || wb < 0.0 || wc < 0.0 {
                    continue;
                }
                let uv =
                    (a.uv.to_vec2() * wa + b.uv.to_vec2() * wb + c.uv.to_vec2() * wc).to_pos2();
                let ink = atlas.at(uv);
                let colours = [a, b, c].map(|vertex| vertex.color.to_array());
                let under = picture.get_pixel_mut(x, y);
                let mixed = |channel: usize| {
                    let [a, b, c] = colours.map(|colour| f32::from(colour[channel]));
                    (a * wa + b * wb + c * wc) * ink[channel]
                };
                let alpha = mixed(3) / 255.0;
                for channel in 0..3 {
                    let below = f32::from(under.0[channel]) * (1.0 - alpha);
                    under.0[channel] = (mixed(channel) + below).clamp(0.0, 255.0) as u8;
                }
            }
        }
    }
}
