//! Chooses how often the window is redrawn: at full rate while something moves,
//! rarely otherwise.

use bevy::{
    window::WindowResized,
    winit::{UpdateMode, WinitSettings},
};

use super::{files::AwaitedFiles, shader_warmup::PipelineStatus};
use crate::app::{platform::alarm::Alarm, scene::prelude::*};

/// Whether the camera is moving.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CameraMoving(pub(crate) bool);

/// For how long every frame is drawn after the scene was set up or the window changed:
/// pipelines compile and textures are uploaded in that time.
const SCENE_SETTLE_TIME: Duration = Duration::from_millis(1500);

/// For how long every frame is drawn after highlights changed.
const HIGHLIGHT_SETTLE_TIME: Duration = Duration::from_millis(200);

/// The interval while something moves.
const MOTION_INTERVAL: Duration = Duration::from_millis(8);

/// The interval while the scene settles.
const SETTLE_INTERVAL: Duration = Duration::from_millis(50);

/// The interval when nobody asks for a frame: only in case the system has not said that
/// the window must be drawn again. A frame may cost seconds of processor time.
const IDLE_INTERVAL: Duration = Duration::from_secs(120);

/// How many frames are drawn at least after the scene was set up or the window changed,
/// however long they take: panels need a few to find their size.
const SETTLE_FRAMES: u32 = 8;

/// How many frames are drawn after motion: what waited for its end follows in them.
const FRAMES_AFTER_MOTION: u32 = 2;

/// How much of the time since the last frame counts in the first frame of a motion
/// (seconds).
const LONGEST_FIRST_STEP: f32 = 0.1;

/// The seconds by which something goes on in this frame. Motion follows the clock however
/// few frames there are. But it begins with the first frame that shows it: the time before,
/// in which the window was at rest or hidden or the machine was suspended, is no part of it.
pub(crate) fn motion_step(time: &Time<Real>, was_moving: bool) -> f32 {
    let passed = time.delta_secs();
    if was_moving { passed } else { passed.min(LONGEST_FIRST_STEP) }
}

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
        .init_resource::<SettleTimer>()
        .init_resource::<SceneAtRest>()
        .insert_resource(interval(IDLE_INTERVAL))
        .add_systems(PreUpdate, update_scene_ready)
        .add_systems(
            Last,
            (
                update_frame_pacing,
                decide_next_frame,
                wait_for_next_frame.run_if(resource_exists::<Alarm>),
            )
                .chain(),
        );
}

/// Draws a frame at this interval at the latest, with or without the focus.
const fn interval(wait: Duration) -> WinitSettings {
    let mode = UpdateMode::Reactive {
        wait,
        react_to_device_events: false,
        react_to_user_events: true,
        react_to_window_events: true,
    };
    WinitSettings { focused_mode: mode, unfocused_mode: mode }
}

fn update_scene_ready(
    (pipelines, awaited): (Res<PipelineStatus>, Res<AwaitedFiles>),
    mut ready: ResMut<SceneReady>,
) {
    ready.set_if_neq(SceneReady(!pipelines.is_busy() && *awaited == AwaitedFiles::default()));
}

/// The settings that change what the scene looks like.
type Look = (Palette, Room, Option<Quality>, u16, [bool; 3]);

const fn look(settings: &Settings) -> Look {
    let drawn = [settings.coordinates, settings.diagram, settings.paper];
    (settings.palette, settings.room, settings.quality, settings.text_size, drawn)
}

/// Asks for the frames that the scene needs.
pub(crate) fn update_frame_pacing(
    time: Res<Time<Real>>,
    (motion, camera_moving): (Res<MotionStatus>, Res<CameraMoving>),
    (pipelines, ready): (Res<PipelineStatus>, Res<SceneReady>),
    mut timer: ResMut<SettleTimer>,
    mut at_rest: ResMut<SceneAtRest>,
    mut scene_commands: MessageReader<SceneCommand>,
    mut resized: MessageReader<WindowResized>,
    (insets, highlights, settings): (Res<ViewportInsets>, Res<Highlights>, Res<Settings>),
    (mut last_insets, mut last_look): (Local<ViewportInsets>, Local<Option<Look>>),
    mut next: ResMut<NextFrame>,
) {
    let now = time.elapsed();
    let (mut is_set_up, mut is_played) = (false, false);
    for command in scene_commands.read() {
        match command {
            SceneCommand::SetPosition(_) => is_set_up = true,
            SceneCommand::PlayPly(_) | SceneCommand::SkipAnimations => is_played = true,
        }
    }
    let look = look(&settings);
    let is_restyled = last_look.replace(look) != Some(look);
    let changed = is_set_up || resized.read().count() > 0 || is_restyled;
    let moved = std::mem::replace(&mut *last_insets, *insets) != *insets;
    let for_long = (changed || moved || timer.until.is_none()).then_some(SCENE_SETTLE_TIME);
    let for_a_moment = highlights.is_changed().then_some(HIGHLIGHT_SETTLE_TIME);
    if let Some(span) = for_long.or(for_a_moment) {
        timer.until = timer.until.max(Some(now + span));
    }
    let moving = motion.is_busy() || camera_moving.0;
    timer.frames = timer.frames.saturating_sub(1);
    if for_long.is_some() {
        timer.frames = SETTLE_FRAMES;
    } else if moving || is_played {
        timer.frames = timer.frames.max(FRAMES_AFTER_MOTION);
    }
    // One frame more than is compiled in: what waits for it is told at the
    // start of the next.
    let settling = pipelines.is_busy()
        || !ready.0
        || timer.frames > 0
        || timer.until.is_some_and(|until| now < until);
    at_rest.0 = !(settling || moving);
    if moving {
        next.within(MOTION_INTERVAL);
    } else if settling {
        next.within(SETTLE_INTERVAL);
    }
}

/// Decides when the next frame is due, from what was asked in this one.
pub(super) fn decide_next_frame(mut next: ResMut<NextFrame>) {
    next.settle();
}

/// Has the event loop draw the next frame when it is due: at a steady interval while
/// something moves, else by the alarm.
fn wait_for_next_frame(
    time: Res<Time<Real>>,
    (motion, camera_moving): (Res<MotionStatus>, Res<CameraMoving>),
    next: Res<NextFrame>,
    mut alarm: ResMut<Alarm>,
    mut settings: ResMut<WinitSettings>,
) {
    let is_steady = motion.is_busy() || camera_moving.0;
    let wait = if is_steady { MOTION_INTERVAL } else { IDLE_INTERVAL };
    if settings.focused_mode != interval(wait).focused_mode {
        *settings = interval(wait);
    }
    let since = time.last_update().map(|start| start.elapsed()).unwrap_or_default();
    alarm.set(next.due().filter(|_| !is_steady).map(|due| due.saturating_sub(since)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_motion_begins_with_the_first_frame_that_shows_it() {
        let mut time = Time::<Real>::default();
        time.update_with_duration(Duration::ZERO);
        for (frame, first) in [(0.008, 0.008), (1.2, 0.1), (3600.0, 0.1)] {
            time.update_with_duration(Duration::from_secs_f32(frame));
            assert_eq!(motion_step(&time, false), first, "{frame}");
            assert_eq!(motion_step(&time, true), frame, "then it follows the clock");
        }
    }
}
