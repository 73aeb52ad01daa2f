//! One directional light with shadows, and image-based light from a room.
//!
//! The environment map is a small procedural cube map: a window with four panes
//! at the left, a lamp at the right, a warmer tone below. Its mip levels are
//! computed for increasing roughness, as a prefiltered specular map. One
//! shadow-casting light and one map are cheap enough for a software renderer.

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

/// Image-based light; a component of the camera.
#[derive(Resource, Clone)]
pub(crate) struct EnvironmentLight(pub(crate) EnvironmentMapLight);

pub(crate) fn plugin(app: &mut App) {
    let mut images = app.world_mut().resource_mut::<Assets<Image>>();
    let light = EnvironmentMapLight {
        diffuse_map: images.add(environment_cube_map(8, 1, |_| 1.0)),
        specular_map: images.add(environment_cube_map(64, 7, |level| level / 6.0)),
        intensity: 720.0,
        ..default()
    };
    app.insert_resource(EnvironmentLight(light))
        .insert_resource(ClearColor(palette::DUSK))
        .insert_resource(DirectionalLightShadowMap { size: 2048 })
        // No point light casts shadows, but Bevy allocates their map anyway.
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

/// Direction of the window: to the left, over the far edge of the table.
const WINDOW: Vec3 = Vec3::new(-0.62, 0.62, -0.48);

/// Linear RGB radiance from a direction, blurred for a surface's roughness.
fn radiance(direction: Vec3, roughness: f32) -> [f32; 3] {
    let lamp = Vec3::new(0.75, 0.62, 0.25).normalize();
    // Rough surfaces reflect a wider and weaker highlight.
    let lobe = |towards: Vec3, size: f32, strength: f32| {
        let angle = direction.angle_between(towards);
        let width = size + roughness * 1.1;
        let share = (size / width).powi(2).max(0.05);
        strength * share * (1.0 - (angle / width).min(1.0)).powi(2) * 2.0
    };
    let up = 0.5 + 0.5 * direction.y;
    let room = 0.05 + 0.22 * up * up;
    let warmth = 1.0 - up;
    // A bright far wall gives flat surfaces in front of it a sheen.
    let wall = lobe(Vec3::new(0.0, 0.45, -0.9).normalize(), 0.8, 0.45);
    let glow = lobe(lamp, 0.35, 0.5) + wall;
    let day = window_radiance(direction, roughness);
    [
        (room + glow) * 0.97 + day * 0.90,
        (room + glow) * (0.95 - 0.07 * warmth) + day * 0.97,
        (room + glow * 0.85) * (0.93 - 0.17 * warmth) + day,
    ]
}

/// Radiance of the window: four panes whose edges blur with roughness.
fn window_radiance(direction: Vec3, roughness: f32) -> f32 {
    let middle = WINDOW.normalize();
    let right = Vec3::Y.cross(middle).normalize();
    let above = middle.cross(right);
    let depth = direction.dot(middle);
    if depth <= 0.0 {
        return 0.0;
    }
    let (x, y) = (direction.dot(right) / depth, direction.dot(above) / depth);
    let (half_width, half_height) = (0.22, 0.30);
    let blur = 0.02 + roughness * 0.9;
    let edge = |distance: f32| (distance / blur * 0.5 + 0.5).clamp(0.0, 1.0);
    let bar = |at: f32| 1.0 - (1.0 - roughness * 3.0).max(0.0) * (1.0 - edge(at.abs() - 0.016));
    let panes = edge(half_width - x.abs()) * edge(half_height - y.abs()) * bar(x) * bar(y - 0.04);
    // A blurred window spreads the same energy over a larger area.
    let spread =
        (half_width * half_height) / ((half_width + blur * 0.6) * (half_height + blur * 0.6));
    // Daylight is many times brighter than the room.
    15.0 * panes * spread
}

/// The bits of an IEEE 754 half-precision float. Clamps to 0..=65504, truncates
/// the mantissa and flushes subnormals to zero.
fn f16_bits(value: f32) -> u16 {
    let bits = value.clamp(0.0, 65504.0).to_bits();
    let exponent = (bits >> 23) as i32 - 127 + 15;
    if exponent <= 0 { 0 } else { ((exponent as u32) << 10 | (bits >> 13 & 0x3ff)) as u16 }
}

/// A cube map with `levels` mip levels; `roughness` gives each level's roughness.
fn environment_cube_map(size: u32, levels: u32, roughness: impl Fn(f32) -> f32) -> Image {
    let mut data = Vec::new();
    for face in 0..6 {
        for level in 0..levels {
            let side = (size >> level).max(1);
            let rough = roughness(level as f32);
            for y in 0..side {
                for x in 0..side {
                    let s = 2.0 * (x as f32 + 0.5) / side as f32 - 1.0;
                    let t = 2.0 * (y as f32 + 0.5) / side as f32 - 1.0;
                    let direction = match face {
                        0 => Vec3::new(1.0, -t, -s),
                        1 => Vec3::new(-1.0, -t, s),
                        2 => Vec3::new(s, 1.0, t),
                        3 => Vec3::new(s, -1.0, -t),
                        4 => Vec3::new(s, -t, 1.0),
                        _ => Vec3::new(-s, -t, -1.0),
                    };
                    let [r, g, b] = radiance(direction.normalize(), rough.min(PI));
                    // HDR: the window is brighter than white.
                    for value in [r, g, b, 1.0] {
                        data.extend(f16_bits(value).to_le_bytes());
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
