//! The shadows of pieces and sticks on the ground, from all lamps, as pictures that lie
//! under them.

use bevy::render::renderer::RenderDevice;

use super::{
    MeshBuilder, TableMaterial, lamps::Lamps, mesh_builder::rectangle, pictures::shadow_picture,
    warm_up,
};
use crate::app::{core::prelude::*, scene::SceneSet, settings::options::Quality};

/// How far a shadow's picture reaches to each side of the foot.
const REACH: f32 = 1.0;

/// The games, with how many things of each have a shadow.
const GAMES: [(GameKind, usize); 3] =
    [(GameKind::Tablut, 3), (GameKind::Tablan, 3), (GameKind::Tablaaza, 6)];

/// The meshes of all shadows, and a material for each game.
#[derive(Resource)]
pub(crate) struct GroundShadows([(Vec<Handle<Mesh>>, Handle<TableMaterial>); 3]);

impl GroundShadows {
    /// The shadow of a thing of a game, counted from 0 as in `tools/art`: first the pieces,
    /// then the stick or the bowls.
    pub(crate) fn of(
        &self,
        game: GameKind,
        thing: usize,
    ) -> (Mesh3d, MeshMaterial3d<TableMaterial>) {
        let (meshes, material) = &self.0[game as usize];
        (Mesh3d(meshes[thing].clone()), MeshMaterial3d(material.clone()))
    }
}

pub(super) fn plugin(app: &mut App) {
    let shadows = GAMES.map(|(_, count)| {
        let mut meshes = app.world_mut().resource_mut::<Assets<Mesh>>();
        let meshes: Vec<_> =
            (0..count).map(|number| meshes.add(shadow_mesh(number, count))).collect();
        let mut materials = app.world_mut().resource_mut::<Assets<TableMaterial>>();
        // Without a renderer there is no picture, and nobody to see it.
        let material = materials
            .add(TableMaterial { alpha_mode: AlphaMode::Blend, ..TableMaterial::pictured() });
        warm_up(app, meshes[0].clone(), material.clone());
        (meshes, material)
    });
    app.insert_resource(GroundShadows(shadows)).add_systems(
        Update,
        follow_lamps
            .run_if(
                resource_exists::<RenderDevice>
                    .and_then(resource_changed::<Lamps>.or_else(resource_changed::<Quality>)),
            )
            .in_set(SceneSet::Surfaces),
    );
}

/// A level square with its part of the picture.
fn shadow_mesh(thing: usize, count: usize) -> Mesh {
    let uv = |at: Vec3| {
        let within = at.xz() / (2.0 * REACH) + 0.5;
        Vec2::new((thing as f32 + within.x) / count as f32, within.y)
    };
    let mut mesh = MeshBuilder::new();
    mesh.polygon_with_uv(&rectangle(Vec3::ZERO, Vec2::splat(REACH)), uv, Color::WHITE);
    mesh.build()
}

fn follow_lamps(
    (lamps, quality): (Res<Lamps>, Res<Quality>),
    shadows: Res<GroundShadows>,
    mut images: ResMut<Assets<Image>>,
    mut materials: ResMut<Assets<TableMaterial>>,
) {
    for ((game, _), (_, material)) in GAMES.into_iter().zip(&shadows.0) {
        if let Some(mut material) = materials.get_mut(material) {
            material.picture =
                Some(images.add(shadow_picture(game, lamps.shares_in_pictures(*quality))));
        }
    }
}
