//! Searches off the main thread: in threads, or in the browser in web workers.
//!
//! Architecture invariant: engines start threads and workers here and nowhere
//! else.

#[cfg(not(target_arch = "wasm32"))]
#[path = "worker/threads.rs"]
mod backend;
#[cfg(target_arch = "wasm32")]
#[path = "worker/web.rs"]
mod backend;
#[cfg(any(target_arch = "wasm32", test))]
mod messages;

use std::{
    sync::{
        Mutex, PoisonError,
        mpsc::{Receiver, RecvError, Sender, TryRecvError, channel},
    },
    time::Duration,
};

use serde::{Deserialize, Serialize};

use super::{
    EngineState, Info, MAX_LINES, Request, SearchLimits, StopSignal, search_multi_pv,
    tablan::Review, timeman::Stopwatch, wake,
};
use tabulae_games::{AnyMove, AnyPosition, Game, GameHistory};

#[cfg(target_arch = "wasm32")]
pub use self::backend::serve;
use self::backend::{Backend, ReviewTask};
pub(super) use self::backend::{cores, drop_in_background, run_with_helpers};

/// What a [`SearchWorker`] reports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SearchEvent {
    /// An iteration is finished. It reports all its lines, best first.
    Info {
        /// The request's ticket.
        ticket: u64,
        /// The number of the line, from 1.
        line: usize,
        /// What the iteration has found.
        info: Info,
    },
    /// The search is finished.
    BestMove {
        /// The request's ticket.
        ticket: u64,
        /// The key of the position searched.
        key: u64,
        /// The move; none if there was none to choose.
        best: Option<AnyMove>,
    },
}

/// Runs one search at a time off the caller's thread.
///
/// No method blocks, except [`SearchWorker::wait`]. When a search has ended, it wakes the
/// program (see [`set_waker`](super::set_waker)). A search that is cancelled or
/// replaced by another request reports nothing more. Dropping the worker stops
/// its search. The thread is reused: the system's allocator keeps an arena for
/// each new thread.
///
/// ```
/// use tabulae_engines::{EngineOptions, Request, SearchEvent, SearchLimits, SearchWorker};
/// use tabulae_games::{AnyPosition, Game, GameHistory, RuleSet};
///
/// let history = GameHistory::new(AnyPosition::start(RuleSet::TablutAshton));
/// let limits = SearchLimits { nodes: Some(500), ..SearchLimits::default() };
/// let options = EngineOptions { hash_mib: 1, ..EngineOptions::default() };
/// let mut worker = SearchWorker::new();
/// let started = worker.start(Request { history: history.clone(), limits, options });
/// let answer = loop {
///     match worker.wait() {
///         Some(SearchEvent::BestMove { ticket, key, best }) => break (ticket, key, best.unwrap()),
///         Some(SearchEvent::Info { .. }) => {}
///         None => unreachable!("a search is running"),
///     }
/// };
/// assert_eq!((answer.0, answer.1), (started, history.position().key()));
/// assert!(history.legal_moves().contains(&answer.2));
/// assert!(!worker.is_searching());
/// ```
#[derive(Debug, Default)]
pub struct SearchWorker {
    last_ticket: u64,
    running: Option<RunningSearch>,
    backend: Backend,
}

/// A search to run, and where its events go.
#[derive(Clone, Debug)]
struct SearchJob {
    ticket: u64,
    /// The key of the position.
    key: u64,
    request: Request,
    /// The number of best lines to find: no more than there are moves.
    lines: usize,
    events: Sender<SearchEvent>,
}

/// Nodes of a search that runs in the caller's thread because no other thread is
/// available.
const FALLBACK_NODES: u64 = 500;

impl SearchJob {
    /// Searches in this thread and sends the events.
    fn run(&self, state: &EngineState, stop: &StopSignal) {
        let Self { ticket, key, .. } = *self;
        let mut news = News::default();
        // A send fails if the receiver is gone. Then the answer is not needed.
        let best = search_multi_pv(state, &self.request, self.lines, stop, &mut |line, info| {
            _ = self.events.send(SearchEvent::Info { ticket, line, info: info.clone() });
            if self.is_last_line(line) {
                news.announce();
            }
        });
        _ = self.events.send(SearchEvent::BestMove { ticket, key, best });
    }

    /// Whether this is the last line of an iteration that somebody watches.
    fn is_last_line(&self, line: usize) -> bool {
        self.lines > 1 && line == self.lines
    }

    /// A short search in this thread.
    fn run_briefly(mut self) {
        self.request.limits = SearchLimits { nodes: Some(FALLBACK_NODES), ..self.request.limits };
        self.run(&EngineState::new(), &StopSignal::default());
        wake();
    }
}

/// How soon after one announcement of news the next may follow.
const NEWS_INTERVAL: Duration = Duration::from_millis(250);

/// Wakes the program for the iterations of a search. The first ones end within
/// milliseconds, and a frame may cost more than all of them.
#[derive(Debug, Default)]
struct News(Option<Stopwatch>);

impl News {
    fn announce(&mut self) {
        if self.0.is_none_or(|last| last.elapsed() >= NEWS_INTERVAL) {
            self.0 = Some(Stopwatch::start());
            wake();
        }
    }
}

#[derive(Debug)]
struct RunningSearch {
    ticket: u64,
    key: u64,
    /// In a mutex only to make the worker `Sync`; it is never locked.
    events: Mutex<Receiver<SearchEvent>>,
}

impl SearchWorker {
    /// An idle worker.
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts a search and returns its ticket. A running search is cancelled.
    pub fn start(&mut self, request: Request) -> u64 {
        self.start_lines(request, 1)
    }

