//! Workarounds for `bevy_egui` 0.42, and `bevy_picking`, `bevy_time` and `bevy_winit` 0.19,
//! one file and one plugin each. Each says which behaviour it waits for and when to delete it.

pub(crate) mod focus_changes;
pub(crate) mod frame_time;
pub(crate) mod multiline_paste;
pub(crate) mod pointer_capture;
pub(crate) mod pointer_sequence;
pub(crate) mod repaint_delay;
pub(crate) mod repeated_modifiers;
pub(crate) mod screen_reader;
