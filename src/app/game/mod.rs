//! The game on the table: rules, seats, clock, autosave.

pub(crate) mod autoplay;
pub(crate) mod clock;
pub mod referee;
pub(crate) mod seats;

use bevy::prelude::*;

pub(crate) fn plugin(app: &mut App) {
    app.add_plugins((referee::plugin, clock::plugin, seats::plugin, autoplay::plugin));
}