    /// Starts a search of the best `lines` moves (see [`search_multi_pv`]). Several lines
    /// are searched for somebody who watches them, so that their iterations wake the
    /// program, too, some of them at the most four times a second.
    ///
    /// ```
    /// use tabulae_engines::{EngineOptions, Request, SearchEvent, SearchLimits, SearchWorker};
    /// use tabulae_games::{AnyPosition, GameHistory, RuleSet};
    ///
    /// let history = GameHistory::new(AnyPosition::start(RuleSet::TablutAshton));
    /// let limits = SearchLimits { depth: Some(2), ..SearchLimits::default() };
    /// let options = EngineOptions { hash_mib: 1, ..EngineOptions::default() };
    /// let mut worker = SearchWorker::new();
    /// worker.start_lines(Request { history, limits, options }, 2);
    /// let events: Vec<_> = std::iter::from_fn(|| worker.wait()).collect();
    /// let moves = [1, 2].map(|number| {
    ///     let found = events.iter().rev().find_map(|event| match event {
    ///         SearchEvent::Info { line, info, .. } if *line == number => info.pv.first(),
    ///         _ => None,
    ///     });
    ///     found.expect("a move")
    /// });
    /// assert_ne!(moves[0], moves[1]);
    /// ```
    pub fn start_lines(&mut self, request: Request, lines: usize) -> u64 {
        self.cancel();
        self.last_ticket += 1;
        let ticket = self.last_ticket;
        let key = request.history.position().key();
        let lines = lines.min(MAX_LINES).min(request.history.legal_moves().len());
        let (sender, events) = channel();
        self.backend.start(SearchJob { ticket, key, request, lines, events: sender });
        self.running = Some(RunningSearch { ticket, key, events: Mutex::new(events) });
        ticket
    }

    /// The next event, if there is one yet.
    pub fn poll(&mut self) -> Option<SearchEvent> {
        let event = match self.receiver()?.try_recv() {
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => Err(RecvError),
            Ok(event) => Ok(event),
        };
        self.handle(event)
    }

    /// Blocks until the next event; none if no search is running. Not for a
    /// thread that draws frames.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn wait(&mut self) -> Option<SearchEvent> {
        let event = self.receiver()?.recv();
        self.handle(event)
    }

    /// Stops the search soon. It still answers with the best move found so far.
    pub fn stop(&mut self) {
        if self.running.is_some() {
            self.backend.stop();
        }
    }

    /// Stops the search and drops its events.
    pub fn cancel(&mut self) {
        if self.running.take().is_some() {
            self.backend.cancel();
        }
    }

    /// Whether an answer is still to come.
    pub const fn is_searching(&self) -> bool {
        self.running.is_some()
    }

    fn receiver(&mut self) -> Option<&mut Receiver<SearchEvent>> {
        let events = &mut self.running.as_mut()?.events;
        Some(events.get_mut().unwrap_or_else(PoisonError::into_inner))
    }

    fn handle(&mut self, event: Result<SearchEvent, RecvError>) -> Option<SearchEvent> {
        match event {
            Ok(info @ SearchEvent::Info { .. }) => Some(info),
            Ok(best @ SearchEvent::BestMove { .. }) => {
                self.running = None;
                Some(best)
            }
            // The search has panicked, where that does not end the program.
            Err(RecvError) => self.running.take().map(|running| SearchEvent::BestMove {
                ticket: running.ticket,
                key: running.key,
                best: None,
            }),
        }
    }
}

impl Drop for SearchWorker {
    fn drop(&mut self) {
        self.cancel();
    }
}

/// Reviews luck and errors of one game at a time off the caller's thread, and wakes the
/// program (see [`set_waker`](super::set_waker)) when a review has ended.
///
/// ```
/// use tabulae_engines::ReviewWorker;
/// use tabulae_games::{AnyPosition, GameHistory, RuleSet};
///
/// let mut history = GameHistory::new(AnyPosition::start(RuleSet::Tablan));
/// history.push(history.parse("t0")?)?;
/// let mut reviewer = ReviewWorker::default();
/// reviewer.start(history);
/// let review = loop {
///     match reviewer.poll() {
///         Some(review) => break review,
///         None => std::thread::yield_now(),
///     }
/// };
/// assert_eq!(review.unwrap().throws.len(), 1);
/// assert!(!reviewer.is_reviewing());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct ReviewWorker {
    /// The receiver is in a mutex only to make the worker `Sync`; it is never
    /// locked.
    running: Option<(ReviewTask, Mutex<Receiver<Option<Review>>>)>,
}

impl ReviewWorker {
    /// Starts a review; a running one is cancelled. There is no result if no thread can
    /// be started.
    pub fn start(&mut self, history: GameHistory<AnyPosition>) {
        self.cancel();
        let (sender, results) = channel();
        if let Some(task) = ReviewTask::start(history, sender) {
            self.running = Some((task, Mutex::new(results)));
        }
    }

    /// The result, once: `Some(None)` if the game is not Tablan.
    pub fn poll(&mut self) -> Option<Option<Review>> {
        let (_, results) = self.running.as_mut()?;
        let results = results.get_mut().unwrap_or_else(PoisonError::into_inner);
        let review = match results.try_recv() {
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => None,
            Ok(review) => review,
        };
        self.running = None;
        Some(review)
    }

    /// Whether a review is still to come.
    pub const fn is_reviewing(&self) -> bool {
        self.running.is_some()
    }

    /// Stops the review and drops its result.
    pub fn cancel(&mut self) {
        if let Some((task, _)) = self.running.take() {
            task.cancel();
        }
    }
}

impl Drop for ReviewWorker {
    fn drop(&mut self) {
        self.cancel();
    }
}
