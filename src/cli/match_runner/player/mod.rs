//! The players of a match: a built-in level, a yardstick, another program that speaks
//! UGI, or a client of Bologna's competition.

mod bologna;

use std::{fmt, str::FromStr, time::Duration};

use crate::{
    engines::{
        EngineOptions, EngineState, Level, PlayerClock, Request, SearchLimits, StopSignal,
        Yardstick, preload, search_with_state,
    },
    games::{AnyMove, AnyPosition, Game as _, GameHistory, Ply, Side},
    records::on_one_line,
    session::{ProgramLimits, UgiProgram, split_command},
};

use self::bologna::BolognaClient;
use super::config::MatchConfig;

/// A player as it is given on the command line. `Display` writes its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Player {
    /// The name before `=`.
    name: Option<String>,
    /// The whole text on the command line.
    spec: String,
    kind: PlayerKind,
}

/// What plays.
#[derive(Clone, Debug, PartialEq, Eq)]
enum PlayerKind {
    /// One of the built-in levels.
    Level(Level),
    /// A simple player to measure others by.
    Yardstick(Yardstick),
    /// The command line of a UGI engine, split into words.
    Ugi(Vec<String>),
    /// The command line of a client of Bologna's server, split into words.
    Bologna(Vec<String>),
}

impl Player {
    /// Whether it is a client of Bologna's server, which plays only that
    /// competition's rules and only from the initial position.
    pub(super) const fn is_bologna_client(&self) -> bool {
        matches!(self.kind, PlayerKind::Bologna(_))
    }

    /// The text on the command line.
    pub(super) fn spec(&self) -> &str {
        &self.spec
    }

    /// Looks for the player's program, without starting it. A mistyped command is an
    /// error and must not count as lost games.
    ///
    /// # Errors
    /// The program's name, and why it cannot be run.
    pub(super) fn check_program(&self) -> Result<(), (&str, which::Error)> {
        let (PlayerKind::Ugi(words) | PlayerKind::Bologna(words)) = &self.kind else {
            return Ok(());
        };
        let Some(name) = words.first() else { return Ok(()) };
        which::which(name).map(drop).map_err(|error| (name.as_str(), error))
    }

    /// Whether it connects to the competition's fixed port, so that only one
    /// game can be played at a time.
    pub(super) fn needs_fixed_port(&self) -> bool {
        matches!(
            &self.kind,
            PlayerKind::Bologna(words) if !words.iter().any(|word| word.contains("{port}"))
        )
    }
}

impl FromStr for Player {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let is_named = !PREFIXES.iter().any(|(prefix, _)| text.starts_with(prefix));
        let (name, kind) = match text.split_once('=').filter(|_| is_named) {
            None => (None, text),
            Some((name, kind)) => (Some(name.trim()), kind),
        };
        if name.is_some_and(|name| name.is_empty() || name.contains(char::is_control)) {
            return Err("expected a name of one line before '='".to_owned());
        }
        Ok(Self { name: name.map(str::to_owned), spec: text.to_owned(), kind: kind.parse()? })
    }
}

/// What begins the command of each kind of program.
const PREFIXES: [(&str, fn(Vec<String>) -> PlayerKind); 2] =
    [("cmd:", PlayerKind::Ugi), ("bologna:", PlayerKind::Bologna)];

impl FromStr for PlayerKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        for (prefix, kind) in PREFIXES {
            if let Some(command) = text.strip_prefix(prefix) {
                if command.trim().is_empty() {
                    return Err(format!("expected a command after {prefix}"));
                }
                let words = split_command(command).ok_or_else(|| {
                    format!("unclosed quote or final backslash in the command '{command}'")
                })?;
                return Ok(kind(words));
            }
        }
        if let Ok(yardstick) = text.parse() {
            return Ok(Self::Yardstick(yardstick));
        }
        text.parse().map(Self::Level).map_err(|_| {
            format!(
                "expected a level ({}), greedy, random, cmd:COMMAND or bologna:COMMAND",
                Level::names()
            )
        })
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.name, &self.kind) {
            (Some(name), _) => f.write_str(name),
            (None, PlayerKind::Level(level)) => level.fmt(f),
            (None, PlayerKind::Yardstick(yardstick)) => yardstick.fmt(f),
            (None, PlayerKind::Ugi(words) | PlayerKind::Bologna(words)) => {
                f.write_str(&on_one_line(&words.join(" ")))
            }
        }
    }
}

/// Why a player was not started.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum StartError {
    /// The player's fault, which loses the game.
    Player(String),
    /// Not the player's fault: the match cannot go on.
    Match(String),
}

/// A player in one game.
pub(super) enum PlayerInstance {
    /// A built-in level, which searches on the game's own thread.
    Level {
        /// The engine's options.
        options: EngineOptions,
        /// The search tables, kept from move to move.
        engine_state: EngineState,
    },
    /// A simple player.
    Yardstick {
        /// Which one.
        yardstick: Yardstick,
        /// The seed of its choices.
        seed: u64,
    },
    /// A UGI engine, and by how much it may overrun its time for a move.
    Ugi(UgiProgram, Duration),
    /// A client of Bologna's server.
    Bologna(BolognaClient),
}

