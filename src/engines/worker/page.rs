//! Thoughts in workers of the page: the engine alone, in a program of its own
//! that the page loads besides. Pages of most hosts have no memory to share
//! with it, so a thought can only be ended by ending its worker.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    sync::{atomic::AtomicU64, mpsc::Sender},
};

use wasm_bindgen::{JsCast as _, JsValue, closure::Closure};
use web_sys::{
    DedicatedWorkerGlobalScope, Event, MessageEvent, Worker, WorkerOptions, WorkerType, console,
};

use super::{
    Reply, Thought,
    wire::{Asked, Findings, Question, Received, Told, WireError, best_reply, game_of, game_text},
};
use crate::{
    engines::{
        EngineState, StopSignal, search_excluding,
        tablan::{Review, review},
    },
    games::{AnyPosition, Game as _, Line},
};

/// What the page calls the program of a worker.
const PROGRAM: &str = "engine-worker.js";

thread_local! {
    /// Workers by number: what belongs to the page cannot leave its thread.
    static WORKERS: RefCell<BTreeMap<u64, Held>> = const { RefCell::new(BTreeMap::new()) };
}

/// A worker of the page, what it was asked last and who listens to it.
struct Held {
    worker: Worker,
    asked: Option<Errands>,
    /// What it has found so far.
    last: Option<Reply>,
    _heard: Closure<dyn FnMut(MessageEvent)>,
    _failed: Closure<dyn FnMut(Event)>,
}

/// What a worker is asked to do.
enum Errands {
    Thought(Box<Thought>),
    Review(Line<AnyPosition>, Sender<Option<Review>>),
}

impl Errands {
    fn asked(&self) -> Asked {
        match self {
            Self::Thought(thought) => {
                Asked::Think(Question::of(thought.ticket, &thought.request, &thought.without))
            }
            Self::Review(line, _) => Asked::Review(game_text(line)),
        }
    }

    /// There is no worker for it: a glance here; of a review nothing comes.
    fn do_without(self) {
        if let Self::Thought(thought) = self {
            thought.glance();
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}

impl Held {
    fn new(number: u64) -> Result<Self, JsValue> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let worker = Worker::new_with_options(PROGRAM, &options)?;
        let heard = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            hear(number, &event.data().as_string().unwrap_or_default());
        });
        let failed = Closure::<dyn FnMut(Event)>::new(move |_| fail(number, "it does not run"));
        worker.set_onmessage(Some(heard.as_ref().unchecked_ref()));
        worker.set_onerror(Some(failed.as_ref().unchecked_ref()));
        Ok(Self { worker, asked: None, last: None, _heard: heard, _failed: failed })
    }

    fn ask(&mut self, errand: Errands) -> Result<(), Errands> {
        let sent = serde_json::to_string(&errand.asked())
            .is_ok_and(|text| self.worker.post_message(&JsValue::from_str(&text)).is_ok());
        if !sent {
            return Err(errand);
        }
        self.last = None;
        self.asked = Some(errand);
        Ok(())
    }
}

/// Hands an errand to the worker of this number, or to a new one.
fn begin(number: u64, errand: Errands) {
    let refused = WORKERS.with_borrow_mut(|workers| {
        let mut errand = errand;
        if let Some(held) = workers.get_mut(&number) {
            match held.ask(errand) {
                Ok(()) => return None,
                Err(back) => errand = back,
            }
        }
        let mut held = match Held::new(number) {
            Ok(held) => held,
            Err(error) => {
                console::error_2(&JsValue::from_str(PROGRAM), &error);
                return Some(errand);
            }
        };
        let refused = held.ask(errand).err();
        workers.insert(number, held);
        refused
    });
    if let Some(errand) = refused {
        errand.do_without();
    }
}

/// Ends the worker of this number; what it was asked comes back.
fn end(number: u64) -> Option<(Errands, Option<Reply>)> {
    let mut held = WORKERS.with_borrow_mut(|workers| workers.remove(&number))?;
    Some((held.asked.take()?, held.last.take()))
}

/// Ends the worker of this number if it is at work; one that waits is kept.
fn cancel(number: u64) {
    let is_busy =
        WORKERS.with_borrow(|it| it.get(&number).is_some_and(|held| held.asked.is_some()));
    if is_busy {
        drop(end(number));
    }
}

fn fail(number: u64, why: &str) {
    console::error_2(&JsValue::from_str(PROGRAM), &JsValue::from_str(why));
    if let Some((errand, _)) = end(number) {
        errand.do_without();
    }
}

/// A worker tells something.
fn hear(number: u64, text: &str) {
    let told = serde_json::from_str(text).map_err(WireError::from);
    let used = told.and_then(|told| {
        WORKERS.with_borrow_mut(|workers| match workers.get_mut(&number) {
            Some(held) => held.hear(told),
            None => Ok(()),
        })
    });
    match used {
        Ok(()) => {}
        Err(error) => fail(number, &error.to_string()),
    }
}

