//! The search of a `go` command, on a thread of its own.

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        mpsc::{self, Sender},
    },
    thread::{self, JoinHandle},
};

use crate::{
    cli::prelude::*,
    engines::{EngineState, Info, search_multi_pv},
};

use super::{perft, print_line};

/// What `go` asks for.
pub(super) enum Task {
    /// The best moves.
    Search {
        state: EngineState,
        request: Request,
        /// The number of lines to print.
        lines: usize,
    },
    /// A count of move sequences, with its depth.
    Perft(AnyPosition, u32),
}

/// When `bestmove` may be printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Release {
    /// As soon as the search ends.
    SearchEnd,
    /// Only after `ponderhit` or `stop`.
    PonderHit,
    /// Only after `stop`.
    Stop,
}

/// A running search.
#[derive(Debug)]
pub(super) struct SearchThread {
    stop: StopSignal,
    release: Release,
    /// Dropped to let the search print its `bestmove`; none if it need not wait.
    hold: Option<Sender<()>>,
    answer: Arc<Mutex<Answer>>,
    /// Fails if the answer cannot be printed.
    thread: JoinHandle<io::Result<()>>,
}

/// The answers that a search still owes.
#[derive(Debug, Default)]
struct Answer {
    /// Whether `bestmove` has been printed.
    printed: bool,
    /// The number of `go` commands refused during the search. Each is answered by a
    /// `bestmove` as well, after that of the search.
    refused: usize,
}

fn lock(answer: &Mutex<Answer>) -> MutexGuard<'_, Answer> {
    answer.lock().unwrap_or_else(PoisonError::into_inner)
}

impl SearchThread {
    /// Starts the search; its thread prints the `info` lines and `bestmove`.
    ///
    /// # Errors
    /// The system has no more threads.
    pub(super) fn start(task: Task, stop: StopSignal, release: Release) -> io::Result<Self> {
        let (hold, held) = mpsc::channel::<()>();
        let answer = Arc::new(Mutex::new(Answer::default()));
        let run = {
            let (stop, answer) = (stop.clone(), Arc::clone(&answer));
            move || {
                let best = task.run(&stop);
                if release != Release::SearchEnd {
                    // Returns when the session drops `hold`.
                    _ = held.recv();
                }
                let mut answer = lock(&answer);
                answer.printed = true;
                print_best_move(best)?;
                (0..answer.refused).try_for_each(|_| print_best_move(None))
            }
        };
        let thread = thread::Builder::new().name("search".to_owned()).spawn(run)?;
        let hold = (release != Release::SearchEnd).then_some(hold);
        Ok(Self { stop, release, hold, answer, thread })
    }

    /// Refuses another `go` during the search with an `error` line, and has it answered
    /// after the search. Returns false if the search has been answered already.
    ///
    /// # Errors
    /// Stdout cannot be written.
    pub(super) fn refuse(&self, error: &str) -> io::Result<bool> {
        let mut answer = lock(&self.answer);
        if answer.printed || self.thread.is_finished() {
            return Ok(false);
        }
        answer.refused += 1;
        print_line(&format!("error {error}"))?;
        Ok(true)
    }

    /// The opponent has played the expected move: a search that ponders goes on with
    /// its time limits.
    pub(super) fn ponder_hit(&mut self) {
        self.stop.ponder_hit();
        if self.release == Release::PonderHit {
            self.hold = None;
        }
    }

    /// Stops the search and waits for its `bestmove`.
    ///
    /// # Errors
    /// Stdout cannot be written.
    pub(super) fn stop(self) -> io::Result<()> {
        self.stop.stop();
        drop(self.hold);
        // A panic of the search was printed to stderr.
        self.thread.join().unwrap_or(Ok(()))
    }

    /// Waits for a search with a limit to end; stops one that waits for a command.
    ///
    /// # Errors
    /// Stdout cannot be written.
    pub(super) fn finish(self) -> io::Result<()> {
        if self.hold.is_some() { self.stop() } else { self.thread.join().unwrap_or(Ok(())) }
    }
}

impl Task {
    /// Prints the `info` lines and returns the best move, if there is one.
    fn run(self, stop: &StopSignal) -> Option<AnyMove> {
        // If a line cannot be printed, the reader has closed our output.
        match self {
            Self::Search { state, request, lines } => {
                search_multi_pv(&state, &request, lines, stop, &mut |line, info| {
                    if print_line(&info_line((lines > 1).then_some(line), info)).is_err() {
                        stop.stop();
                    }
                })
            }
            Self::Perft(position, depth) => {
                for line in perft::count(&position, depth, stop) {
                    if print_line(&line).is_err() {
                        break;
                    }
                }
                None
            }
        }
    }
}

/// Prints a `bestmove`; `none` if there is no move.
///
/// # Errors
/// Stdout cannot be written.
pub(super) fn print_best_move(best: Option<AnyMove>) -> io::Result<()> {
    let word = best.map_or_else(|| "none".to_owned(), |best| best.to_string());
    print_line(&format!("bestmove {word}"))
}

/// Formats an `info` line; `line` is the number of one of several lines.
fn info_line(line: Option<usize>, info: &Info) -> String {
    let millis = info.time.as_millis();
    let nps = u128::from(info.nodes) * 1000 / millis.max(1);
    let pv: String = info.pv.iter().map(|mv| format!(" {mv}")).collect();
    let (depth, score, nodes) = (info.depth, info.score, info.nodes);
    let line = line.map_or_else(String::new, |line| format!(" multipv {line}"));
    let pv = if pv.is_empty() { pv } else { format!(" pv{pv}") };
    format!("info depth {depth}{line} score {score} nodes {nodes} nps {nps} time {millis}{pv}")
}
