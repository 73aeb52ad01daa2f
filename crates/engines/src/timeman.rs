//! Time management: the share of a game clock for one move, and the one place of
//! the engines that reads the system's clock.

#[cfg(not(target_arch = "wasm32"))]
use std::time::Instant;
use std::{sync::OnceLock, time::Duration};

#[cfg(target_arch = "wasm32")]
use web_time::Instant;

/// Measures the time since it was started.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stopwatch(Instant);

impl Stopwatch {
    pub(super) fn start() -> Self {
        Self(Instant::now())
    }

    #[cfg(test)]
    const fn started_at(time: Instant) -> Self {
        Self(time)
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// Time that no move uses: the answer still has to reach the clock.
const MOVE_OVERHEAD: Duration = Duration::from_millis(20);
/// Below twice the overhead, this part of the remaining time is kept instead.
const OVERHEAD_DIVISOR: u32 = 2;
/// A clock that shows less than this, or nothing, is treated as showing this.
const MIN_REMAINING: Duration = Duration::from_millis(1);
/// The remaining time is planned for this many moves if the caller names no number.
const DEFAULT_MOVES_TO_GO: u32 = 25;
/// The remaining time is never planned for more moves than this.
const MAX_MOVES_TO_GO: u32 = 50;
/// The part of the increment, in percent, that a move may use.
const INCREMENT_PERCENT: u32 = 75;
/// A move's share is at least this, if the clock allows it.
const MIN_SHARE: Duration = Duration::from_millis(2);
/// An iteration may begin within this part of a move's share, in percent.
const SHARE_SOFT_PERCENT: u32 = 60;
/// An iteration that has begun may take up to this many shares.
const SHARE_HARD_FACTOR: u32 = 3;
/// One move uses at most this part of the usable time, in percent, unless it is the
/// last before the time control.
const MAX_USABLE_PERCENT: u32 = 80;

/// The clock of the side to move.
///
/// ```
/// use std::time::Duration;
/// use tabulae_engines::{PlayerClock, TimeLimits};
///
/// let clock = PlayerClock { remaining: Duration::from_secs(60), ..PlayerClock::default() };
/// let TimeLimits { soft, hard } = clock.allot();
/// assert!(soft < hard && hard < clock.remaining);
/// assert!(soft < clock.share() && clock.share() < hard);
/// let last_move = PlayerClock { moves_to_go: Some(1), ..clock };
/// assert!(last_move.allot().hard > hard);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayerClock {
    /// The time left.
    pub remaining: Duration,
    /// The time added after each move.
    pub increment: Duration,
    /// Moves until the next time control, this one included; `None` if the remaining
    /// time is for the rest of the game.
    pub moves_to_go: Option<u32>,
}

/// The time limits of one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeLimits {
    /// No iteration begins after this; at most [`hard`](Self::hard).
    pub soft: Duration,
    /// The search stops here.
    pub hard: Duration,
}

impl PlayerClock {
    /// Allots time for one move. Both limits are above zero and less than the
    /// remaining time, and never shrink when the remaining time grows. A clock that
    /// shows nothing counts as 1 ms.
    pub fn allot(self) -> TimeLimits {
        let (share, most) = self.share_and_most();
        let hard = share.saturating_mul(SHARE_HARD_FACTOR).min(most);
        TimeLimits { soft: percent_of(share, SHARE_SOFT_PERCENT).min(hard), hard }
    }

    /// The time for a move that nothing but this limit ends: an even share of the
    /// remaining time. It is above zero and less than the remaining time, as the
    /// limits of [`allot`](Self::allot) are.
    pub fn share(self) -> Duration {
        let (share, most) = self.share_and_most();
        share.min(most)
    }

    /// A move's share of the remaining time, and the most that a move may use.
    fn share_and_most(self) -> (Duration, Duration) {
        let remaining = self.remaining.max(MIN_REMAINING);
        let usable = remaining - MOVE_OVERHEAD.min(remaining / OVERHEAD_DIVISOR);
        let moves = self.moves_to_go.unwrap_or(DEFAULT_MOVES_TO_GO).clamp(1, MAX_MOVES_TO_GO);
        let increment = percent_of(self.increment, INCREMENT_PERCENT);
        let share = (usable / moves).saturating_add(increment).max(MIN_SHARE);
        let most = if moves == 1 { usable } else { percent_of(usable, MAX_USABLE_PERCENT) };
        (share, most)
    }
}

