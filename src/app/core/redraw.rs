//! Why the next frame must be drawn although nothing on the board moves. The
//! scene's frame pacing reads these resources; other parts write them.

use std::time::Duration;

use bevy::prelude::*;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<KeepRedrawing>()
        .init_resource::<ExportRunning>()
        .init_resource::<NextRedraw>()
        .init_resource::<ScreenReaderActive>();
}

/// Whether frames must continue because something off the screen is awaited: an
/// engine's answer, the next ply of a replay.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeepRedrawing(pub bool);

/// Whether a picture or an animation is being exported; its progress is shown.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExportRunning(pub bool);

/// Time until the display of a running clock changes; none while no clock runs.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NextRedraw(pub Option<Duration>);

/// Whether a screen reader is connected. Its requests do not wake the event
/// loop, so the app polls for them.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScreenReaderActive(pub bool);
