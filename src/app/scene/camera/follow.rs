//! Turning calmly towards what happens, where that is wanted.
//!
//! A hand on the camera comes first: once it has moved the view, the view is
//! left alone until the leading is asked for anew.

use bevy::prelude::*;

use super::{CameraRig, Pose};
use crate::app::scene::{api::CameraFocus, layout::Layout};

/// How much nearer than the whole board.
const NEARER: f32 = 0.92;
/// Which share of the way to what happens the view is shifted: little, so that
/// the other side stays in the picture.
const TOWARDS: f32 = 0.14;

/// Follows the focus.
pub(super) fn lead(focus: Res<CameraFocus>, layout: Res<Layout>, mut rig: ResMut<CameraRig>) {
    if !focus.is_changed() {
        return;
    }
    let middle = focus.0.iter().map(|&at| layout.place(at)).sum::<Vec3>();
    #[expect(clippy::cast_precision_loss, reason = "a handful of squares")]
    let middle = middle / focus.0.len().max(1) as f32;
    let goal = rig.goal;
    match (rig.led, focus.0.is_empty()) {
        (None, true) => {}
        // Never against a hand that has moved the view, now or before.
        (Some(led), _) if led != goal => {
            if focus.0.is_empty() {
                rig.led = None;
            }
        }
        (None, false) if !is_whole(goal) => {}
        (Some(_), true) => {
            rig.goal = Pose { zoom: 1.0, pan: Vec2::ZERO, ..goal };
            rig.led = None;
        }
        (_, false) => {
            let goal = Pose { zoom: NEARER, pan: middle.xz() * TOWARDS, ..goal };
            rig.goal = goal;
            rig.led = Some(goal);
        }
    }
}

/// Whether the whole board is in view.
fn is_whole(pose: Pose) -> bool {
    (pose.zoom - 1.0).abs() < 1e-3 && pose.pan.length() < 1e-3
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{app::scene::camera::View, games::Square};

    fn app() -> App {
        let mut app = App::new();
        app.insert_resource(CameraFocus::default())
            .insert_resource(Layout::default())
            .insert_resource(CameraRig::at(View::Seat))
            .add_systems(Update, lead);
        app
    }

    fn look(app: &mut App, squares: &[(u8, u8)]) -> Pose {
        let squares = squares.iter().map(|&(file, rank)| Square::new(file, rank)).collect();
        app.insert_resource(CameraFocus(squares));
        app.update();
        app.world().resource::<CameraRig>().goal
    }

    #[test]
    fn the_view_turns_to_what_happens_and_back() {
        let mut app = app();
        let seat = app.world().resource::<CameraRig>().goal;
        let right = look(&mut app, &[(8, 4)]);
        let left = look(&mut app, &[(0, 4), (1, 4)]);
        assert!(right.pan.x > 0.3 && left.pan.x < -0.3 && right.zoom < 1.0);
        assert_eq!((right.yaw, right.pitch), (seat.yaw, seat.pitch), "from where one sits");
        assert_eq!(look(&mut app, &[]), seat);
    }

    #[test]
    fn a_hand_on_the_view_is_never_worked_against() {
        let mut app = app();
        look(&mut app, &[(8, 4)]);
        app.world_mut().resource_mut::<CameraRig>().goal.zoom = 0.5;
        let held = app.world().resource::<CameraRig>().goal;
        assert_eq!(look(&mut app, &[(0, 4)]), held);
        assert_eq!(look(&mut app, &[]), held);
        assert_eq!(look(&mut app, &[(0, 4)]), held, "the person's own place is kept");
    }
}
