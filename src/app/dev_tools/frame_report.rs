//! The cost of frames: `tabulae --frame-report` prints it to stdout, and so does
//! `tabulae render --frame-report` for a scene without a window.
//!
//! ```text
//! playable after 1.84 s, 9 frames
//! played move: 31 frames; main thread 0.9 ms (median), 1.4 (95 %), 2.0 (most), 0.8 of processor (mean); a frame every 16.7 ms, the longest 18.1; 0 pipelines made
//! frames 412: main thread 0.7 ms (median), 1.3 (95 %), 6.2 (most), 0.6 of processor (mean)
//! memory 213 MB at most
//! ```
//!
//! The main thread's part of a frame is the schedules of the main world and the
//! extraction for the renderer; the renderer's own thread and the time spent
//! waiting for it do not count. Where other programs need the processor too, the
//! thread's processor time tells more: it includes all work from frame to frame,
//! that on the window's events too.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

use bevy::render::{
    RenderApp,
    render_resource::PollType,
    renderer::{RenderAdapterInfo, RenderDevice},
};

use crate::app::{
    capture::render::{OffscreenRenderer, RenderError, RenderOptions, read_record},
    core::prelude::*,
    platform::print_line,
    scene::{
        animation::AnimationLabel,
        api::MotionStatus,
        board::CurrentBoard,
        look::{PipelineStatus, SoftenEveryFrame, update_frame_pacing},
    },
};

/// How long an offscreen scene is drawn, and how many frames at least.
const OFFSCREEN_TIME: Duration = Duration::from_secs(5);
const MIN_OFFSCREEN_FRAMES: usize = 5;

/// The time of the last extraction for the renderer.
type ExtractTime = Arc<Mutex<Duration>>;

/// The measurements so far.
#[derive(Resource)]
struct FrameStats {
    started: Instant,
    /// The screen on which the program starts.
    first: Screen,
    playable: bool,
    /// The number of frames until it was playable.
    startup_frames: u32,
    /// The number of complete frames when everything was in place.
    in_place: Option<u32>,
    frame_start: Instant,
    extract_time: ExtractTime,
    /// The cost of each frame since then.
    costs: Vec<Duration>,
    /// The main thread's processor time when it became playable.
    processor_time: Option<Duration>,
    /// The ply being animated: its label, and of each frame its cost and the time
    /// since the one before.
    ply: Option<(String, Vec<(Duration, Duration)>)>,
    /// The main thread's processor time when that ply started.
    ply_processor_time: Option<Duration>,
    /// The number of pipelines when that ply started.
    pipelines: u32,
}

/// Measures from `started` on; the program is playable once the `first` screen is
/// complete.
pub(crate) fn measure(app: &mut App, started: Instant, first: Screen) {
    let extract_time = ExtractTime::default();
    if let Some(render) = app.get_sub_app_mut(RenderApp)
        && let Some(mut extract) = render.take_extract()
    {
        let extract_time = extract_time.clone();
        render.set_extract(move |main, world| {
            let start = Instant::now();
            extract(main, world);
            *extract_time.lock().unwrap_or_else(PoisonError::into_inner) = start.elapsed();
        });
    }
    app.init_resource::<AnimationLabel>()
        .insert_resource(FrameStats {
            started,
            first,
            playable: false,
            startup_frames: 0,
            in_place: None,
            frame_start: started,
            extract_time,
            costs: Vec::new(),
            processor_time: None,
            ply: None,
            ply_processor_time: None,
            pipelines: 0,
        })
        .add_systems(First, start_frame)
        .add_systems(Update, draw_continuously_until_playable)
        .add_systems(Last, end_frame.after(update_frame_pacing));
}

fn start_frame(mut frames: ResMut<FrameStats>, mut last: Local<Option<Instant>>) {
    let now = Instant::now();
    let gap = last.replace(now).map(|before| now - before);
    if let (Some((_, frames_of_ply)), Some(gap)) = (&mut frames.ply, gap)
        && let Some(frame) = frames_of_ply.last_mut()
    {
        frame.1 = gap;
    }
    frames.frame_start = now;
}

