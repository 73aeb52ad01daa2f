//! How things look: colours, shapes, textures, light, and how often the
//! window is drawn.
//!
//! Everything is made here, at the start, from numbers: no model or picture
//! is loaded, so the program needs no folder beside it.

mod awake;
pub(crate) mod grain;
pub(crate) mod light;
pub(crate) mod palette;
mod quality;
pub(crate) mod solid;
pub(crate) mod tabletop;
pub(crate) mod warm;

use bevy::prelude::*;

pub(crate) use awake::{Easing, Flowing, Painting, Still, pace};
pub(crate) use quality::ByHand;
pub use quality::{ParseQualityError, Quality};
pub(crate) use solid::Solid;
pub(crate) use warm::{Compiling, rehearse};

/// The light, the table top and the window's pace.
pub(crate) fn plugin(app: &mut App) {
    app.add_plugins((
        grain::plugin,
        light::plugin,
        tabletop::plugin,
        quality::plugin,
        awake::plugin,
        warm::watch,
    ));
}
