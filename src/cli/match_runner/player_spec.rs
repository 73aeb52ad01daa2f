//! The players of a match as they are given: a built-in level, a yardstick, another program
//! that speaks UGI, or a client of Bologna's competition.

use std::{fmt, str::FromStr};

use crate::{
    cli::{bologna::protocol::COMPETITION_RULES, prelude::*},
    engines::Yardstick,
    session::split_command,
};

/// A player as it is given on the command line. `Display` writes its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PlayerSpec {
    /// The name before `=`.
    name: Option<String>,
    /// The whole text on the command line.
    pub(super) spec: String,
    pub(super) kind: PlayerKind,
}

/// What plays the moves of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PlayerKind {
    /// One of the built-in levels.
    Level(Level),
    /// A simple player to measure others by.
    Yardstick(Yardstick),
    /// The command line of a UGI engine, split into words.
    Ugi(Vec<String>),
    /// The command line of a client of Bologna's server, split into words.
    Bologna(Vec<String>),
}

impl PlayerSpec {
    /// Whether it is a client of Bologna's server, which plays only that
    /// competition's rules and only from the initial position.
    pub(super) const fn is_bologna_client(&self) -> bool {
        matches!(self.kind, PlayerKind::Bologna(_))
    }

    /// A client that has connected by itself and sent this name; the name of its side
    /// stands for an empty one.
    pub(super) fn connected(name: &str, side: Side) -> Self {
        let name = if name.is_empty() { COMPETITION_RULES.side_name(side) } else { name };
        let kind = PlayerKind::Bologna(Vec::new());
        Self { name: Some(name.to_owned()), spec: name.to_owned(), kind }
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

impl FromStr for PlayerSpec {
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

impl fmt::Display for PlayerSpec {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_is_a_level_or_a_command_line() {
        let kind = |text: &str| text.parse().map(|player: PlayerSpec| player.kind);
        assert_eq!(kind("club"), Ok(PlayerKind::Level(Level::Club)));
        assert_eq!(kind("greedy"), Ok(PlayerKind::Yardstick(Yardstick::Greedy)));
        let command = kind(r#"cmd: "my engine" -x 'a "b"' ''"#);
        let words = ["my engine", "-x", "a \"b\"", ""].map(str::to_owned).to_vec();
        assert_eq!(command, Ok(PlayerKind::Ugi(words)));
        let client = kind("bologna:./player white");
        let words = ["./player", "white"].map(str::to_owned).to_vec();
        assert_eq!(client, Ok(PlayerKind::Bologna(words)));
        for bad in ["", "grandmaster", "bologna: ", "cmd:", "cmd:  ", "cmd:a 'b"] {
            assert!(bad.parse::<PlayerSpec>().is_err(), "{bad}");
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
            let player: PlayerSpec = text.parse().unwrap();
            assert_eq!((player.to_string().as_str(), player.spec.as_str()), (name, text));
        }
        for bad in ["=club", " =club", "a=", "a=nobody", "a=b=club", "a\nb=club"] {
            assert!(bad.parse::<PlayerSpec>().is_err(), "{bad}");
        }
    }
}
