//! The screens, one file for each, and the panels they are laid out from.

pub(crate) mod analysis_panel;
pub(crate) mod clocks;
pub(crate) mod editor;
pub(crate) mod lesson_panel;
pub(crate) mod move_list;
pub(crate) mod replay;
pub(crate) mod side_panel;
pub(crate) mod table;
pub(crate) mod throw_panel;
pub(crate) mod title;
pub(crate) mod toolbar;
