//! Who plays in a match: a level of ours, or another program that speaks UGI.

use std::{
    fmt,
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, Command, Stdio},
    str::FromStr,
    sync::mpsc::{self, Receiver, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

use crate::{
    engines::{Level, Limits, Request, Settings, Stop, think},
    games::{AnyMove, AnyPosition, Line, Ply, RuleSet},
};

/// A player by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Player {
    /// One of our levels.
    Level(Level),
    /// A command line that starts a UGI engine, already split into words.
    Command(Vec<String>),
}

impl FromStr for Player {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(command) = text.strip_prefix("cmd:") {
            let words = split(command)?;
            if words.is_empty() {
                return Err("expected a command after cmd:".to_owned());
            }
            return Ok(Self::Command(words));
        }
        let level = Level::ALL.into_iter().find(|level| level.to_string() == text);
        level.map(Self::Level).ok_or_else(|| {
            let names = Level::ALL.map(|level| level.to_string()).join(", ");
            format!("expected a level ({names}) or cmd:COMMAND")
        })
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Level(level) => level.fmt(f),
            Self::Command(words) => f.write_str(&words.join(" ")),
        }
    }
}

/// Splits a command line at white space; single and double quotes keep words
/// together. No shell is asked, so nothing else is special.
fn split(command: &str) -> Result<Vec<String>, String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for symbol in command.chars() {
        match quote {
            Some(open) if symbol == open => quote = None,
            Some(_) => word.get_or_insert_default().push(symbol),
            None if symbol == '"' || symbol == '\'' => {
                quote = Some(symbol);
                word.get_or_insert_default();
            }
            None if symbol.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(symbol),
        }
    }
    words.extend(word);
    match quote {
        Some(open) => Err(format!("the quote {open} is not closed")),
        None => Ok(words),
    }
}

/// A player at the board, for one game.
pub(super) enum Contestant {
    /// One of our levels, thinking on the game's own thread.
    Level {
        /// Which one.
        level: Level,
        /// For its noise.
        seed: u64,
    },
    /// Another program.
    Program(Program),
}

impl Contestant {
    /// Takes a seat.
    ///
    /// # Errors
    /// The program cannot be started or does not answer; the text says so.
    pub(super) fn sit(player: &Player, rules: RuleSet, seed: u64) -> Result<Self, String> {
        match player {
            Player::Level(level) => Ok(Self::Level { level: *level, seed }),
            Player::Command(words) => Program::start(words, rules).map(Self::Program),
        }
    }

    /// Chooses a move.
    ///
    /// # Errors
    /// It has none, or none that is legal, or does not answer: the text says
    /// what it did.
    pub(super) fn choose(
        &mut self,
        line: &Line<AnyPosition>,
        movetime: Duration,
    ) -> Result<AnyMove, String> {
        match self {
            Self::Level { level, seed } => {
                let request = Request {
                    line: line.clone(),
                    limits: Limits { movetime: Some(movetime), ..level.limits() },
                    settings: Settings { level: *level, threads: 1, hash_mib: 16, seed: *seed },
                };
                think(&request, &Stop::default(), &mut |_| ())
                    .ok_or_else(|| "gives no move".to_owned())
            }
            Self::Program(program) => program.choose(line, movetime),
        }
    }
}

/// How long a program may take to start, and over its time to move.
const PATIENCE: Duration = Duration::from_secs(10);

/// A running UGI engine. It is ended when the game is.
pub(super) struct Program {
    child: Child,
    input: ChildStdin,
    output: Receiver<String>,
}

impl Drop for Program {
    fn drop(&mut self) {
        _ = writeln!(self.input, "quit");
        // It may have ended long ago; all that matters is that it is gone.
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

impl Program {
    fn start(words: &[String], rules: RuleSet) -> Result<Self, String> {
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
        let mut program = Self { child, input, output };
        program.tell("ugi")?;
        program.wait_for("ugiok", PATIENCE)?;
        program.tell(&format!("setoption name Rules value {rules}"))?;
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

    fn choose(&mut self, line: &Line<AnyPosition>, movetime: Duration) -> Result<AnyMove, String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_have_names() {
        assert_eq!("club".parse(), Ok(Player::Level(Level::Club)));
        let command = Player::from_str(r#"cmd: "my engine" -x 'a "b"' ''"#);
        let words = ["my engine", "-x", "a \"b\"", ""].map(str::to_owned).to_vec();
        assert_eq!(command, Ok(Player::Command(words)));
        for bad in ["", "grandmaster", "cmd:", "cmd:  ", "cmd:a 'b"] {
            assert!(bad.parse::<Player>().is_err(), "{bad}");
        }
    }
}
