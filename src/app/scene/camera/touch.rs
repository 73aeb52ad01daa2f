//! The camera by touch: two fingers orbit by moving together and zoom by
//! pinching. Gestures over a panel are left to the panel.

use bevy::{input::InputSystems, picking::PickingSystems};
use bevy_egui::input::EguiWantsInput;

use super::rig::{CameraRig, point_on_table, steer_to};
use crate::app::scene::prelude::*;

/// Fingers closer than this, in logical pixels, are treated as this far apart.
const MIN_DISTANCE: f32 = 24.0;

/// By how much the distance of the fingers must change before a gesture zooms, in
/// logical pixels: fingers that move together are reported one after the other.
const PINCH_THRESHOLD: f32 = 32.0;

/// A gesture of two fingers.
#[derive(Resource, Default)]
pub(crate) struct TouchGesture {
    /// Whether two fingers have touched the screen since the last time none did.
    has_two_fingers: bool,
    /// The fingers' last positions, off the panels.
    last: Option<[Vec2; 2]>,
    /// The fingers' distance when the gesture started; `None` once it zooms.
    start_distance: Option<f32>,
}

impl TouchGesture {
    /// Whether the touches move the camera and must not act on the board.
    pub(crate) const fn is_camera_gesture(&self) -> bool {
        self.has_two_fingers
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<TouchGesture>()
        .add_systems(PreUpdate, detect_gesture.after(InputSystems).before(PickingSystems::Hover))
        .add_systems(
            Update,
            (steer_by_touch.run_if(not(in_state(Screen::Title))), end_gesture)
                .chain()
                .in_set(AppSet::Input),
        );
}

/// Notices a second finger before picking acts on the first one's movement.
fn detect_gesture(touches: Res<Touches>, mut gesture: ResMut<TouchGesture>) {
    if touches.iter().count() > 1 && !gesture.has_two_fingers {
        gesture.has_two_fingers = true;
    }
}

/// Ends the gesture when the last finger is lifted, after picking has ignored its
/// release.
fn end_gesture(touches: Res<Touches>, mut gesture: ResMut<TouchGesture>) {
    if gesture.has_two_fingers && touches.iter().count() == 0 {
        *gesture = TouchGesture::default();
    }
}

fn steer_by_touch(
    touches: Res<Touches>,
    egui: Option<Res<EguiWantsInput>>,
    layout: Res<BoardLayout>,
    cameras: Query<(&Camera, &GlobalTransform), With<Camera3d>>,
    mut gesture: ResMut<TouchGesture>,
    mut rig: ResMut<CameraRig>,
) {
    let mut down: Vec<_> = touches.iter().map(|touch| (touch.id(), touch.position())).collect();
    down.sort_unstable_by_key(|&(id, _)| id);
    let [(_, one), (_, other)] = down[..] else {
        if gesture.last.is_some() {
            gesture.last = None;
        }
        return;
    };
    if egui.is_some_and(|egui| egui.wants_any_pointer_input()) {
        gesture.last = None;
        return;
    }
    let now = [one, other];
    let centre = |[one, other]: [Vec2; 2]| one.midpoint(other);
    let distance = |[one, other]: [Vec2; 2]| one.distance(other).max(MIN_DISTANCE);
    let Some(before) = gesture.last.replace(now) else {
        gesture.start_distance = Some(distance(now));
        return;
    };
    let mut goal = rig.goal;
    goal.orbit(centre(now) - centre(before));
    if let Some(start) = gesture.start_distance {
        if (distance(now) - start).abs() > PINCH_THRESHOLD {
            gesture.start_distance = None;
        }
        return steer_to(goal, &layout, &mut rig);
    }
    let factor = distance(now) / distance(before);
    if factor != 1.0 {
        let camera = cameras.iter().next();
        let point = camera.and_then(|(camera, at)| point_on_table(camera, at, centre(now)));
        goal.zoom_about(factor, point, &layout);
    }
    steer_to(goal, &layout, &mut rig);
}
