//! Procedural textures with mip levels, made of value noise.

use bevy::{
    asset::RenderAssetUsages,
    image::{ImageAddressMode, ImageFilterMode, ImageSampler, ImageSamplerDescriptor},
    prelude::*,
    render::render_resource::{Extent3d, TextureDimension, TextureFormat},
};

/// The textures that several materials share.
#[derive(Resource, Clone)]
pub(crate) struct SharedTextures {
    /// Pale wood, its grain along u; materials tint it.
    pub(crate) wood: Handle<Image>,
    /// Pale stone; materials tint it.
    pub(crate) stone: Handle<Image>,
    /// Lathe-turned bone or hardwood: faint streaks along v, rings along u.
    pub(crate) turned: Handle<Image>,
    /// Pale felt; materials tint it.
    pub(crate) felt: Handle<Image>,
    /// Normal map of wood fibres and pores.
    pub(crate) wood_normal_map: Handle<Image>,
    /// Normal map of small waves.
    pub(crate) water_normal_map: Handle<Image>,
}

pub(crate) fn plugin(app: &mut App) {
    let mut images = app.world_mut().resource_mut::<Assets<Image>>();
    let colour = TextureFormat::Rgba8UnormSrgb;
    let vector = TextureFormat::Rgba8Unorm;
    let water =
        texture_from_fn(256, 256, vector, |u, v| normal_from_height(water_height, u, v, 0.012));
    let (wood, wood_normal_map) = wood_textures(512, 0.0022);
    let textures = SharedTextures {
        wood: images.add(wood),
        felt: images.add(texture_from_fn(128, 128, colour, felt)),
        stone: images.add(texture_from_fn(256, 256, colour, stone)),
        turned: images.add(texture_from_fn(128, 128, colour, turned)),
        wood_normal_map: images.add(wood_normal_map),
        water_normal_map: images.add(water),
    };
    app.insert_resource(textures);
}

/// Cubic Hermite step: 0 at 0, 1 at 1, slope 0 at both.
pub(crate) fn smoothstep(t: f32) -> f32 {
    t * t * (3.0 - 2.0 * t)
}

/// A value from 0 to 1 as an 8-bit channel, clamped and truncated.
pub(crate) fn to_unorm8(value: f32) -> u8 {
    (value.clamp(0.0, 1.0) * 255.0) as u8
}

/// A unit normal as a texel of a normal map.
pub(crate) fn normal_to_texel(normal: Vec3) -> [u8; 4] {
    let channel = |value: f32| ((value * 0.5 + 0.5).clamp(0.0, 1.0) * 255.0).round() as u8;
    [channel(normal.x), channel(normal.y), channel(normal.z), 255]
}

/// The hashed value of a lattice point, from 0 to 1; repeats every `period`
/// cells.
fn lattice_value(x: i32, y: i32, period: (i32, i32), seed: u32) -> f32 {
    let x = x.rem_euclid(period.0).cast_unsigned();
    let y = y.rem_euclid(period.1).cast_unsigned();
    let mut hash = x.wrapping_mul(0x9E37_79B1) ^ y.wrapping_mul(0x85EB_CA77) ^ seed;
    hash = (hash ^ (hash >> 15)).wrapping_mul(0x2C1B_3C6D);
    hash = (hash ^ (hash >> 12)).wrapping_mul(0x297A_2D39);
    (hash ^ (hash >> 15)) as f32 / u32::MAX as f32
}

/// Value noise from 0 to 1 that tiles over the unit square: random values on a
/// lattice of `period` cells, interpolated with [`smoothstep`].
pub(crate) fn value_noise(u: f32, v: f32, period: (i32, i32), seed: u32) -> f32 {
    let (x, y) = (u * period.0 as f32, v * period.1 as f32);
    let (x0, y0) = (x.floor(), y.floor());
    let (fx, fy) = (smoothstep(x - x0), smoothstep(y - y0));
    let (x0, y0) = (x0 as i32, y0 as i32);
    let row = |y: i32| {
        lattice_value(x0, y, period, seed) * (1.0 - fx)
            + lattice_value(x0 + 1, y, period, seed) * fx
    };
    row(y0) * (1.0 - fy) + row(y0 + 1) * fy
}

