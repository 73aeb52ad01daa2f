//! Wakes the program's event loop when another thread has an answer for it.
//!
//! A program with a window sleeps while nothing changes, so that the engines have the
//! processor. Whatever works beside it (a search, another program, a connection, the
//! browser) calls [`wake`] after its answer. Where there is no event loop, as in the
//! commands, nothing happens.

use std::sync::OnceLock;

/// A process has one event loop.
static WAKER: OnceLock<Box<dyn Fn() + Send + Sync>> = OnceLock::new();

/// Sets what wakes the event loop. Later calls change nothing.
///
/// ```
/// use std::sync::mpsc::channel;
/// use tabulae_engines::{
///     EngineOptions, Request, SearchEvent, SearchLimits, SearchWorker, set_waker,
/// };
/// use tabulae_games::{AnyPosition, GameHistory, RuleSet};
///
/// let (sender, wakes) = channel();
/// set_waker(move || _ = sender.send(()));
/// let history = GameHistory::new(AnyPosition::start(RuleSet::TablutAshton));
/// let limits = SearchLimits { nodes: Some(500), ..SearchLimits::default() };
/// let options = EngineOptions { hash_mib: 1, ..EngineOptions::default() };
/// let mut worker = SearchWorker::new();
/// worker.start(Request { history, limits, options });
/// // It need not be polled before.
/// wakes.recv()?;
/// let answers = std::iter::from_fn(|| worker.poll());
/// assert!(matches!(answers.last(), Some(SearchEvent::BestMove { .. })));
/// # Ok::<(), std::sync::mpsc::RecvError>(())
/// ```
pub fn set_waker(wake: impl Fn() + Send + Sync + 'static) {
    _ = WAKER.set(Box::new(wake));
}

/// Wakes the event loop, if there is one.
pub fn wake() {
    if let Some(wake) = WAKER.get() {
        wake();
    }
}

/// Wakes the event loop when it is dropped, so that a thread that panics wakes it, too.
///
/// ```
/// use std::sync::mpsc::channel;
/// use tabulae_engines::{WakeOnDrop, set_waker, wake};
///
/// let (sender, wakes) = channel();
/// set_waker(move || _ = sender.send(()));
/// wake();
/// drop(WakeOnDrop);
/// assert_eq!(wakes.try_iter().count(), 2);
/// ```
#[derive(Debug)]
pub struct WakeOnDrop;

impl Drop for WakeOnDrop {
    fn drop(&mut self) {
        wake();
    }
}
