//! A player that is another program and speaks UGI.
//!
//! The program may be broken in any way: hang, flood the match with lines, never
//! end a line, write bytes that are no text, or not read its input. The cost is
//! bounded by `MatchConfig::patience` and the memory for a few lines.

use std::{
    io::{BufRead, BufReader, Read, Write},
    process::{ChildStdin, ChildStdout, Command, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender},
    thread,
    time::{Duration, Instant},
};

use crate::games::{AnyMove, AnyPosition, GameHistory};

use super::{super::config::MatchConfig, ChildProcess, MoveLimits, parse_answer};

/// Unread lines to buffer; further ones wait in the program's pipe.
const LINE_BUFFER: usize = 256;
/// Bytes after which a line is cut.
const MAX_LINE_BYTES: u64 = 1 << 16;
/// Characters of the program's output that a message quotes.
const MAX_QUOTE_CHARS: usize = 200;

/// A running UGI engine, killed at the end of the game.
pub(in super::super) struct UgiEngine {
    input: Sender<String>,
    output: Receiver<String>,
    patience: Duration,
    _process: ChildProcess,
}

impl Drop for UgiEngine {
    fn drop(&mut self) {
        // The process is killed next, whether it has read this or not.
        _ = self.send("quit");
    }
}

/// Forwards the program's lines until it closes its output or the receiver is
/// dropped.
fn read_lines(stdout: ChildStdout, sender: &SyncSender<String>) {
    let mut output = BufReader::new(stdout);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match (&mut output).take(MAX_LINE_BYTES).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) if sender.send(String::from_utf8_lossy(&bytes).into_owned()).is_err() => return,
            Ok(_) => {}
        }
    }
}

/// Writes lines to the program as fast as it reads them.
fn write_lines(mut stdin: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        if writeln!(stdin, "{line}").and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

impl UgiEngine {
    /// Starts the program and waits until it is ready for a game.
    ///
    /// # Errors
    /// The program cannot be started or does not answer; the text says so.
    pub(super) fn start(words: &[String], config: &MatchConfig) -> Result<Self, String> {
        let (name, arguments) = words.split_first().ok_or("has no command")?;
        let mut child = Command::new(name)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("cannot be started: {error}"))?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("has no stdin or stdout".to_owned());
        };
        let (sender, output) = mpsc::sync_channel(LINE_BUFFER);
        thread::spawn(move || read_lines(stdout, &sender));
        let (input, lines) = mpsc::channel();
        thread::spawn(move || write_lines(stdin, &lines));
        let (patience, _process) = (config.patience, ChildProcess(child));
        let mut engine = Self { input, output, patience, _process };
        engine.send("ugi")?;
        engine.wait_for("ugiok", patience)?;
        engine.send(&format!("setoption name Rules value {}", config.rules))?;
        engine.send("isready")?;
        engine.wait_for("readyok", patience)?;
        engine.send("uginewgame")?;
        Ok(engine)
    }

    fn send(&self, line: &str) -> Result<(), String> {
        self.input.send(line.to_owned()).map_err(|_| "has ended".to_owned())
    }

    /// Skips lines up to one that begins with `word` and returns its rest. An
    /// `error` line ends the wait.
    fn wait_for(&mut self, word: &str, time: Duration) -> Result<String, String> {
        let deadline = Instant::now() + time;
        let timed_out = || format!("does not answer {word} in {:.1} s", time.as_secs_f64());
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            // With other lines waiting, `recv_timeout` would return them even
            // after the deadline.
            if left.is_zero() {
                return Err(timed_out());
            }
            let line = self.output.recv_timeout(left).map_err(|error| match error {
                RecvTimeoutError::Timeout => timed_out(),
                RecvTimeoutError::Disconnected => "has ended".to_owned(),
            })?;
            let line = line.trim();
            let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            if first == word {
                return Ok(rest.trim().to_owned());
            }
            if first == "error" {
                let quote: String = line.chars().take(MAX_QUOTE_CHARS).collect();
                return Err(format!("says '{quote}'"));
            }
        }
    }

    /// Asks for a move.
    ///
    /// # Errors
    /// The program gives no legal move in time; the text says what it did.
    pub(super) fn choose_move(
        &mut self,
        history: &GameHistory<AnyPosition>,
        limits: MoveLimits,
    ) -> Result<AnyMove, String> {
        let start = history.start();
        let mut position = if *start == AnyPosition::start(start.rules()) {
            "position startpos".to_owned()
        } else {
            format!("position fen {start}")
        };
        if !history.is_empty() {
            position += " moves";
        }
        for ply in history.plies() {
            position += &format!(" {ply}");
        }
        self.send(&position)?;
        self.send(&go_command(limits))?;
        let answer = self.wait_for("bestmove", limits.deadline(history, self.patience))?;
        let text = answer.split_whitespace().next().unwrap_or_default();
        let text: String = text.chars().take(MAX_QUOTE_CHARS).collect();
        parse_answer(history, &text)
    }
}

/// The `go` command of a move.
fn go_command(limits: MoveLimits) -> String {
    let mut go = "go".to_owned();
    match limits {
        MoveLimits::PerMove(limits) => {
            let time = limits.movetime.map(|time| format!(" movetime {}", time.as_millis()));
            let depth = limits.depth.map(|depth| format!(" depth {depth}"));
            let nodes = limits.nodes.map(|nodes| format!(" nodes {nodes}"));
            go.extend([time, depth, nodes].into_iter().flatten());
        }
        MoveLimits::Clocks(clocks, _) => {
            for (number, clock) in (1..).zip(clocks) {
                let (time, increment) = (clock.remaining.as_millis(), clock.increment.as_millis());
                go += &format!(" p{number}time {time} p{number}inc {increment}");
            }
        }
    }
    go
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::{PlayerClock, SearchLimits};

    #[test]
    fn go_names_every_limit() {
        let limits = SearchLimits {
            movetime: Some(Duration::from_millis(20)),
            depth: Some(3),
            nodes: Some(400),
        };
        assert_eq!(go_command(MoveLimits::PerMove(limits)), "go movetime 20 depth 3 nodes 400");
        let clock = |seconds| PlayerClock {
            remaining: Duration::from_secs(seconds),
            increment: Duration::from_millis(500),
            moves_to_go: None,
        };
        let clocks = MoveLimits::Clocks([clock(60), clock(30)], Duration::ZERO);
        assert_eq!(go_command(clocks), "go p1time 60000 p1inc 500 p2time 30000 p2inc 500");
    }
}
