//! Turns the camera towards [`CameraFocus`].
//!
//! The user comes first: once the user has moved the camera, it is left alone
//! until the following is requested again.

use super::{CameraRig, rig::Pose};
use crate::app::scene::prelude::*;

/// Zoom while following.
const FOLLOW_ZOOM: f32 = 0.92;
/// By which part of its offset the camera pans to the focus: little, so that the
/// rest of the board stays visible.
const FOLLOW_PAN: f32 = 0.14;

/// Sets the rig's goal when the focus changes.
pub(super) fn follow_focus(
    focus: Res<CameraFocus>,
    layout: Res<BoardLayout>,
    mut rig: ResMut<CameraRig>,
) {
    let sum = focus.0.iter().map(|&at| layout.square_centre(at)).sum::<Vec3>();
    #[expect(clippy::cast_precision_loss, reason = "a handful of squares")]
    let centre = sum / focus.0.len().max(1) as f32;
    let goal = rig.goal;
    match (rig.followed, focus.0.is_empty()) {
        (None, true) => {}
        // The user has moved the camera since.
        (Some(followed), _) if followed != goal => {
            if focus.0.is_empty() {
                rig.followed = None;
            }
        }
        (None, false) if !shows_whole_board(goal) => {}
        (Some(_), true) => {
            rig.goal = Pose { zoom: 1.0, pan: Vec2::ZERO, ..goal };
            rig.followed = None;
        }
        (_, false) => {
            let goal = Pose { zoom: FOLLOW_ZOOM, pan: centre.xz() * FOLLOW_PAN, ..goal };
            rig.goal = goal;
            rig.followed = Some(goal);
        }
    }
}

fn shows_whole_board(pose: Pose) -> bool {
    (pose.zoom - 1.0).abs() < 1e-3 && pose.pan.length() < 1e-3
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::scene::camera::CameraView;

    fn app() -> App {
        let mut app = App::new();
        app.insert_resource(CameraFocus::default())
            .insert_resource(BoardLayout::default())
            .insert_resource(CameraRig::at(CameraView::Seat))
            .add_systems(Update, follow_focus.run_if(resource_changed::<CameraFocus>));
        app
    }

    fn goal_after_focus(app: &mut App, squares: &[(u8, u8)]) -> Pose {
        let squares = squares.iter().map(|&(file, rank)| Square::new(file, rank)).collect();
        app.insert_resource(CameraFocus(squares));
        app.update();
        app.world().resource::<CameraRig>().goal
    }

    #[test]
    fn the_camera_follows_the_focus_and_returns() {
        let mut app = app();
        let seat = app.world().resource::<CameraRig>().goal;
        let right = goal_after_focus(&mut app, &[(8, 4)]);
        let left = goal_after_focus(&mut app, &[(0, 4), (1, 4)]);
        assert!(right.pan.x > 0.3 && left.pan.x < -0.3 && right.zoom < 1.0);
        assert_eq!((right.yaw, right.pitch), (seat.yaw, seat.pitch), "the angle stays");
        assert_eq!(goal_after_focus(&mut app, &[]), seat);
    }

    #[test]
    fn following_stops_once_the_user_moves_the_camera() {
        let mut app = app();
        goal_after_focus(&mut app, &[(8, 4)]);
        app.world_mut().resource_mut::<CameraRig>().goal.zoom = 0.5;
        let held = app.world().resource::<CameraRig>().goal;
        assert_eq!(goal_after_focus(&mut app, &[(0, 4)]), held);
        assert_eq!(goal_after_focus(&mut app, &[]), held);
        assert_eq!(goal_after_focus(&mut app, &[(0, 4)]), held, "the user's pose stays");
    }
}