impl PlayerInstance {
    /// Starts a player.
    ///
    /// # Errors
    /// The program cannot be started or does not answer, or the match cannot serve
    /// it; the text says so.
    pub(super) fn start(
        config: &MatchConfig,
        player: &Player,
        side: Side,
        seed: u64,
    ) -> Result<Self, StartError> {
        match &player.kind {
            PlayerKind::Level(level) => {
                let options = EngineOptions {
                    level: *level,
                    threads: config.threads,
                    hash_mib: config.hash_mib,
                    seed,
                    book: true,
                    ..EngineOptions::default()
                };
                // Takes nothing from its first move.
                preload(config.rules);
                Ok(Self::Level { options, engine_state: EngineState::new() })
            }
            PlayerKind::Yardstick(yardstick) => Ok(Self::Yardstick { yardstick: *yardstick, seed }),
            PlayerKind::Ugi(words) => {
                let started = UgiProgram::start(words, config.patience).and_then(|mut program| {
                    program.new_game(config.rules).map(|()| Self::Ugi(program, config.patience))
                });
                started.map_err(|error| StartError::Player(error.to_string()))
            }
            PlayerKind::Bologna(words) => {
                BolognaClient::start(words, side, config).map(Self::Bologna)
            }
        }
    }

    /// Shows the position at the start and after each ply to a player that follows
    /// the whole game.
    ///
    /// # Errors
    /// The program cannot be reached any more.
    pub(super) fn show_position(
        &mut self,
        history: &GameHistory<AnyPosition>,
    ) -> Result<(), String> {
        match self {
            // These get the position together with the request for a move.
            Self::Level { .. } | Self::Yardstick { .. } | Self::Ugi(..) => Ok(()),
            Self::Bologna(client) => client.show_position(history),
        }
    }

    /// Asks for a move.
    ///
    /// # Errors
    /// The player gives no legal move in time; the text says what it did.
    pub(super) fn choose_move(
        &mut self,
        history: &GameHistory<AnyPosition>,
        limits: MoveLimits,
    ) -> Result<AnyMove, String> {
        match self {
            Self::Level { options, engine_state } => {
                let (limits, stop) = limits.of_search(history);
                let request =
                    Request { history: history.clone(), limits, options: options.clone() };
                search_with_state(engine_state, &request, &stop, &mut |_| ())
                    .ok_or_else(|| "gives no move".to_owned())
            }
            Self::Yardstick { yardstick, seed } => {
                yardstick.choose_move(history, *seed).ok_or_else(|| "gives no move".to_owned())
            }
            Self::Ugi(program, patience) => {
                let deadline = limits.deadline(history, *patience);
                program
                    .choose_move(history, &limits.of_program(), deadline, &mut |_| ())
                    .map_err(|error| error.to_string())
            }
            Self::Bologna(client) => client.choose_move(history, limits),
        }
    }
}

/// How long a player may think about one move.
#[derive(Clone, Copy, Debug)]
pub(super) enum MoveLimits {
    /// The limits of this move.
    PerMove(SearchLimits),
    /// The clocks of both sides, the first side's first, and by how much a player may
    /// overstep its own.
    Clocks([PlayerClock; 2], Duration),
}

impl MoveLimits {
    /// The limits of a built-in level's search.
    fn of_search(self, history: &GameHistory<AnyPosition>) -> (SearchLimits, StopSignal) {
        match self {
            Self::PerMove(limits) => (limits, StopSignal::default()),
            Self::Clocks(clocks, _) => {
                let time = clocks[history.position().side().index()].allot();
                let limits = SearchLimits { movetime: Some(time.hard), ..SearchLimits::default() };
                (limits, StopSignal::with_soft_limit(Some(time.soft)))
            }
        }
    }

    /// The limits of a program's search.
    const fn of_program(self) -> ProgramLimits {
        match self {
            Self::PerMove(limits) => ProgramLimits::PerMove(limits),
            Self::Clocks(clocks, _) => ProgramLimits::Clocks(clocks),
        }
    }

    /// How long to wait for the move of a program that may overrun its move time by
    /// `patience`.
    fn deadline(self, history: &GameHistory<AnyPosition>, patience: Duration) -> Duration {
        match self {
            Self::PerMove(limits) => limits.movetime.unwrap_or_default() + patience,
            Self::Clocks(clocks, margin) => {
                clocks[history.position().side().index()].remaining + margin
            }
        }
    }
}

/// Parses a program's answer as a move.
fn parse_answer(history: &GameHistory<AnyPosition>, text: &str) -> Result<AnyMove, String> {
    match history.parse(text) {
        Ok(Ply::Move(mv)) => Ok(mv),
        Ok(Ply::Throw(_)) => Err(format!("answers '{text}', which is a throw")),
        Err(illegal) => Err(format!("plays '{text}': {illegal}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_is_a_level_or_a_command_line() {
        let kind = |text: &str| text.parse().map(|player: Player| player.kind);
        assert_eq!(kind("club"), Ok(PlayerKind::Level(Level::Club)));
        assert_eq!(kind("greedy"), Ok(PlayerKind::Yardstick(Yardstick::Greedy)));
        let command = kind(r#"cmd: "my engine" -x 'a "b"' ''"#);
        let words = ["my engine", "-x", "a \"b\"", ""].map(str::to_owned).to_vec();
        assert_eq!(command, Ok(PlayerKind::Ugi(words)));
        let client = kind("bologna:./player white");
        let words = ["./player", "white"].map(str::to_owned).to_vec();
        assert_eq!(client, Ok(PlayerKind::Bologna(words)));
        for bad in ["", "grandmaster", "bologna: ", "cmd:", "cmd:  ", "cmd:a 'b"] {
            assert!(bad.parse::<Player>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_player_may_have_a_name() {
        for (text, name) in [
            ("club", "club"),
            ("cmd:./engine --x=3", "./engine --x=3"),
            ("new=club", "new"),
            ("my engine=cmd:./engine --x=3", "my engine"),
        ] {
            let player: Player = text.parse().unwrap();
            assert_eq!((player.to_string().as_str(), player.spec()), (name, text));
        }
        for bad in ["=club", " =club", "a=", "a=nobody", "a=b=club", "a\nb=club"] {
            assert!(bad.parse::<Player>().is_err(), "{bad}");
        }
    }
}
