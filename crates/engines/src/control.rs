//! What stops a search: its limits, the stop signal and the clock.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use serde::{Deserialize, Serialize};

use super::timeman::{PonderClock, Stopwatch, TimeManager};
use tabulae_games::GameKind;

/// When a search stops: at the first limit that is reached. Without limits it
/// runs until it is stopped or nothing is left to search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchLimits {
    /// Maximum time.
    pub movetime: Option<Duration>,
    /// Maximum depth of an iteration, in plies.
    pub depth: Option<u32>,
    /// Maximum number of nodes, those of all threads together.
    pub nodes: Option<u64>,
    /// Maximum number of nodes for Tablaaza's exact solver, whose nodes take longer than
    /// those of a search; `None` if only `nodes` limits it.
    pub solver_nodes: Option<u64>,
}

impl SearchLimits {
    /// Limits by nodes that take about `time` on one core of a desktop computer. They do
    /// not depend on what else the machine does, so the same search has the same result.
    /// Tablan is limited by time: its moves are judged by a review that has no limits.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tabulae_engines::SearchLimits;
    /// use tabulae_games::GameKind;
    ///
    /// let limits = |millis| SearchLimits::by_nodes(GameKind::Tablut, Duration::from_millis(millis));
    /// assert_eq!(limits(100).movetime, None);
    /// assert_eq!(limits(300).nodes, limits(100).nodes.map(|nodes| 3 * nodes));
    /// ```
    pub fn by_nodes(game: GameKind, time: Duration) -> Self {
        let [nodes, solver_nodes] = match game {
            GameKind::Tablut => [1_000, 0],
            GameKind::Tablaaza => [2_500, 100],
            GameKind::Tablan => return Self { movetime: Some(time), ..Self::default() },
        };
        let millis = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let in_time = |per_millisecond| millis.saturating_mul(per_millisecond);
        Self {
            nodes: Some(in_time(nodes)),
            solver_nodes: Some(in_time(solver_nodes)),
            ..Self::default()
        }
    }

    /// The same limits, with the time capped at `max_time`.
    #[must_use]
    pub fn within(self, max_time: Option<Duration>) -> Self {
        let movetime = self.movetime.into_iter().chain(max_time).min();
        Self { movetime, ..self }
    }

    /// Number of transposition table entries that a search within these limits
    /// can fill. Allocating and clearing more would only take time.
    pub(super) fn useful_entries(self) -> usize {
        /// An upper bound of the speed on any machine.
        const NODES_PER_MILLISECOND: u128 = 4000;
        let by_nodes = self.nodes.map_or(u128::MAX, |nodes| 2 * u128::from(nodes));
        let by_time =
            self.movetime.map_or(u128::MAX, |time| time.as_millis() * NODES_PER_MILLISECOND);
        let by_depth = if matches!(self.depth, Some(0..=3)) { 1 << 17 } else { u128::MAX };
        usize::try_from(by_nodes.min(by_time).min(by_depth)).unwrap_or(usize::MAX)
    }
}

/// A caller's hold on a search: stops it, and starts the clock of one that ponders.
/// Clones share it.
///
/// ```
/// use std::time::Duration;
/// use tabulae_engines::StopSignal;
///
/// let signal = StopSignal::with_soft_limit(Some(Duration::from_secs(1))).pondering();
/// assert!(signal.is_pondering());
/// signal.ponder_hit();
/// assert!(!signal.is_pondering() && !signal.is_stopped());
/// ```
#[derive(Clone, Debug, Default)]
pub struct StopSignal(Arc<SignalState>);

#[derive(Debug, Default)]
struct SignalState {
    stopped: AtomicBool,
    ponder: PonderClock,
    /// No iteration begins after this.
    soft_limit: Option<Duration>,
}

impl StopSignal {
    /// The signal of a search that begins no iteration after `soft_limit`; see
    /// [`TimeLimits`](super::TimeLimits). `SearchLimits::movetime` still stops it.
    #[must_use]
    pub fn with_soft_limit(soft_limit: Option<Duration>) -> Self {
        Self(Arc::new(SignalState { soft_limit, ..SignalState::default() }))
    }

    /// A new signal like this one, for a search during the opponent's turn. No time
    /// counts before [`ponder_hit`](Self::ponder_hit).
    pub fn pondering(&self) -> Self {
        let ponder = PonderClock::pondering();
        let soft_limit = self.0.soft_limit;
        Self(Arc::new(SignalState { ponder, soft_limit, ..SignalState::default() }))
    }

