//! A key that is released in another window is not held here.
//!
//! `check_keyboard_focus_lost` of `bevy_winit` 0.19 tells of the loss of the keyboard only
//! if the window has not got it back in the same frame. Where frames are slow it has, and
//! Control stays held. Here every change of the focus is such a loss. No upstream issue is
//! known. Delete this file when `bevy_winit` tells of each loss.

use bevy::{
    input::{InputSystems, keyboard::KeyboardFocusLost},
    prelude::*,
    window::WindowFocused,
};
use bevy_egui::EguiPreUpdateSet;

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(
        PreUpdate,
        lose_keyboard
            .run_if(on_message::<WindowFocused>)
            .before(InputSystems)
            .before(EguiPreUpdateSet::ProcessInput),
    );
}

fn lose_keyboard(mut losses: MessageWriter<KeyboardFocusLost>) {
    losses.write(KeyboardFocusLost);
}
