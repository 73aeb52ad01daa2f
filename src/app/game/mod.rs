//! The game on the table: rules, seats, clock, autosave, a player elsewhere; and the
//! demonstration on the title screen.

pub(crate) mod autoplay;
pub mod board_flip;
pub(crate) mod clock;
pub(crate) mod demonstration;
pub mod online;
pub mod referee;

use bevy::prelude::*;

pub(crate) fn plugin(app: &mut App) {
    app.add_plugins((referee::plugin, clock::plugin, board_flip::plugin, autoplay::plugin));
    app.add_plugins((demonstration::plugin, online::plugin));
}
