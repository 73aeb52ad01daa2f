//! Chooses how often the window is redrawn: at full rate while something moves,
//! rarely otherwise.

use std::time::Duration;

use bevy::{
    prelude::*,
    window::WindowResized,
    winit::{UpdateMode, WinitSettings},
};

use super::shader_warmup::PipelineStatus;
use crate::app::{
    core::redraw::{ExportRunning, KeepRedrawing, NextRedraw, ScreenReaderActive},
    scene::api::{Highlights, MotionStatus, SceneCommand, SceneReady, ViewportInsets},
    settings::Settings,
};

/// Whether the camera is moving.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CameraMoving(pub(crate) bool);

/// Whether a board's textures are being painted.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct BoardPainting(pub(crate) bool);

/// The interval at which moving water is redrawn; `None` while it is still.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct WaterRedraw(pub(crate) Option<Duration>);

/// For how long every frame is drawn after the scene changed: pipelines compile
/// and textures are uploaded in that time.
const SCENE_SETTLE_TIME: Duration = Duration::from_millis(1500);

/// For how long every frame is drawn after highlights changed.
const HIGHLIGHT_SETTLE_TIME: Duration = Duration::from_millis(200);

/// The interval while something moves.
const MOTION_INTERVAL: Duration = Duration::from_millis(8);

/// The interval while the scene settles or something outside it is awaited.
const AWAKE_INTERVAL: Duration = Duration::from_millis(50);

/// The interval when nothing happens. It is long because a software renderer
/// takes half a second of CPU time per frame.
const IDLE_INTERVAL: Duration = Duration::from_secs(120);

/// The interval while a screen reader is connected: its requests raise no event.
const SCREEN_READER_INTERVAL: Duration = Duration::from_millis(150);

/// The interval while an export runs, which needs the CPU for itself.
const EXPORT_INTERVAL: Duration = Duration::from_millis(500);

/// The shortest interval for a clock, in its last seconds.
const CLOCK_INTERVAL: Duration = Duration::from_millis(50);

/// How many frames are drawn at least after the scene changed, however long
/// they take: panels need a few to find their size.
const SETTLE_FRAMES: u32 = 8;

/// How long the scene still settles.
#[derive(Resource, Default)]
pub(crate) struct SettleTimer {
    /// Until this time since startup.
    until: Option<Duration>,
    /// And for this many more frames.
    frames: u32,
}

/// Whether nothing moves and everything that followed from the last change has
/// been drawn.
#[derive(Resource, Default)]
pub(crate) struct SceneAtRest(pub(crate) bool);

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<CameraMoving>()
        .init_resource::<BoardPainting>()
        .init_resource::<WaterRedraw>()
        .init_resource::<SettleTimer>()
        .init_resource::<SceneAtRest>()
        .insert_resource(same_when_unfocused(UpdateMode::reactive_low_power(IDLE_INTERVAL)))
        .add_systems(PreUpdate, update_scene_ready)
        .add_systems(Last, update_frame_pacing);
}

const fn same_when_unfocused(mode: UpdateMode) -> WinitSettings {
    WinitSettings { focused_mode: mode, unfocused_mode: mode }
}

fn update_scene_ready(
    painting: Res<BoardPainting>,
    pipelines: Res<PipelineStatus>,
    mut ready: ResMut<SceneReady>,
) {
    ready.set_if_neq(SceneReady(!painting.0 && !pipelines.is_busy()));
}

/// Chooses the update mode for the next frame.
pub(crate) fn update_frame_pacing(
    time: Res<Time<Real>>,
    (motion, camera_moving): (Res<MotionStatus>, Res<CameraMoving>),
    (keep_redrawing, painting, water): (Res<KeepRedrawing>, Res<BoardPainting>, Res<WaterRedraw>),
    (pipelines, next_redraw, screen_reader, exporting): (
        Res<PipelineStatus>,
        Res<NextRedraw>,
        Res<ScreenReaderActive>,
        Res<ExportRunning>,
    ),
    mut timer: ResMut<SettleTimer>,
    mut at_rest: ResMut<SceneAtRest>,
    mut scene_commands: MessageReader<SceneCommand>,
    mut resized: MessageReader<WindowResized>,
    (insets, highlights, look): (Res<ViewportInsets>, Res<Highlights>, Res<Settings>),
    mut last_insets: Local<ViewportInsets>,
    mut settings: ResMut<WinitSettings>,
) {
    let now = time.elapsed();
    let changed = scene_commands.read().count() + resized.read().count() > 0 || look.is_changed();
    let moved = std::mem::replace(&mut *last_insets, *insets) != *insets;
    let for_long = (changed || moved || timer.until.is_none()).then_some(SCENE_SETTLE_TIME);
    let for_a_moment = highlights.is_changed().then_some(HIGHLIGHT_SETTLE_TIME);
    if let Some(span) = for_long.or(for_a_moment) {
        timer.until = timer.until.max(Some(now + span));
    }
    timer.frames = if for_long.is_some() { SETTLE_FRAMES } else { timer.frames.saturating_sub(1) };
    let settling = painting.0
        || pipelines.is_busy()
        || timer.frames > 0
        || timer.until.is_some_and(|until| now < until);
    let moving = motion.is_busy() || camera_moving.0;
    at_rest.0 = !(settling || moving);
    let mode = if moving {
        UpdateMode::reactive(MOTION_INTERVAL)
    } else if let Some(interval) = water.0 {
        UpdateMode::reactive_low_power(interval)
    } else if keep_redrawing.0 || settling {
        UpdateMode::reactive_low_power(AWAKE_INTERVAL)
    } else {
        let idle = match (screen_reader.0, exporting.0) {
            (true, _) => SCREEN_READER_INTERVAL,
            (false, true) => EXPORT_INTERVAL,
            (false, false) => IDLE_INTERVAL,
        };
        let due = next_redraw.0.map_or(idle, |due| due.clamp(CLOCK_INTERVAL, idle));
        UpdateMode::reactive_low_power(due)
    };
    if settings.focused_mode != mode {
        *settings = same_when_unfocused(mode);
    }
}
