//! The camera by mouse: the right button orbits, the middle one pans, the
//! wheel zooms to what the pointer is on. What happens over a panel is the
//! panel's.

use bevy::{
    input::mouse::{AccumulatedMouseScroll, MouseScrollUnit},
    prelude::*,
    window::PrimaryWindow,
};
use bevy_egui::input::EguiWantsInput;

use super::{CameraRig, FLATTEST, Pose, STEEPEST};
use crate::app::{
    core::schedule::AppSet,
    scene::{layout::Layout, look::CameraMoving},
};

/// Radians of orbit for a pixel of drag.
const ORBIT: f32 = 0.006;
/// The nearest and the farthest, as times the fitting distance.
const ZOOMS: (f32, f32) = (0.3, 1.7);

/// The button a drag began with, off the panels, and where the pointer was last.
#[derive(Resource, Default)]
struct Grip(Option<(MouseButton, Vec2)>);

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Grip>().add_systems(Update, steer.in_set(AppSet::Input));
}

fn steer(
    buttons: Res<ButtonInput<MouseButton>>,
    scroll: Res<AccumulatedMouseScroll>,
    egui: Option<Res<EguiWantsInput>>,
    layout: Res<Layout>,
    windows: Query<&Window, With<PrimaryWindow>>,
    cameras: Query<(&Camera, &GlobalTransform), With<Camera3d>>,
    mut grip: ResMut<Grip>,
    mut rig: ResMut<CameraRig>,
    mut easing: ResMut<CameraMoving>,
) {
    let over_panel = egui.is_some_and(|it| it.wants_any_pointer_input());
    let pointer = windows.iter().find_map(Window::cursor_position);
    // A drag begun and ended within a slow frame has moved the pointer too.
    let mut dragged = None;
    if let (Some((button, last)), Some(pointer)) = (&mut grip.0, pointer) {
        dragged = Some((*button, pointer - *last));
        *last = pointer;
    }
    if grip.0.is_some_and(|(button, _)| !buttons.pressed(button)) {
        grip.0 = None;
    }
    if grip.0.is_none() && !over_panel {
        grip.0 = [MouseButton::Right, MouseButton::Middle]
            .into_iter()
            .find(|&button| buttons.just_pressed(button))
            .zip(pointer);
    }
    let delta = dragged.map_or(Vec2::ZERO, |it| it.1);
    let mut goal = rig.goal;
    match dragged.map(|it| it.0) {
        Some(MouseButton::Right) => turn(&mut goal, delta),
        Some(MouseButton::Middle) => {
            // The table follows the pointer, whichever way the camera looks.
            let slant = goal.pitch.sin().max(0.3);
            let reach = delta * rig.pixel / Vec2::new(1.0, slant);
            let turned = Vec2::from_angle(-goal.yaw).rotate(reach);
            goal.pan -= turned;
        }
        _ => {}
    }
    if !over_panel && scroll.delta.y != 0.0 {
        let notches = match scroll.unit {
            MouseScrollUnit::Line => scroll.delta.y,
            MouseScrollUnit::Pixel => scroll.delta.y / 40.0,
        };
        let under = pointer
            .zip(cameras.iter().next())
            .and_then(|(pointer, (camera, place))| on_table(camera, place, pointer));
        near(&mut goal, (notches * 0.12).exp(), under, &layout);
    }
    lead(goal, &layout, &mut rig, &mut easing);
}

/// Turns the view as far as a drag by so many pixels does.
pub(super) fn turn(goal: &mut Pose, delta: Vec2) {
    goal.yaw -= delta.x * ORBIT;
    goal.pitch = (goal.pitch + delta.y * ORBIT).clamp(FLATTEST, STEEPEST);
    // Who tilts the view from above wants to see depth again.
    if goal.pitch < STEEPEST - 1e-3 {
        goal.flat = 0.0;
    }
}

/// Brings the view so many times nearer to a point of the table, which stays
/// where it is. What is looked away to is let go of.
pub(super) fn near(goal: &mut Pose, times: f32, under: Option<Vec2>, layout: &Layout) {
    let zoom = (goal.zoom / times).clamp(ZOOMS.0, ZOOMS.1);
    let point = under.unwrap_or(goal.pan).clamp(-2.0 * layout.half(), 2.0 * layout.half());
    goal.pan = point + (goal.pan - point) * (zoom / goal.zoom);
    if zoom >= 1.0 && times < 1.0 {
        goal.pan *= 0.7;
    }
    goal.zoom = zoom;
}

/// The point of the table under a point of the window.
pub(crate) fn on_table(camera: &Camera, place: &GlobalTransform, at: Vec2) -> Option<Vec2> {
    let ray = camera.viewport_to_world(place, at).ok()?;
    let far = -ray.origin.y / ray.direction.y;
    (far.is_finite() && far > 0.0).then(|| ray.get_point(far).xz())
}

/// Has the camera ease there, with the board in sight.
pub(super) fn lead(
    mut goal: Pose,
    layout: &Layout,
    rig: &mut ResMut<CameraRig>,
    easing: &mut CameraMoving,
) {
    goal.pan = goal.pan.clamp(-layout.half(), layout.half());
    if goal != rig.goal {
        rig.goal = goal;
        easing.0 = true;
    }
}