/// This percentage of a time, without overflow.
fn percent_of(time: Duration, percent: u32) -> Duration {
    time.checked_mul(percent).map_or_else(|| time / 100 * percent, |product| product / 100)
}

/// When the time of a search begins to count: at its start, or, if it ponders, once
/// the opponent has played the expected move.
#[derive(Debug, Default)]
pub(super) struct PonderClock {
    is_pondering: bool,
    /// Started by the opponent's move.
    hit: OnceLock<Stopwatch>,
}

impl PonderClock {
    /// The clock of a search that ponders.
    pub(super) const fn pondering() -> Self {
        Self { is_pondering: true, hit: OnceLock::new() }
    }

    /// The opponent has played the expected move; later calls have no effect.
    pub(super) fn hit(&self) {
        self.hit.get_or_init(Stopwatch::start);
    }

    /// Whether the search still ponders.
    pub(super) fn is_pondering(&self) -> bool {
        self.is_pondering && self.hit.get().is_none()
    }

    /// The time that counts for a search which began with `stopwatch`.
    fn elapsed(&self, stopwatch: Stopwatch) -> Duration {
        if !self.is_pondering {
            return stopwatch.elapsed();
        }
        self.hit.get().map_or(Duration::ZERO, Stopwatch::elapsed)
    }
}

/// Decides when a search is out of time and when another iteration is not worth
/// beginning. Without a time limit it never decides either.
#[derive(Clone, Copy, Debug)]
pub(super) struct TimeManager<'a> {
    pub(super) stopwatch: Stopwatch,
    pub(super) ponder: &'a PonderClock,
    /// The search stops here.
    pub(super) hard_limit: Option<Duration>,
    /// No iteration begins after this, since it would rarely finish.
    pub(super) soft_limit: Option<Duration>,
}

