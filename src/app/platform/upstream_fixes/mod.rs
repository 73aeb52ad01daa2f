//! Patches of `bevy_egui` and `bevy_picking`, one file for each, until upstream
//! has them. Related reports are named where there are some.

pub(crate) mod multiline_paste;
pub(crate) mod pointer_capture;
pub(crate) mod pointer_sequence;
pub(crate) mod repeated_modifiers;
pub(crate) mod screen_reader;
