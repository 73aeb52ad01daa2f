//! The backend of a native program: threads.

use std::{
    sync::{
        atomic::AtomicU64,
        mpsc::{SendError, Sender, channel},
    },
    thread,
};

use super::SearchJob;
use crate::{
    engines::{
        EngineState, StopSignal,
        tablan::{Review, review},
    },
    games::{AnyPosition, GameHistory},
};

/// A thread that runs one search at a time and is reused for the next.
#[derive(Debug, Default)]
pub(super) struct Backend {
    state: EngineState,
    /// The thread's queue; none before the first search.
    queue: Option<Sender<ThreadTask>>,
    /// Stops the latest search.
    stop: StopSignal,
}

/// Something to run on the thread.
type ThreadTask = Box<dyn FnOnce() + Send>;

impl Backend {
    pub(super) fn start(&mut self, job: SearchJob) {
        self.stop = StopSignal::default();
        let task = {
            let (job, state, stop) = (job.clone(), self.state.clone(), self.stop.clone());
            move || job.run(&state, &stop)
        };
        if !self.send(Box::new(task)) {
            job.run_briefly();
        }
    }

    /// Stops the search soon; it still answers.
    pub(super) fn stop(&self) {
        self.stop.stop();
    }

    /// Stops the search, whose answer is not needed.
    pub(super) fn cancel(&self) {
        self.stop.stop();
    }

    /// Runs a task on the thread, or on a new one if there is none or a panic
    /// has ended it. False if no thread can be started.
    fn send(&mut self, task: ThreadTask) -> bool {
        let task = match &self.queue {
            Some(queue) => match queue.send(task) {
                Ok(()) => return true,
                Err(SendError(task)) => task,
            },
            None => task,
        };
        let (queue, tasks) = channel::<ThreadTask>();
        let run = move || tasks.into_iter().for_each(|task| task());
        let is_started = thread::Builder::new().name("engine".to_owned()).spawn(run).is_ok();
        let is_sent = is_started && queue.send(task).is_ok();
        self.queue = is_sent.then_some(queue);
        is_sent
    }
}

/// A running review.
#[derive(Debug)]
pub(super) struct ReviewTask(StopSignal);

impl ReviewTask {
    /// Starts a review; none if no thread can be started.
    pub(super) fn start(
        history: GameHistory<AnyPosition>,
        result: Sender<Option<Review>>,
    ) -> Option<Self> {
        let stop = StopSignal::default();
        let task = {
            let stop = stop.clone();
            move || {
                // A send fails if the receiver is gone. Then the review is not needed.
                let _ = result.send(review(&history, &stop));
            }
        };
        thread::Builder::new().name("review".to_owned()).spawn(task).ok()?;
        Some(Self(stop))
    }

    /// Stops the review, whose result is not needed.
    pub(super) fn cancel(&self) {
        self.0.stop();
    }
}

/// Freeing this many words takes longer than starting a thread.
const LARGE_ALLOCATION: usize = 1 << 20;

/// Frees a table's memory without delaying an answer. Freeing gigabytes takes tens of
/// milliseconds, so a separate thread does it.
pub(in crate::engines) fn drop_in_background(words: Vec<AtomicU64>) {
    if words.len() >= LARGE_ALLOCATION {
        // If no thread can be started, the closure drops them here.
        _ = thread::Builder::new().name("engine memory".to_owned()).spawn(move || drop(words));
    }
}

/// Runs `main` here while copies of `helper`, numbered from 1 to `helpers`, run
/// on other threads. Returns when all have ended. Starts fewer helpers if the system
/// has no more threads, and no more threads than cores: threads that share a core
/// notice late that they have to stop.
pub(in crate::engines) fn run_with_helpers<R>(
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
    fn one_thread_runs_all_tasks_and_is_replaced_after_a_panic() {
        let mut backend = Backend::default();
        let mut thread_of_task = |panics: bool| {
            let (sender, ids) = channel();
            assert!(backend.send(Box::new(move || {
                _ = sender.send(thread::current().id());
                assert!(!panics, "on purpose");
            })));
            // None if the task was queued on a thread that was panicking.
            ids.recv().ok()
        };
        let first = thread_of_task(false).expect("a thread");
        assert_eq!(thread_of_task(false), Some(first));
        assert_eq!(thread_of_task(true), Some(first));
        let next = std::iter::repeat_with(|| thread_of_task(false)).flatten().next();
        assert_ne!(next, Some(first));
    }
}
