//! The shadows of the sticks on the table.

use bevy::transform::TransformSystems;

use crate::app::{
    core::prelude::*,
    scene::{components::CastingStick, layout::TABLE_Y, look::TableMaterial},
};

/// Height of a shadow above the table: above the halo.
const SHADOW_Y: f32 = 0.009;
/// Height of a stick above which it has no shadow.
const FADE_HEIGHT: f32 = 1.2;

/// The child of every stick.
#[derive(Component)]
struct StickShadow;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(PostUpdate, lay_shadows.before(TransformSystems::Propagate));
}

/// The shadow of one stick.
pub(super) fn shadow(shape: (Mesh3d, MeshMaterial3d<TableMaterial>)) -> impl Bundle {
    (StickShadow, Name::new("Stick's shadow"), shape, Pickable::IGNORE)
}

/// Keeps each shadow on the table below its stick, smaller the higher the stick is.
fn lay_shadows(
    sticks: Query<&Transform, (Changed<Transform>, With<CastingStick>, Without<StickShadow>)>,
    mut shadows: Query<(&ChildOf, &mut Transform), With<StickShadow>>,
) {
    for (child_of, mut shadow) in &mut shadows {
        let Ok(stick) = sticks.get(child_of.parent()) else { continue };
        let along = stick.rotation * Vec3::X;
        let lies = Transform::from_translation(stick.translation.with_y(TABLE_Y + SHADOW_Y))
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
        app.add_plugins(bevy::transform::TransformPlugin).add_plugins(plugin);
        let shadow = app.world_mut().spawn((StickShadow, Transform::default())).id();
        let stick = Transform::from_xyz(2.0, TABLE_Y + 0.6, -1.0)
            .with_rotation(Quat::from_rotation_y(0.4) * Quat::from_rotation_x(2.0));
        app.world_mut().spawn((CastingStick { index: 0, shows: None }, stick)).add_child(shadow);
        app.update();
        let place = app.world().entity(shadow).get::<GlobalTransform>().copied();
        let place = place.as_ref().map(GlobalTransform::compute_transform).unwrap_or_default();
        assert!(place.translation.distance(Vec3::new(2.0, TABLE_Y + SHADOW_Y, -1.0)) < 1e-4);
        assert!((place.rotation * Vec3::Y).distance(Vec3::Y) < 1e-4, "it lies flat");
        let along = Quat::from_rotation_y(0.4) * Vec3::X;
        assert!((place.rotation * Vec3::X).distance(along) < 1e-4, "it lies along the stick");
        assert!((place.scale.x - 0.5).abs() < 1e-4, "{}", place.scale);
    }
}
