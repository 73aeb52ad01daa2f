//! The game on the table: the rules, who plays, the clock, what is saved, a player
//! elsewhere; and the demonstration on the title screen. One concern, one plugin.

mod actions;
pub(crate) mod autoplay;
pub mod autosave;
pub mod board_flip;
pub(crate) mod clock;
pub(crate) mod demonstration;
pub mod exercise;
pub mod files;
pub(crate) mod my_games;
pub(crate) mod notices;
pub mod online;
pub mod opponent;
mod program;
pub(crate) mod record_files;
pub mod referee;
pub(crate) mod results;
pub(crate) mod suspended;
mod throws;

use bevy::prelude::*;

pub(crate) fn plugin(app: &mut App) {
    app.add_plugins((referee::plugin, actions::plugin, suspended::plugin));
    app.add_plugins(notices::plugin);
    app.add_plugins((files::plugin, autosave::plugin, results::plugin));
    app.add_plugins((opponent::plugin, program::plugin, throws::plugin));
    app.add_plugins((online::plugin, my_games::plugin));
    app.add_plugins((clock::plugin, board_flip::plugin, autoplay::plugin, demonstration::plugin));
}
