//! Thinking off the main thread: the one place where engines make threads, or
//! in a browser workers of the page.

#[cfg(not(target_arch = "wasm32"))]
#[path = "worker/threads.rs"]
mod place;
#[cfg(target_arch = "wasm32")]
#[path = "worker/page.rs"]
mod place;
#[cfg(any(target_arch = "wasm32", test))]
mod wire;

use std::sync::{
    Mutex, PoisonError,
    mpsc::{Receiver, RecvError, Sender, TryRecvError, channel},
};

use super::{
    EngineState, Info, Request, SearchLimits, StopSignal, search_excluding, tablan::Review,
};
use crate::games::{AnyMove, AnyPosition, Game, Line};

#[cfg(target_arch = "wasm32")]
pub use self::place::serve;
use self::place::{Errand, Place};
pub(super) use self::place::{alongside, give_back};

/// What a [`Worker`] has to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// A look ahead is finished; a deeper one has begun.
    Info {
        /// Which request it is about.
        ticket: u64,
        /// What was found.
        info: Info,
    },
    /// The answer.
    Best {
        /// Which request it is about.
        ticket: u64,
        /// The key of the position it was asked about.
        key: u64,
        /// The move; none where there was none to choose.
        best: Option<AnyMove>,
    },
}

/// One thought at a time on a thread of its own, which is kept for the next: the
/// system's allocator gives every new thread memory of its own, and keeps it.
///
/// Nothing here waits for that thread, except [`Worker::wait`]. Of a thought
/// that was cancelled or replaced by another request nothing is heard again.
/// Dropping the worker stops its thought.
///
/// ```
/// use tabulae::engines::{SearchLimits, Reply, Request, EngineOptions, Worker};
/// use tabulae::games::{AnyPosition, Game, Line, RuleSet};
///
/// let line = Line::new(AnyPosition::start(RuleSet::TablutAshton));
/// let limits = SearchLimits { nodes: Some(500), ..SearchLimits::default() };
/// let options = EngineOptions { hash_mib: 1, ..EngineOptions::default() };
/// let mut worker = Worker::new();
/// let asked = worker.ask(Request { line: line.clone(), limits, options });
/// let answer = loop {
///     match worker.wait() {
///         Some(Reply::Best { ticket, key, best }) => break (ticket, key, best.unwrap()),
///         Some(Reply::Info { .. }) => {}
///         None => unreachable!("it was asked"),
///     }
/// };
/// assert_eq!((answer.0, answer.1), (asked, line.position().key()));
/// assert!(line.legal_moves().contains(&answer.2));
/// assert!(!worker.is_thinking());
/// ```
#[derive(Debug, Default)]
pub struct Worker {
    tickets: u64,
    running: Option<Running>,
    /// Where its thoughts are thought.
    place: Place,
}

/// What is to be thought about, and where the replies go.
#[derive(Clone, Debug)]
struct Thought {
    ticket: u64,
    key: u64,
    request: Request,
    without: Vec<AnyMove>,
    replies: Sender<Reply>,
}

impl Thought {
    /// Thinks here, and replies.
    fn answer(&self, mind: &EngineState, stop: &StopSignal) {
        let Self { ticket, key, .. } = *self;
        // A send fails once nobody listens any more; that is as good as an
        // answer.
        let best = search_excluding(mind, &self.request, &self.without, stop, &mut |info| {
            let _ = self.replies.send(Reply::Info { ticket, info: info.clone() });
        });
        let _ = self.replies.send(Reply::Best { ticket, key, best });
    }

    /// Where it cannot be thought about elsewhere: a glance here.
    fn glance(mut self) {
        self.request.limits = SearchLimits { nodes: Some(500), ..self.request.limits };
        self.answer(&EngineState::new(), &StopSignal::default());
    }
}

#[derive(Debug)]
struct Running {
    ticket: u64,
    key: u64,
    /// Played should the thread ever die without a word.
    fallback: Option<AnyMove>,
    /// In a mutex only so that a worker may be shared; it is never locked.
    replies: Mutex<Receiver<Reply>>,
}

impl Worker {
    /// An idle worker.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Begins to think about a request and returns its ticket. A running
    /// thought is stopped and its answer dropped.
    pub fn ask(&mut self, request: Request) -> u64 {
        self.ask_beside(request, Vec::new())
    }

