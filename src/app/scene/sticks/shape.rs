//! What a stick looks like: half a rod, its flat side plain, its round side
//! dark and painted.

use std::f32::consts::PI;

use bevy::{prelude::*, render::render_resource::TextureFormat};

use super::throw::{HALF_LENGTH, RADIUS, SUNK};
use crate::app::scene::look::{MeshBuilder, palette, textures, warm_up};

/// Mesh and materials of the sticks.
#[derive(Resource)]
pub(super) struct Look {
    pub(super) mesh: Handle<Mesh>,
    pub(super) material: Handle<StandardMaterial>,
    pub(super) shining: Handle<StandardMaterial>,
    pub(super) halo: Handle<StandardMaterial>,
}

pub(super) fn plugin(app: &mut App) {
    let mesh = app.world_mut().resource_mut::<Assets<Mesh>>().add(stick());
    let paint = app.world_mut().resource_mut::<Assets<Image>>().add(textures::picture(
        512,
        256,
        TextureFormat::Rgba8UnormSrgb,
        paint,
    ));
    let mut materials = app.world_mut().resource_mut::<Assets<StandardMaterial>>();
    let plain = StandardMaterial {
        base_color_texture: Some(paint.clone()),
        perceptual_roughness: 0.45,
        reflectance: 0.4,
        ..default()
    };
    let look = Look {
        mesh,
        shining: materials.add(StandardMaterial {
            emissive: LinearRgba::rgb(5.0, 4.0, 2.0),
            emissive_texture: Some(paint),
            ..plain.clone()
        }),
        material: materials.add(plain),
        halo: materials.add(StandardMaterial {
            alpha_mode: AlphaMode::Blend,
            unlit: true,
            ..default()
        }),
    };
    for material in [&look.material, &look.shining] {
        warm_up(app, look.mesh.clone(), material.clone());
    }
    let mut glow = MeshBuilder::new();
    halo(&mut glow);
    let glow = app.world_mut().resource_mut::<Assets<Mesh>>().add(glow.build());
    warm_up(app, glow, look.halo.clone());
    app.insert_resource(look);
}

/// Half a rod along x, its flat side down, its ends a little rounded. The
/// upper half of the picture lies on the round side, the lower on the flat.
fn stick() -> Mesh {
    let mut solid = MeshBuilder::new();
    let arcs = 14;
    // Rings from end to end: where along the rod, and how thick there.
    let rings =
        [(-1.0, 0.72), (-0.985, 0.90), (-0.955, 1.0), (0.955, 1.0), (0.985, 0.90), (1.0, 0.72)];
    let ring = |(along, thick): (f32, f32)| -> Vec<(Vec3, Vec3, Vec2)> {
        (0..=arcs)
            .map(|i| {
                let turn = i as f32 / arcs as f32;
                let (sin, cos) = (turn * PI).sin_cos();
                let normal = Vec3::new(along.powi(15) * 0.6, sin, cos).normalize_or(Vec3::Y);
                (
                    Vec3::new(
                        along * HALF_LENGTH,
                        sin * RADIUS * thick - SUNK,
                        cos * RADIUS * thick,
                    ),
                    normal,
                    Vec2::new(along * 0.5 + 0.5, 0.02 + turn * 0.46),
                )
            })
            .collect()
    };
    for pair in rings.windows(2) {
        solid.strip(&ring(pair[0]), &ring(pair[1]), Color::WHITE);
    }
    let flat = |at: Vec3| Vec2::new(at.x / HALF_LENGTH * 0.5 + 0.5, 0.75 + at.z / RADIUS * 0.2);
    for pair in rings.windows(2) {
        let edge = |(along, thick): (f32, f32), side: f32| {
            Vec3::new(along * HALF_LENGTH, -SUNK, side * RADIUS * thick)
        };
        solid.polygon_with_uv(
            &[edge(pair[0], -1.0), edge(pair[1], -1.0), edge(pair[1], 1.0), edge(pair[0], 1.0)],
            flat,
            Color::WHITE,
        );
    }
    for (end, points) in [(-1.0, ring(rings[0])), (1.0, ring(rings[5]))] {
        let mut outline: Vec<Vec3> = points.iter().map(|it| it.0).collect();
        if end > 0.0 {
            outline.reverse();
        }
        solid.polygon_with_uv(&outline, |_| Vec2::new(0.5, 0.75), palette::STICK_PLAIN);
    }
    solid.build()
}

/// The picture of both sides: above the painted round one, below the plain.
fn paint(u: f32, v: f32) -> [u8; 4] {
    let fibre = 0.94 + 0.06 * ((v * 151.0 + (u * 9.0).sin() * 2.0).sin());
    let (colour, light) = if v < 0.5 {
        let across = (v * 2.0 - 0.5).abs() * 2.0;
        let along = (u - 0.5).abs();
        let band = [0.445, 0.415, 0.36].iter().any(|at| (along - at).abs() < 0.009);
        let diamond = [0.0, 0.135, 0.27].iter().any(|at| {
            let reach = (along - at).abs() / 0.055 + across / 0.62;
            (0.62..1.0).contains(&reach) || reach < 0.25
        });
        if band || diamond { (palette::STICK_PAINT, 1.0) } else { (palette::STICK_ROUND, fibre) }
    } else {
        // Split along its grain: darker streaks, and edges rubbed brown.
        let across = ((v - 0.75) / 0.2).abs();
        let edge = ((across - 0.62) / 0.38).clamp(0.0, 1.0);
        let streak = textures::noise(u, v, (5, 90), 91);
        (palette::STICK_PLAIN, (0.86 + 0.16 * streak) * (1.0 - 0.30 * edge * edge))
    };
    let colour = colour.to_srgba() * light;
    colour.with_alpha(1.0).to_u8_array()
}

/// A soft oval, bright in the middle.
pub(super) fn halo(solid: &mut MeshBuilder) {
    let glow = palette::MARK_CHOSEN;
    let rings = 28;
    for ring in 0..rings {
        let at = |n: usize| n as f32 / rings as f32;
        let alpha = 0.30 * (1.0 - at(ring)).powi(2);
        let oval = |t: f32| -> Vec<(Vec3, Vec3, Vec2)> {
            (0..=64)
                .map(|i| {
                    let (sin, cos) = (std::f32::consts::TAU * i as f32 / 64.0).sin_cos();
                    (Vec3::new(cos * 4.9, 0.0, sin * 0.95) * t, Vec3::Y, Vec2::ZERO)
                })
                .collect()
        };
        solid.strip(&oval(at(ring + 1)), &oval(at(ring)), glow.with_alpha(alpha));
    }
}
