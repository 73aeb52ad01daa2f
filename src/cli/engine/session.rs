//! The commands of one conversation.

use std::io;

use crate::{
    engines::{EngineState, Request},
    games::{AnyPosition, Line, Turn},
    records::on_one_line,
};

use super::{
    options::{Changed, Options},
    query, say,
    search::{NO_MOVE, Search, Task},
};

/// What the other program has told us so far.
pub(super) struct Session {
    options: Options,
    line: Line<AnyPosition>,
    search: Option<Search>,
    /// What was found on the game's earlier moves.
    engine_state: EngineState,
}

impl Default for Session {
    fn default() -> Self {
        let options = Options::default();
        let line = Line::new(AnyPosition::start(options.rules));
        Self { options, line, search: None, engine_state: EngineState::new() }
    }
}

impl Session {
    /// Carries out one line; false when it says to quit.
    ///
    /// # Errors
    /// Only when stdout cannot be written: what is wrong with the line itself
    /// is an `error` line.
    pub(super) fn command(&mut self, line: &str) -> io::Result<bool> {
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let done = match command {
            "" => Ok(()),
            "ugi" => {
                introduce()?;
                Ok(())
            }
            "isready" => {
                say("readyok")?;
                Ok(())
            }
            "uginewgame" => {
                self.stop();
                self.engine_state.clear();
                self.line = Line::new(AnyPosition::start(self.options.rules));
                Ok(())
            }
            "setoption" => self.set_option(rest),
            "position" => self.position(rest),
            "go" => self.go(rest),
            "stop" => {
                self.stop();
                Ok(())
            }
            "query" => match query::answer(&self.line, rest) {
                Some(answer) => {
                    say(format!("response {answer}").trim_end())?;
                    Ok(())
                }
                None => Err(format!("unknown query '{rest}'")),
            },
            "quit" => {
                self.stop();
                return Ok(false);
            }
            _ => Err(format!("unknown command '{command}'")),
        };
        if let Err(error) = done {
            say(&format!("error {}", on_one_line(&error)))?;
        }
        Ok(true)
    }

    /// What is left to do at the end of input.
    pub(super) fn finish(&mut self) {
        if let Some(search) = self.search.take() {
            search.finish();
        }
    }

    fn stop(&mut self) {
        if let Some(search) = self.search.take() {
            search.stop();
        }
    }

    fn set_option(&mut self, text: &str) -> Result<(), String> {
        let mut options = self.options.clone();
        let changed = options.set(text)?;
        self.stop();
        self.options = options;
        if changed == Changed::Rules {
            self.line = Line::new(AnyPosition::start(self.options.rules));
        }
        Ok(())
    }

    /// `startpos` or `fen POSITION`, then `moves` and plies. The old position
    /// stays when anything is wrong.
    fn position(&mut self, text: &str) -> Result<(), String> {
        let mut words = text.split_whitespace();
        let kind = words.next().unwrap_or_default();
        let before: Vec<_> = words.by_ref().take_while(|word| *word != "moves").collect();
        let start = match kind {
            "startpos" if before.is_empty() => AnyPosition::start(self.options.rules),
            "fen" => AnyPosition::parse(self.options.rules, &before.join(" "))
                .map_err(|error| error.to_string())?,
            "startpos" => return Err(format!("expected moves, not '{}'", before[0])),
            _ => return Err(format!("expected startpos or fen after position, not '{kind}'")),
        };
        let mut line = Line::new(start);
        for (index, word) in words.enumerate() {
            line.parse(word)
                .and_then(|ply| line.push(ply).map(|_| ()))
                .map_err(|reason| format!("illegal move {word} at ply {}: {reason}", index + 1))?;
        }
        self.stop();
        self.line = line;
        Ok(())
    }

    fn go(&mut self, text: &str) -> Result<(), String> {
        if self.search.as_ref().is_some_and(Search::is_running) {
            return Err("a search is under way: send stop first".to_owned());
        }
        self.stop();
        let task = Task::parse(text)?;
        match self.line.turn() {
            Turn::Throw(_) => {
                return Err("a throw is due: nobody chooses it, give one as a move t0 to t4".into());
            }
            Turn::Over(_) => {
                // The next command finds stdout closed if it is.
                _ = say(&format!("bestmove {NO_MOVE}"));
                return Ok(());
            }
            Turn::Move(_) => (),
        }
        let mut settings = self.options.settings.clone();
        let task = task.unwrap_or_else(|| Task { limits: settings.level.limits(), endless: false });
        // Who lets it think without end studies the game and has no opponent.
        settings.adapt &= !task.endless;
        let request = Request { line: self.line.clone(), limits: task.limits, options: settings };
        self.search = Some(Search::start(&self.engine_state, request, task.endless));
        Ok(())
    }
}

fn introduce() -> io::Result<()> {
    say(&format!("id name Tabulae {}", env!("CARGO_PKG_VERSION")))?;
    say("id author the Tabulae authors")?;
    for line in Options::lines() {
        say(&line)?;
    }
    say("ugiok")
}
