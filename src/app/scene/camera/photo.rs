//! The camera of photo mode: a plain lens of any focal length, with depth of field.
//!
//! With each focal length the camera stands where the board fills the picture; what it
//! looks at is in focus.

use bevy::{
    core_pipeline::core_3d::DEPTH_PREPASS_TEXTURE_SUPPORTED,
    post_process::dof::{DepthOfField, DepthOfFieldMode},
    render::renderer::RenderAdapterInfo,
};

use super::{
    lens::Framing,
    rig::{CameraRig, Pose},
};
use crate::app::scene::prelude::*;

/// The height of the film in squares: 24 mm, where a square is 5 cm wide.
const FILM_HEIGHT: f32 = 0.48;
/// The widest blur, in parts of the picture's height.
const WIDEST_BLUR: f32 = 1.0 / 22.0;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, toggle.in_set(AppSet::ApplyActions)).add_systems(
        PostUpdate,
        focus
            .run_if(resource_exists::<RenderAdapterInfo>)
            .before(bevy::camera::CameraUpdateSystems)
            .after(super::update_camera),
    );
}

/// Begins and ends photo mode. There is none on the title.
fn toggle(
    mut actions: MessageReader<ViewAction>,
    screen: Option<Res<State<Screen>>>,
    mut photo: ResMut<Photo>,
    mut rig: ResMut<CameraRig>,
) {
    let is_title = screen.is_some_and(|screen| *screen.get() == Screen::Title);
    let mut wanted = *photo;
    for action in actions.read() {
        if *action == ViewAction::TogglePhoto {
            wanted.0 = if wanted.0.is_some() { None } else { Some(PhotoLens::default()) };
        }
    }
    if is_title {
        wanted.0 = None;
    }
    if photo.set_if_neq(wanted) {
        let seat = rig.seat;
        rig.ease_to(Pose::from_seat(seat));
    }
}

/// Where the camera stands, its projection, and the size of a pixel where it looks. The
/// picture is the middle of a window of this size.
pub(super) fn view(
    lens: PhotoLens,
    window: Vec2,
    pose: Pose,
    rotation: Quat,
    corners: &[Vec3],
) -> (Transform, Projection, f32) {
    let picture = lens.crop(window);
    let (tangent, insets) = (lens.tangent(), ViewportInsets::default());
    let framing = Framing::through(tangent, picture, &insets, rotation, 0.0, corners);
    let distance = framing.distance * pose.zoom;
    let half_height = distance * tangent;
    let half = Vec2::new(half_height * picture.x / picture.y, half_height);
    // A plain lens has no shift: the camera moves instead.
    let shift = -framing.shift * half;
    let target = Vec3::new(pose.pan.x, 0.0, pose.pan.y);
    let offset = rotation * shift.extend(distance);
    let projection = PerspectiveProjection {
        fov: 2.0 * (tangent * window.y / picture.y).atan(),
        aspect_ratio: window.x / window.y,
        near: 0.4,
        far: 160.0,
        ..default()
    };
    (
        Transform::from_translation(target + offset).with_rotation(rotation),
        Projection::Perspective(projection),
        2.0 * half_height / picture.y,
    )
}

/// Focuses on the table in the middle of the picture.
fn focus(
    mut commands: Commands,
    photo: Res<Photo>,
    cameras: Query<(Entity, &Camera, Ref<Transform>, Has<DepthOfField>), With<Camera3d>>,
) {
    for (entity, camera, transform, is_focused) in &cameras {
        let aperture = photo.0.and_then(|lens| Some((lens, lens.aperture?)));
        let Some((lens, aperture)) = aperture.filter(|_| DEPTH_PREPASS_TEXTURE_SUPPORTED) else {
            if is_focused {
                commands.entity(entity).remove::<DepthOfField>();
            }
            continue;
        };
        if !(photo.is_changed() || transform.is_changed()) {
            continue;
        }
        let Some(size) = camera.physical_target_size() else { continue };
        let window = size.as_vec2();
        // The point of the table that is looked at, a little above the board.
        let down = -transform.forward().y;
        let focal_distance = (transform.translation.y - 0.25) / down.max(0.05);
        commands.entity(entity).insert(DepthOfField {
            mode: DepthOfFieldMode::Bokeh,
            focal_distance,
            sensor_height: FILM_HEIGHT * window.y / lens.crop(window).y,
            aperture_f_stops: aperture,
            max_circle_of_confusion_diameter: window.y * WIDEST_BLUR,
            max_depth: 60.0,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::scene::layout::BoardLayout;

    #[test]
    fn the_board_fills_the_picture_through_every_lens() {
        let corners = BoardLayout { files: 12, ranks: 4, sticks: true }.framed_corners(0.0);
        let window = Vec2::new(1600.0, 900.0);
        let pose = Pose::from_view(super::super::CameraView::Seat);
        let rotation = Quat::from_rotation_x(-pose.pitch);
        let mut distances = Vec::new();
        for focal_length in [24.0, 50.0, 85.0] {
            for aspect in [None, Some((1, 1))] {
                let lens = PhotoLens { focal_length, aspect, ..PhotoLens::default() };
                let (camera, projection, pixel) = view(lens, window, pose, rotation, &corners);
                let to_clip = projection.get_clip_from_view() * camera.to_matrix().inverse();
                let mut reach = Vec2::ZERO;
                for corner in &corners {
                    reach = reach.max(to_clip.project_point3(*corner).xy().abs());
                }
                let seen = |x| to_clip.project_point3(Vec3::X * x).x * window.x / 2.0;
                let pixels = seen(100.0 * pixel) - seen(0.0);
                assert!((pixels - 100.0).abs() < 0.1, "{focal_length} {aspect:?}: {pixels}");
                // The camera moves instead of the lens, which is not quite the same.
                let picture = lens.crop(window) / window * 1.06;
                assert!(reach.cmple(picture).all(), "{focal_length} {aspect:?}: {reach}");
                assert!((reach / picture).max_element() > 0.8, "{focal_length}: {reach}");
                if aspect.is_none() {
                    distances.push(camera.translation.length());
                }
            }
        }
        assert!(distances.is_sorted() && distances[2] > 2.0 * distances[0], "{distances:?}");
    }
}
