//! How long a player at the terminal thinks, by a clock that stands while the program
//! does.

use std::{
    sync::{Arc, Mutex, PoisonError},
    thread,
};

use crate::cli::prelude::*;

/// Time between two beats of the clock.
const BEAT: Duration = Duration::from_millis(500);
/// A longer time between two beats means that the program or the machine was suspended.
const SUSPENDED: Duration = Duration::from_secs(3);

/// A clock that counts only the time in which the program runs.
pub(super) struct Stopwatch(Arc<Mutex<Meter>>);

impl Stopwatch {
    /// Starts the clock.
    pub(super) fn start() -> Self {
        let meter = Arc::new(Mutex::new(Meter { counted: Duration::ZERO, last: Instant::now() }));
        let beating = Arc::downgrade(&meter);
        thread::spawn(move || {
            while let Some(meter) = beating.upgrade() {
                advance(&meter);
                drop(meter);
                thread::sleep(BEAT);
            }
        });
        Self(meter)
    }

    /// The time counted so far.
    pub(super) fn time(&self) -> Duration {
        advance(&self.0)
    }
}

fn advance(meter: &Mutex<Meter>) -> Duration {
    meter.lock().unwrap_or_else(PoisonError::into_inner).advance(Instant::now())
}

struct Meter {
    counted: Duration,
    last: Instant,
}

impl Meter {
    fn advance(&mut self, now: Instant) -> Duration {
        let passed = now.saturating_duration_since(self.last);
        self.counted += if passed > SUSPENDED { BEAT } else { passed };
        self.last = now;
        self.counted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suspended_program_costs_one_beat() {
        let start = Instant::now();
        let mut meter = Meter { counted: Duration::ZERO, last: start };
        let seconds = Duration::from_secs;
        assert_eq!(meter.advance(start + seconds(2)), seconds(2));
        assert_eq!(meter.advance(start + seconds(3602)), seconds(2) + BEAT, "an hour asleep");
        assert_eq!(meter.advance(start + seconds(3603)), seconds(3) + BEAT);
    }
}