fn end_frame(
    mut frames: ResMut<FrameStats>,
    screen: Res<State<Screen>>,
    board: Res<CurrentBoard>,
    pipelines: Res<PipelineStatus>,
    motion: Res<MotionStatus>,
    label_of_ply: Option<Res<AnimationLabel>>,
    mut exits: MessageReader<AppExit>,
) {
    let extract_time = *frames.extract_time.lock().unwrap_or_else(PoisonError::into_inner);
    let cost = frames.frame_start.elapsed() + extract_time;
    let is_set_up = *screen.get() == Screen::Title || board.0.is_some();
    let complete_frames = pipelines.complete_frames();
    if *screen.get() == frames.first && is_set_up && !pipelines.is_busy() {
        frames.in_place.get_or_insert(complete_frames);
    } else {
        frames.in_place = None;
    }
    frames.startup_frames += u32::from(!frames.playable);
    // The frame being drawn now may be an older one, and a software renderer only
    // starts with the next one when that has been extracted.
    let is_visible = frames.in_place.is_some_and(|before| complete_frames >= before + 3);
    if !frames.playable && is_visible {
        frames.playable = true;
        frames.processor_time = processor_time();
        let after = frames.started.elapsed().as_secs_f64();
        print_line(&format!("playable after {after:.2} s, {} frames", frames.startup_frames));
    } else if frames.playable {
        frames.costs.push(cost);
    }
    if motion.is_busy() {
        if frames.ply.is_none() {
            frames.ply_processor_time = processor_time();
            frames.pipelines = pipelines.requested_pipelines();
        }
        let label = label_of_ply.map(|label| label.0.clone()).unwrap_or_default();
        let (name, frames_of_ply) = frames.ply.get_or_insert_with(Default::default);
        if name.len() < label.len() {
            *name = label;
        }
        frames_of_ply.push((cost, Duration::ZERO));
    } else if let Some((name, frames_of_ply)) = frames.ply.take() {
        let mean = mean_text(frames.ply_processor_time, frames_of_ply.len());
        let compiled = pipelines.requested_pipelines().saturating_sub(frames.pipelines);
        print_line(&ply_text(&name, &frames_of_ply, &mean, compiled));
    }
    if exits.read().next().is_some() {
        let costs = std::mem::take(&mut frames.costs);
        let mean = mean_text(frames.processor_time, costs.len());
        print_line(&format!("frames {}: main thread {}{mean}", costs.len(), percentiles(costs)));
        if let Some(peak) = peak_memory() {
            print_line(&format!("memory {peak} MB at most"));
        }
    }
}

/// Draws without a pause until the program is playable: else the last frame
/// before would be noticed only at the next event.
fn draw_continuously_until_playable(frames: Res<FrameStats>, mut next: ResMut<NextFrame>) {
    if !frames.playable {
        next.at_once();
    }
}

/// The main thread's processor time so far, where the system tells: the first
/// number, in nanoseconds, of what Linux reports on a process's first thread.
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    Some(Duration::from_nanos(text.split_whitespace().next()?.parse().ok()?))
}

/// The processor time per frame since it was `before`, as text.
fn mean_text(before: Option<Duration>, frames: usize) -> String {
    let spent = processor_time().zip(before).map(|(now, before)| now.saturating_sub(before));
    let each = spent.zip(u32::try_from(frames).ok()).and_then(|(it, n)| it.checked_div(n));
    each.map(|each| format!(", {} of processor (mean)", millis(each))).unwrap_or_default()
}

