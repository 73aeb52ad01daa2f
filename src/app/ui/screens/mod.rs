//! The screens, one file and one plugin each, and the panels they are laid out
//! from.

mod analysis_panel;
mod clocks;
mod editor;
mod evaluation_graph;
mod exercise_panel;
mod explorer_panel;
mod lesson_panel;
pub(crate) mod move_list;
pub(crate) mod move_tree;
mod new_game;
mod practice_panel;
mod puzzle_panel;
mod replay;
pub(crate) mod replay_bar;
mod side_panel;
pub(crate) mod status_pill;
pub(crate) mod table;
mod throw_panel;
pub(crate) mod title;
pub(crate) mod toolbar;

use bevy::prelude::*;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<move_list::MoveList>()
        .init_resource::<move_tree::MoveTree>()
        .add_plugins((title::plugin, table::plugin, replay::plugin, editor::plugin));
}
