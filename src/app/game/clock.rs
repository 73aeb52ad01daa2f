//! Runs the players' clocks and says when the window must redraw them.
//!
//! A clock runs while its player is to move: not while pieces or sticks still move, the
//! tutor judges a move, or another screen is shown, which leaves the game. An open dialog
//! or an earlier position stops neither the clock nor an engine: else both would be ways
//! to think for nothing. In an online game the server's clocks count, which run whatever
//! is shown.

use super::{online::OnlineTable, referee::Referee};
use crate::{
    app::{core::prelude::*, scene::api::MotionStatus},
    session::next_clock_change,
};

/// The number of frames after a game or its screen appears in which rendering
/// everything for the first time may take long.
const WARMUP_FRAMES: u8 = 3;
/// No frame of the warm-up costs a player more than this.
const MAX_WARMUP_FRAME: Duration = Duration::from_secs(2);
/// A longer time between two frames means that the machine was suspended. A
/// hidden or covered window is throttled less: browsers draw a hidden tab every
/// second, after five minutes every minute.
const SUSPENDED: Duration = Duration::from_secs(90);
/// The shortest interval between two frames for a clock, in its last seconds.
const SHORTEST_INTERVAL: Duration = Duration::from_millis(50);

pub(crate) fn plugin(app: &mut App) {
    // First in a frame: the current position has been shown since the last one.
    app.add_systems(Update, run.in_set(AppSet::Clock))
        .add_systems(Update, schedule_redraw.in_set(AppSet::Report));
}

/// Whether a clock runs.
pub(crate) fn runs(referee: &Referee, screen: Screen, motion: &MotionStatus) -> bool {
    let is_played = screen == Screen::Table
        && !motion.is_busy()
        && !referee.is_exercise()
        && !referee.awaits_verdict();
    (referee.is_online() || is_played)
        && referee.table.as_ref().and_then(GameSession::clock_runs_for).is_some()
}

/// Decides how much of the time between two frames a player has used.
#[derive(Default)]
struct FrameMeter {
    /// The game whose frames are counted, and how many there were.
    game: u64,
    frames: u8,
}

impl FrameMeter {
    /// The time that counts of a frame in which the clock ran. `appeared` is set
    /// when the screen has just changed.
    fn charged(&mut self, game: u64, appeared: bool, elapsed: Duration) -> Duration {
        if appeared || self.game != game {
            *self = Self { game, frames: 0 };
        }
        let is_warm = self.frames >= WARMUP_FRAMES;
        self.frames = self.frames.saturating_add(1);
        if is_warm && elapsed <= SUSPENDED { elapsed } else { elapsed.min(MAX_WARMUP_FRAME) }
    }
}

fn run(
    time: Res<Time<Real>>,
    screen: Res<State<Screen>>,
    motion: Res<MotionStatus>,
    mut referee: ResMut<Referee>,
    mut meter: Local<FrameMeter>,
    mut appeared: Local<bool>,
) {
    *appeared |= screen.is_changed();
    if !runs(&referee, *screen.get(), &motion) {
        return;
    }
    let appeared = std::mem::take(&mut *appeared);
    let elapsed = meter.charged(referee.game_number(), appeared, time.delta());
    // A running clock does not change the game.
    if referee.bypass_change_detection().run_clock(elapsed) {
        referee.set_changed();
    }
}

/// Asks for the frame in which the display of the running clock changes.
fn schedule_redraw(
    time: Res<Time<Real>>,
    screen: Res<State<Screen>>,
    motion: Res<MotionStatus>,
    (referee, online): (Res<Referee>, Res<OnlineTable>),
    mut next: ResMut<NextFrame>,
) {
    let table = referee.table.as_ref().filter(|_| runs(&referee, *screen.get(), &motion));
    let left = table.and_then(|table| Some(table.clock()?.left(table.clock_runs_for()?)));
    if let Some(left) = left {
        next.within(next_clock_change(left).max(SHORTEST_INTERVAL));
    }
    if let Some(wait) = online.next_look(time.elapsed()) {
        next.within(wait);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_first_frames_and_a_suspended_machine_are_free() {
        let seconds = Duration::from_secs;
        let mut meter = FrameMeter::default();
        for _ in 0..WARMUP_FRAMES {
            assert_eq!(meter.charged(1, false, seconds(30)), MAX_WARMUP_FRAME, "first frames");
        }
        for gap in [1, 30, 60] {
            assert_eq!(meter.charged(1, false, seconds(gap)), seconds(gap), "a hidden window");
        }
        assert_eq!(meter.charged(1, false, seconds(3600)), MAX_WARMUP_FRAME, "suspended");
        assert_eq!(meter.charged(1, true, seconds(30)), MAX_WARMUP_FRAME, "another screen");
        let _ = [(); WARMUP_FRAMES as usize].map(|()| meter.charged(1, false, seconds(0)));
        assert_eq!(meter.charged(1, false, seconds(30)), seconds(30));
        assert_eq!(meter.charged(2, false, seconds(30)), MAX_WARMUP_FRAME, "another game");
    }
}