impl TimeManager<'_> {
    /// Whether the search has to stop. `lag` is the longest time that it has lost to
    /// other programs between two checks. It may lose as much again before it can
    /// answer, so it stops earlier by that time, but not before half of its limit.
    pub(super) fn is_out_of_time(&self, lag: Duration) -> bool {
        let stops_at = self.hard_limit.map(|limit| limit - lag.min(limit / 2));
        stops_at.is_some_and(|limit| self.ponder.elapsed(self.stopwatch) >= limit)
    }

    pub(super) fn is_past_soft_limit(&self) -> bool {
        self.soft_limit.is_some_and(|limit| self.ponder.elapsed(self.stopwatch) >= limit)
    }

    /// Time since the start, pondering included.
    pub(super) fn elapsed(&self) -> Duration {
        self.stopwatch.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Clocks of all sizes, in milliseconds: from nothing to the largest number.
    fn milliseconds() -> impl Iterator<Item = u64> + Clone {
        let powers = (0..64).map(|power| 1_u64 << power);
        let around = powers.flat_map(|power| [power - 1, power, power.saturating_add(1)]);
        around.chain(0..100).chain([u64::MAX])
    }

    fn clocks() -> impl Iterator<Item = PlayerClock> {
        let moves = [None, Some(1), Some(2), Some(25), Some(40), Some(u32::MAX)];
        let increments = [0, 1, 100, 5_000, u64::MAX].map(Duration::from_millis);
        milliseconds().map(Duration::from_millis).flat_map(move |remaining| {
            moves.into_iter().flat_map(move |moves_to_go| {
                increments.map(|increment| PlayerClock { remaining, increment, moves_to_go })
            })
        })
    }

    #[test]
    fn limits_are_above_zero_and_leave_a_margin() {
        for clock in clocks() {
            let TimeLimits { soft, hard } = clock.allot();
            assert!(Duration::ZERO < soft && soft <= hard, "{clock:?}: {soft:?}, {hard:?}");
            let share = clock.share();
            assert!(soft <= share && share <= hard, "{clock:?}: {share:?}, {hard:?}");
            let remaining = clock.remaining.max(MIN_REMAINING);
            let margin = MOVE_OVERHEAD.min(remaining / 2);
            assert!(hard <= remaining - margin, "{clock:?}: {hard:?}");
        }
    }

    #[test]
    fn more_time_never_means_a_shorter_search() {
        let mut times: Vec<_> = milliseconds().map(Duration::from_millis).collect();
        times.sort();
        for clock in clocks() {
            let limits = times.iter().map(|&remaining| PlayerClock { remaining, ..clock }.allot());
            let limits: Vec<_> = limits.map(|limits| (limits.soft, limits.hard)).collect();
            assert!(limits.is_sorted_by(|less, more| less.0 <= more.0 && less.1 <= more.1));
        }
    }

    #[test]
    fn an_increment_and_fewer_moves_to_go_mean_more_time() {
        let clock = PlayerClock { remaining: Duration::from_secs(60), ..PlayerClock::default() };
        let increment = PlayerClock { increment: Duration::from_secs(2), ..clock };
        assert!(increment.allot().soft > clock.allot().soft + Duration::from_millis(800));
        let soft = |moves| PlayerClock { moves_to_go: Some(moves), ..clock }.allot().soft;
        assert!((1..60).map(soft).is_sorted_by(|fewer, more| fewer >= more));
    }

    #[test]
    fn a_game_played_by_the_hard_limits_never_runs_out_of_time() {
        for (seconds, increment) in [(1, 0), (60, 0), (3, 50), (600, 5_000)] {
            let increment = Duration::from_millis(increment);
            let mut clock = PlayerClock {
                remaining: Duration::from_secs(seconds),
                increment,
                moves_to_go: None,
            };
            for _ in 0..200 {
                let hard = clock.allot().hard;
                // A clock is told in milliseconds, so no less than one is left.
                clock.remaining = clock.remaining.max(MIN_REMAINING);
                assert!(hard < clock.remaining, "{clock:?}: {hard:?}");
                clock.remaining = clock.remaining - hard + increment;
            }
        }
    }

    #[test]
    fn a_move_at_the_time_control_may_use_most_of_the_clock() {
        let clock = |moves| PlayerClock {
            remaining: Duration::from_millis(1_000),
            increment: Duration::ZERO,
            moves_to_go: Some(moves),
        };
        assert_eq!(clock(1).allot().hard, Duration::from_millis(980));
        assert_eq!(clock(2).allot().hard, Duration::from_millis(784));
    }

    #[test]
    fn time_counts_from_the_ponder_hit() {
        let ponder = PonderClock::pondering();
        let within = |limit| TimeManager {
            stopwatch: Stopwatch::start(),
            ponder: &ponder,
            hard_limit: Some(limit),
            soft_limit: Some(limit),
        };
        let time = within(Duration::ZERO);
        // With a limit of nothing, any time that counted would be over the limit.
        assert!(ponder.is_pondering());
        let hour = within(Duration::from_secs(3600));
        assert!(!hour.is_out_of_time(Duration::ZERO) && !hour.is_past_soft_limit());
        assert_eq!(ponder.elapsed(time.stopwatch), Duration::ZERO);
        ponder.hit();
        assert!(!ponder.is_pondering() && time.is_out_of_time(Duration::ZERO));
        assert!(time.is_past_soft_limit() && !hour.is_out_of_time(Duration::ZERO));
    }

    #[test]
    fn lag_brings_the_end_forward_by_at_most_half_the_time() {
        let hour = Duration::from_secs(3600);
        let elapsed = |minutes| {
            let stopwatch = Stopwatch::started_at(Instant::now() - minutes * hour / 60);
            move |lag| {
                let (ponder, hard_limit) = (&PonderClock::default(), Some(hour));
                TimeManager { stopwatch, ponder, hard_limit, soft_limit: None }.is_out_of_time(lag)
            }
        };
        assert!(!elapsed(50)(Duration::ZERO) && !elapsed(50)(hour / 12), "ends after 55 minutes");
        assert!(elapsed(50)(hour / 4) && !elapsed(29)(2 * hour) && elapsed(31)(2 * hour));
    }
}
