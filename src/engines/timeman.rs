//! Time management: the one place that reads the clock.

use std::time::Duration;
#[cfg(not(target_arch = "wasm32"))]
use std::time::Instant;

#[cfg(target_arch = "wasm32")]
use web_time::Instant;

/// Measures the time since it was started.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stopwatch(Instant);

impl Stopwatch {
    pub(super) fn start() -> Self {
        Self(Instant::now())
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// Share of the move time within which an iteration may begin.
const SOFT_LIMIT_PERCENT: u32 = 60;

/// Decides when a search is out of time and when another iteration is not worth
/// beginning. Without a time limit it never decides either.
#[derive(Clone, Copy, Debug)]
pub(super) struct TimeManager {
    stopwatch: Stopwatch,
    /// The search stops here.
    hard_limit: Option<Duration>,
    /// No iteration begins after this, since it would rarely finish.
    soft_limit: Option<Duration>,
}

impl TimeManager {
    pub(super) fn new(stopwatch: Stopwatch, move_time: Option<Duration>) -> Self {
        let time = Self { stopwatch, hard_limit: move_time, soft_limit: None };
        time.with_soft_limit(SOFT_LIMIT_PERCENT)
    }

    /// Sets the share of the move time within which an iteration may begin.
    pub(super) fn with_soft_limit(self, percent: u32) -> Self {
        let soft_limit = self.hard_limit.map(|time| time / 100 * percent);
        Self { soft_limit, ..self }
    }

    pub(super) fn is_out_of_time(&self) -> bool {
        self.hard_limit.is_some_and(|limit| self.elapsed() >= limit)
    }

    pub(super) fn is_past_soft_limit(&self) -> bool {
        self.soft_limit.is_some_and(|limit| self.elapsed() >= limit)
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.stopwatch.elapsed()
    }
}
