//! Wood grain and water, painted by arithmetic into textures with their mip
//! levels.

use bevy::{
    asset::RenderAssetUsages,
    image::{ImageAddressMode, ImageFilterMode, ImageSampler, ImageSamplerDescriptor},
    prelude::*,
    render::render_resource::{Extent3d, TextureDimension, TextureFormat},
};

/// The textures shared by wooden things and by water.
#[derive(Resource, Clone)]
pub(crate) struct Grain {
    /// Even, pale grain along u; materials tint it.
    pub(crate) wood: Handle<Image>,
    /// The same wood's relief: fibres and pores, as a normal map.
    relief: Handle<Image>,
    /// Small waves, as a normal map.
    waves: Handle<Image>,
}

/// What a material's surface is like besides its colour. Shown where the
/// graphics card has time for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relief {
    /// Planed wood.
    Wood,
    /// Water in a light wind.
    Waves,
}

/// The materials that have a relief when there is time for one.
#[derive(Resource, Default)]
pub(crate) struct Reliefs(pub(crate) Vec<(Handle<StandardMaterial>, Relief)>);

impl Grain {
    /// The normal map of a relief.
    pub(crate) fn map(&self, relief: Relief) -> Handle<Image> {
        match relief {
            Relief::Wood => &self.relief,
            Relief::Waves => &self.waves,
        }
        .clone()
    }
}

pub(crate) fn plugin(app: &mut App) {
    let mut images = app.world_mut().resource_mut::<Assets<Image>>();
    let colour = TextureFormat::Rgba8UnormSrgb;
    let vector = TextureFormat::Rgba8Unorm;
    let grain = Grain {
        wood: images.add(picture(512, 512, colour, wood)),
        relief: images.add(picture(512, 512, vector, |u, v| normal(fibres, u, v, 0.0022))),
        waves: images.add(picture(256, 256, vector, |u, v| normal(swell, u, v, 0.012))),
    };
    app.insert_resource(grain).init_resource::<Reliefs>();
}

/// A square of a lattice of hashed values, repeating every `period` cells.
fn lattice(x: i32, y: i32, period: (i32, i32), seed: u32) -> f32 {
    let x = x.rem_euclid(period.0).cast_unsigned();
    let y = y.rem_euclid(period.1).cast_unsigned();
    let mut hash = x.wrapping_mul(0x9E37_79B1) ^ y.wrapping_mul(0x85EB_CA77) ^ seed;
    hash = (hash ^ (hash >> 15)).wrapping_mul(0x2C1B_3C6D);
    hash = (hash ^ (hash >> 12)).wrapping_mul(0x297A_2D39);
    (hash ^ (hash >> 15)) as f32 / u32::MAX as f32
}

/// Smooth noise from 0 to 1 that repeats over the unit square.
fn noise(u: f32, v: f32, period: (i32, i32), seed: u32) -> f32 {
    let (x, y) = (u * period.0 as f32, v * period.1 as f32);
    let (x0, y0) = (x.floor(), y.floor());
    let fade = |t: f32| t * t * (3.0 - 2.0 * t);
    let (fx, fy) = (fade(x - x0), fade(y - y0));
    let (x0, y0) = (x0 as i32, y0 as i32);
    let row =
        |y: i32| lattice(x0, y, period, seed) * (1.0 - fx) + lattice(x0 + 1, y, period, seed) * fx;
    row(y0) * (1.0 - fy) + row(y0 + 1) * fy
}

/// Grain along u: slow rings bent by noise, fine fibres, a few dark pores.
fn wood(u: f32, v: f32) -> [u8; 4] {
    let bend = noise(u, v, (3, 5), 11) + 0.5 * noise(u, v, (6, 11), 12);
    let rings = 0.5 + 0.5 * ((v * 14.0 + bend * 2.2) * std::f32::consts::TAU).sin();
    let fibres = noise(u, v, (10, 170), 13);
    let shade = noise(u, v, (4, 24), 14);
    let pores = (noise(u, v, (34, 256), 15) - 0.84).max(0.0) * 0.7;
    let light = 0.86 + 0.08 * rings + 0.06 * fibres + 0.07 * (shade - 0.5) - pores;
    let warm = 0.03 * (1.0 - rings);
    let byte = |value: f32| (value.clamp(0.0, 1.0) * 255.0) as u8;
    [byte(light), byte(light - warm * 0.6), byte(light - warm * 1.6), 255]
}

