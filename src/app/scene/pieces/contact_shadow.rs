//! Contact shadows: the shadow of each piece on the board. It stays on the board when the
//! piece is lifted, and shrinks.

use bevy::transform::TransformSystems;

use crate::app::{core::prelude::*, scene::look::TableMaterial};

/// Height of the shadow: above the board, below highlights.
const DISC_Y: f32 = 0.0055;
/// Height of a piece above which it has no contact shadow.
const FADE_HEIGHT: f32 = 0.9;

/// Marks the shadow of a piece.
#[derive(Component, Clone, Copy)]
struct ContactDisc;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(PostUpdate, update_contact_shadows.before(TransformSystems::Propagate));
}

/// The child of every piece.
pub(super) fn contact_shadow(shape: (Mesh3d, MeshMaterial3d<TableMaterial>)) -> impl Bundle {
    (
        Name::new("Contact shadow"),
        ContactDisc,
        shape,
        Transform::from_translation(Vec3::Y * DISC_Y),
        Pickable::IGNORE,
    )
}

/// Keeps each disc flat on the board below its piece, smaller the higher the
/// piece is.
fn update_contact_shadows(
    pieces: Query<&Transform, (Changed<Transform>, Without<ContactDisc>)>,
    mut discs: Query<(&ChildOf, &mut Transform), With<ContactDisc>>,
) {
    for (child_of, mut disc) in &mut discs {
        let Ok(piece) = pieces.get(child_of.parent()) else { continue };
        // Trays lie below the board: a piece there stands on the tray's floor.
        let height = piece.translation.y.max(0.0);
        let size = (1.0 - height / FADE_HEIGHT).max(0.0);
        // The disc's transform is relative to its piece's.
        let to_local = piece.rotation.inverse();
        let offset = to_local * Vec3::Y * (DISC_Y - height);
        *disc = Transform::from_translation(offset / piece.scale.max(Vec3::splat(0.01)))
            .with_rotation(to_local)
            .with_scale(Vec3::splat(size));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Global position and scale of the disc under a piece.
    fn disc_under(piece: Transform) -> (Vec3, f32) {
        let mut app = App::new();
        app.add_plugins(bevy::transform::TransformPlugin);
        app.add_systems(PostUpdate, update_contact_shadows.before(TransformSystems::Propagate));
        let disc = app.world_mut().spawn((ContactDisc, Transform::default())).id();
        app.world_mut().spawn(piece).add_child(disc);
        app.update();
        let place = app.world().entity(disc).get::<GlobalTransform>().copied();
        place.map_or((Vec3::NAN, 0.0), |place| (place.translation(), place.scale().x))
    }

    #[test]
    fn the_disc_of_a_lifted_piece_stays_on_the_board() {
        let rotation = Quat::from_rotation_z(0.7);
        for (height, size) in [(0.0, 1.0), (0.45, 0.5), (2.0, 0.0)] {
            let piece = Transform::from_xyz(3.0, height, -2.0).with_rotation(rotation);
            let (place, found) = disc_under(piece);
            assert!(place.distance(Vec3::new(3.0, DISC_Y, -2.0)) < 1e-4, "{place}");
            assert!((found - size).abs() < 1e-4, "{found}");
        }
        let in_tray = Transform::from_xyz(1.0, -0.36, 5.0).with_scale(Vec3::splat(0.78));
        let (place, _) = disc_under(in_tray);
        assert!((place.y - (DISC_Y - 0.36)).abs() < 1e-4, "{place}");
    }
}
