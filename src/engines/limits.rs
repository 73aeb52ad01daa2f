//! How long to think, and being told to stop.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use super::clock::Clock;

/// How long to think; whichever bound is met first ends it. Without any, the
/// engine thinks until it is stopped or nothing is left to find out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Time by the clock.
    pub movetime: Option<Duration>,
    /// Plies looked ahead.
    pub depth: Option<u32>,
    /// Positions looked at.
    pub nodes: Option<u64>,
}

impl Limits {
    /// The same limits, but no longer than this where it says anything.
    #[must_use]
    pub fn within(self, most: Option<Duration>) -> Self {
        let movetime = self.movetime.into_iter().chain(most).min();
        Self { movetime, ..self }
    }
}

/// A flag that ends a thought. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Ends the thought soon; the best found so far is its answer.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was told to end.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Nodes between two looks at the clock and the flags, where a node takes well
/// under a microsecond. The first to touch a part of a large table waits for
/// the system to hand it out, up to a third of a millisecond each time.
const STRIDE: u64 = 128;

/// Counts nodes and says when to stop.
#[derive(Debug)]
pub(super) struct Gate<'a> {
    limits: Limits,
    clock: &'a Clock,
    stops: [&'a Stop; 2],
    /// Nodes of the helpers, told now and then.
    helpers: &'a AtomicU64,
    is_helper: bool,
    /// Nodes between two looks at the clock and the flags.
    stride: u64,
    nodes: u64,
    closed: bool,
}

impl<'a> Gate<'a> {
    pub(super) const fn new(
        limits: Limits,
        clock: &'a Clock,
        stops: [&'a Stop; 2],
        helpers: &'a AtomicU64,
        is_helper: bool,
    ) -> Self {
        Self { limits, clock, stops, helpers, is_helper, stride: STRIDE, nodes: 0, closed: false }
    }

    /// A gate for nodes that take long: it looks every `stride` of them.
    pub(super) const fn looking_every(mut self, stride: u64) -> Self {
        self.stride = stride;
        self
    }

    /// Counts a node; false once it is time to stop, from then on.
    pub(super) fn enter(&mut self) -> bool {
        if self.closed || self.limits.nodes.is_some_and(|most| self.nodes >= most) {
            self.closed = true;
            return false;
        }
        if self.nodes.is_multiple_of(self.stride) {
            if self.is_helper && self.nodes > 0 {
                self.helpers.fetch_add(self.stride, Ordering::Relaxed);
            }
            let late = || self.limits.movetime.is_some_and(|most| self.clock.elapsed() >= most);
            if self.stops.iter().any(|stop| stop.is_stopped()) || late() {
                self.closed = true;
                return false;
            }
        }
        self.nodes += 1;
        true
    }

    /// Whether the time left is too short to begin another, deeper look.
    pub(super) fn is_nearly_spent(&self) -> bool {
        self.closed || self.limits.movetime.is_some_and(|most| self.clock.elapsed() * 5 >= most * 3)
    }

    pub(super) const fn limits(&self) -> Limits {
        self.limits
    }

    /// Positions looked at, by the helpers too.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes + self.helpers.load(Ordering::Relaxed)
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.clock.elapsed()
    }
}
