//! Mouse, touch and keyboard input become actions.
//!
//! Mouse and touch go through [`bevy::picking`]: every square, piece and stick of
//! the scene is hit by its mesh. [`pointer`] knows what was hit; [`table`], [`editor`] and
//! [`replay`] decide what a click or a drag means on their screen. Panels of the UI catch
//! the pointer before the scene.

mod command_state;
mod editor;
mod keyboard;
mod pointer;
mod replay;
mod table;

pub(crate) use self::{command_state::CommandState, keyboard::KeyPresses};
use crate::app::{core::prelude::*, platform::upstream_fixes, scene::api::MotionStatus};

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<KeyPresses>()
        .add_plugins((pointer::plugin, table::plugin, editor::plugin, replay::plugin))
        .add_plugins(upstream_fixes::focus_changes::plugin)
        .add_systems(
            Update,
            (
                skip_animations,
                pointer::cancel_selection,
                keyboard::collect_key_presses,
                keyboard::run_key_commands,
            )
                .chain()
                .in_set(AppSet::Input),
        )
        .add_systems(
            Update,
            keyboard::move_cursor.after(AppSet::Dispatch).before(AppSet::ApplyActions),
        );
}

/// Any key and any click skips the running animations, besides what else it does.
fn skip_animations(
    motion: Res<MotionStatus>,
    keys: Res<ButtonInput<KeyCode>>,
    buttons: Res<ButtonInput<MouseButton>>,
    touches: Res<Touches>,
    mut actions: MessageWriter<Action>,
) {
    let pressed = keys.get_just_pressed().len() > 0
        || buttons.just_pressed(MouseButton::Left)
        || touches.any_just_pressed();
    if motion.is_busy() && pressed {
        actions.write(ViewAction::FinishAnimations.into());
    }
}