/// Rings from the pith to the edge of the trunk.
const RINGS: f32 = 21.0;

/// A plank sawn lengthwise from a trunk, its grain along u: growth rings, which the
/// saw cuts in arches; rays, fibres and pores. Returns colour and height.
fn wood(u: f32, v: f32) -> ([u8; 4], f32) {
    // The distance of the saw from the pith changes along the trunk, which is bent.
    let along = std::f32::consts::TAU * u;
    let bend = 0.10 * (along + 1.0).sin() + 0.05 * (value_noise(u, v, (5, 3), 11) - 0.5);
    let depth = 0.30 + 0.20 * along.sin() + 0.06 * (2.0 * along + 2.0).sin();
    // A mirrored copy beside the plank lets the texture tile.
    let across = 1.0 - (2.0 * ((v + bend).rem_euclid(1.0)) - 1.0).abs();
    let wave = 0.030 * (value_noise(u, v, (6, 11), 12) - 0.5);
    let distance = (1.15 * (1.0 - across)).hypot(depth) + wave;
    let ring = (RINGS * distance).fract();
    // Summer wood darkens towards the end of its year.
    let late = smoothstep(((ring - 0.35) / 0.55).clamp(0.0, 1.0))
        * (1.0 - smoothstep(((ring - 0.93) / 0.07).clamp(0.0, 1.0)));
    let year = value_noise((RINGS * distance).floor() / 64.0, 0.5, (64, 1), 17);
    let fibres = value_noise(u, v, (10, 170), 13);
    let shade = value_noise(u, v, (4, 24), 14);
    let pores = (value_noise(u, v, (34, 256), 15) - 0.80).max(0.0) * (1.0 - 0.7 * late);
    let rays = (value_noise(u, v, (90, 120), 16) - 0.86).max(0.0);
    let light = 0.95 - (0.11 + 0.08 * year) * late
        + 0.10 * (fibres - 0.5)
        + 0.10 * (shade - 0.5)
        + 0.35 * rays
        - 1.2 * pores;
    let warmth = 0.10 * late + 0.3 * pores;
    let texel = [light, light - 0.45 * warmth, light - warmth].map(to_unorm8);
    let height = 0.35 * fibres + 0.3 * shade + 0.25 * late - 2.4 * pores;
    ([texel[0], texel[1], texel[2], 255], height)
}

/// The texture and the normal map of wood. A height of 1 is `strength` times the
/// texture's width.
fn wood_textures(size: u32, strength: f32) -> (Image, Image) {
    let at = |i: u32| (i as f32 + 0.5) / size as f32;
    let samples: Vec<([u8; 4], f32)> =
        (0..size).flat_map(|y| (0..size).map(move |x| wood(at(x), at(y)))).collect();
    let height = |x: u32, y: u32| samples[(y % size * size + x % size) as usize].1;
    let scale = strength * size as f32 / 2.0;
    let normal = |x: u32, y: u32| {
        let across = height(x + size - 1, y) - height(x + 1, y);
        let along = height(x, y + size - 1) - height(x, y + 1);
        normal_to_texel(Vec3::new(across * scale, along * scale, 1.0).normalize())
    };
    let normals = (0..size).flat_map(|y| (0..size).map(move |x| (x, y)));
    let normals = normals.map(|(x, y)| normal(x, y)).collect();
    let colours = samples.iter().map(|it| it.0).collect();
    let texture = |format: TextureFormat, texels: Vec<[u8; 4]>| {
        texture_from_texels(size, size, format, texels, ImageAddressMode::Repeat)
    };
    (texture(TextureFormat::Rgba8UnormSrgb, colours), texture(TextureFormat::Rgba8Unorm, normals))
}

/// Felt: matted fibres without a direction.
fn felt(u: f32, v: f32) -> [u8; 4] {
    let bend = 0.03 * value_noise(u, v, (16, 16), 92);
    let fibres = value_noise(u + bend, v, (60, 24), 90) + value_noise(u, v + bend, (24, 60), 91);
    let light = to_unorm8(0.86 + 0.09 * (fibres - 1.0) + 0.06 * value_noise(u, v, (7, 7), 93));
    [light, light, light, 255]
}