    /// Stops the search soon; it answers with the best move found so far.
    pub fn stop(&self) {
        self.0.stopped.store(true, Ordering::Relaxed);
    }

    /// Whether [`stop`](Self::stop) was called.
    pub fn is_stopped(&self) -> bool {
        self.0.stopped.load(Ordering::Relaxed)
    }

    /// The opponent has played the expected move: the time limits count from now.
    pub fn ponder_hit(&self) {
        self.0.ponder.hit();
    }

    /// Whether the search still waits for [`ponder_hit`](Self::ponder_hit).
    pub fn is_pondering(&self) -> bool {
        self.0.ponder.is_pondering()
    }

    /// When the last iteration may begin: within this share of the move time, in percent,
    /// and before the signal's own limit.
    fn soft_limit(&self, limits: SearchLimits, percent: u32) -> Option<Duration> {
        let share = limits.movetime.map(|time| time / 100 * percent);
        share.into_iter().chain(self.0.soft_limit).min()
    }

    /// The time that a search is meant to take: the soft limit, or else its move time.
    pub(super) fn planned_time(&self, limits: SearchLimits) -> Option<Duration> {
        self.0.soft_limit.into_iter().chain(limits.movetime).min()
    }
}

/// Share of the move time within which an iteration may begin, in percent.
const SOFT_TIME_PERCENT: u32 = 60;
/// Nodes between stop checks, where a node takes well under a microsecond. Few,
/// because the first access to a page of a large table waits for the system to
/// provide it, up to a third of a millisecond each time.
const NODES_PER_CHECK: u64 = 128;

/// What the threads of one search share. Each thread has its own [`SearchControl`].
#[derive(Debug)]
pub(super) struct SharedControl<'a> {
    limits: SearchLimits,
    time: TimeManager<'a>,
    stop: &'a StopSignal,
    /// Set when the main thread has its answer, to stop the helpers.
    finished: StopSignal,
    /// Nodes of all threads, updated at every stop check and at a thread's end.
    nodes: AtomicU64,
    /// Nodes within the limit that no thread has claimed yet.
    unclaimed_nodes: AtomicU64,
    /// Those that the helpers may claim: half of all, so that the main thread has enough
    /// for an answer, even where it has to wait for a processor.
    unclaimed_helper_nodes: AtomicU64,
    nodes_per_check: u64,
}

impl<'a> SharedControl<'a> {
    pub(super) fn new(limits: SearchLimits, stopwatch: Stopwatch, stop: &'a StopSignal) -> Self {
        Self {
            limits,
            time: TimeManager {
                stopwatch,
                ponder: &stop.0.ponder,
                hard_limit: limits.movetime,
                soft_limit: stop.soft_limit(limits, SOFT_TIME_PERCENT),
            },
            stop,
            finished: StopSignal::default(),
            nodes: AtomicU64::new(0),
            unclaimed_nodes: AtomicU64::new(limits.nodes.unwrap_or(u64::MAX)),
            unclaimed_helper_nodes: AtomicU64::new(
                limits.nodes.map_or(u64::MAX, |nodes| nodes / 2),
            ),
            nodes_per_check: NODES_PER_CHECK,
        }
    }

    /// Sets the number of nodes between stop checks, for nodes that take long.
    pub(super) const fn checking_every(mut self, nodes: u64) -> Self {
        self.nodes_per_check = nodes;
        self
    }

    /// Sets the share of the move time within which an iteration may begin.
    pub(super) fn with_soft_time(mut self, percent: u32) -> Self {
        self.time.soft_limit = self.stop.soft_limit(self.limits, percent);
        self
    }

    /// The control of the thread that answers.
    pub(super) fn main_thread(&self) -> SearchControl<'_> {
        self.thread(false)
    }

    /// The control of a thread that only fills the tables.
    pub(super) fn helper_thread(&self) -> SearchControl<'_> {
        self.thread(true)
    }

    fn thread(&self, is_helper: bool) -> SearchControl<'_> {
        SearchControl {
            shared: self,
            is_helper,
            nodes: 0,
            reported_nodes: 0,
            next_check: 0,
            last_check: self.time.elapsed(),
            lag: Duration::ZERO,
            stopped: false,
        }
    }

    /// Nodes searched so far, without those since each thread's last stop check.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.time.elapsed()
    }

    /// Claims the nodes until a thread's next stop check: none once all within the limit
    /// are claimed.
    fn claim_nodes(&self, is_helper: bool) -> u64 {
        let claim = |unclaimed: &AtomicU64, wanted: u64| {
            let relaxed = Ordering::Relaxed;
            let left =
                unclaimed.fetch_update(relaxed, relaxed, |left| Some(left - left.min(wanted)));
            left.unwrap_or_default().min(wanted)
        };
        let mut claimed = self.nodes_per_check;
        if is_helper {
            claimed = claim(&self.unclaimed_helper_nodes, claimed);
        }
        claim(&self.unclaimed_nodes, claimed)
    }

    /// Stops the helpers.
    pub(super) fn finish(&self) {
        self.finished.stop();
    }
}

