//! The backend in a browser: web workers, each running a program of its own with
//! only the engine in it.
//!
//! Most hosts do not send the headers that shared memory needs, so a search can
//! only be stopped by terminating its worker.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    sync::{atomic::AtomicU64, mpsc::Sender},
};

use wasm_bindgen::{JsCast as _, JsValue, closure::Closure};
use web_sys::{
    DedicatedWorkerGlobalScope, Event, MessageEvent, Worker, WorkerOptions, WorkerType, console,
};

use super::{
    News, SearchEvent, SearchJob,
    messages::{WorkerRequest, WorkerResponse},
};
use crate::{
    EngineState, StopSignal, search_multi_pv,
    tablan::{Review, review},
    wake,
};
use tabulae_games::{AnyMove, AnyPosition, Game as _, GameHistory};

/// The worker's script, relative to the page.
const SCRIPT: &str = "engine-worker.js";

thread_local! {
    /// The running workers by number. JavaScript objects cannot leave their
    /// thread, so the handles that can hold only the number.
    static WORKERS: RefCell<BTreeMap<u64, PageWorker>> = const { RefCell::new(BTreeMap::new()) };
    static LAST_NUMBER: Cell<u64> = const { Cell::new(0) };
}

/// A web worker and what it is working on.
struct PageWorker {
    worker: Worker,
    task: Option<WorkerTask>,
    /// The move that the task's latest iteration has found best.
    best_so_far: Option<AnyMove>,
    news: News,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_error: Closure<dyn FnMut(Event)>,
}

/// What a worker is asked to do, and where the result goes.
enum WorkerTask {
    Search(Box<SearchJob>),
    Review(GameHistory<AnyPosition>, Sender<Option<Review>>),
}

impl WorkerTask {
    fn request(&self) -> WorkerRequest {
        match self {
            Self::Search(job) => WorkerRequest::Search {
                ticket: job.ticket,
                request: job.request.clone(),
                lines: job.lines,
            },
            Self::Review(history, _) => WorkerRequest::Review(history.clone()),
        }
    }

    /// Handles the task without a worker: searches briefly in the page's thread, and
    /// drops a review.
    fn run_without_worker(self) {
        match self {
            Self::Search(job) => job.run_briefly(),
            Self::Review(_, result) => {
                drop(result);
                wake();
            }
        }
    }
}

impl Drop for PageWorker {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}

impl PageWorker {
    fn start(number: u64) -> Result<Self, JsValue> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let worker = Worker::new_with_options(SCRIPT, &options)?;
        let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            handle_message(number, &event.data().as_string().unwrap_or_default());
        });
        let on_error =
            Closure::<dyn FnMut(Event)>::new(move |_| fail(number, "the worker does not run"));
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        Ok(Self {
            worker,
            task: None,
            best_so_far: None,
            news: News::default(),
            _on_message: on_message,
            _on_error: on_error,
        })
    }

    /// Sends a task to the worker; gives it back if that fails.
    fn send(&mut self, task: WorkerTask) -> Option<WorkerTask> {
        let is_sent = serde_json::to_string(&task.request())
            .is_ok_and(|text| self.worker.post_message(&JsValue::from_str(&text)).is_ok());
        if !is_sent {
            return Some(task);
        }
        self.best_so_far = None;
        self.news = News::default();
        self.task = Some(task);
        None
    }

    /// Passes a response on. A receiver that is gone is not an error.
    ///
    /// # Errors
    /// Why the worker failed.
    fn handle(&mut self, response: WorkerResponse) -> Result<(), String> {
        match (&self.task, response) {
            (_, WorkerResponse::Failed(why)) => return Err(why),
            (Some(WorkerTask::Search(job)), WorkerResponse::Search(event)) => {
                _ = job.events.send(event.clone());
                match event {
                    SearchEvent::Info { line, info, .. } => {
                        if line == 1 {
                            self.best_so_far = info.pv.first().copied();
                        }
                        if job.is_last_line(line) {
                            self.news.announce();
                        }
                    }
                    SearchEvent::BestMove { .. } => {
                        self.task = None;
                        wake();
                    }
                }
            }
            (Some(WorkerTask::Review(_, result)), WorkerResponse::Review(review)) => {
                _ = result.send(review);
                self.task = None;
                wake();
            }
            (Some(_) | None, _) => {}
        }
        Ok(())
    }
}

/// Gives a task to the worker of this number, or to a new one.
fn start(number: u64, task: WorkerTask) {
    let refused = WORKERS.with_borrow_mut(|workers| {
        let mut task = task;
        if let Some(worker) = workers.get_mut(&number) {
            task = worker.send(task)?;
        }
        let mut worker = match PageWorker::start(number) {
            Ok(worker) => worker,
            Err(error) => {
                console::error_2(&JsValue::from_str(SCRIPT), &error);
                return Some(task);
            }
        };
        let refused = worker.send(task);
        workers.insert(number, worker);
        refused
    });
    if let Some(task) = refused {
        task.run_without_worker();
    }
}

/// Terminates the worker of this number; returns its task and the best move so far.
fn terminate(number: u64) -> Option<(WorkerTask, Option<AnyMove>)> {
    let mut worker = WORKERS.with_borrow_mut(|workers| workers.remove(&number))?;
    Some((worker.task.take()?, worker.best_so_far.take()))
}

