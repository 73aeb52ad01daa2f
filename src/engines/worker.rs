//! Thinking off the main thread: the one place where engines make threads.

use std::{
    sync::{
        Mutex,
        atomic::AtomicU64,
        mpsc::{Receiver, RecvError, SendError, Sender, TryRecvError, channel},
    },
    thread,
};

use super::{
    Info, Limits, Mind, Request, Stop,
    tablan::{Review, review},
    think_beside,
};
use crate::games::{AnyMove, AnyPosition, Game, Line};

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
/// use tabulae::engines::{Limits, Reply, Request, Settings, Worker};
/// use tabulae::games::{AnyPosition, Game, Line, RuleSet};
///
/// let line = Line::new(AnyPosition::start(RuleSet::TablutAshton));
/// let limits = Limits { nodes: Some(500), ..Limits::default() };
/// let settings = Settings { hash_mib: 1, ..Settings::default() };
/// let mut worker = Worker::new();
/// let asked = worker.ask(Request { line: line.clone(), limits, settings });
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
    mind: Mind,
    running: Option<Running>,
    /// Where thoughts are sent; none before the first.
    thread: Option<Sender<Thought>>,
}

/// What the thread is to do.
type Thought = Box<dyn FnOnce() + Send>;

#[derive(Debug)]
struct Running {
    ticket: u64,
    key: u64,
    /// Played should the thread ever die without a word.
    fallback: Option<AnyMove>,
    stop: Stop,
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
        let stop = Stop::default();
        let (sender, replies) = channel();
        let job = {
            let (request, stop, sender) = (request.clone(), stop.clone(), sender.clone());
            let (mind, without) = (self.mind.clone(), without.clone());
            move || answer(&mind, ticket, key, &request, &without, &stop, &sender)
        };
        if !self.send(Box::new(job)) {
            // No thread to be had: a glance here instead of a thought there.
            let glance = Limits { nodes: Some(500), ..request.limits };
            let request = Request { limits: glance, ..request };
            answer(&self.mind, ticket, key, &request, &without, &stop, &sender);
        }
        self.running = Some(Running { ticket, key, fallback, stop, replies: Mutex::new(replies) });
        ticket
    }

    /// Has the thread think, or a new one where there is none (any more: a
    /// panic ends it); false where none is to be had.
    fn send(&mut self, thought: Thought) -> bool {
        let thought = match &self.thread {
            Some(thread) => match thread.send(thought) {
                Ok(()) => return true,
                Err(SendError(thought)) => thought,
            },
            None => thought,
        };
        let (sender, thoughts) = channel::<Thought>();
        let work = move || thoughts.into_iter().for_each(|thought| thought());
        let begun = thread::Builder::new().name("engine".to_owned()).spawn(work).is_ok();
        let sent = begun && sender.send(thought).is_ok();
        self.thread = sent.then_some(sender);
        sent
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
    pub fn wait(&mut self) -> Option<Reply> {
        let reply = self.receiver()?.recv();
        self.take(reply)
    }

    /// Ends the thought soon; its answer, the best found so far, still comes.
    pub fn stop(&mut self) {
        if let Some(running) = &self.running {
            running.stop.stop();
        }
    }

    /// Ends the thought; nothing is heard of it again.
    pub fn cancel(&mut self) {
        if let Some(running) = self.running.take() {
            running.stop.stop();
        }
    }

    /// Whether an answer is still to come.
    #[must_use]
    pub const fn is_thinking(&self) -> bool {
        self.running.is_some()
    }

    fn receiver(&mut self) -> Option<&mut Receiver<Reply>> {
        let replies = &mut self.running.as_mut()?.replies;
        Some(replies.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner))
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
/// assert_eq!(review.unwrap().tosses.len(), 1);
/// assert!(!reviewer.is_at_work());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Reviewer {
    /// In a mutex only so that it may be shared; it is never locked.
    running: Option<(Stop, Mutex<Receiver<Option<Review>>>)>,
}

impl Reviewer {
    /// Begins to review this game; what was begun before is dropped. Where no
    /// thread is to be had nothing comes of it.
    pub fn ask(&mut self, line: Line<AnyPosition>) {
        self.cancel();
        let stop = Stop::default();
        let (sender, replies) = channel();
        let told = stop.clone();
        let job = move || {
            // A send fails once nobody listens any more.
            let _ = sender.send(review(&line, &told));
        };
        if thread::Builder::new().name("review".to_owned()).spawn(job).is_ok() {
            self.running = Some((stop, Mutex::new(replies)));
        }
    }

    /// What came of it, once: none inside where the game is not Tablan.
    pub fn poll(&mut self) -> Option<Option<Review>> {
        let (_, replies) = self.running.as_mut()?;
        let replies = replies.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
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
        if let Some((stop, _)) = self.running.take() {
            stop.stop();
        }
    }
}

impl Drop for Reviewer {
    fn drop(&mut self) {
        self.cancel();
    }
}

fn answer(
    mind: &Mind,
    ticket: u64,
    key: u64,
    request: &Request,
    without: &[AnyMove],
    stop: &Stop,
    replies: &Sender<Reply>,
) {
    // A send fails once nobody listens any more; that is as good as an answer.
    let best = think_beside(mind, request, without, stop, &mut |info| {
        let _ = replies.send(Reply::Info { ticket, info: info.clone() });
    });
    let _ = replies.send(Reply::Best { ticket, key, best });
}

/// Words from which on giving memory back takes longer than a thread does.
const LARGE: usize = 1 << 20;

/// Gives a table's memory back. Of gigabytes that takes tens of milliseconds,
/// for which no answer should wait: a thread of its own does it.
pub(super) fn give_back(words: Vec<AtomicU64>) {
    if words.len() >= LARGE {
        // Where no thread is to be had, they are given back here.
        _ = thread::Builder::new().name("engine memory".to_owned()).spawn(move || drop(words));
    }
}

/// Runs `main` here while `helpers` copies of `helper`, numbered from 1, run on
/// threads beside it; fewer where no more are to be had, and no more than the
/// machine has cores: threads that wait for each other's turn find out late that
/// they are to stop. Returns when all have ended.
pub(super) fn alongside<R>(
    helpers: usize,
    helper: impl Fn(usize) + Sync,
    main: impl FnOnce() -> R,
) -> R {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for number in 1..=helpers.min(cores - 1) {
            let helper = &helper;
            let thread = thread::Builder::new().name("engine helper".to_owned());
            if thread.spawn_scoped(scope, move || helper(number)).is_err() {
                break;
            }
        }
        main()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thread_thinks_every_thought_and_another_after_a_panic() {
        let mut worker = Worker::new();
        let mut thread_of = |panics: bool| {
            let (sender, ids) = channel();
            assert!(worker.send(Box::new(move || {
                _ = sender.send(thread::current().id());
                assert!(!panics, "on purpose");
            })));
            // Nothing comes of a thought that a dying thread took with it.
            ids.recv().ok()
        };
        let first = thread_of(false).expect("a thread");
        assert_eq!(thread_of(false), Some(first));
        assert_eq!(thread_of(true), Some(first));
        let next = std::iter::repeat_with(|| thread_of(false)).flatten().next();
        assert_ne!(next, Some(first));
    }
}
