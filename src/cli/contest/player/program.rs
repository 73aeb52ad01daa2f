//! Another program that speaks UGI.

use std::{
    io::{BufRead, BufReader, Write},
    process::{ChildStdin, Command, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

use crate::games::{AnyMove, AnyPosition, Line, Ply};

use super::{super::game::Terms, PATIENCE, Process};

/// A running UGI engine. It is ended when the game is.
pub(in super::super) struct Program {
    input: ChildStdin,
    output: Receiver<String>,
    _process: Process,
}

impl Drop for Program {
    fn drop(&mut self) {
        // Its process goes next, whether it has read this or not.
        _ = writeln!(self.input, "quit");
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
        let (Some(input), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("has no stdin or stdout".to_owned());
        };
        let (sender, output) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let mut program = Self { input, output, _process: Process(child) };
        program.tell("ugi")?;
        program.wait_for("ugiok", PATIENCE)?;
        program.tell(&format!("setoption name Rules value {}", terms.rules))?;
        program.tell("isready")?;
        program.wait_for("readyok", PATIENCE)?;
        program.tell("uginewgame")?;
        Ok(program)
    }

    fn tell(&mut self, line: &str) -> Result<(), String> {
        writeln!(self.input, "{line}")
            .and_then(|()| self.input.flush())
            .map_err(|_| "has ended".to_owned())
    }

    /// The rest of the next line that begins with `word`; an `error` line ends
    /// the patience.
    fn wait_for(&mut self, word: &str, time: Duration) -> Result<String, String> {
        let deadline = Instant::now() + time;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let line = self.output.recv_timeout(left).map_err(|error| match error {
                RecvTimeoutError::Timeout => {
                    format!("does not answer {word} in {:.1} s", time.as_secs_f64())
                }
                RecvTimeoutError::Disconnected => "has ended".to_owned(),
            })?;
            let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((&line, ""));
            if first == word {
                return Ok(rest.trim().to_owned());
            }
            if first == "error" {
                return Err(format!("says '{}'", line.trim()));
            }
        }
    }

    pub(super) fn choose(
        &mut self,
        line: &Line<AnyPosition>,
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
        let answer = self.wait_for("bestmove", movetime + PATIENCE)?;
        let text = answer.split_whitespace().next().unwrap_or_default();
        match line.parse(text) {
            Ok(Ply::Move(mv)) => Ok(mv),
            Ok(Ply::Throw(_)) => Err(format!("answers '{text}', which is a throw")),
            Err(illegal) => Err(format!("plays '{text}': {illegal}")),
        }
    }
}
