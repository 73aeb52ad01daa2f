//! The sticks in the player's hand: picked up by a drag, shaken as the pointer moves, and
//! thrown from there when they are let go.

use super::motion::Motion;
use crate::app::scene::{
    camera::ray_at, look::motion_step, prelude::*, sticks::throw_animation::resting_transform,
};

/// How high the sticks are held above the board.
const HEIGHT: f32 = 0.9;
/// After this time, in seconds, they have made two thirds of their way to the pointer.
const TIME_CONSTANT: f32 = 0.035;
/// The largest angle at which a stick is shaken, in radians, and how fast, in radians per
/// second.
const SHAKE: (f32, f32) = (0.35, 38.0);
/// A stick nearer to its place than this, in squares, has reached it.
const REACHED: f32 = 0.002;

/// Moves the sticks in the hand towards the pointer, or back to where they lay. A throw
/// takes them from there.
pub(super) fn carry_held_sticks(
    (hand, layout): (Res<Hand>, Res<BoardLayout>),
    (real, speed): (Res<Time<Real>>, Res<AnimationSpeed>),
    cameras: Query<(&Camera, &GlobalTransform), With<Camera3d>>,
    mut sticks: Query<(&CastingStick, &mut Transform), Without<Motion>>,
    mut next: ResMut<NextFrame>,
    mut were_held: Local<bool>,
) {
    let hand = hand.0.filter(|_| hand.has_sticks()).and_then(|held| {
        let (camera, place) = cameras.iter().next()?;
        let ray = ray_at(camera, place, held.pointer)?;
        let plane = InfinitePlane3d::new(Vec3::Y);
        Some(ray.get_point(ray.intersect_plane(Vec3::Y * HEIGHT, plane)?))
    });
    if hand.is_none() && !*were_held {
        return;
    }
    let share = speed.share(motion_step(&real, *were_held) / TIME_CONSTANT);
    let mut is_moving = false;
    for (stick, mut place) in &mut sticks {
        let goal = match hand {
            Some(hand) => {
                let bundle = resting_transform(&layout, stick.index, None);
                let at = hand + bundle.translation - layout.sticks_centre();
                // The farther behind the hand, the harder it is shaken.
                let behind = place.translation.distance(at).min(1.0);
                let turn = real.elapsed_secs() * SHAKE.1 + 1.7 * stick.index as f32;
                let tilt = SHAKE.0 * behind * turn.sin();
                let rotation = Quat::from_rotation_z(tilt) * Quat::from_rotation_x(2.0 * tilt);
                bundle.with_translation(at).with_rotation(rotation)
            }
            None => resting_transform(&layout, stick.index, stick.shows),
        };
        place.translation = place.translation.lerp(goal.translation, share);
        place.rotation = place.rotation.slerp(goal.rotation, share);
        is_moving |= place.translation.distance(goal.translation) > REACHED;
        if hand.is_none() && place.translation.distance(goal.translation) <= REACHED {
            *place = goal;
        }
    }
    *were_held = hand.is_some() || is_moving;
    if is_moving {
        next.at_once();
    }
}
