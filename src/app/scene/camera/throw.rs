//! Keeps the sticks in sight while they fly: where the view would not hold the throw up to
//! its peak, the camera draws back for it. It returns when nobody is to click: while somebody
//! is, the board stands still under the pointer.
//!
//! The user's pose is not touched: it is only blended with one that frames the throw.

use super::{
    CameraRig,
    lens::{Framing, Lens},
    rig::Pose,
};
use crate::app::scene::{
    look::{CameraMoving, motion_step},
    prelude::*,
    sticks::throw_animation::throw_volume,
};

/// Rate of the exponential easing, per second: the camera is there when the sticks are
/// released.
const RATE: f32 = 7.0;
/// A share nearer to its goal than this has reached it.
const TOLERANCE: f32 = 2e-3;

/// What the camera must frame: the board, and as much of a throw as it has drawn back for.
pub(super) fn framed(layout: &BoardLayout, flatness: f32, share: f32) -> Vec<Vec3> {
    let mut corners = layout.framed_points(flatness);
    if share > 0.0 && layout.sticks {
        let from = layout.sticks_centre();
        corners.extend(throw_volume(layout).map(|corner| from.lerp(corner, share)));
    }
    corners
}

/// The pose between the user's and the one that shows the whole board.
pub(super) fn drawn_back(pose: Pose, share: f32) -> Pose {
    pose.lerp(Pose { zoom: pose.zoom.max(1.0), pan: Vec2::ZERO, ..pose }, share)
}

/// Decides, as a throw begins, whether the camera must draw back, and eases it there.
pub(super) fn follow_throw(
    time: Res<Time<Real>>,
    (motion, speed, photo): (Res<MotionStatus>, Res<AnimationSpeed>, Res<Photo>),
    highlights: Res<Highlights>,
    (layout, insets): (Res<BoardLayout>, Res<ViewportInsets>),
    cameras: Query<&Camera, With<Camera3d>>,
    mut rig: ResMut<CameraRig>,
    mut moving: ResMut<CameraMoving>,
    mut threw: Local<bool>,
) {
    let throws = motion.throws && speed.0.is_some() && photo.0.is_none();
    let begins = throws && !*threw;
    *threw = throws;
    let mut back = rig.drawn_back;
    let was_moving = back.now != back.goal;
    if begins {
        let size = cameras.iter().next().and_then(Camera::logical_target_size);
        let is_seen = size.is_none_or(|size| holds_throw(size, &insets, rig.goal, &layout));
        back.goal = if is_seen { back.goal } else { 1.0 };
    } else if highlights.awaits_click() {
        back.goal = back.now;
    } else if !throws {
        back.goal = 0.0;
    }
    if back.now != back.goal {
        let share = speed.share(RATE * motion_step(&time, was_moving));
        back.now = back.now.lerp(back.goal, share);
        if (back.now - back.goal).abs() < TOLERANCE {
            back.now = back.goal;
        }
        moving.set_if_neq(CameraMoving(true));
    }
    if rig.drawn_back != back {
        rig.drawn_back = back;
    }
}

/// Whether a throw is seen whole from this pose, in what panels leave free of a window.
fn holds_throw(size: Vec2, insets: &ViewportInsets, pose: Pose, layout: &BoardLayout) -> bool {
    let rotation = pose.rotation();
    let framing =
        Framing::new(size, insets, rotation, pose.flatness, &layout.framed_points(pose.flatness));
    let free = free_rect(size, insets);
    let seen = |at: Vec3| seen_at(at, size, pose, &framing);
    throw_volume(layout).into_iter().all(|corner| free.contains(seen(corner)))
}

/// What panels leave free, in normalised device coordinates.
fn free_rect(size: Vec2, insets: &ViewportInsets) -> Rect {
    let low = Vec2::new(insets.left, insets.bottom) / size;
    let high = Vec2::new(insets.right, insets.top) / size;
    Rect::from_corners(2.0 * low - 1.0, 1.0 - 2.0 * high)
}

/// Where a point is seen from a pose, in normalised device coordinates.
pub(super) fn seen_at(point: Vec3, size: Vec2, pose: Pose, framing: &Framing) -> Vec2 {
    let camera = pose.transform(framing.distance);
    let lens = Lens::new(size.x / size.y, framing, pose.zoom, pose.flatness);
    let in_view = camera.to_matrix().inverse().transform_point3(point);
    bevy::camera::CameraProjection::get_clip_from_view(&lens).project_point3(in_view).xy()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::scene::camera::CameraView;

    const LAYOUT: BoardLayout = BoardLayout { files: 12, ranks: 4, sticks: true };
    const SIZES: [Vec2; 2] = [Vec2::new(1280.0, 720.0), Vec2::new(900.0, 600.0)];

    /// The panels of the table as they are in these windows.
    fn panels() -> ViewportInsets {
        ViewportInsets { left: 0.0, right: 280.0, top: 90.0, bottom: 96.0 }
    }

    #[test]
    fn the_player_s_seat_holds_the_throw_and_the_other_one_only_drawn_back() {
        for size in SIZES {
            let seen = |view| holds_throw(size, &panels(), Pose::from_view(view), &LAYOUT);
            assert!(seen(CameraView::Seat) && seen(CameraView::Diagram), "{size}");
            assert!(!seen(CameraView::Far), "{size}");
            let near = Pose { zoom: 0.5, ..Pose::from_view(CameraView::Seat) };
            assert!(!holds_throw(size, &panels(), near, &LAYOUT), "{size}: too near");
        }
    }

    #[test]
    fn drawn_back_the_camera_holds_the_throw_from_every_side() {
        let seat = Pose::from_view(CameraView::Seat);
        for size in SIZES {
            for step in 0..12 {
                let yaw = step as f32 * std::f32::consts::PI / 6.0;
                for (pitch, zoom, pan) in [(0.95, 1.0, 0.0), (0.3, 0.4, 3.0), (1.5, 1.6, -2.0)] {
                    let pose = Pose { yaw, pitch, zoom, pan: Vec2::splat(pan), ..seat };
                    let pose = drawn_back(pose, 1.0);
                    let corners = framed(&LAYOUT, pose.flatness, 1.0);
                    let framing =
                        Framing::new(size, &panels(), pose.rotation(), pose.flatness, &corners);
                    let free = free_rect(size, &panels());
                    for corner in corners {
                        let at = seen_at(corner, size, pose, &framing);
                        assert!(free.inflate(1e-3).contains(at), "{yaw} {pitch} {zoom}: {at}");
                    }
                }
            }
        }
    }
}
