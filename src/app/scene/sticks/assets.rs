//! Meshes and materials of the sticks: half a rod with a plain flat side and a
//! painted round side.

use std::f32::consts::TAU;

use crate::app::scene::{
    look::{
        MeshBuilder, TableMaterial,
        files::AwaitedFiles,
        mesh_builder::StripVertex,
        models::{ModelFile, model_mesh},
        palette, warm_up,
    },
    prelude::*,
};

/// Size of the area round waiting sticks that can be clicked: the brightest part
/// of their halo.
const CLICK_AREA: Vec3 = Vec3::new(6.0, 0.04, 1.8);

/// Meshes and materials of the sticks and their halo. The sticks are painted in the picture
/// of their game's board.
#[derive(Resource)]
pub(in crate::app::scene) struct StickAssets {
    pub(super) mesh: Handle<Mesh>,
    pub(super) material: Handle<TableMaterial>,
    pub(super) shining_material: Handle<TableMaterial>,
    pub(super) halo_mesh: Handle<Mesh>,
    pub(super) halo_material: Handle<TableMaterial>,
    pub(super) click_area_mesh: Handle<Mesh>,
}

impl StickAssets {
    /// The materials that take the picture of Tablan's board.
    pub(in crate::app::scene) const fn painted(&self) -> [&Handle<TableMaterial>; 2] {
        [&self.material, &self.shining_material]
    }
}

pub(super) fn plugin(app: &mut App) {
    let mut meshes = app.world_mut().resource_mut::<Assets<Mesh>>();
    let mesh = meshes.add(stick_mesh());
    let halo_mesh = meshes.add(halo_mesh());
    let click_area_mesh = meshes.add(Cuboid::from_size(CLICK_AREA));
    let mut materials = app.world_mut().resource_mut::<Assets<TableMaterial>>();
    let material = materials.add(TableMaterial { in_room: true, ..TableMaterial::pictured() });
    let shining_material = materials.add(TableMaterial {
        color: LinearRgba::rgb(1.7, 1.5, 1.1),
        in_room: true,
        ..TableMaterial::pictured()
    });
    let halo_material = materials.add(TableMaterial { alpha_mode: AlphaMode::Blend, ..default() });
    warm_up(app, mesh.clone(), material.clone());
    warm_up(app, mesh.clone(), shining_material.clone());
    warm_up(app, halo_mesh.clone(), halo_material.clone());
    app.insert_resource(StickAssets {
        mesh,
        material,
        shining_material,
        halo_mesh,
        halo_material,
        click_area_mesh,
    })
    .add_systems(
        Update,
        take_model.in_set(SceneSet::Board).run_if(resource_changed::<AwaitedFiles>),
    );
}

fn stick_mesh() -> Mesh {
    model_mesh(ModelFile::Game(GameKind::Tablan), &["stick"], Palette::default())
}

/// Takes the stick's model once it has come.
fn take_model(assets: Res<StickAssets>, mut meshes: ResMut<Assets<Mesh>>) {
    if let Some(mut mesh) = meshes.get_mut(&assets.mesh) {
        *mesh = stick_mesh();
    }
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