/// Honed stone: clouds, dust, dark grains.
fn stone(u: f32, v: f32) -> [u8; 4] {
    let clouds = value_noise(u, v, (5, 5), 31) + 0.5 * value_noise(u, v, (13, 13), 32);
    let dust = value_noise(u, v, (90, 90), 33);
    let grains = (value_noise(u, v, (60, 60), 34) - 0.86).max(0.0) * 1.1;
    let light = 0.86 + 0.07 * (clouds - 0.75) + 0.07 * (dust - 0.5) - grains;
    [to_unorm8(light), to_unorm8(light * 0.99), to_unorm8(light * 0.97), 255]
}

/// Streaks along v, rings along u.
fn turned(u: f32, v: f32) -> [u8; 4] {
    let streaks = value_noise(u, v, (40, 3), 41);
    let rings = value_noise(u, v, (2, 60), 42);
    let clouds = value_noise(u, v, (4, 4), 43);
    let light = 0.93 + 0.07 * (streaks - 0.5) + 0.05 * (rings - 0.5) + 0.08 * (clouds - 0.5);
    [to_unorm8(light), to_unorm8(light), to_unorm8(light * 0.99), 255]
}

/// Height of water in a light wind: two octaves of domain-warped noise.
fn water_height(u: f32, v: f32) -> f32 {
    let bend = 0.3 * value_noise(u, v, (4, 4), 21);
    value_noise(u + bend, v, (7, 12), 22) + 0.45 * value_noise(u, v + bend, (17, 25), 23)
}

/// The normal map texel of a height function, by central differences. A height
/// of 1 is `strength` times the texture's width.
fn normal_from_height(height: fn(f32, f32) -> f32, u: f32, v: f32, strength: f32) -> [u8; 4] {
    let step = 1.0 / 512.0;
    let slope = |du: f32, dv: f32| {
        (height(u - du, v - dv) - height(u + du, v + dv)) * strength / (2.0 * step)
    };
    normal_to_texel(Vec3::new(slope(step, 0.0), slope(0.0, step), 1.0).normalize())
}

/// A repeating texture with all mip levels; `texel` is sampled at texel centres
/// over the unit square.
pub(crate) fn texture_from_fn(
    width: u32,
    height: u32,
    format: TextureFormat,
    texel: impl Fn(f32, f32) -> [u8; 4],
) -> Image {
    let texels = (0..height)
        .flat_map(|y| (0..width).map(move |x| (x, y)))
        .map(|(x, y)| texel((x as f32 + 0.5) / width as f32, (y as f32 + 0.5) / height as f32))
        .collect();
    texture_from_texels(width, height, format, texels, ImageAddressMode::Repeat)
}

/// A texture of these texels, row by row, with all mip levels.
pub(crate) fn texture_from_texels(
    width: u32,
    height: u32,
    format: TextureFormat,
    mut level: Vec<[u8; 4]>,
    address_mode: ImageAddressMode,
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
    image.sampler = ImageSampler::Descriptor(ImageSamplerDescriptor {
        address_mode_u: address_mode,
        address_mode_v: address_mode,
        mag_filter: ImageFilterMode::Linear,
        min_filter: ImageFilterMode::Linear,
        mipmap_filter: ImageFilterMode::Linear,
        ..default()
    });
    image
}

/// The next mip level: each texel is the mean of four (a box filter).
fn half_size(level: &[[u8; 4]], w: usize, h: usize) -> Vec<[u8; 4]> {
    let (half_w, half_h) = ((w / 2).max(1), (h / 2).max(1));
    (0..half_w * half_h)
        .map(|i| {
            let (x, y) = (i % half_w * 2, i / half_w * 2);
            let (x1, y1) = ((x + 1).min(w - 1), (y + 1).min(h - 1));
            let four = [level[y * w + x], level[y * w + x1], level[y1 * w + x], level[y1 * w + x1]];
            std::array::from_fn(|channel| {
                let sum: u16 = four.iter().map(|texel| u16::from(texel[channel])).sum();
                (sum / 4) as u8
            })
        })
        .collect()
}
