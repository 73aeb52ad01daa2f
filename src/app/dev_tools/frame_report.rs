//! `tabulae --frame-report`: what frames cost, said on stdout.
//!
//! ```text
//! playable after 1.84 s, 9 frames
//! played move: 31 frames; main thread 0.9 ms (median), 1.4 (95 %), 2.0 (most), 0.8 of processor (mean); a frame every 16.7 ms, the longest 18.1; 0 pipelines made
//! frames 412: main thread 0.7 ms (median), 1.3 (95 %), 6.2 (most), 0.6 of processor (mean)
//! memory 213 MB at most
//! ```
//!
//! The main thread's part of a frame is the main world's schedules and the
//! hand-over to the renderer; what a renderer's own thread does meanwhile is
//! not in it. Waiting for the renderer is not either. Where other programs want
//! the processor too, what the thread had of it tells more: all it did from
//! frame to frame, the window's events included.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use bevy::{prelude::*, render::RenderApp, winit::WinitSettings};

use crate::app::{
    core::states::Screen,
    platform::say,
    scene::{
        animation::AnimationLabel,
        api::MotionStatus,
        board::CurrentBoard,
        look::{BoardPainting, PipelineStatus, update_frame_pacing},
    },
};

/// How long the last hand-over to the renderer took.
type HandOver = Arc<Mutex<Duration>>;

/// What was measured so far.
#[derive(Resource)]
struct Frames {
    begun: Instant,
    /// Where the program goes first.
    first: Screen,
    playable: bool,
    /// How many frames there were until then.
    before: u32,
    /// So many whole frames had been drawn when all was in place.
    in_place: Option<u32>,
    frame: Instant,
    hand_over: HandOver,
    all: Vec<Duration>,
    /// The main thread's processor time when the game could be played.
    spent: Option<Duration>,
    /// Of the ply that is shown: what it does, and of each frame its cost and
    /// the time since the one before.
    ply: Option<(String, Vec<(Duration, Duration)>)>,
    /// The main thread's processor time when that ply began.
    ply_spent: Option<Duration>,
    /// How many pipelines there were when that ply began.
    pipelines: u32,
}

/// Measures from `begun` on; playable it is on the `first` screen.
pub(crate) fn measure(app: &mut App, begun: Instant, first: Screen) {
    let hand_over = HandOver::default();
    if let Some(render) = app.get_sub_app_mut(RenderApp)
        && let Some(mut extract) = render.take_extract()
    {
        let hand_over = hand_over.clone();
        render.set_extract(move |main, world| {
            let begun = Instant::now();
            extract(main, world);
            *hand_over.lock().unwrap_or_else(PoisonError::into_inner) = begun.elapsed();
        });
    }
    app.init_resource::<AnimationLabel>()
        .insert_resource(Frames {
            begun,
            first,
            playable: false,
            before: 0,
            in_place: None,
            frame: begun,
            hand_over,
            all: Vec::new(),
            spent: None,
            ply: None,
            ply_spent: None,
            pipelines: 0,
        })
        .add_systems(First, begin)
        .add_systems(Last, (end, hasten).chain().after(update_frame_pacing));
}

fn begin(mut frames: ResMut<Frames>, mut since: Local<Option<Instant>>) {
    let now = Instant::now();
    let gap = since.replace(now).map(|before| now - before);
    if let (Some((_, shown)), Some(gap)) = (&mut frames.ply, gap)
        && let Some(last) = shown.last_mut()
    {
        last.1 = gap;
    }
    frames.frame = now;
}