/// Draws the position again and again for five seconds and tells how long a frame takes:
///
/// ```text
/// adapter llvmpipe (LLVM 15.0.6, 256 bits), Vulkan, Cpu
/// frames 25, 320x180, low: 194.9 ms (median), 260.0 (95 %), 266.1 (most); until submitted 194.3 ms (median), 259.5 (95 %), 265.6 (most)
/// ```
///
/// A frame ends when the adapter has drawn it; the next one starts then. It is submitted to
/// the adapter before, when the processor's part of it is done. `options.out` is not used.
///
/// # Errors
/// See [`RenderError`].
pub(crate) fn offscreen_report(options: &RenderOptions) -> Result<String, RenderError> {
    let (record, plies) = read_record(options)?;
    let mut renderer = OffscreenRenderer::open(options)?;
    renderer.set(&record, plies);
    renderer.settled()?;
    renderer.set_camera_active(true);
    // The frames of a motion in a window are measured.
    renderer.app.world_mut().remove_resource::<SoftenEveryFrame>();
    let world = renderer.app.world();
    let adapter = world.resource::<RenderAdapterInfo>();
    let adapter = format!("{}, {:?}, {:?}", adapter.name, adapter.backend, adapter.device_type);
    let device = world.resource::<RenderDevice>().clone();
    let wait = || {
        let done = device.poll(PollType::wait_indefinitely());
        done.map_err(|error| RenderError::Adapter(error.to_string()))
    };
    wait()?;
    let (start, mut submitted, mut drawn) = (Instant::now(), Vec::new(), Vec::new());
    while drawn.len() < MIN_OFFSCREEN_FRAMES || start.elapsed() < OFFSCREEN_TIME {
        let frame = Instant::now();
        renderer.app.update();
        submitted.push(frame.elapsed());
        wait()?;
        drawn.push(frame.elapsed());
    }
    let ((width, height), quality) = (options.size, options.quality);
    Ok(format!(
        "adapter {adapter}\nframes {}, {width}x{height}, {quality}: {}; until submitted {}",
        drawn.len(),
        percentiles(drawn),
        percentiles(submitted)
    ))
}

fn ply_text(name: &str, frames: &[(Duration, Duration)], mean: &str, compiled: u32) -> String {
    let costs = frames.iter().map(|frame| frame.0).collect();
    let mut gaps: Vec<Duration> =
        frames.iter().map(|frame| frame.1).filter(|gap| !gap.is_zero()).collect();
    gaps.sort_unstable();
    let [usual, longest] =
        [gaps.get(gaps.len() / 2), gaps.last()].map(|gap| millis(gap.copied().unwrap_or_default()));
    format!(
        "played {name}: {} frames; main thread {}{mean}; a frame every {usual} ms, the longest {longest}; {compiled} pipelines made",
        frames.len(),
        percentiles(costs)
    )
}

/// The median, the 95th percentile and the maximum of these times, as text.
fn percentiles(mut costs: Vec<Duration>) -> String {
    costs.sort_unstable();
    let at = |share: usize| {
        let index = (costs.len() * share / 100).min(costs.len().saturating_sub(1));
        millis(costs.get(index).copied().unwrap_or_default())
    };
    format!("{} ms (median), {} (95 %), {} (most)", at(50), at(95), at(100))
}

fn millis(time: Duration) -> String {
    format!("{:.1}", time.as_secs_f64() * 1e3)
}

/// The peak memory of the process in MB, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    // A kB of Linux has 1,024 bytes.
    Some(line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()? * 1024 / 1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_have_median_high_and_maximum() {
        let costs = (1..=100).rev().map(Duration::from_millis).collect();
        assert_eq!(percentiles(costs), "51.0 ms (median), 96.0 (95 %), 100.0 (most)");
        assert_eq!(percentiles(Vec::new()), "0.0 ms (median), 0.0 (95 %), 0.0 (most)");
        let frame = |cost, gap| (Duration::from_millis(cost), Duration::from_millis(gap));
        let text =
            ply_text("move", &[frame(1, 16), frame(2, 17), frame(3, 40), frame(4, 0)], "", 2);
        assert!(
            text.contains("4 frames")
                && text.ends_with("17.0 ms, the longest 40.0; 2 pipelines made")
        );
    }
}
