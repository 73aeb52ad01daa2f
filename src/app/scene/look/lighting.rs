//! One key light with shadows and a soft room around it.
//!
//! The room is a small cube map painted by arithmetic: a window with four
//! panes at the left, a lamp at the right, warm below. One shadowed light, which
//! comes in by the window, and one map: light enough for a software renderer.

use std::f32::consts::PI;

use bevy::{
    asset::RenderAssetUsages,
    image::{ImageFilterMode, ImageSampler, ImageSamplerDescriptor},
    light::{CascadeShadowConfigBuilder, DirectionalLightShadowMap, PointLightShadowMap},
    prelude::*,
    render::render_resource::{
        Extent3d, TextureDimension, TextureFormat, TextureViewDescriptor, TextureViewDimension,
    },
};

use super::palette;

/// The light that surrounds everything, for the camera to carry.
#[derive(Resource, Clone)]
pub(crate) struct EnvironmentLight(pub(crate) EnvironmentMapLight);

pub(crate) fn plugin(app: &mut App) {
    let mut images = app.world_mut().resource_mut::<Assets<Image>>();
    let room = EnvironmentMapLight {
        diffuse_map: images.add(cube(8, 1, |_| 1.0)),
        specular_map: images.add(cube(64, 7, |level| level / 6.0)),
        intensity: 720.0,
        ..default()
    };
    app.insert_resource(EnvironmentLight(room))
        .insert_resource(ClearColor(palette::DUSK))
        .insert_resource(DirectionalLightShadowMap { size: 2048 })
        // No lamp casts shadows; the map for them is there all the same.
        .insert_resource(PointLightShadowMap { size: 16 })
        .insert_resource(GlobalAmbientLight {
            color: Color::srgb(1.0, 0.96, 0.9),
            brightness: 30.0,
            ..default()
        })
        .add_systems(Startup, spawn_lights);
}

fn spawn_lights(mut commands: Commands) {
    commands.spawn((
        Name::new("Key light"),
        DirectionalLight {
            color: Color::srgb(1.0, 0.965, 0.91),
            illuminance: 6800.0,
            shadow_maps_enabled: true,
            ..default()
        },
        CascadeShadowConfigBuilder {
            num_cascades: 1,
            minimum_distance: 1.0,
            maximum_distance: 46.0,
            ..default()
        }
        .build(),
        Transform::from_xyz(-8.6, 10.0, -3.2).looking_at(Vec3::ZERO, Vec3::Y),
    ));
}

/// The window: towards the left, over the far edge of the table.
const WINDOW: Vec3 = Vec3::new(-0.62, 0.62, -0.48);

/// How bright the room is that way, seen by a surface of that roughness.
fn radiance(way: Vec3, roughness: f32) -> [f32; 3] {
    let lamp = Vec3::new(0.75, 0.62, 0.25).normalize();
    // A rough surface sees a lamp as a wide, weak glow.
    let lobe = |towards: Vec3, size: f32, strength: f32| {
        let angle = way.angle_between(towards);
        let width = size + roughness * 1.1;
        let share = (size / width).powi(2).max(0.05);
        strength * share * (1.0 - (angle / width).min(1.0)).powi(2) * 2.0
    };
    let up = 0.5 + 0.5 * way.y;
    let room = 0.05 + 0.22 * up * up;
    let warmth = 1.0 - up;
    // The far wall shimmers in what lies flat before it.
    let wall = lobe(Vec3::new(0.0, 0.45, -0.9).normalize(), 0.8, 0.45);
    let glow = lobe(lamp, 0.35, 0.5) + wall;
    let day = window(way, roughness);
    [
        (room + glow) * 0.97 + day * 0.90,
        (room + glow) * (0.95 - 0.07 * warmth) + day * 0.97,
        (room + glow * 0.85) * (0.93 - 0.17 * warmth) + day,
    ]
}

/// The daylight from the window: four panes, whose edges a smooth surface
/// shows and a rough one blurs.
fn window(way: Vec3, roughness: f32) -> f32 {
    let middle = WINDOW.normalize();
    let right = Vec3::Y.cross(middle).normalize();
    let above = middle.cross(right);
    let depth = way.dot(middle);
    if depth <= 0.0 {
        return 0.0;
    }
    let (x, y) = (way.dot(right) / depth, way.dot(above) / depth);
    let (half, high) = (0.22, 0.30);
    let blur = 0.02 + roughness * 0.9;
    let edge = |distance: f32| (distance / blur * 0.5 + 0.5).clamp(0.0, 1.0);
    let bar = |at: f32| 1.0 - (1.0 - roughness * 3.0).max(0.0) * (1.0 - edge(at.abs() - 0.016));
    let panes = edge(half - x.abs()) * edge(high - y.abs()) * bar(x) * bar(y - 0.04);
    // What is spread wider is weaker.
    let spread = (half * high) / ((half + blur * 0.6) * (high + blur * 0.6));
    // Daylight outdoors is many times brighter than a room.
    15.0 * panes * spread
}

/// A number as a half float's bits; from 0 to 65504, the small ones to zero.
fn half(value: f32) -> u16 {
    let bits = value.clamp(0.0, 65504.0).to_bits();
    let exponent = (bits >> 23) as i32 - 127 + 15;
    if exponent <= 0 { 0 } else { ((exponent as u32) << 10 | (bits >> 13 & 0x3ff)) as u16 }
}

/// A cube map with `levels` mip levels; `roughness` of each by its number.
fn cube(size: u32, levels: u32, roughness: impl Fn(f32) -> f32) -> Image {
    let mut data = Vec::new();
    for face in 0..6 {
        for level in 0..levels {
            let side = (size >> level).max(1);
            let rough = roughness(level as f32);
            for y in 0..side {
                for x in 0..side {
                    let s = 2.0 * (x as f32 + 0.5) / side as f32 - 1.0;
                    let t = 2.0 * (y as f32 + 0.5) / side as f32 - 1.0;
                    let way = match face {
                        0 => Vec3::new(1.0, -t, -s),
                        1 => Vec3::new(-1.0, -t, s),
                        2 => Vec3::new(s, 1.0, t),
                        3 => Vec3::new(s, -1.0, -t),
                        4 => Vec3::new(s, -t, 1.0),
                        _ => Vec3::new(-s, -t, -1.0),
                    };
                    let [r, g, b] = radiance(way.normalize(), rough.min(PI));
                    // Half floats: a window is brighter than white.
                    for value in [r, g, b, 1.0] {
                        data.extend(half(value).to_le_bytes());
                    }
                }
            }
        }
    }
    let mut image = Image::new_uninit(
        Extent3d { width: size, height: size, depth_or_array_layers: 6 },
        TextureDimension::D2,
        TextureFormat::Rgba16Float,
        RenderAssetUsages::RENDER_WORLD,
    );
    image.texture_descriptor.mip_level_count = levels;
    image.data = Some(data);
    image.sampler = ImageSampler::Descriptor(ImageSamplerDescriptor {
        mag_filter: ImageFilterMode::Linear,
        min_filter: ImageFilterMode::Linear,
        mipmap_filter: ImageFilterMode::Linear,
        ..default()
    });
    image.texture_view_descriptor =
        Some(TextureViewDescriptor { dimension: Some(TextureViewDimension::Cube), ..default() });
    image
}
