//! In the making.
pub(crate) fn plugin(_: &mut bevy::prelude::App) {}