/// How high the wood stands: fibres along u, and pores that sink in.
fn fibres(u: f32, v: f32) -> f32 {
    let pores = (noise(u, v, (34, 256), 15) - 0.78).max(0.0) * 2.4;
    0.35 * noise(u, v, (10, 170), 13) + 0.5 * noise(u, v, (4, 24), 14) - pores
}

/// How high water stands in a light wind.
fn swell(u: f32, v: f32) -> f32 {
    let bend = 0.3 * noise(u, v, (4, 4), 21);
    noise(u + bend, v, (7, 12), 22) + 0.45 * noise(u, v + bend, (17, 25), 23)
}

/// The direction a surface of that height faces, packed as normal maps are;
/// `strength` is how much its height of 1 is of the picture's width.
fn normal(height: fn(f32, f32) -> f32, u: f32, v: f32, strength: f32) -> [u8; 4] {
    let step = 1.0 / 512.0;
    let slope = |du: f32, dv: f32| {
        (height(u - du, v - dv) - height(u + du, v + dv)) * strength / (2.0 * step)
    };
    let way = Vec3::new(slope(step, 0.0), slope(0.0, step), 1.0).normalize();
    let byte = |value: f32| ((value * 0.5 + 0.5).clamp(0.0, 1.0) * 255.0).round() as u8;
    [byte(way.x), byte(way.y), byte(way.z), 255]
}

/// A texture painted by `pixel` over the unit square, with all mip levels,
/// repeating.
pub(crate) fn picture(
    width: u32,
    height: u32,
    format: TextureFormat,
    pixel: impl Fn(f32, f32) -> [u8; 4],
) -> Image {
    let mut level: Vec<[u8; 4]> = (0..height)
        .flat_map(|y| (0..width).map(move |x| (x, y)))
        .map(|(x, y)| pixel((x as f32 + 0.5) / width as f32, (y as f32 + 0.5) / height as f32))
        .collect();
    let levels = 32 - width.max(height).leading_zeros();
    let mut data: Vec<u8> = level.iter().flatten().copied().collect();
    let (mut w, mut h) = (width as usize, height as usize);
    for _ in 1..levels {
        let (nw, nh) = ((w / 2).max(1), (h / 2).max(1));
        level = (0..nw * nh)
            .map(|i| {
                let (x, y) = (i % nw * 2, i / nw * 2);
                let (x1, y1) = ((x + 1).min(w - 1), (y + 1).min(h - 1));
                let four =
                    [level[y * w + x], level[y * w + x1], level[y1 * w + x], level[y1 * w + x1]];
                std::array::from_fn(|c| {
                    let sum: u16 = four.iter().map(|pixel| u16::from(pixel[c])).sum();
                    (sum / 4) as u8
                })
            })
            .collect();
        (w, h) = (nw, nh);
        data.extend(level.iter().flatten());
    }
    let mut image = Image::new_uninit(
        Extent3d { width, height, depth_or_array_layers: 1 },
        TextureDimension::D2,
        format,
        RenderAssetUsages::default(),
    );
    image.texture_descriptor.mip_level_count = levels;
    image.data = Some(data);
    image.sampler = ImageSampler::Descriptor(ImageSamplerDescriptor {
        address_mode_u: ImageAddressMode::Repeat,
        address_mode_v: ImageAddressMode::Repeat,
        mag_filter: ImageFilterMode::Linear,
        min_filter: ImageFilterMode::Linear,
        mipmap_filter: ImageFilterMode::Linear,
        ..default()
    });
    image
}
