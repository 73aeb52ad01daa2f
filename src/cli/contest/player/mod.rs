//! Who plays in a match: a level of ours, another program that speaks UGI, or a
//! player of Bologna's competition.

mod client;
mod program;

use std::{fmt, process::Child, str::FromStr, time::Duration};

use crate::{
    engines::{
        EngineOptions, EngineState, Level, Request, SearchLimits, StopSignal, search_with_state,
    },
    games::{AnyMove, AnyPosition, Line, Side},
};

use self::{client::Client, program::Program};
use super::game::Terms;

/// A running program, ended when it is dropped.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended long ago; all that matters is that it is gone.
        _ = self.0.kill();
        _ = self.0.wait();
    }
}

/// A player by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Player {
    /// One of our levels.
    Level(Level),
    /// A command line that starts a UGI engine, already split into words.
    Command(Vec<String>),
    /// A command line that starts a client of Bologna's server.
    Client(Vec<String>),
}

impl Player {
    /// Whether it can only play a whole game from the start, by the rules of
    /// Bologna's competition.
    pub(super) const fn is_client(&self) -> bool {
        matches!(self, Self::Client(_))
    }

    /// Whether two of it can't play at the same time, since the port it comes
    /// to is always the same.
    pub(super) fn is_alone(&self) -> bool {
        matches!(self, Self::Client(words) if !words.iter().any(|word| word.contains("{port}")))
    }
}

impl FromStr for Player {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let kinds: [(&str, fn(Vec<String>) -> Self); 2] =
            [("cmd:", Self::Command), ("bologna:", Self::Client)];
        for (prefix, kind) in kinds {
            if let Some(command) = text.strip_prefix(prefix) {
                let words = split(command)?;
                if words.is_empty() {
                    return Err(format!("expected a command after {prefix}"));
                }
                return Ok(kind(words));
            }
        }
        let level = Level::ALL.into_iter().find(|level| level.to_string() == text);
        level.map(Self::Level).ok_or_else(|| {
            let names = Level::ALL.map(|level| level.to_string()).join(", ");
            format!("expected a level ({names}), cmd:COMMAND or bologna:COMMAND")
        })
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Level(level) => level.fmt(f),
            Self::Command(words) | Self::Client(words) => f.write_str(&words.join(" ")),
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
        /// How it thinks.
        settings: EngineOptions,
        /// What it knows from the game's earlier moves.
        engine_state: EngineState,
    },
    /// Another program.
    Program(Program),
    /// A client of Bologna's server.
    Client(Client),
}

impl Contestant {
    /// Takes a seat.
    ///
    /// # Errors
    /// The program cannot be started or does not answer; the text says so.
    pub(super) fn sit(
        terms: &Terms,
        player: &Player,
        side: Side,
        seed: u64,
    ) -> Result<Self, String> {
        match player {
            Player::Level(level) => {
                let settings = EngineOptions {
                    level: *level,
                    threads: terms.threads,
                    hash_mib: terms.hash_mib,
                    seed,
                    ..EngineOptions::default()
                };
                Ok(Self::Level { settings, engine_state: EngineState::new() })
            }
            Player::Command(words) => Program::start(words, terms).map(Self::Program),
            Player::Client(words) => Client::start(words, side, terms).map(Self::Client),
        }
    }

    /// Shows it how the game stands.
    ///
    /// # Errors
    /// It can't be told any more.
    pub(super) fn watch(&mut self, line: &Line<AnyPosition>) -> Result<(), String> {
        match self {
            // They are told when they are asked.
            Self::Level { .. } | Self::Program(_) => Ok(()),
            Self::Client(client) => client.watch(line),
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
            Self::Level { settings, engine_state } => {
                let request = Request {
                    line: line.clone(),
                    limits: SearchLimits { movetime: Some(movetime), ..settings.level.limits() },
                    options: settings.clone(),
                };
                search_with_state(engine_state, &request, &StopSignal::default(), &mut |_| ())
                    .ok_or_else(|| "gives no move".to_owned())
            }
            Self::Client(client) => client.choose(line, movetime),
            Self::Program(program) => program.choose(line, movetime),
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
        let client = Player::from_str("bologna:./player white");
        let words = ["./player", "white"].map(str::to_owned).to_vec();
        assert_eq!(client, Ok(Player::Client(words)));
        for bad in ["", "grandmaster", "bologna: ", "cmd:", "cmd:  ", "cmd:a 'b"] {
            assert!(bad.parse::<Player>().is_err(), "{bad}");
        }
    }
}
