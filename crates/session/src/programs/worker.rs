//! A program on a thread of its own.

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        mpsc::{self, Receiver, Sender, SyncSender},
    },
    thread,
    time::{Duration, Instant},
};

use super::{
    EngineEntry, ProgramError, ProgramInfo, ProgramLimits, ProgramOption, UgiProgram,
    process::ProcessSlot, split_command,
};
use tabulae_engines::{WakeOnDrop, wake};
use tabulae_games::{AnyMove, AnyPosition, Game as _, GameHistory};

/// Events that nobody has polled; a program that reports more waits.
const EVENT_BUFFER: usize = 256;

/// What a program on its thread has done.
#[derive(Debug)]
pub enum ProgramEvent {
    /// The program runs; its own name and its options.
    Ready(Option<String>, Vec<ProgramOption>),
    /// The program reports a line of the search with this ticket.
    Info(u64, ProgramInfo),
    /// The program answers the search with this ticket.
    Move(u64, AnyMove),
    /// The program has failed and was killed; nothing more comes.
    Failed(ProgramError),
}

struct Search {
    ticket: u64,
    /// How often the worker had been stopped when this was asked for.
    stops: u64,
    history: GameHistory<AnyPosition>,
    limits: ProgramLimits,
    deadline: Duration,
    /// When it was asked for.
    asked: Instant,
}

/// Where the worker stands, shared with its thread. Under one lock a search either
/// begins before a stop, which then reaches it, or is dropped.
#[derive(Debug, Default)]
struct Progress {
    /// How often the worker has been stopped.
    stops: u64,
    is_searching: bool,
}

/// A program that runs beside the caller, which asks for moves and polls for events.
/// Dropping it kills the program at once. Each event except a line of a search wakes the
/// caller (see [`set_waker`](tabulae_engines::set_waker)).
///
/// ```
/// use std::time::Duration;
/// use tabulae_session::{EngineEntry, ProgramEvent, ProgramWorker};
///
/// let command = "no-such-program-here".to_owned();
/// let entry = EngineEntry { name: "None".to_owned(), command, ..EngineEntry::default() };
/// let worker = ProgramWorker::start(entry, Duration::from_secs(1));
/// let event = worker.wait().expect("an event");
/// assert!(matches!(event, ProgramEvent::Failed(_)), "it cannot be started");
/// assert!(worker.wait().is_none());
/// ```
#[derive(Debug)]
pub struct ProgramWorker {
    slot: Arc<ProcessSlot>,
    progress: Arc<Mutex<Progress>>,
    searches: Sender<Search>,
    /// A lock makes the worker usable from any thread.
    events: Mutex<Receiver<ProgramEvent>>,
}

impl Drop for ProgramWorker {
    fn drop(&mut self) {
        self.slot.close();
    }
}

impl ProgramWorker {
    /// Starts the program. `patience` is the time it has for any answer but a move.
    pub fn start(entry: EngineEntry, patience: Duration) -> Self {
        let slot = Arc::new(ProcessSlot::default());
        let (searches, asked) = mpsc::channel();
        let (sender, events) = mpsc::sync_channel(EVENT_BUFFER);
        let progress = Arc::default();
        let (own_slot, own_sender) = (Arc::clone(&slot), sender.clone());
        let own_progress = Arc::clone(&progress);
        let started = thread::Builder::new().spawn(move || {
            let _wake = WakeOnDrop;
            let ran = run(&entry, own_slot, patience, &own_progress, &asked, &own_sender);
            if let Err(error) = ran {
                // The receiver may be gone.
                _ = own_sender.send(ProgramEvent::Failed(error));
            }
        });
        // A web page has neither threads nor processes.
        if let Err(error) = started {
            _ = sender.send(ProgramEvent::Failed(ProgramError::NotStarted(error)));
            wake();
        }
        Self { slot, progress, searches, events: Mutex::new(events) }
    }

    /// Asks for a move of the last position; the answer has this ticket. One search
    /// begins when the one before has been answered, or stopped and answered. A search
    /// that is stopped before it has begun is dropped without an answer.
    pub fn search(
        &self,
        ticket: u64,
        history: GameHistory<AnyPosition>,
        limits: ProgramLimits,
        deadline: Duration,
    ) {
        let stops = lock(&self.progress).stops;
        // After a failure nobody listens, as `Failed` has said.
        let asked = Instant::now();
        _ = self.searches.send(Search { ticket, stops, history, limits, deadline, asked });
    }

    /// Stops every search that has been asked for: the program answers the one that
    /// has begun now, and the others are dropped.
    pub fn stop(&self) {
        let mut progress = lock(&self.progress);
        progress.stops += 1;
        if progress.is_searching {
            _ = self.slot.send("stop");
        }
    }

    /// The next event; `None` if there is none yet, or none will come.
    pub fn poll(&self) -> Option<ProgramEvent> {
        lock(&self.events).try_recv().ok()
    }

    /// The events that are there, at most as many as are buffered: a program can report
    /// faster than they are taken.
    pub fn poll_some(&self) -> impl Iterator<Item = ProgramEvent> + '_ {
        std::iter::from_fn(|| self.poll()).take(EVENT_BUFFER)
    }

    /// Waits for the next event; `None` if none will come.
    pub fn wait(&self) -> Option<ProgramEvent> {
        lock(&self.events).recv().ok()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs the program until the worker is dropped or the program fails.
fn run(
    entry: &EngineEntry,
    slot: Arc<ProcessSlot>,
    patience: Duration,
    progress: &Mutex<Progress>,
    searches: &Receiver<Search>,
    events: &SyncSender<ProgramEvent>,
) -> Result<(), ProgramError> {
    let words = split_command(&entry.command).ok_or(ProgramError::NoCommand)?;
    let mut program = UgiProgram::start_in(slot, &words, patience)?;
    entry.set_options(&program)?;
    let (name, options) = (program.name().map(str::to_owned), program.options().to_vec());
    _ = events.send(ProgramEvent::Ready(name, options));
    wake();
    let mut rules = None;
    for Search { ticket, stops, history, mut limits, mut deadline, asked } in searches {
        if lock(progress).stops != stops {
            continue;
        }
        let wanted = history.start().rules();
        if rules != Some(wanted) {
            program.new_game(wanted)?;
            rules = Some(wanted);
        }
        {
            let mut progress = lock(progress);
            // It may have been stopped while the program prepared the game.
            if progress.stops != stops {
                continue;
            }
            // Its clock has run while it prepared.
            let waited = asked.elapsed();
            if let ProgramLimits::Clocks(clocks) = &mut limits {
                let own = &mut clocks[history.position().side().index()];
                own.remaining = own.remaining.saturating_sub(waited);
                deadline = deadline.saturating_sub(waited);
            }
            program.start_search(&history, &limits)?;
            progress.is_searching = true;
        }
        let mv = program.wait_for_move(&history, deadline, &mut |info| {
            _ = events.send(ProgramEvent::Info(ticket, info));
        })?;
        lock(progress).is_searching = false;
        _ = events.send(ProgramEvent::Move(ticket, mv));
        wake();
    }
    Ok(())
}
