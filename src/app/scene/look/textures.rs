//! Wood grain and water, painted by arithmetic into textures with their mip
//! levels.

use bevy::{
    asset::RenderAssetUsages,
    image::{ImageAddressMode, ImageFilterMode, ImageSampler, ImageSamplerDescriptor},
    prelude::*,
    render::render_resource::{Extent3d, TextureDimension, TextureFormat},
};

/// The textures shared by things made of the same stuff.
#[derive(Resource, Clone)]
pub(crate) struct Grain {
    /// Even, pale grain along u; materials tint it.
    pub(crate) wood: Handle<Image>,
    /// Pale stone with a little dust in it; materials tint it.
    pub(crate) stone: Handle<Image>,
    /// What a lathe leaves on bone and hard wood: streaks along v.
    pub(crate) turned: Handle<Image>,
    /// The wood's relief: fibres and pores, as a normal map.
    pub(crate) fibres: Handle<Image>,
    /// Small waves, as a normal map.
    pub(crate) waves: Handle<Image>,
}

/// What a material shows besides its colour, where the graphics card has time
/// for it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Finish {
    /// A normal map.
    pub(crate) relief: Option<Handle<Image>>,
    /// Roughness and metal, point by point, for materials that have `rough`
    /// and `metal` of 1 with it.
    pub(crate) sheen: Option<Handle<Image>>,
    /// Roughness and metal without that picture.
    pub(crate) even: (f32, f32),
    /// How much lacquer lies over it, from 0 to 1.
    pub(crate) lacquer: f32,
}

/// The materials that have a finish when there is time for one.
#[derive(Resource, Default)]
pub(crate) struct Finishes(Vec<(Handle<StandardMaterial>, Finish)>);

impl Finishes {
    /// Gives a material its finish, in place of the one it had.
    pub(crate) fn give(&mut self, material: &Handle<StandardMaterial>, finish: Finish) {
        self.0.retain(|(known, _)| known != material);
        self.0.push((material.clone(), finish));
    }

    /// All of them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &(Handle<StandardMaterial>, Finish)> {
        self.0.iter()
    }
}

impl Finish {
    /// Of one roughness, with a relief.
    pub(crate) fn with_relief(relief: &Handle<Image>, rough: f32) -> Self {
        Self { relief: Some(relief.clone()), even: (rough, 0.0), ..Self::default() }
    }

    /// Of one roughness, under lacquer.
    pub(crate) fn lacquered(rough: f32, lacquer: f32) -> Self {
        Self { even: (rough, 0.0), lacquer, ..Self::default() }
    }
}

pub(crate) fn plugin(app: &mut App) {
    let mut images = app.world_mut().resource_mut::<Assets<Image>>();
    let colour = TextureFormat::Rgba8UnormSrgb;
    let vector = TextureFormat::Rgba8Unorm;
    let grain = Grain {
        wood: images.add(picture(512, 512, colour, wood)),
        stone: images.add(picture(256, 256, colour, stone)),
        turned: images.add(picture(128, 128, colour, turned)),
        fibres: images.add(picture(512, 512, vector, |u, v| normal(fibres, u, v, 0.0022))),
        waves: images.add(picture(256, 256, vector, |u, v| normal(swell, u, v, 0.012))),
    };
    app.insert_resource(grain).init_resource::<Finishes>();
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
pub(crate) fn noise(u: f32, v: f32, period: (i32, i32), seed: u32) -> f32 {
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

/// Stone that was cut and rubbed: clouds, dust, a few dark grains.
fn stone(u: f32, v: f32) -> [u8; 4] {
    let clouds = noise(u, v, (5, 5), 31) + 0.5 * noise(u, v, (13, 13), 32);
    let dust = noise(u, v, (90, 90), 33);
    let grains = (noise(u, v, (60, 60), 34) - 0.86).max(0.0) * 1.1;
    let light = 0.86 + 0.07 * (clouds - 0.75) + 0.07 * (dust - 0.5) - grains;
    let byte = |value: f32| (value.clamp(0.0, 1.0) * 255.0) as u8;
    [byte(light), byte(light * 0.99), byte(light * 0.97), 255]
}

/// Streaks along the axis of what was turned, and faint rings round it.
fn turned(u: f32, v: f32) -> [u8; 4] {
    let streaks = noise(u, v, (40, 3), 41);
    let rings = noise(u, v, (2, 60), 42);
    let clouds = noise(u, v, (4, 4), 43);
    let light = 0.93 + 0.07 * (streaks - 0.5) + 0.05 * (rings - 0.5) + 0.08 * (clouds - 0.5);
    let byte = |value: f32| (value.clamp(0.0, 1.0) * 255.0) as u8;
    [byte(light), byte(light), byte(light * 0.99), 255]
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
    let pixels = (0..height)
        .flat_map(|y| (0..width).map(move |x| (x, y)))
        .map(|(x, y)| pixel((x as f32 + 0.5) / width as f32, (y as f32 + 0.5) / height as f32))
        .collect();
    texture(width, height, format, pixels, ImageAddressMode::Repeat)
}

/// A texture of these pixels, row by row, with all mip levels.
pub(crate) fn texture(
    width: u32,
    height: u32,
    format: TextureFormat,
    mut level: Vec<[u8; 4]>,
    beyond: ImageAddressMode,
) -> Image {
    let levels = 32 - width.max(height).leading_zeros();
    let mut data = Vec::with_capacity(level.len() * 4 * 4 / 3 + 64);
    data.extend_from_slice(level.as_flattened());
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
        data.extend_from_slice(level.as_flattened());
    }
    let mut image = Image::new_uninit(
        Extent3d { width, height, depth_or_array_layers: 1 },
        TextureDimension::D2,
        format,
        // Painted once and never looked at again.
        RenderAssetUsages::RENDER_WORLD,
    );
    image.texture_descriptor.mip_level_count = levels;
    image.data = Some(data);
    image.sampler = ImageSampler::Descriptor(ImageSamplerDescriptor {
        address_mode_u: beyond,
        address_mode_v: beyond,
        mag_filter: ImageFilterMode::Linear,
        min_filter: ImageFilterMode::Linear,
        mipmap_filter: ImageFilterMode::Linear,
        ..default()
    });
    image
}
