//! What every other part of the app shares: actions, states, the schedule,
//! notices to the player, and who needs the next frame.

pub mod actions;
pub mod notice;
pub(crate) mod prelude;
pub mod redraw;
pub(crate) mod schedule;
pub mod states;

use bevy::prelude::*;

/// Adds what both the game and an off-screen scene need: the schedule, the
/// messages and the resources of [`redraw`]. The states are added with
/// [`states::plugin`]; an off-screen scene has none.
pub(crate) fn plugin(app: &mut App) {
    app.add_plugins((schedule::plugin, actions::plugin, redraw::plugin))
        .init_resource::<notice::Notices>()
        .add_message::<notice::Notify>();
}
