//! Another program that speaks UGI.
//!
//! It may be broken in any way: it may hang, flood us with lines, never end
//! one, write what is no text, or not read what it is told. None of it costs
//! more than its patience or takes more memory than a few lines.

use std::{
    io::{BufRead, BufReader, Read, Write},
    process::{ChildStdin, ChildStdout, Command, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender},
    thread,
    time::{Duration, Instant},
};

use crate::games::{AnyMove, AnyPosition, GameHistory, Ply};

use super::{super::game::Terms, Process};

/// Lines it may be ahead of us; further ones wait in its own pipe.
const AHEAD: usize = 256;
/// What is longer is no line of the protocol, in bytes.
const LONGEST_LINE: u64 = 1 << 16;

/// No more of what it said is quoted, in characters.
const LONGEST_QUOTE: usize = 200;

/// A running UGI engine. It is ended when the game is.
pub(in super::super) struct Program {
    input: Sender<String>,
    output: Receiver<String>,
    patience: Duration,
    _process: Process,
}

impl Drop for Program {
    fn drop(&mut self) {
        // Its process goes next, whether it has read this or not.
        _ = self.tell("quit");
    }
}

/// Passes on what it says, line by line, until it ends or nobody listens.
fn hear(stdout: ChildStdout, sender: &SyncSender<String>) {
    let mut output = BufReader::new(stdout);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match (&mut output).take(LONGEST_LINE).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) if sender.send(String::from_utf8_lossy(&bytes).into_owned()).is_err() => return,
            Ok(_) => {}
        }
    }
}

/// Tells it lines, at the speed at which it reads them.
fn speak(mut stdin: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        if writeln!(stdin, "{line}").and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

impl Program {
    pub(super) fn start(words: &[String], terms: &Terms) -> Result<Self, String> {
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
        let (sender, output) = mpsc::sync_channel(AHEAD);
        thread::spawn(move || hear(stdout, &sender));
        let (input, lines) = mpsc::channel();
        thread::spawn(move || speak(stdin, &lines));
        let (patience, _process) = (terms.patience, Process(child));
        let mut program = Self { input, output, patience, _process };
        program.tell("ugi")?;
        program.wait_for("ugiok", patience)?;
        program.tell(&format!("setoption name Rules value {}", terms.rules))?;
        program.tell("isready")?;
        program.wait_for("readyok", patience)?;
        program.tell("uginewgame")?;
        Ok(program)
    }

    fn tell(&self, line: &str) -> Result<(), String> {
        self.input.send(line.to_owned()).map_err(|_| "has ended".to_owned())
    }

    /// The rest of the next line that begins with `word`; an `error` line ends
    /// the patience.
    fn wait_for(&mut self, word: &str, time: Duration) -> Result<String, String> {
        let deadline = Instant::now() + time;
        let late = || format!("does not answer {word} in {:.1} s", time.as_secs_f64());
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            // A flood of other lines is no answer: the receiver would go on
            // giving them after the time.
            if left.is_zero() {
                return Err(late());
            }
            let line = self.output.recv_timeout(left).map_err(|error| match error {
                RecvTimeoutError::Timeout => late(),
                RecvTimeoutError::Disconnected => "has ended".to_owned(),
            })?;
            let line = line.trim();
            let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            if first == word {
                return Ok(rest.trim().to_owned());
            }
            if first == "error" {
                let said: String = line.chars().take(LONGEST_QUOTE).collect();
                return Err(format!("says '{said}'"));
            }
        }
    }

    pub(super) fn choose(
        &mut self,
        line: &GameHistory<AnyPosition>,
        movetime: Duration,
    ) -> Result<AnyMove, String> {
        let start = line.start();
        let mut position = if *start == AnyPosition::start(start.rules()) {
            "position startpos".to_owned()
        } else {
            format!("position fen {start}")
        };
        if !line.is_empty() {
            position += " moves";
        }
        for ply in line.plies() {
            position += &format!(" {ply}");
        }
        self.tell(&position)?;
        self.tell(&format!("go movetime {}", movetime.as_millis()))?;
        let answer = self.wait_for("bestmove", movetime + self.patience)?;
        let text = answer.split_whitespace().next().unwrap_or_default();
        let text: String = text.chars().take(LONGEST_QUOTE).collect();
        match line.parse(&text) {
            Ok(Ply::Move(mv)) => Ok(mv),
            Ok(Ply::Throw(_)) => Err(format!("answers '{text}', which is a throw")),
            Err(illegal) => Err(format!("plays '{text}': {illegal}")),
        }
    }
}
