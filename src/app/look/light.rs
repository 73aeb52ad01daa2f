//! One key light with shadows and a soft room around it.
//!
//! The room is a small cube map painted by arithmetic: bright above, warm at
//! the sides, dark below. One shadowed light and one map: light enough for a
//! software renderer.

use std::f32::consts::PI;

use bevy::{
    asset::RenderAssetUsages,
    image::{ImageFilterMode, ImageSampler, ImageSamplerDescriptor},
    light::{CascadeShadowConfigBuilder, DirectionalLightShadowMap},
    prelude::*,
    render::render_resource::{
        Extent3d, TextureDimension, TextureFormat, TextureViewDescriptor, TextureViewDimension,
    },
};

use super::palette;

/// The light that surrounds everything, for the camera to carry.
#[derive(Resource, Clone)]
pub(crate) struct Room(pub(crate) EnvironmentMapLight);

pub(crate) fn plugin(app: &mut App) {
    let mut images = app.world_mut().resource_mut::<Assets<Image>>();
    let room = EnvironmentMapLight {
        diffuse_map: images.add(cube(8, 1, |_| 1.0)),
        specular_map: images.add(cube(64, 7, |level| level / 6.0)),
        intensity: 600.0,
        ..default()
    };
    app.insert_resource(Room(room))
        .insert_resource(ClearColor(palette::DUSK))
        .insert_resource(DirectionalLightShadowMap { size: 2048 })
        .insert_resource(GlobalAmbientLight {
            color: Color::srgb(1.0, 0.96, 0.9),
            brightness: 60.0,
            ..default()
        })
        .add_systems(Startup, kindle);
}

fn kindle(mut commands: Commands) {
    commands.spawn((
        Name::new("Key light"),
        DirectionalLight {
            color: Color::srgb(1.0, 0.95, 0.86),
            illuminance: 4600.0,
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
        Transform::from_xyz(-5.5, 11.0, 3.5).looking_at(Vec3::ZERO, Vec3::Y),
    ));
}

/// How bright the room is that way, seen by a surface of that roughness.
fn radiance(way: Vec3, roughness: f32) -> [f32; 3] {
    let lamp = Vec3::new(-0.42, 0.9, 0.05).normalize();
    let window = Vec3::new(0.85, 0.45, 0.0).normalize();
    // A rough surface sees a lamp as a wide, weak glow.
    let lobe = |towards: Vec3, size: f32, strength: f32| {
        let angle = way.angle_between(towards);
        let width = size + roughness * 1.1;
        let share = (size / width).powi(2).max(0.05);
        strength * share * (1.0 - (angle / width).min(1.0)).powi(2) * 2.0
    };
    let up = 0.5 + 0.5 * way.y;
    let sky = 0.10 + 0.34 * up * up;
    let glow = lobe(lamp, 0.55, 1.1) + lobe(window, 0.4, 0.6);
    let total = sky + glow;
    let warmth = 1.0 - up;
    [total, total * (0.97 - 0.10 * warmth), total * (0.92 - 0.26 * warmth)]
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
                    let colour = Color::linear_rgb(r.min(1.0), g.min(1.0), b.min(1.0));
                    data.extend(colour.to_srgba().to_u8_array());
                }
            }
        }
    }
    let mut image = Image::new_uninit(
        Extent3d { width: size, height: size, depth_or_array_layers: 6 },
        TextureDimension::D2,
        TextureFormat::Rgba8UnormSrgb,
        RenderAssetUsages::default(),
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
