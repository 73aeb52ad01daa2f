//! Textures with mip levels.

use bevy::{
    asset::RenderAssetUsages,
    image::{ImageAddressMode, ImageFilterMode, ImageSampler, ImageSamplerDescriptor},
    render::render_resource::{Extent3d, TextureDimension, TextureFormat},
};

use crate::app::scene::prelude::*;

/// Cubic Hermite step: 0 at 0, 1 at 1, slope 0 at both.
pub(crate) fn smoothstep(t: f32) -> f32 {
    t * t * (3.0 - 2.0 * t)
}

/// A value from 0 to 1 as an 8-bit channel, clamped and truncated.
pub(crate) fn to_unorm8(value: f32) -> u8 {
    (value.clamp(0.0, 1.0) * 255.0) as u8
}

/// A texture of these texels, row by row, with all mip levels.
pub(crate) fn texture_from_texels(
    width: u32,
    height: u32,
    format: TextureFormat,
    mut level: Vec<[u8; 4]>,
    address_mode: ImageAddressMode,
    quality: Quality,
) -> Image {
    let levels = 32 - width.max(height).leading_zeros();
    // The mip levels add a third to the size of the first.
    let mut data = Vec::with_capacity(level.len() * 4 * 4 / 3 + 64);
    data.extend_from_slice(level.as_flattened());
    let (mut w, mut h) = (width as usize, height as usize);
    for _ in 1..levels {
        level = half_size(&level, w, h);
        (w, h) = ((w / 2).max(1), (h / 2).max(1));
        data.extend_from_slice(level.as_flattened());
    }
    let mut image = Image::new_uninit(
        Extent3d { width, height, depth_or_array_layers: 1 },
        TextureDimension::D2,
        format,
        // The CPU never reads it again.
        RenderAssetUsages::RENDER_WORLD,
    );
    image.texture_descriptor.mip_level_count = levels;
    image.data = Some(data);
    // How many texels are read along a surface that is seen at a low angle: a software
    // renderer pays for each.
    let (mipmap_filter, anisotropy_clamp) = match quality {
        Quality::Low => (ImageFilterMode::Nearest, 1),
        Quality::Medium => (ImageFilterMode::Linear, 1),
        Quality::High => (ImageFilterMode::Linear, 16),
    };
    image.sampler = ImageSampler::Descriptor(ImageSamplerDescriptor {
        address_mode_u: address_mode,
        address_mode_v: address_mode,
        mag_filter: ImageFilterMode::Linear,
        min_filter: ImageFilterMode::Linear,
        mipmap_filter,
        anisotropy_clamp,
        ..default()
    });
    image
}

/// The next mip level: each texel is the mean of four (a box filter). Two channels are added
/// at once, which makes the start quicker.
fn half_size(level: &[[u8; 4]], w: usize, h: usize) -> Vec<[u8; 4]> {
    const PAIR: u32 = 0x00FF_00FF;
    let (half_w, half_h) = ((w / 2).max(1), (h / 2).max(1));
    let mut half = Vec::with_capacity(half_w * half_h);
    for y in 0..half_h {
        let (top, bottom) = (2 * y * w, (2 * y + 1).min(h - 1) * w);
        for x in 0..half_w {
            let (left, right) = (2 * x, (2 * x + 1).min(w - 1));
            let (mut even, mut odd) = (0, 0);
            for at in [top + left, top + right, bottom + left, bottom + right] {
                let texel = u32::from_le_bytes(level[at]);
                even += texel & PAIR;
                odd += (texel >> 8) & PAIR;
            }
            half.push((((even >> 2) & PAIR) | (((odd >> 2) & PAIR) << 8)).to_le_bytes());
        }
    }
    half
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_texel_of_the_next_level_is_the_mean_of_four() {
        let level = [[0, 10, 255, 4], [4, 20, 255, 8], [8, 30, 255, 0], [4, 40, 251, 0]];
        assert_eq!(half_size(&level, 2, 2), [[4, 25, 254, 3]]);
        assert_eq!(half_size(&level, 4, 1), [[2, 15, 255, 6], [6, 35, 253, 0]]);
        assert_eq!(half_size(&level[..1], 1, 1), level[..1]);
    }
}