impl Held {
    /// Hands on what was told. Nobody listening any more is no error.
    fn hear(&mut self, told: Told) -> Result<(), WireError> {
        match (&self.asked, told) {
            (Some(Errands::Thought(thought)), Told::Info(finding)) => {
                let reply = finding.reply(&thought.request.line)?;
                self.last = Some(reply.clone());
                let _ = thought.replies.send(reply);
            }
            (Some(Errands::Thought(thought)), Told::Best { ticket, key, best }) => {
                let reply = best_reply(&thought.request.line, ticket, key, best.as_deref())?;
                let _ = thought.replies.send(reply);
                self.asked = None;
            }
            (Some(Errands::Review(line, found)), Told::Review(findings)) => {
                let review = findings.map(|it| it.review(line)).transpose()?;
                let _ = found.send(review);
                self.asked = None;
            }
            (_, Told::Failed(why)) => return Err(WireError::Worker(why)),
            (_, Told::Info(_) | Told::Best { .. } | Told::Review(_)) => {}
        }
        Ok(())
    }
}

fn next_number() -> u64 {
    thread_local! {
        static NUMBER: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
    }
    NUMBER.with(|number| {
        number.set(number.get() + 1);
        number.get()
    })
}

/// A worker for one thought at a time, kept for the next.
#[derive(Debug)]
pub(super) struct Place(u64);

impl Default for Place {
    fn default() -> Self {
        Self(next_number())
    }
}

impl Place {
    /// Begins to think.
    pub(super) fn think(&mut self, thought: Thought) {
        begin(self.0, Errands::Thought(Box::new(thought)));
    }

    /// Ends the thought; the best found so far is its answer.
    pub(super) fn stop(&self) {
        let Some((Errands::Thought(thought), last)) = end(self.0) else { return };
        let best = match &last {
            Some(Reply::Info { info, .. }) => info.pv.first().copied(),
            Some(Reply::Best { .. }) | None => None,
        };
        if best.is_none() {
            return thought.glance();
        }
        let _ =
            thought.replies.send(Reply::Best { ticket: thought.ticket, key: thought.key, best });
    }

    /// Ends the thought.
    pub(super) fn cancel(&self) {
        cancel(self.0);
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        drop(end(self.0));
    }
}

/// A review under way.
#[derive(Debug)]
pub(super) struct Errand(u64);

impl Errand {
    /// Begins a review.
    pub(super) fn review(line: Line<AnyPosition>, found: Sender<Option<Review>>) -> Option<Self> {
        let number = next_number();
        begin(number, Errands::Review(line, found));
        Some(Self(number))
    }

    /// Ends it.
    pub(super) fn cancel(&self) {
        drop(end(self.0));
    }
}

impl Drop for Errand {
    fn drop(&mut self) {
        self.cancel();
    }
}

/// Memory is given back at once: there is no other thread to do it.
pub(in crate::engines) fn give_back(words: Vec<AtomicU64>) {
    drop(words);
}

/// Runs `main`; there are no threads for helpers.
pub(in crate::engines) fn alongside<R>(
    _helpers: usize,
    _helper: impl Fn(usize) + Sync,
    main: impl FnOnce() -> R,
) -> R {
    main()
}

/// The worker's side: answers what its page asks, one question after another.
///
/// ```no_run
/// // All that the program of a worker does.
/// tabulae::engines::serve();
/// ```
pub fn serve() {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    let mind = EngineState::new();
    let page = scope.clone();
    let asked = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let text = event.data().as_string().unwrap_or_default();
        if let Err(error) = answer(&mind, &text, &mut |told| tell(&page, told)) {
            tell(&page, &Told::Failed(error.to_string()));
        }
    });
    scope.set_onmessage(Some(asked.as_ref().unchecked_ref()));
    // It listens as long as the worker lives.
    asked.forget();
}

fn tell(page: &DedicatedWorkerGlobalScope, told: &Told) {
    // Nothing that is told here is without a text, or too much to send.
    if let Ok(text) = serde_json::to_string(told) {
        let _ = page.post_message(&JsValue::from_str(&text));
    }
}

fn answer(mind: &EngineState, text: &str, tell: &mut dyn FnMut(&Told)) -> Result<(), WireError> {
    match serde_json::from_str(text)? {
        Asked::Think(question) => {
            let Received { ticket, request, without } = question.received()?;
            let key = request.line.position().key();
            let best =
                search_excluding(mind, &request, &without, &StopSignal::default(), &mut |info| {
                    tell(&Told::from(&Reply::Info { ticket, info: info.clone() }));
                });
            tell(&Told::from(&Reply::Best { ticket, key, best }));
        }
        Asked::Review(game) => {
            let found = review(&game_of(&game)?, &StopSignal::default());
            tell(&Told::Review(found.as_ref().map(Findings::from)));
        }
    }
    Ok(())
}