    /// The same, for the best move that is none of `without`.
    pub fn ask_beside(&mut self, request: Request, without: Vec<AnyMove>) -> u64 {
        self.cancel();
        self.tickets += 1;
        let ticket = self.tickets;
        let key = request.line.position().key();
        let others = request.line.legal_moves().into_iter().filter(|mv| !without.contains(mv));
        let fallback = others.min();
        let (sender, replies) = channel();
        self.place.think(Thought { ticket, key, request, without, replies: sender });
        self.running = Some(Running { ticket, key, fallback, replies: Mutex::new(replies) });
        ticket
    }

    /// The next reply, if there is one by now.
    pub fn poll(&mut self) -> Option<Reply> {
        let reply = match self.receiver()?.try_recv() {
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => Err(RecvError),
            Ok(reply) => Ok(reply),
        };
        self.take(reply)
    }

    /// Waits for the next reply; none when nothing is being thought about. Not
    /// for those who draw frames.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn wait(&mut self) -> Option<Reply> {
        let reply = self.receiver()?.recv();
        self.take(reply)
    }

    /// Ends the thought soon; its answer, the best found so far, still comes.
    pub fn stop(&mut self) {
        if self.running.is_some() {
            self.place.stop();
        }
    }

    /// Ends the thought; nothing is heard of it again.
    pub fn cancel(&mut self) {
        if self.running.take().is_some() {
            self.place.cancel();
        }
    }

    /// Whether an answer is still to come.
    #[must_use]
    pub const fn is_thinking(&self) -> bool {
        self.running.is_some()
    }

    fn receiver(&mut self) -> Option<&mut Receiver<Reply>> {
        let replies = &mut self.running.as_mut()?.replies;
        Some(replies.get_mut().unwrap_or_else(PoisonError::into_inner))
    }

    fn take(&mut self, reply: Result<Reply, RecvError>) -> Option<Reply> {
        match reply {
            Ok(info @ Reply::Info { .. }) => Some(info),
            Ok(best @ Reply::Best { .. }) => {
                self.running = None;
                Some(best)
            }
            Err(RecvError) => self.running.take().map(|running| Reply::Best {
                ticket: running.ticket,
                key: running.key,
                best: running.fallback,
            }),
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.cancel();
    }
}

/// Tells luck from skill in one game at a time, on a thread of its own.
///
/// ```
/// use tabulae::engines::Reviewer;
/// use tabulae::games::{AnyPosition, Line, RuleSet};
///
/// let mut line = Line::new(AnyPosition::start(RuleSet::Tablan));
/// line.push(line.parse("t0")?)?;
/// let mut reviewer = Reviewer::default();
/// reviewer.ask(line);
/// let review = loop {
///     match reviewer.poll() {
///         Some(review) => break review,
///         None => std::thread::yield_now(),
///     }
/// };
/// assert_eq!(review.unwrap().throws.len(), 1);
/// assert!(!reviewer.is_at_work());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Reviewer {
    /// In a mutex only so that it may be shared; it is never locked.
    running: Option<(Errand, Mutex<Receiver<Option<Review>>>)>,
}

impl Reviewer {
    /// Begins to review this game; what was begun before is dropped. Where no
    /// thread is to be had nothing comes of it.
    pub fn ask(&mut self, line: Line<AnyPosition>) {
        self.cancel();
        let (sender, replies) = channel();
        if let Some(errand) = Errand::review(line, sender) {
            self.running = Some((errand, Mutex::new(replies)));
        }
    }

    /// What came of it, once: none inside where the game is not Tablan.
    pub fn poll(&mut self) -> Option<Option<Review>> {
        let (_, replies) = self.running.as_mut()?;
        let replies = replies.get_mut().unwrap_or_else(PoisonError::into_inner);
        let found = match replies.try_recv() {
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => None,
            Ok(found) => found,
        };
        self.running = None;
        Some(found)
    }

    /// Whether a review is still to come.
    #[must_use]
    pub const fn is_at_work(&self) -> bool {
        self.running.is_some()
    }

    /// Ends it; nothing is heard of it again.
    pub fn cancel(&mut self) {
        if let Some((errand, _)) = self.running.take() {
            errand.cancel();
        }
    }
}

impl Drop for Reviewer {
    fn drop(&mut self) {
        self.cancel();
    }
}