/// Terminates the worker of this number if it has a task; an idle one is kept.
fn cancel(number: u64) {
    let is_busy = WORKERS
        .with_borrow(|workers| workers.get(&number).is_some_and(|worker| worker.task.is_some()));
    if is_busy {
        drop(terminate(number));
    }
}

/// Terminates a worker that failed and handles its task without one.
fn fail(number: u64, why: &str) {
    console::error_2(&JsValue::from_str(SCRIPT), &JsValue::from_str(why));
    if let Some((task, _)) = terminate(number) {
        task.run_without_worker();
    }
}

fn handle_message(number: u64, text: &str) {
    let response = serde_json::from_str(text).map_err(|error| error.to_string());
    let handled = response.and_then(|response| {
        WORKERS.with_borrow_mut(|workers| match workers.get_mut(&number) {
            Some(worker) => worker.handle(response),
            None => Ok(()),
        })
    });
    if let Err(error) = handled {
        fail(number, &error);
    }
}

fn next_number() -> u64 {
    LAST_NUMBER.set(LAST_NUMBER.get() + 1);
    LAST_NUMBER.get()
}

/// The number of a worker that runs one search at a time and is reused for the
/// next, unless a search is stopped.
#[derive(Debug)]
pub(super) struct Backend(u64);

impl Default for Backend {
    fn default() -> Self {
        Self(next_number())
    }
}

impl Backend {
    pub(super) fn start(&mut self, job: SearchJob) {
        start(self.0, WorkerTask::Search(Box::new(job)));
    }

    /// Stops the search and answers with the best move found so far.
    pub(super) fn stop(&self) {
        let Some((WorkerTask::Search(job), best)) = terminate(self.0) else { return };
        if best.is_none() {
            return job.run_briefly();
        }
        let (ticket, key) = (job.ticket, job.key);
        _ = job.events.send(SearchEvent::BestMove { ticket, key, best });
        wake();
    }

    /// Stops the search, whose answer is not needed.
    pub(super) fn cancel(&self) {
        cancel(self.0);
    }
}

impl Drop for Backend {
    fn drop(&mut self) {
        drop(terminate(self.0));
    }
}

/// The number of the worker of a running review.
#[derive(Debug)]
pub(super) struct ReviewTask(u64);

impl ReviewTask {
    pub(super) fn start(
        history: GameHistory<AnyPosition>,
        result: Sender<Option<Review>>,
    ) -> Option<Self> {
        let number = next_number();
        start(number, WorkerTask::Review(history, result));
        Some(Self(number))
    }

    /// Stops the review, whose result is not needed.
    pub(super) fn cancel(&self) {
        drop(terminate(self.0));
    }
}

impl Drop for ReviewTask {
    fn drop(&mut self) {
        self.cancel();
    }
}

/// Frees a table's memory immediately: there is no other thread to do it.
pub(crate) fn drop_in_background(words: Vec<AtomicU64>) {
    drop(words);
}

/// The number of threads that can run at the same time: a worker has one.
pub(crate) const fn cores() -> usize {
    1
}

/// Runs `main`; a worker has no threads for helpers.
pub(crate) fn run_with_helpers<R>(
    _helpers: usize,
    _helper: impl Fn(usize) + Sync,
    _finish: impl Fn(),
    main: impl FnOnce() -> R,
) -> R {
    main()
}

/// The worker's side: answers its page's requests, one after another, for as
/// long as the worker lives.
///
/// ```no_run
/// // All that the worker's program does.
/// tabulae_engines::serve();
/// ```
pub fn serve() {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    let state = EngineState::new();
    let page = scope.clone();
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let text = event.data().as_string().unwrap_or_default();
        if let Err(error) = answer(&state, &text, &mut |response| post(&page, response)) {
            post(&page, &WorkerResponse::Failed(error.to_string()));
        }
    });
    scope.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    // JavaScript keeps the listener; Rust must not drop it.
    on_message.forget();
}

fn post(page: &DedicatedWorkerGlobalScope, response: &WorkerResponse) {
    // Serializing a response does not fail, and no response is too large to post.
    if let Ok(text) = serde_json::to_string(response) {
        _ = page.post_message(&JsValue::from_str(&text));
    }
}

fn answer(
    state: &EngineState,
    text: &str,
    respond: &mut dyn FnMut(&WorkerResponse),
) -> Result<(), serde_json::Error> {
    match serde_json::from_str(text)? {
        WorkerRequest::Search { ticket, request, lines } => {
            let key = request.history.position().key();
            let stop = StopSignal::default();
            let best = search_multi_pv(state, &request, lines, &stop, &mut |line, info| {
                let event = SearchEvent::Info { ticket, line, info: info.clone() };
                respond(&WorkerResponse::Search(event));
            });
            respond(&WorkerResponse::Search(SearchEvent::BestMove { ticket, key, best }));
        }
        WorkerRequest::Review(game) => {
            respond(&WorkerResponse::Review(review(&game, &StopSignal::default())));
        }
    }
    Ok(())
}
