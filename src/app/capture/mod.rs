//! Pictures, animations and text made from a game.

pub(crate) mod clipboard;
#[cfg(not(target_arch = "wasm32"))]
pub(crate) mod export;
#[cfg(target_arch = "wasm32")]
#[path = "export_unavailable.rs"]
pub(crate) mod export;
#[cfg(not(target_arch = "wasm32"))]
mod gif_writer;
#[cfg(not(target_arch = "wasm32"))]
mod partial_file;
#[cfg(not(target_arch = "wasm32"))]
mod plates;
#[cfg(not(target_arch = "wasm32"))]
pub mod render;

use bevy::prelude::*;

pub(crate) fn plugin(app: &mut App) {
    app.add_plugins((clipboard::plugin, export::plugin));
}
