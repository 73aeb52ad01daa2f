//! The shadows of pieces and sticks on the ground, from all lamps, as pictures that lie
//! under them.

use bevy::{render::renderer::RenderDevice, transform::TransformSystems};

use super::{
    MeshBuilder, TableMaterial,
    files::{AwaitedFiles, is_here},
    lamps::Lamps,
    mesh_builder::rectangle,
    pictures::shadow_picture,
    warm_up,
};
use crate::app::scene::prelude::*;

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

/// The shadow of a thing, its child. It stays on the ground when the thing is lifted, and
/// shrinks.
#[derive(Component, Clone, Copy, Debug)]
#[require(Transform, Pickable = Pickable::IGNORE)]
pub(crate) struct ShadowOf {
    /// The height of the ground. Trays lie lower: a piece there stands on the tray's floor.
    ground: f32,
    /// The height of the shadow above the ground.
    above: f32,
    /// The height of the thing above the ground from which on it has no shadow.
    fades_at: f32,
    /// Whether the shadow turns with the thing.
    turns: bool,
}

impl ShadowOf {
    /// Of a piece: above the board, below highlights.
    pub(crate) const PIECE: Self = Self { ground: 0.0, above: 0.0055, fades_at: 0.9, turns: false };
    /// Of a stick: above the halo.
    pub(crate) const STICK: Self =
        Self { ground: TABLE_Y, above: 0.009, fades_at: 1.2, turns: true };
}

pub(super) fn plugin(app: &mut App) {
    app.add_systems(PostUpdate, lay_shadows.before(TransformSystems::Propagate));
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
                resource_exists::<RenderDevice>.and_then(
                    resource_changed::<Lamps>
                        .or_else(resource_changed::<Quality>)
                        .or_else(resource_changed::<AwaitedFiles>),
                ),
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
    let games = GAMES.into_iter().zip(&shadows.0);
    for ((game, _), (_, material)) in games.filter(|((game, _), _)| is_here(*game)) {
        if let Some(mut material) = materials.get_mut(material) {
            material.picture =
                Some(images.add(shadow_picture(game, lamps.shares_in_pictures(*quality))));
        }
    }
}

/// Keeps each shadow flat on the ground below its thing, smaller the higher the thing is.
fn lay_shadows(
    things: Query<&Transform, (Changed<Transform>, Without<ShadowOf>)>,
    mut shadows: Query<(&ChildOf, &ShadowOf, &mut Transform)>,
) {
    for (child_of, shadow, mut place) in &mut shadows {
        let Ok(thing) = things.get(child_of.parent()) else { continue };
        let height = (thing.translation.y - shadow.ground).max(0.0);
        let along = if shadow.turns { thing.rotation * Vec3::X } else { Vec3::X };
        // The place is relative to the thing's.
        let to_local = thing.rotation.inverse();
        let offset = to_local * Vec3::Y * (shadow.above - height);
        *place = Transform::from_translation(offset / thing.scale.max(Vec3::splat(0.01)))
            .with_rotation(to_local * Quat::from_rotation_y((-along.z).atan2(along.x)))
            .with_scale(Vec3::splat((1.0 - height / shadow.fades_at).max(0.0)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the shadow of a thing lies.
    fn shadow_of(thing: Transform, shadow: ShadowOf) -> Transform {
        let mut app = App::new();
        app.add_plugins(bevy::transform::TransformPlugin);
        app.add_systems(PostUpdate, lay_shadows.before(TransformSystems::Propagate));
        let shadow = app.world_mut().spawn(shadow).id();
        app.world_mut().spawn(thing).add_child(shadow);
        app.update();
        let place = app.world().entity(shadow).get::<GlobalTransform>();
        place.map(GlobalTransform::compute_transform).unwrap_or_default()
    }

    #[test]
    fn the_shadow_of_a_lifted_piece_stays_on_the_board() {
        let (rotation, above) = (Quat::from_rotation_z(0.7), ShadowOf::PIECE.above);
        for (height, size) in [(0.0, 1.0), (0.45, 0.5), (2.0, 0.0)] {
            let piece = Transform::from_xyz(3.0, height, -2.0).with_rotation(rotation);
            let place = shadow_of(piece, ShadowOf::PIECE);
            assert!(place.translation.distance(Vec3::new(3.0, above, -2.0)) < 1e-4, "{place:?}");
            assert!((place.scale.x - size).abs() < 1e-4, "{place:?}");
        }
        let in_tray = Transform::from_xyz(1.0, -0.36, 5.0).with_scale(Vec3::splat(0.78));
        let place = shadow_of(in_tray, ShadowOf::PIECE);
        assert!((place.translation.y - (above - 0.36)).abs() < 1e-4, "{place:?}");
    }

    #[test]
    fn the_shadow_of_a_stick_lies_on_the_table_below_it() {
        let stick = Transform::from_xyz(2.0, TABLE_Y + 0.6, -1.0)
            .with_rotation(Quat::from_rotation_y(0.4) * Quat::from_rotation_x(2.0));
        let place = shadow_of(stick, ShadowOf::STICK);
        let below = Vec3::new(2.0, TABLE_Y + ShadowOf::STICK.above, -1.0);
        assert!(place.translation.distance(below) < 1e-4);
        assert!((place.rotation * Vec3::Y).distance(Vec3::Y) < 1e-4, "it lies flat");
        let along = Quat::from_rotation_y(0.4) * Vec3::X;
        assert!((place.rotation * Vec3::X).distance(along) < 1e-4, "it lies along the stick");
        assert!((place.scale.x - 0.5).abs() < 1e-4, "{}", place.scale);
    }
}
