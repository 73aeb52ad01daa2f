//! What most of the scene names: its interface, its components and the board's measures.

pub(super) use super::{SceneSet, api::*, components::*, layout::*};
pub(super) use crate::app::{
    core::prelude::*,
    settings::{
        Settings,
        options::{Palette, Quality, Room},
    },
};
