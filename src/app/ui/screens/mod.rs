//! The screens, one file and one plugin each, and the panels they are laid out
//! from.

use crate::app::ui::prelude::*;

mod analysed_game;
mod analysis_panel;
mod clocks;
mod editor;
mod evaluation_graph;
mod exercise;
mod explorer_panel;
pub(crate) mod move_list;
mod move_rows;
mod plies;
mod replay;
pub(crate) mod replay_bar;
mod side_panel;
pub(crate) mod status_pill;
pub(crate) mod table;
mod throw_panel;
pub(crate) mod title;
pub(crate) mod toolbar;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<move_list::MoveList>()
        .init_resource::<move_rows::MoveRows>()
        .add_plugins((title::plugin, table::plugin, replay::plugin, editor::plugin));
}
