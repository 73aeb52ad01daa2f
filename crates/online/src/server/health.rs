//! The store's clock, and whether the store answers.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use super::store::StoreError;
use crate::Refusal;

/// An error is told to those who ask for so long, although something else was stored since.
const REMEMBERED: Duration = Duration::from_secs(3);
/// The same error is logged once in so long.
const LOGGED: Duration = Duration::from_secs(60);

/// The time by the store's clock. It runs with this machine's monotonic clock and is set
/// forward to the store's time, never back: no step of a clock gives or takes a player's
/// time.
#[derive(Debug)]
pub(super) struct StoreClock {
    started: Instant,
    /// The store's time at the start, in milliseconds since 1970.
    base: AtomicU64,
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

impl StoreClock {
    pub(super) fn new(now: u64) -> Self {
        Self { started: Instant::now(), base: AtomicU64::new(now) }
    }

    pub(super) fn now(&self) -> u64 {
        self.base.load(Ordering::Relaxed) + millis(self.started.elapsed())
    }

    /// Follows the store, whose time was at least this at an instant.
    pub(super) fn advance_to(&self, time: u64, at: Instant) {
        let since_start = millis(at.saturating_duration_since(self.started));
        self.base.fetch_max(time.saturating_sub(since_start), Ordering::Relaxed);
    }
}

/// Whether the store answers.
#[derive(Debug, Default)]
pub(super) struct Health(Mutex<Record>);

#[derive(Debug, Default)]
struct Record {
    /// The last error, and when.
    fault: Option<(String, Instant)>,
    /// What was logged last, and when.
    logged: Option<(String, Instant)>,
}

impl Health {
    /// Notes what became of a request, and makes an error what players are told.
    pub(super) fn note<T>(&self, result: Result<T, StoreError>) -> Result<T, Refusal> {
        result.map_err(|error| {
            let text = error.to_string();
            let mut record = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            // A damaged or deleted game harms no other.
            if let StoreError::Failed(fault, _) = error {
                record.fault = Some((fault.to_string(), Instant::now()));
            }
            let is_logged =
                |(logged, at): &(String, Instant)| *logged == text && at.elapsed() < LOGGED;
            if !record.logged.as_ref().is_some_and(is_logged) {
                eprintln!("tabulae: {text}");
                record.logged = Some((text, Instant::now()));
            }
            Refusal::Unavailable
        })
    }

    /// Whether there was no error of late; else what it was.
    pub(super) fn check(&self) -> Result<(), String> {
        let record = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &record.fault {
            Some((fault, at)) if at.elapsed() < REMEMBERED => Err(fault.clone()),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_follows_the_store_forward_and_never_goes_back() {
        let clock = StoreClock::new(1_000_000);
        let at = Instant::now();
        clock.advance_to(900_000, at);
        assert!((1_000_000..1_100_000).contains(&clock.now()));
        clock.advance_to(2_000_000, at);
        assert!((2_000_000..2_100_000).contains(&clock.now()));
    }
}
