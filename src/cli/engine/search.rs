//! One `go`: thinking on a thread of its own.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Sender},
    },
    thread::{self, JoinHandle},
};

use crate::engines::{EngineState, Info, Request, SearchLimits, StopSignal, search_with_state};

use super::say;

/// What `go` asks for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task {
    pub(super) limits: SearchLimits,
    /// Whether the answer waits for `stop`, however early it is found.
    pub(super) endless: bool,
}

impl Task {
    /// Reads what follows `go`. Several limits hold together; none at all are
    /// the level's own, and then the answer is nothing.
    pub(super) fn parse(text: &str) -> Result<Option<Self>, String> {
        let mut task = Self { limits: SearchLimits::default(), endless: false };
        let mut words = text.split_whitespace();
        if words.clone().next().is_none() {
            return Ok(None);
        }
        while let Some(word) = words.next() {
            let mut value = || {
                let text = words.next().unwrap_or_default();
                let number = text.parse::<u64>().ok().filter(|number| *number > 0);
                number.ok_or_else(|| format!("go {word} wants a number above 0, not '{text}'"))
            };
            match word {
                "movetime" => {
                    task.limits.movetime = Some(std::time::Duration::from_millis(value()?));
                }
                "depth" => {
                    task.limits.depth = Some(u32::try_from(value()?).unwrap_or(u32::MAX));
                }
                "nodes" => task.limits.nodes = Some(value()?),
                "infinite" => task.endless = true,
                _ => return Err(format!("unknown limit '{word}' in go")),
            }
        }
        Ok(Some(task))
    }
}

/// A search under way.
#[derive(Debug)]
pub(super) struct Search {
    stop: StopSignal,
    /// Dropped to let an endless search give its answer.
    hold: Option<Sender<()>>,
    /// Set before `bestmove` is said: who has read it may send `go` at once.
    done: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Search {
    /// Begins to think; `info` lines and `bestmove` are said by the thread.
    pub(super) fn start(engine_state: &EngineState, request: Request, endless: bool) -> Self {
        let stop = StopSignal::default();
        let (hold, held) = mpsc::channel::<()>();
        let done = Arc::new(AtomicBool::new(false));
        let thread = {
            let (engine_state, stop, done) =
                (engine_state.clone(), stop.clone(), Arc::clone(&done));
            thread::spawn(move || {
                let best = search_with_state(&engine_state, &request, &stop, &mut |info| {
                    // Nobody listens any more: nothing left to think for.
                    if say(&info_line(info)).is_err() {
                        stop.stop();
                    }
                });
                if endless {
                    // Ends when the session lets go of its end.
                    _ = held.recv();
                }
                let word = best.map_or_else(|| NO_MOVE.to_owned(), |best| best.to_string());
                done.store(true, Ordering::Release);
                _ = say(&format!("bestmove {word}"));
            })
        };
        Self { stop, hold: endless.then_some(hold), done, thread }
    }

    /// Whether the answer is still to come.
    pub(super) fn is_running(&self) -> bool {
        !self.done.load(Ordering::Acquire) && !self.thread.is_finished()
    }

    /// Ends it and waits for its answer.
    pub(super) fn stop(self) {
        self.stop.stop();
        drop(self.hold);
        // A search that panicked has said so on stderr.
        _ = self.thread.join();
    }

    /// Waits for the answer of a search with a limit; ends an endless one.
    pub(super) fn finish(self) {
        if self.hold.is_some() {
            self.stop();
        } else {
            _ = self.thread.join();
        }
    }
}

/// What `bestmove` says when the game is over.
pub(super) const NO_MOVE: &str = "none";

fn info_line(info: &Info) -> String {
    let millis = info.time.as_millis();
    let nps = u128::from(info.nodes) * 1000 / millis.max(1);
    let pv: String = info.pv.iter().map(|mv| format!(" {mv}")).collect();
    let (depth, score, nodes) = (info.depth, info.score, info.nodes);
    let pv = if pv.is_empty() { pv } else { format!(" pv{pv}") };
    format!("info depth {depth} score {score} nodes {nodes} nps {nps} time {millis}{pv}")
}
