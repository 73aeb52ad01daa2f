//! The shadows of the sticks at low quality, which has no shadow map: a soft dark strip
//! on the table below each.

use bevy::{light::NotShadowCaster, prelude::*, transform::TransformSystems};

use super::throw_animation::{HALF_LENGTH, RADIUS};
use crate::app::{
    scene::{
        components::CastingStick,
        layout::TABLE_Y,
        look::{
            MeshBuilder, Surface,
            mesh_builder::{StripVertex, rectangle},
        },
    },
    settings::options::Quality,
};

/// Height of the strip above the table: above the halo.
const STRIP_Y: f32 = 0.009;
/// Where the strip's darkness ends, outwards from the stick, and how dark it is there.
const RINGS: [(f32, f32); 4] = [(-0.07, 0.55), (0.0, 0.42), (0.06, 0.16), (0.15, 0.0)];
/// Height of a stick above which it has no shadow.
const FADE_HEIGHT: f32 = 1.2;

/// The child of every stick.
#[derive(Component)]
struct StickShadow;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(PostUpdate, lay_shadows.before(TransformSystems::Propagate));
}

/// The shadow of one stick.
pub(super) fn shadow(mesh: Handle<Mesh>, material: Handle<StandardMaterial>) -> impl Bundle {
    (
        StickShadow,
        Name::new("Stick's shadow"),
        Mesh3d(mesh),
        Surface(material),
        Visibility::Hidden,
        Pickable::IGNORE,
        NotShadowCaster,
    )
}

/// A strip under a stick along x.
pub(super) fn shadow_mesh() -> Mesh {
    let mut mesh = MeshBuilder::new();
    let half = Vec2::new(HALF_LENGTH, RADIUS);
    let at = |reach: f32| rectangle(Vec3::ZERO, half + reach);
    let colour = |alpha: f32| Color::srgba(0.02, 0.012, 0.006, alpha);
    let (reach, dark) = RINGS[0];
    mesh.polygon(&at(reach), colour(dark));
    for pair in RINGS.windows(2) {
        let [(low, dark), (high, light)] = [pair[0], pair[1]];
        let (inside, outside) = (at(low), at(high));
        for i in 0..4 {
            let j = (i + 1) % 4;
            let row = |corners: &[Vec3; 4]| -> [StripVertex; 2] {
                [j, i].map(|k| (corners[k], Vec3::Y, Vec2::ZERO))
            };
            mesh.shaded_strip(&row(&outside), &row(&inside), [colour(light), colour(dark)]);
        }
    }
    mesh.build()
}

/// Keeps each shadow on the table below its stick, smaller the higher the stick is.
fn lay_shadows(
    quality: Res<Quality>,
    sticks: Query<Ref<Transform>, (With<CastingStick>, Without<StickShadow>)>,
    mut shadows: Query<(&ChildOf, &mut Transform, &mut Visibility), With<StickShadow>>,
) {
    for (child_of, mut shadow, mut visibility) in &mut shadows {
        let Ok(stick) = sticks.get(child_of.parent()) else { continue };
        let shown =
            if *quality == Quality::Low { Visibility::Inherited } else { Visibility::Hidden };
        visibility.set_if_neq(shown);
        if !stick.is_changed() {
            continue;
        }
        let along = stick.rotation * Vec3::X;
        let lies = Transform::from_translation(stick.translation.with_y(TABLE_Y + STRIP_Y))
            .with_rotation(Quat::from_rotation_y((-along.z).atan2(along.x)))
            .with_scale(Vec3::splat(
                (1.0 - (stick.translation.y - TABLE_Y) / FADE_HEIGHT).clamp(0.0, 1.0),
            ));
        let to_local = stick.rotation.inverse();
        *shadow = Transform::from_translation(to_local * (lies.translation - stick.translation))
            .with_rotation(to_local * lies.rotation)
            .with_scale(lies.scale);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shadow_of_a_stick_lies_on_the_table_below_it() {
        let mut app = App::new();
        app.insert_resource(Quality::Low)
            .add_plugins(bevy::transform::TransformPlugin)
            .add_plugins(plugin);
        let shadow =
            app.world_mut().spawn((StickShadow, Transform::default(), Visibility::Hidden)).id();
        let stick = Transform::from_xyz(2.0, TABLE_Y + 0.6, -1.0)
            .with_rotation(Quat::from_rotation_y(0.4) * Quat::from_rotation_x(2.0));
        app.world_mut().spawn((CastingStick { index: 0, shows: None }, stick)).add_child(shadow);
        app.update();
        let place = app.world().entity(shadow).get::<GlobalTransform>().copied();
        let place = place.as_ref().map(GlobalTransform::compute_transform).unwrap_or_default();
        assert!(place.translation.distance(Vec3::new(2.0, TABLE_Y + STRIP_Y, -1.0)) < 1e-4);
        assert!((place.rotation * Vec3::Y).distance(Vec3::Y) < 1e-4, "it lies flat");
        let along = Quat::from_rotation_y(0.4) * Vec3::X;
        assert!((place.rotation * Vec3::X).distance(along) < 1e-4, "it lies along the stick");
        assert!((place.scale.x - 0.5).abs() < 1e-4, "{}", place.scale);
    }
}
