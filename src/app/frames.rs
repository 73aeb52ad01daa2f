//! `tabulae --frame-report`: what frames cost, said on stdout.
//!
//! ```text
//! playable after 1.84 s
//! played move: 31 frames; main thread 0.9 ms (median), 1.4 (95 %), 2.0 (most); a frame every 16.7 ms, the longest 18.1
//! frames 412: main thread 0.7 ms (median), 1.3 (95 %), 6.2 (most)
//! memory 213 MB at most
//! ```
//!
//! The main thread's part of a frame is the main world's schedules and the
//! hand-over to the renderer; what a renderer's own thread does meanwhile is
//! not in it. Waiting for the renderer is not either.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use bevy::{prelude::*, render::RenderApp};

use super::{
    animation::{Playing, timeline::Deed},
    board::Standing,
    look::{Compiling, Painting},
    open::say,
    stage::{Motion, Screen},
};

/// How long the last hand-over to the renderer took.
type HandOver = Arc<Mutex<Duration>>;

/// What was measured so far.
#[derive(Resource)]
struct Frames {
    begun: Instant,
    playable: bool,
    frame: Instant,
    hand_over: HandOver,
    all: Vec<Duration>,
    /// Of the ply that is shown: what it does, and of each frame its cost and
    /// the time since the one before.
    ply: Option<(String, Vec<(Duration, Duration)>)>,
}

/// Measures from `begun` on.
pub(super) fn measure(app: &mut App, begun: Instant) {
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
    app.init_resource::<Playing>()
        .insert_resource(Frames {
            begun,
            playable: false,
            frame: begun,
            hand_over,
            all: Vec::new(),
            ply: None,
        })
        .add_systems(First, begin)
        .add_systems(Last, end);
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
    standing: Res<Standing>,
    (painting, compiling): (Res<Painting>, Res<Compiling>),
    motion: Res<Motion>,
    playing: Option<Res<Playing>>,
    mut exits: MessageReader<AppExit>,
) {
    let handed = *frames.hand_over.lock().unwrap_or_else(PoisonError::into_inner);
    let cost = frames.frame.elapsed() + handed;
    let ready = !painting.0 && !compiling.is_busy();
    let set = *screen.get() == Screen::Title || standing.0.is_some();
    if !frames.playable && ready && set && frames.frame > frames.begun {
        frames.playable = true;
        say(&format!("playable after {:.2} s", frames.begun.elapsed().as_secs_f64()));
    } else if frames.playable {
        frames.all.push(cost);
    }
    if motion.is_busy() {
        let deeds = playing.map(|it| it.0.clone()).unwrap_or_default();
        let (name, shown) = frames.ply.get_or_insert_with(Default::default);
        if name.len() < deeds.len() {
            *name = deeds;
        }
        shown.push((cost, Duration::ZERO));
    } else if let Some((name, shown)) = frames.ply.take() {
        say(&told(&name, &shown));
    }
    if exits.read().next().is_some() {
        let costs = std::mem::take(&mut frames.all);
        say(&format!("frames {}: main thread {}", costs.len(), spread(costs)));
        if let Some(most) = memory() {
            say(&format!("memory {most} MB at most"));
        }
    }
}

/// What tracks are called here.
pub(super) const fn deed_name(deed: &Deed) -> &'static str {
    match deed {
        Deed::Go { .. } => "move",
        Deed::Leave { .. } => "capture",
        Deed::Drop(_) => "stone",
        Deed::Rise(_) => "pavilion",
        Deed::Throw { .. } => "throw",
    }
}

fn told(name: &str, shown: &[(Duration, Duration)]) -> String {
    let costs = shown.iter().map(|it| it.0).collect();
    let mut gaps: Vec<Duration> =
        shown.iter().map(|it| it.1).filter(|gap| !gap.is_zero()).collect();
    gaps.sort_unstable();
    let [usual, longest] =
        [gaps.get(gaps.len() / 2), gaps.last()].map(|it| millis(it.copied().unwrap_or_default()));
    format!(
        "played {name}: {} frames; main thread {}; a frame every {usual} ms, the longest {longest}",
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
    Some(line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()? / 1000)
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
        let told = told("move", &[frame(1, 16), frame(2, 17), frame(3, 40), frame(4, 0)]);
        assert!(told.contains("4 frames") && told.ends_with("every 17.0 ms, the longest 40.0"));
    }
}
