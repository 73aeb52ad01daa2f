//! How often the window is drawn: often while something moves, else hardly.

use std::time::Duration;

use bevy::{
    prelude::*,
    window::WindowResized,
    winit::{UpdateMode, WinitSettings},
};

use super::shader_warmup::PipelineStatus;
use crate::app::{
    core::redraw::{ExportRunning, KeepRedrawing, NextRedraw, ScreenReaderActive},
    scene::api::{Highlights, MotionStatus, SceneCommand, ViewportInsets},
};

/// Whether the camera is easing somewhere.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CameraMoving(pub(crate) bool);

/// Whether a board is being painted.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct BoardPainting(pub(crate) bool);

/// Whether water moves, and then how often it wants to be drawn.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct WaterRedraw(pub(crate) Option<Duration>);

/// How long every frame is drawn after the scene changed: pipelines compile
/// and textures arrive in that time.
const SETTLING: Duration = Duration::from_millis(1500);

/// The same after marks changed.
const MOMENT: Duration = Duration::from_millis(200);

/// When nothing happens at all: only in case something was missed. A picture by
/// a processor costs half a second of it.
const IDLE: Duration = Duration::from_secs(120);

/// While a screen reader listens: what it asks for comes without an event.
const LISTENING: Duration = Duration::from_millis(150);

/// While an animation is written. The processor is wanted for that.
const PROGRESS: Duration = Duration::from_millis(500);

/// A clock in its last seconds.
const TENTH: Duration = Duration::from_millis(50);

#[derive(Resource, Default)]
pub(crate) struct Settled {
    /// Not before this time.
    until: Option<Duration>,
    /// Nor before so many frames more: panels take some to find their size,
    /// however long a frame takes.
    frames: u32,
}

/// More frames than any panel takes to find its size.
const FRAMES: u32 = 8;

/// Whether the window shows what there is to show: nothing moves, and all that
/// followed from the last change has been drawn.
#[derive(Resource, Default)]
pub(crate) struct SceneAtRest(pub(crate) bool);

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<CameraMoving>()
        .init_resource::<BoardPainting>()
        .init_resource::<WaterRedraw>()
        .init_resource::<Settled>()
        .init_resource::<SceneAtRest>()
        .insert_resource(resting())
        .add_systems(Last, pace);
}

fn resting() -> WinitSettings {
    steady(UpdateMode::reactive_low_power(IDLE))
}

const fn steady(mode: UpdateMode) -> WinitSettings {
    WinitSettings { focused_mode: mode, unfocused_mode: mode }
}

pub(crate) fn pace(
    time: Res<Time<Real>>,
    motion: Res<MotionStatus>,
    easing: Res<CameraMoving>,
    (awake, painting, flowing): (Res<KeepRedrawing>, Res<BoardPainting>, Res<WaterRedraw>),
    (compiling, due, heard, writing): (
        Res<PipelineStatus>,
        Res<NextRedraw>,
        Res<ScreenReaderActive>,
        Res<ExportRunning>,
    ),
    mut settled: ResMut<Settled>,
    mut still: ResMut<SceneAtRest>,
    mut cues: MessageReader<SceneCommand>,
    mut resized: MessageReader<WindowResized>,
    margins: Res<ViewportInsets>,
    marks: Res<Highlights>,
    mut seen: Local<ViewportInsets>,
    mut settings: ResMut<WinitSettings>,
) {
    let now = time.elapsed();
    let changed = cues.read().count() + resized.read().count() > 0;
    let shifted = *seen != *margins;
    *seen = *margins;
    let for_long = (changed || shifted || settled.until.is_none()).then_some(SETTLING);
    let for_a_moment = marks.is_changed().then_some(MOMENT);
    if let Some(span) = for_long.or(for_a_moment) {
        settled.until = settled.until.max(Some(now + span));
    }
    settled.frames = if for_long.is_some() { FRAMES } else { settled.frames.saturating_sub(1) };
    let settling = painting.0
        || compiling.is_busy()
        || settled.frames > 0
        || settled.until.is_some_and(|until| now < until);
    still.0 = !(settling || motion.is_busy() || easing.0);
    let mode = if motion.is_busy() || easing.0 {
        UpdateMode::reactive(Duration::from_millis(8))
    } else if let Some(often) = flowing.0 {
        UpdateMode::reactive_low_power(often)
    } else if awake.0 || settling {
        UpdateMode::reactive_low_power(Duration::from_millis(50))
    } else {
        let idle = match (heard.0, writing.0) {
            (true, _) => LISTENING,
            (false, true) => PROGRESS,
            (false, false) => IDLE,
        };
        UpdateMode::reactive_low_power(due.0.map_or(idle, |due| due.clamp(TENTH, idle)))
    };
    if settings.focused_mode != mode {
        *settings = steady(mode);
    }
}
