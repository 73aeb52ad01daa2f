//! The `go` command: its limits, and the search on a thread of its own.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Sender},
    },
    thread::{self, JoinHandle},
};

use crate::engines::{EngineState, Info, Request, SearchLimits, StopSignal, search_with_state};

use super::print_line;

/// The arguments of `go`.
#[derive(Clone, Copy, Debug)]
pub(super) struct GoCommand {
    pub(super) limits: SearchLimits,
    /// Whether `bestmove` waits for `stop`, even when the search ends earlier.
    pub(super) infinite: bool,
}

impl GoCommand {
    /// Parses the arguments. With several limits, the search stops at the first
    /// that it reaches. `None` without arguments: the level's limits apply.
    ///
    /// # Errors
    /// An unknown or malformed limit, which the text names.
    pub(super) fn parse(text: &str) -> Result<Option<Self>, String> {
        let mut command = Self { limits: SearchLimits::default(), infinite: false };
        let mut words = text.split_whitespace();
        if words.clone().next().is_none() {
            return Ok(None);
        }
        while let Some(word) = words.next() {
            let mut value = || {
                let text = words.next().unwrap_or_default();
                let number = text.parse::<u64>().ok().filter(|number| *number > 0);
                number.ok_or_else(|| {
                    format!("invalid value '{text}' for go {word}: expected a number above 0")
                })
            };
            match word {
                "movetime" => {
                    command.limits.movetime = Some(std::time::Duration::from_millis(value()?));
                }
                "depth" => {
                    command.limits.depth = Some(u32::try_from(value()?).unwrap_or(u32::MAX));
                }
                "nodes" => command.limits.nodes = Some(value()?),
                "infinite" => command.infinite = true,
                _ => {
                    return Err(format!(
                        "unknown limit '{word}' in go: expected movetime, depth, nodes or infinite"
                    ));
                }
            }
        }
        Ok(Some(command))
    }
}

/// A running search.
#[derive(Debug)]
pub(super) struct SearchThread {
    stop: StopSignal,
    /// Dropped to make an infinite search print its `bestmove`.
    release: Option<Sender<()>>,
    /// Set before `bestmove` is printed, because the next `go` may follow it at
    /// once.
    done: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl SearchThread {
    /// Starts the search; its thread prints the `info` lines and `bestmove`.
    pub(super) fn start(engine_state: &EngineState, request: Request, infinite: bool) -> Self {
        let stop = StopSignal::default();
        let (release, released) = mpsc::channel::<()>();
        let done = Arc::new(AtomicBool::new(false));
        let thread = {
            let (engine_state, stop, done) =
                (engine_state.clone(), stop.clone(), Arc::clone(&done));
            thread::spawn(move || {
                let best = search_with_state(&engine_state, &request, &stop, &mut |info| {
                    // The reader has closed our output.
                    if print_line(&info_line(info)).is_err() {
                        stop.stop();
                    }
                });
                if infinite {
                    // Returns when the session drops `release`.
                    _ = released.recv();
                }
                let word = best.map_or_else(|| NO_MOVE.to_owned(), |best| best.to_string());
                done.store(true, Ordering::Release);
                _ = print_line(&format!("bestmove {word}"));
            })
        };
        Self { stop, release: infinite.then_some(release), done, thread }
    }

    /// Whether `bestmove` has not been printed yet.
    pub(super) fn is_running(&self) -> bool {
        !self.done.load(Ordering::Acquire) && !self.thread.is_finished()
    }

    /// Stops the search and waits for its `bestmove`.
    pub(super) fn stop(self) {
        self.stop.stop();
        drop(self.release);
        // A panic of the search was printed to stderr.
        _ = self.thread.join();
    }

    /// Waits for a search with a limit to end; stops an infinite one.
    pub(super) fn finish(self) {
        if self.release.is_some() {
            self.stop();
        } else {
            _ = self.thread.join();
        }
    }
}

/// The `bestmove` of a game that is over.
pub(super) const NO_MOVE: &str = "none";

/// Formats an `info` line.
fn info_line(info: &Info) -> String {
    let millis = info.time.as_millis();
    let nps = u128::from(info.nodes) * 1000 / millis.max(1);
    let pv: String = info.pv.iter().map(|mv| format!(" {mv}")).collect();
    let (depth, score, nodes) = (info.depth, info.score, info.nodes);
    let pv = if pv.is_empty() { pv } else { format!(" pv{pv}") };
    format!("info depth {depth} score {score} nodes {nodes} nps {nps} time {millis}{pv}")
}
