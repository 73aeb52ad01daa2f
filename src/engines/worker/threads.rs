//! Thoughts on threads of this program.

use std::{
    sync::{
        atomic::AtomicU64,
        mpsc::{SendError, Sender, channel},
    },
    thread,
};

use super::Thought;
use crate::{
    engines::{
        EngineState, StopSignal,
        tablan::{Review, review},
    },
    games::{AnyPosition, Line},
};

/// A thread for one thought at a time, kept for the next.
#[derive(Debug, Default)]
pub(super) struct Place {
    mind: EngineState,
    /// Where thoughts are sent; none before the first.
    thread: Option<Sender<Job>>,
    /// Ends the thought that was begun last.
    stop: StopSignal,
}

/// What the thread is to do.
type Job = Box<dyn FnOnce() + Send>;

impl Place {
    /// Begins to think.
    pub(super) fn think(&mut self, thought: Thought) {
        self.stop = StopSignal::default();
        let job = {
            let (thought, mind, stop) = (thought.clone(), self.mind.clone(), self.stop.clone());
            move || thought.answer(&mind, &stop)
        };
        if !self.send(Box::new(job)) {
            thought.glance();
        }
    }

    /// Ends the thought soon; its answer still comes.
    pub(super) fn stop(&self) {
        self.stop.stop();
    }

    /// Ends the thought; nobody listens any more.
    pub(super) fn cancel(&self) {
        self.stop.stop();
    }

    /// Has the thread do this, or a new one where there is none (any more: a
    /// panic ends it); false where none is to be had.
    fn send(&mut self, job: Job) -> bool {
        let job = match &self.thread {
            Some(thread) => match thread.send(job) {
                Ok(()) => return true,
                Err(SendError(job)) => job,
            },
            None => job,
        };
        let (sender, jobs) = channel::<Job>();
        let work = move || jobs.into_iter().for_each(|job| job());
        let begun = thread::Builder::new().name("engine".to_owned()).spawn(work).is_ok();
        let sent = begun && sender.send(job).is_ok();
        self.thread = sent.then_some(sender);
        sent
    }
}

/// A review under way.
#[derive(Debug)]
pub(super) struct Errand(StopSignal);

impl Errand {
    /// Begins a review; none where no thread is to be had.
    pub(super) fn review(line: Line<AnyPosition>, found: Sender<Option<Review>>) -> Option<Self> {
        let stop = StopSignal::default();
        let told = stop.clone();
        let job = move || {
            // A send fails once nobody listens any more.
            let _ = found.send(review(&line, &told));
        };
        thread::Builder::new().name("review".to_owned()).spawn(job).ok()?;
        Some(Self(stop))
    }

    /// Ends it; nobody listens any more.
    pub(super) fn cancel(&self) {
        self.0.stop();
    }
}

/// Words from which on giving memory back takes longer than a thread does.
const LARGE: usize = 1 << 20;

/// Gives a table's memory back. Of gigabytes that takes tens of milliseconds,
/// for which no answer should wait: a thread of its own does it.
pub(in crate::engines) fn give_back(words: Vec<AtomicU64>) {
    if words.len() >= LARGE {
        // Where no thread is to be had, they are given back here.
        _ = thread::Builder::new().name("engine memory".to_owned()).spawn(move || drop(words));
    }
}

/// Runs `main` here while `helpers` copies of `helper`, numbered from 1, run on
/// threads beside it; fewer where no more are to be had, and no more than the
/// machine has cores: threads that wait for each other's turn find out late that
/// they are to stop. Returns when all have ended.
pub(in crate::engines) fn alongside<R>(
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
        let mut place = Place::default();
        let mut thread_of = |panics: bool| {
            let (sender, ids) = channel();
            assert!(place.send(Box::new(move || {
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
