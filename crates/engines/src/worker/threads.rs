//! The backend of a native program: threads.

use std::{
    sync::{
        atomic::AtomicU64,
        mpsc::{Sender, channel},
    },
    thread,
};

use super::SearchJob;
use crate::{
    EngineState, StopSignal, WakeOnDrop,
    tablan::{Review, review},
};
use tabulae_games::{AnyPosition, GameHistory};

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
            move || {
                // The channel of the events is closed before it wakes.
                let (_wake, job) = (WakeOnDrop, job);
                job.run(&state, &stop);
            }
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

    /// Runs a task on the thread, which is started for the first one. False if that
    /// cannot be, or the thread has ended.
    fn send(&mut self, task: ThreadTask) -> bool {
        if self.queue.is_none() {
            let (queue, tasks) = channel::<ThreadTask>();
            let run = move || tasks.into_iter().for_each(|task| task());
            let is_started = thread::Builder::new().name("engine".to_owned()).spawn(run).is_ok();
            self.queue = is_started.then_some(queue);
        }
        self.queue.as_ref().is_some_and(|queue| queue.send(task).is_ok())
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
                let (_wake, result) = (WakeOnDrop, result);
                // A send fails if the receiver is gone. Then the review is not needed.
                _ = result.send(review(&history, &stop));
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
pub(crate) fn drop_in_background(words: Vec<AtomicU64>) {
    if words.len() >= LARGE_ALLOCATION {
        // If no thread can be started, the closure drops them here.
        _ = thread::Builder::new().name("engine memory".to_owned()).spawn(move || drop(words));
    }
}

/// The number of threads that can run at the same time.
pub(crate) fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Calls a function when it is dropped, after a panic too.
struct OnDrop<F: Fn()>(F);

impl<F: Fn()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

/// Runs `main` here while copies of `helper`, numbered from 1 to `helpers`, run
/// on other threads, and calls `finish` when `main` has ended, which tells them to end.
/// Returns when all have ended. Starts fewer helpers if the system has no more threads,
/// and no more threads than cores: threads that share a core notice late that they have
/// to stop.
pub(crate) fn run_with_helpers<R>(
    helpers: usize,
    helper: impl Fn(usize) + Sync,
    finish: impl Fn(),
    main: impl FnOnce() -> R,
) -> R {
    thread::scope(|scope| {
        for number in 1..=helpers.min(cores() - 1) {
            let helper = &helper;
            let thread = thread::Builder::new().name("engine helper".to_owned());
            if thread.spawn_scoped(scope, move || helper(number)).is_err() {
                break;
            }
        }
        // The scope waits for the helpers, whether `main` returns or panics.
        let _finish = OnDrop(finish);
        main()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thread_runs_all_tasks() {
        let mut backend = Backend::default();
        let mut thread_of_task = || {
            let (sender, ids) = channel();
            assert!(backend.send(Box::new(move || _ = sender.send(thread::current().id()))));
            ids.recv().expect("a thread")
        };
        let first = thread_of_task();
        assert_eq!(thread_of_task(), first);
    }

    #[test]
    fn helpers_end_when_the_main_search_panics() {
        let stop = StopSignal::default();
        let helper = |_| {
            while !stop.is_stopped() {
                thread::yield_now();
            }
        };
        let main = || run_with_helpers(1, helper, || stop.stop(), || panic!("on purpose"));
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(main)).is_err());
    }
}
