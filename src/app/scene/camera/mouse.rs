//! The camera by mouse: the right button orbits, the middle one pans, the wheel
//! zooms towards the pointer. Input over a panel is left to the panel.

use bevy::{
    input::mouse::{AccumulatedMouseScroll, MouseScrollUnit},
    window::PrimaryWindow,
};
use bevy_egui::input::EguiWantsInput;

use super::rig::{CameraRig, point_on_table, steer_to};
use crate::app::scene::prelude::*;

/// Logarithm of the zoom factor per wheel notch.
const ZOOM_PER_NOTCH: f32 = 0.12;
/// Pixels of smooth scrolling that count as a wheel notch.
const PIXELS_PER_NOTCH: f32 = 40.0;

/// The button of the current drag, which did not start on a panel, and the
/// pointer's last position.
#[derive(Resource, Default)]
struct CameraDrag(Option<(MouseButton, Vec2)>);

pub(super) fn plugin(app: &mut App) {
    // The title shows its board from where it wants.
    let steers = not(in_state(Screen::Title));
    app.init_resource::<CameraDrag>()
        .init_resource::<IsDrawing>()
        .add_systems(Update, steer_by_mouse.run_if(steers).in_set(AppSet::Input));
}

fn steer_by_mouse(
    buttons: Res<ButtonInput<MouseButton>>,
    scroll: Res<AccumulatedMouseScroll>,
    egui: Option<Res<EguiWantsInput>>,
    (layout, drawing): (Res<BoardLayout>, Res<IsDrawing>),
    windows: Query<&Window, With<PrimaryWindow>>,
    cameras: Query<(&Camera, &GlobalTransform), With<Camera3d>>,
    mut drag: ResMut<CameraDrag>,
    mut rig: ResMut<CameraRig>,
) {
    let over_panel = egui.is_some_and(|egui| egui.wants_any_pointer_input());
    let pointer = windows.iter().find_map(Window::cursor_position);
    let mut goal = rig.goal;
    match drag.update(&buttons, pointer, over_panel) {
        Some((MouseButton::Right, delta)) if !drawing.0 => goal.orbit(delta),
        Some((MouseButton::Middle, delta)) => {
            // The table follows the pointer, whichever way the camera looks.
            let foreshortening = goal.pitch.sin().max(0.3);
            let shift = delta * rig.pixel_size / Vec2::new(1.0, foreshortening);
            let rotated = Vec2::from_angle(-goal.yaw).rotate(shift);
            goal.pan -= rotated;
        }
        _ => {}
    }
    if !over_panel && scroll.delta.y != 0.0 {
        let notches = match scroll.unit {
            MouseScrollUnit::Line => scroll.delta.y,
            MouseScrollUnit::Pixel => scroll.delta.y / PIXELS_PER_NOTCH,
        };
        let point = pointer
            .zip(cameras.iter().next())
            .and_then(|(pointer, (camera, transform))| point_on_table(camera, transform, pointer));
        goal.zoom_about((notches * ZOOM_PER_NOTCH).exp(), point, &layout);
    }
    steer_to(goal, &layout, &mut rig);
}

impl CameraDrag {
    /// Starts, continues or ends a drag. Returns its button and how far the
    /// pointer moved in this frame.
    fn update(
        &mut self,
        buttons: &ButtonInput<MouseButton>,
        pointer: Option<Vec2>,
        over_panel: bool,
    ) -> Option<(MouseButton, Vec2)> {
        // Before the end is noticed: a drag that starts and ends within one slow
        // frame moved the pointer too.
        let mut dragged = None;
        if let (Some((button, last)), Some(pointer)) = (&mut self.0, pointer) {
            dragged = Some((*button, pointer - *last));
            *last = pointer;
        }
        if self.0.is_some_and(|(button, _)| !buttons.pressed(button)) {
            self.0 = None;
        }
        if self.0.is_none() && !over_panel {
            self.0 = [MouseButton::Right, MouseButton::Middle]
                .into_iter()
                .find(|&button| buttons.just_pressed(button))
                .zip(pointer);
        }
        dragged
    }
}
