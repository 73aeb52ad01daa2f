//! The darkness where a figure stands: a soft disc on the board that stays
//! there when the figure is lifted.

use bevy::{
    light::{NotShadowCaster, NotShadowReceiver},
    prelude::*,
    render::render_resource::TextureFormat,
    transform::TransformSystems,
};

use crate::app::scene::look::{MeshBuilder, textures::picture};

/// Over the squares' inlays, under the marks.
const OVER: f32 = 0.0055;
/// Half the disc's width.
const HALF: f32 = 0.47;
/// A figure that high over the board darkens it no more.
const GONE: f32 = 0.9;

/// What every figure carries.
#[derive(Bundle, Clone)]
pub(super) struct Contact {
    name: Name,
    disc: Disc,
    mesh: Mesh3d,
    material: MeshMaterial3d<StandardMaterial>,
    transform: Transform,
    pickable: Pickable,
    shadow: (NotShadowCaster, NotShadowReceiver),
}

/// The mark of a contact's disc.
#[derive(Component, Clone, Copy)]
struct Disc;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(PostUpdate, lie.before(TransformSystems::Propagate));
}

impl Contact {
    /// What is drawn of it.
    pub(super) fn drawn(&self) -> (Handle<Mesh>, Handle<StandardMaterial>) {
        (self.mesh.0.clone(), self.material.0.clone())
    }

    pub(super) fn new(world: &mut World) -> Self {
        let shade = picture(64, 64, TextureFormat::Rgba8UnormSrgb, |u, v| {
            let off = Vec2::new(u - 0.5, v - 0.5).length() * 2.0;
            let dark = (1.0 - off).clamp(0.0, 1.0);
            [0, 0, 0, (dark * dark * (3.0 - 2.0 * dark) * 175.0) as u8]
        });
        let shade = world.resource_mut::<Assets<Image>>().add(shade);
        let material = world.resource_mut::<Assets<StandardMaterial>>().add(StandardMaterial {
            base_color_texture: Some(shade),
            alpha_mode: AlphaMode::Blend,
            unlit: true,
            ..default()
        });
        let mut disc = MeshBuilder::new();
        let corners = [(-1.0, 1.0), (1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)]
            .map(|(x, z)| Vec3::new(x, 0.0, z) * HALF);
        let uv = |at: Vec3| Vec2::new(at.x, at.z) / (2.0 * HALF) + 0.5;
        disc.polygon_with_uv(&corners, uv, Color::WHITE);
        let mesh = world.resource_mut::<Assets<Mesh>>().add(disc.build());
        Self {
            name: Name::new("Contact"),
            disc: Disc,
            mesh: Mesh3d(mesh),
            material: MeshMaterial3d(material),
            transform: Transform::from_translation(Vec3::Y * OVER),
            pickable: Pickable::IGNORE,
            shadow: (NotShadowCaster, NotShadowReceiver),
        }
    }
}

/// Keeps each disc on the board under its figure, smaller the higher that is.
fn lie(
    figures: Query<&Transform, (Changed<Transform>, Without<Disc>)>,
    mut discs: Query<(&ChildOf, &mut Transform), With<Disc>>,
) {
    for (figure, mut disc) in &mut discs {
        let Ok(figure) = figures.get(figure.parent()) else { continue };
        // Trays lie lower than the board; a figure there stands on its own foot.
        let lifted = figure.translation.y.max(0.0);
        let size = (1.0 - lifted / GONE).max(0.0);
        let back = figure.rotation.inverse() * Vec3::Y * (OVER - lifted);
        *disc = Transform::from_translation(back / figure.scale.max(Vec3::splat(0.01)))
            .with_rotation(figure.rotation.inverse())
            .with_scale(Vec3::splat(size));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the disc of a figure that stands so lies, and how large it is.
    fn disc_under(figure: Transform) -> (Vec3, f32) {
        let mut app = App::new();
        app.add_plugins(bevy::transform::TransformPlugin);
        plugin(&mut app);
        let disc = app.world_mut().spawn((Disc, Transform::default())).id();
        app.world_mut().spawn(figure).add_child(disc);
        app.update();
        let place = app.world().entity(disc).get::<GlobalTransform>().copied();
        place.map_or((Vec3::NAN, 0.0), |it| (it.translation(), it.scale().x))
    }

    #[test]
    fn a_lifted_figure_leaves_its_disc_on_the_board() {
        let turned = Quat::from_rotation_z(0.7);
        for (height, size) in [(0.0, 1.0), (0.45, 0.5), (2.0, 0.0)] {
            let figure = Transform::from_xyz(3.0, height, -2.0).with_rotation(turned);
            let (place, found) = disc_under(figure);
            assert!(place.distance(Vec3::new(3.0, OVER, -2.0)) < 1e-4, "{place}");
            assert!((found - size).abs() < 1e-4, "{found}");
        }
        let tray = Transform::from_xyz(1.0, -0.36, 5.0).with_scale(Vec3::splat(0.78));
        let (place, _) = disc_under(tray);
        assert!((place.y - (OVER - 0.36)).abs() < 1e-4, "{place}");
    }
}