/// One thread's node count and stop checks.
#[derive(Debug)]
pub(super) struct SearchControl<'a> {
    shared: &'a SharedControl<'a>,
    is_helper: bool,
    nodes: u64,
    /// Nodes of this thread that the shared count already includes.
    reported_nodes: u64,
    /// Node count at which to check again: the nodes that this thread has claimed.
    next_check: u64,
    /// The time of the last check.
    last_check: Duration,
    /// The longest time between two checks: where other programs use the processor,
    /// about the time that this thread waits for its turn.
    lag: Duration,
    stopped: bool,
}

impl SearchControl<'_> {
    /// Counts a node. Returns false, and does not count it, once the search has
    /// to stop.
    #[inline]
    pub(super) fn count_node(&mut self) -> bool {
        if self.nodes >= self.next_check && self.check() {
            return false;
        }
        self.nodes += 1;
        true
    }

    /// Whether the search has to stop. Once true, always true.
    #[cold]
    fn check(&mut self) -> bool {
        if self.stopped {
            return true;
        }
        self.report_nodes();
        let shared = self.shared;
        let now = shared.time.elapsed();
        self.lag = self.lag.max(now.saturating_sub(self.last_check));
        self.last_check = now;
        let claimed = shared.claim_nodes(self.is_helper);
        self.stopped = claimed == 0
            || shared.stop.is_stopped()
            || shared.finished.is_stopped()
            || shared.time.is_out_of_time(self.lag);
        if !self.stopped {
            self.next_check += claimed;
        }
        self.stopped
    }

    /// Adds the nodes since the last report to the shared count.
    fn report_nodes(&mut self) {
        self.shared.nodes.fetch_add(self.nodes - self.reported_nodes, Ordering::Relaxed);
        self.reported_nodes = self.nodes;
    }

    /// Whether [`count_node`](Self::count_node) has returned false.
    #[inline]
    pub(super) const fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Whether the time left is too short for another iteration.
    pub(super) fn is_past_soft_limit(&self) -> bool {
        self.stopped || self.shared.time.is_past_soft_limit()
    }

    pub(super) const fn limits(&self) -> SearchLimits {
        self.shared.limits
    }

    /// Nodes searched, those of the other threads included.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes - self.reported_nodes + self.shared.nodes()
    }

    /// Nodes searched by this thread.
    pub(super) const fn own_nodes(&self) -> u64 {
        self.nodes
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.shared.elapsed()
    }
}

impl Drop for SearchControl<'_> {
    fn drop(&mut self) {
        self.report_nodes();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_threads_share_a_node_limit_and_a_stop_is_final() {
        let stop = StopSignal::default();
        let limits = SearchLimits { nodes: Some(300), ..SearchLimits::default() };
        let shared = SharedControl::new(limits, Stopwatch::start(), &stop);
        let (mut main, mut helper) = (shared.main_thread(), shared.helper_thread());
        assert_eq!((0..100).filter(|_| helper.count_node()).count(), 100);
        assert_eq!((0..1000).filter(|_| main.count_node()).count(), 172, "a helper has a block");
        assert!(main.is_stopped() && !main.count_node());
        assert_eq!((0..1000).filter(|_| helper.count_node()).count(), 28);
        assert_eq!((main.own_nodes(), main.nodes()), (172, 300));
        let shared = SharedControl::new(limits, Stopwatch::start(), &stop);
        let (mut main, mut helper) = (shared.main_thread(), shared.helper_thread());
        assert_eq!((0..1000).filter(|_| helper.count_node()).count(), 150, "half of all");
        assert_eq!((0..1000).filter(|_| main.count_node()).count(), 150);
        drop((main, helper));
        assert_eq!(shared.nodes(), 300);
    }

    #[test]
    fn a_signal_stops_at_the_next_check() {
        let stop = StopSignal::default();
        let shared = SharedControl::new(SearchLimits::default(), Stopwatch::start(), &stop);
        let shared = shared.checking_every(16);
        let mut control = shared.main_thread();
        assert!(control.count_node());
        stop.stop();
        assert_eq!((0..1000).filter(|_| control.count_node()).count(), 15);
    }
}