fn end(
    mut frames: ResMut<Frames>,
    screen: Res<State<Screen>>,
    standing: Res<CurrentBoard>,
    (painting, compiling): (Res<BoardPainting>, Res<PipelineStatus>),
    motion: Res<MotionStatus>,
    playing: Option<Res<AnimationLabel>>,
    mut exits: MessageReader<AppExit>,
) {
    let handed = *frames.hand_over.lock().unwrap_or_else(PoisonError::into_inner);
    let cost = frames.frame.elapsed() + handed;
    let set = *screen.get() == Screen::Title || standing.0.is_some();
    let drawn = compiling.complete_frames();
    if *screen.get() == frames.first && set && !painting.0 && !compiling.is_busy() {
        frames.in_place.get_or_insert(drawn);
    } else {
        frames.in_place = None;
    }
    frames.before += u32::from(!frames.playable);
    // The frame that is being drawn meanwhile may be of before; and when the
    // next has been handed over, a software renderer only begins with it.
    let seen = frames.in_place.is_some_and(|before| drawn >= before + 3);
    if !frames.playable && seen {
        frames.playable = true;
        frames.spent = on_processor();
        let after = frames.begun.elapsed().as_secs_f64();
        say(&format!("playable after {after:.2} s, {} frames", frames.before));
    } else if frames.playable {
        frames.all.push(cost);
    }
    if motion.is_busy() {
        if frames.ply.is_none() {
            frames.ply_spent = on_processor();
            frames.pipelines = compiling.requested_pipelines();
        }
        let deeds = playing.map(|it| it.0.clone()).unwrap_or_default();
        let (name, shown) = frames.ply.get_or_insert_with(Default::default);
        if name.len() < deeds.len() {
            *name = deeds;
        }
        shown.push((cost, Duration::ZERO));
    } else if let Some((name, shown)) = frames.ply.take() {
        let mean = mean(frames.ply_spent, shown.len());
        let made = compiling.requested_pipelines().saturating_sub(frames.pipelines);
        say(&told(&name, &shown, &mean, made));
    }
    if exits.read().next().is_some() {
        let costs = std::mem::take(&mut frames.all);
        let mean = mean(frames.spent, costs.len());
        say(&format!("frames {}: main thread {}{mean}", costs.len(), spread(costs)));
        if let Some(most) = memory() {
            say(&format!("memory {most} MB at most"));
        }
    }
}

/// Until the game can be played frames follow each other at once: the last of
/// them would else not be noticed before something happens.
fn hasten(frames: Res<Frames>, mut settings: ResMut<WinitSettings>) {
    if !frames.playable {
        *settings = WinitSettings::game();
    }
}

/// The main thread's time on a processor so far, where the system tells: the
/// first number, in nanoseconds, of what Linux keeps on a process's first thread.
fn on_processor() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    Some(Duration::from_nanos(text.split_whitespace().next()?.parse().ok()?))
}

/// That time a frame, since it was `before`, in words.
fn mean(before: Option<Duration>, frames: usize) -> String {
    let spent = on_processor().zip(before).map(|(now, before)| now.saturating_sub(before));
    let each = spent.zip(u32::try_from(frames).ok()).and_then(|(it, n)| it.checked_div(n));
    each.map(|each| format!(", {} of processor (mean)", millis(each))).unwrap_or_default()
}

fn told(name: &str, shown: &[(Duration, Duration)], mean: &str, made: u32) -> String {
    let costs = shown.iter().map(|it| it.0).collect();
    let mut gaps: Vec<Duration> =
        shown.iter().map(|it| it.1).filter(|gap| !gap.is_zero()).collect();
    gaps.sort_unstable();
    let [usual, longest] =
        [gaps.get(gaps.len() / 2), gaps.last()].map(|it| millis(it.copied().unwrap_or_default()));
    format!(
        "played {name}: {} frames; main thread {}{mean}; a frame every {usual} ms, the longest {longest}; {made} pipelines made",
        shown.len(),
        spread(costs)
    )
}

fn spread(mut costs: Vec<Duration>) -> String {
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

/// The most memory the process has had, in MB, where the system tells.
fn memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    // What the system calls kB has 1,024 bytes.
    Some(line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()? * 1024 / 1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_is_told_in_order() {
        let costs = (1..=100).rev().map(Duration::from_millis).collect();
        assert_eq!(spread(costs), "51.0 ms (median), 96.0 (95 %), 100.0 (most)");
        assert_eq!(spread(Vec::new()), "0.0 ms (median), 0.0 (95 %), 0.0 (most)");
        let frame = |cost, gap| (Duration::from_millis(cost), Duration::from_millis(gap));
        let told = told("move", &[frame(1, 16), frame(2, 17), frame(3, 40), frame(4, 0)], "", 2);
        assert!(
            told.contains("4 frames")
                && told.ends_with("17.0 ms, the longest 40.0; 2 pipelines made")
        );
    }
}
