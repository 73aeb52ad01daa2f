//! The settings that all games of a match share.

use std::{fmt, str::FromStr};

use crate::{cli::prelude::*, engines::PlayerClock};

use super::player_spec::PlayerSpec;

/// The settings of a match.
#[derive(Clone, Debug)]
pub(super) struct MatchConfig {
    pub(super) rules: RuleSet,
    pub(super) players: [PlayerSpec; 2],
    pub(super) limits: ThinkingLimits,
    /// How long a program may take to start.
    pub(super) patience: Duration,
    /// By how much a program may overrun its time for a move.
    pub(super) overrun: Duration,
    /// The number of moves of each client of Bologna's competition in a game that may be
    /// refused before it loses.
    pub(super) permitted_errors: u32,
    /// Search threads of each built-in level.
    pub(super) threads: usize,
    /// Transposition table of each built-in level, in MiB.
    pub(super) hash_mib: usize,
    pub(super) seed: u64,
    /// Number of random opening moves.
    pub(super) opening_moves: usize,
    /// A game that reaches this length is a draw.
    pub(super) max_plies: usize,
}

impl MatchConfig {
    /// The player of a side in game `number`, counted from 0.
    pub(super) fn player(&self, number: usize, side: Side) -> &PlayerSpec {
        &self.players[usize::from(side != side_of_first(number))]
    }

    /// The seed of a game's opening and sticks, the same for both games of a pair.
    pub(super) const fn pair_seed(&self, number: usize) -> u64 {
        self.seed.wrapping_add((number / 2) as u64)
    }

    /// A player and its side for messages: `club (White)`.
    pub(super) fn describe_player(&self, number: usize, side: Side) -> String {
        format!("{} ({})", self.player(number, side), self.rules.side_name(side))
    }
}

/// The side of the match's first player in game `number`: the players swap
/// sides after each game.
pub(super) const fn side_of_first(number: usize) -> Side {
    if number.is_multiple_of(2) { Side::First } else { Side::Second }
}

/// How long the players may think.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ThinkingLimits {
    /// These limits for each move; at least one is set.
    PerMove(SearchLimits),
    /// A clock for each player.
    Clock {
        clock: GameClock,
        /// By how much a player may overstep it.
        margin: Duration,
    },
}

impl ThinkingLimits {
    /// The time for a move, if it is the same for each.
    pub(super) const fn movetime(self) -> Option<Duration> {
        match self {
            Self::PerMove(limits) => limits.movetime,
            Self::Clock { .. } => None,
        }
    }
}

impl fmt::Display for ThinkingLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limits = match self {
            Self::PerMove(limits) => limits,
            Self::Clock { clock, .. } => return write!(f, "{clock} s a game"),
        };
        let time = limits.movetime.map(|time| format!("{} ms", time.as_millis()));
        let nodes = limits.nodes.map(|nodes| format!("{nodes} nodes"));
        let depth = limits.depth.map(|depth| format!("depth {depth}"));
        let all: Vec<_> = [time, nodes, depth].into_iter().flatten().collect();
        write!(f, "{} a move", all.join(" or "))
    }
}

/// A time for the whole game with an increment after each move (Fischer). As text in
/// seconds, `60` or `60+0.5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GameClock {
    pub(super) time: Duration,
    pub(super) increment: Duration,
}

impl GameClock {
    /// The longest time of either part: 100 hours.
    const MAX: Duration = Duration::from_secs(100 * 3600);

    /// The clocks of both sides at the start.
    pub(super) fn start(self) -> [PlayerClock; 2] {
        let clock = PlayerClock {
            remaining: self.time,
            increment: self.increment,
            ..PlayerClock::default()
        };
        [clock; 2]
    }
}

impl FromStr for GameClock {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let seconds = |text: &str| {
            let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
            let seconds = text.parse::<f64>().ok().filter(|_| plain)?;
            Duration::try_from_secs_f64(seconds).ok().filter(|time| *time <= Self::MAX)
        };
        let (time, increment) = text.split_once('+').unwrap_or((text, "0"));
        match (seconds(time), seconds(increment)) {
            (Some(time), Some(increment)) if time.as_millis() > 0 => Ok(Self { time, increment }),
            _ => Err("expected seconds for a game, like 60 or 60+0.5".to_owned()),
        }
    }
}

impl fmt::Display for GameClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.time.as_secs_f64())?;
        if self.increment.is_zero() {
            return Ok(());
        }
        write!(f, "+{}", self.increment.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_written_as_it_is_read() {
        for text in ["60", "60+0.5", "0.25", "3600+10", "0.001"] {
            assert_eq!(text.parse::<GameClock>().map(|clock| clock.to_string()), Ok(text.into()));
        }
        for bad in ["", "0", "0+1", "60+", "+1", "-5", "1e3", "inf", "40/60", "60+1+1", "999999"] {
            assert!(bad.parse::<GameClock>().is_err(), "{bad}");
        }
    }
}
