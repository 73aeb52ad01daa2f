//! Counting nodes and knowing when to stop.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use super::super::{Limits, Stop, clock::Clock};

/// Nodes between two looks at the clock and the flags; few, since the first to
/// touch a part of a large table waits for the system to hand it out.
const STRIDE: u64 = 128;

/// One thread's count and its bounds.
#[derive(Debug)]
pub(super) struct Watch<'a> {
    limits: Limits,
    clock: &'a Clock,
    stops: [&'a Stop; 2],
    /// Nodes of the helpers, told now and then.
    helpers: &'a AtomicU64,
    is_helper: bool,
    nodes: u64,
    /// When to look again, or to stop.
    next: u64,
    pub(super) is_over: bool,
}

impl<'a> Watch<'a> {
    pub(super) fn new(
        limits: Limits,
        clock: &'a Clock,
        stops: [&'a Stop; 2],
        helpers: &'a AtomicU64,
        is_helper: bool,
    ) -> Self {
        Self { limits, clock, stops, helpers, is_helper, nodes: 0, next: 0, is_over: false }
    }

    /// Counts a node; false once it is time to stop, from then on.
    pub(super) fn enter(&mut self) -> bool {
        if self.nodes >= self.next {
            self.look();
        }
        self.nodes += 1;
        !self.is_over
    }

    #[cold]
    fn look(&mut self) {
        if self.is_helper && self.nodes > 0 {
            self.helpers.fetch_add(STRIDE, Ordering::Relaxed);
        }
        let most = self.limits.nodes.unwrap_or(u64::MAX);
        let late = || self.limits.movetime.is_some_and(|most| self.clock.elapsed() >= most);
        if self.nodes >= most || self.stops.iter().any(|stop| stop.is_stopped()) || late() {
            self.is_over = true;
        }
        self.next = (self.nodes + STRIDE).min(most);
    }

    pub(super) const fn limits(&self) -> Limits {
        self.limits
    }

    /// Whether so little time is left that another, deeper look would hardly
    /// come to anything.
    pub(super) fn is_nearly_spent(&self) -> bool {
        self.is_over
            || self.limits.movetime.is_some_and(|most| self.clock.elapsed() * 20 >= most * 17)
    }

    /// Positions looked at, by the helpers too.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes + self.helpers.load(Ordering::Relaxed)
    }

    pub(super) const fn own_nodes(&self) -> u64 {
        self.nodes
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.clock.elapsed()
    }
}
