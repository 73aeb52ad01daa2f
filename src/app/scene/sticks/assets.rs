//! Meshes and materials of the sticks: half a rod with a plain flat side and a
//! painted round side.

use std::f32::consts::{PI, TAU};

use bevy::{prelude::*, render::render_resource::TextureFormat};

use super::{
    shadow::shadow_mesh,
    throw_animation::{AXIS_HEIGHT, HALF_LENGTH, RADIUS},
};
use crate::app::scene::look::{
    MeshBuilder,
    mesh_builder::StripVertex,
    palette,
    textures::{texture_from_fn, value_noise},
    warm_up,
};

/// Size of the area round waiting sticks that can be clicked: the brightest part
/// of their halo.
const CLICK_AREA: Vec3 = Vec3::new(6.0, 0.04, 1.8);

/// Meshes and materials of the sticks and their halo.
#[derive(Resource)]
pub(super) struct StickAssets {
    pub(super) mesh: Handle<Mesh>,
    pub(super) material: Handle<StandardMaterial>,
    pub(super) shining_material: Handle<StandardMaterial>,
    pub(super) halo_mesh: Handle<Mesh>,
    pub(super) shadow_mesh: Handle<Mesh>,
    pub(super) halo_material: Handle<StandardMaterial>,
    pub(super) click_area_mesh: Handle<Mesh>,
}

pub(super) fn plugin(app: &mut App) {
    let texture = texture_from_fn(512, 256, TextureFormat::Rgba8UnormSrgb, stick_texel);
    let texture = app.world_mut().resource_mut::<Assets<Image>>().add(texture);
    let mut meshes = app.world_mut().resource_mut::<Assets<Mesh>>();
    let mesh = meshes.add(stick_mesh());
    let halo_mesh = meshes.add(halo_mesh());
    let shadow_mesh = meshes.add(shadow_mesh());
    let click_area_mesh = meshes.add(Cuboid::from_size(CLICK_AREA));
    let mut materials = app.world_mut().resource_mut::<Assets<StandardMaterial>>();
    let material = StandardMaterial {
        base_color_texture: Some(texture.clone()),
        perceptual_roughness: 0.45,
        reflectance: 0.4,
        ..default()
    };
    let shining_material = materials.add(StandardMaterial {
        emissive: LinearRgba::rgb(5.0, 4.0, 2.0),
        emissive_texture: Some(texture),
        ..material.clone()
    });
    let material = materials.add(material);
    let halo_material =
        materials.add(StandardMaterial { alpha_mode: AlphaMode::Blend, unlit: true, ..default() });
    warm_up(app, mesh.clone(), material.clone());
    warm_up(app, mesh.clone(), shining_material.clone());
    warm_up(app, halo_mesh.clone(), halo_material.clone());
    app.insert_resource(StickAssets {
        mesh,
        material,
        shining_material,
        halo_mesh,
        shadow_mesh,
        halo_material,
        click_area_mesh,
    });
}

/// Half a rod along x, its flat side down, its ends slightly rounded. The upper
/// half of the texture lies on the round side, the lower half on the flat side.
fn stick_mesh() -> Mesh {
    let mut mesh = MeshBuilder::new();
    let arc_segments = 14;
    // Rings from end to end: position along the rod, relative radius.
    let rings =
        [(-1.0, 0.72), (-0.985, 0.90), (-0.955, 1.0), (0.955, 1.0), (0.985, 0.90), (1.0, 0.72)];
    let ring = |(along, radius): (f32, f32)| -> Vec<StripVertex> {
        (0..=arc_segments)
            .map(|i| {
                let turn = i as f32 / arc_segments as f32;
                let (sin, cos) = (turn * PI).sin_cos();
                let normal = Vec3::new(along.powi(15) * 0.6, sin, cos).normalize_or(Vec3::Y);
                let position = Vec3::new(
                    along * HALF_LENGTH,
                    sin * RADIUS * radius - AXIS_HEIGHT,
                    cos * RADIUS * radius,
                );
                (position, normal, Vec2::new(along * 0.5 + 0.5, 0.02 + turn * 0.46))
            })
            .collect()
    };
    for pair in rings.windows(2) {
        mesh.strip(&ring(pair[0]), &ring(pair[1]), Color::WHITE);
    }
    let flat_uv = |at: Vec3| Vec2::new(at.x / HALF_LENGTH * 0.5 + 0.5, 0.75 + at.z / RADIUS * 0.2);
    for pair in rings.windows(2) {
        let edge = |(along, radius): (f32, f32), side: f32| {
            Vec3::new(along * HALF_LENGTH, -AXIS_HEIGHT, side * RADIUS * radius)
        };
        mesh.polygon_with_uv(
            &[edge(pair[0], -1.0), edge(pair[1], -1.0), edge(pair[1], 1.0), edge(pair[0], 1.0)],
            flat_uv,
            Color::WHITE,
        );
    }
    for (end, vertices) in [(-1.0, ring(rings[0])), (1.0, ring(rings[5]))] {
        let mut outline: Vec<Vec3> = vertices.iter().map(|it| it.0).collect();
        if end > 0.0 {
            outline.reverse();
        }
        mesh.polygon_with_uv(&outline, |_| Vec2::new(0.5, 0.75), palette::STICK_PLAIN);
    }
    mesh.build()
}

/// The texture of both sides: above the painted round one, below the plain one.
fn stick_texel(u: f32, v: f32) -> [u8; 4] {
    let fibre = 0.94 + 0.06 * ((v * 151.0 + (u * 9.0).sin() * 2.0).sin());
    let (colour, light) = if v < 0.5 {
        let across = (v * 2.0 - 0.5).abs() * 2.0;
        let along = (u - 0.5).abs();
        let band = [0.445, 0.415, 0.36].iter().any(|at| (along - at).abs() < 0.009);
        let diamond = [0.0, 0.135, 0.27].iter().any(|at| {
            let distance = (along - at).abs() / 0.055 + across / 0.62;
            (0.62..1.0).contains(&distance) || distance < 0.25
        });
        if band || diamond { (palette::STICK_PAINT, 1.0) } else { (palette::STICK_ROUND, fibre) }
    } else {
        // Split along the grain: dark streaks, and worn brown edges.
        let across = ((v - 0.75) / 0.2).abs();
        let edge = ((across - 0.62) / 0.38).clamp(0.0, 1.0);
        let streak = value_noise(u, v, (5, 90), 91);
        (palette::STICK_PLAIN, (0.86 + 0.16 * streak) * (1.0 - 0.30 * edge * edge))
    };
    let colour = colour.to_srgba() * light;
    colour.with_alpha(1.0).to_u8_array()
}

/// An ellipse of light that fades towards its edge.
fn halo_mesh() -> Mesh {
    let mut mesh = MeshBuilder::new();
    let rings = 28;
    for ring in 0..rings {
        let at = |n: usize| n as f32 / rings as f32;
        let alpha = 0.30 * (1.0 - at(ring)).powi(2);
        let ellipse = |scale: f32| -> Vec<StripVertex> {
            (0..=64)
                .map(|i| {
                    let (sin, cos) = (TAU * i as f32 / 64.0).sin_cos();
                    (Vec3::new(cos * 4.9, 0.0, sin * 0.95) * scale, Vec3::Y, Vec2::ZERO)
                })
                .collect()
        };
        let colour = palette::STICKS_HALO.with_alpha(alpha);
        mesh.strip(&ellipse(at(ring + 1)), &ellipse(at(ring)), colour);
    }
    mesh.build()
}
