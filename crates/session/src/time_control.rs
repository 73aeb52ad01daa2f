//! Time controls: how much time the players have.

use std::{fmt, str::FromStr, time::Duration};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use tabulae_games::Side;

/// A time control: how much time the players have.
///
/// ```
/// use tabulae_session::{ParseTimeControlError, TimeControl};
///
/// let control: TimeControl = "600+5".parse()?;
/// assert_eq!((control.time().as_secs(), control.increment().as_secs()), (600, 5));
/// assert_eq!(control.to_string(), "600+5");
/// assert_eq!("soon".parse::<TimeControl>(), Err(ParseTimeControlError("soon".to_owned())));
/// # Ok::<(), ParseTimeControlError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TimeControl {
    /// This time for each move; the rest of it is lost.
    PerMove(Duration),
    /// A time for the whole game and an increment after each move (Fischer).
    PerGame {
        /// The time for the whole game.
        time: Duration,
        /// The time added after each move.
        increment: Duration,
    },
}

/// The error of parsing a [`TimeControl`]: the text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown time '{0}' (1/30 for 30 seconds a move, 600 or 600+5 for a game)")]
pub struct ParseTimeControlError(pub String);

/// The longest time of a clock: 14 days.
pub(super) const MAX_TIME: Duration = Duration::from_secs(14 * DAY);
const DAY: u64 = 24 * 3600;

const fn game(minutes: u64, seconds: u64) -> TimeControl {
    TimeControl::PerGame {
        time: Duration::from_secs(60 * minutes),
        increment: Duration::from_secs(seconds),
    }
}

const fn each_move(seconds: u64) -> TimeControl {
    TimeControl::PerMove(Duration::from_secs(seconds))
}

impl TimeControl {
    /// The usual times per move.
    pub const MOVES: [Self; 4] = [each_move(10), each_move(30), each_move(60), each_move(180)];
    /// The usual times per move of slow games: 1, 3, 7 and 14 days.
    pub const DAYS: [Self; 4] =
        [each_move(DAY), each_move(3 * DAY), each_move(7 * DAY), each_move(14 * DAY)];
    /// The usual times per game.
    pub const GAMES: [Self; 5] = [game(3, 2), game(5, 0), game(10, 5), game(15, 10), game(30, 20)];

    /// The time on both clocks at the start.
    pub const fn time(self) -> Duration {
        match self {
            Self::PerMove(time) | Self::PerGame { time, .. } => time,
        }
    }

    /// The time added after each move; zero with a time per move.
    pub const fn increment(self) -> Duration {
        match self {
            Self::PerMove(_) => Duration::ZERO,
            Self::PerGame { increment, .. } => increment,
        }
    }
}

impl fmt::Display for TimeControl {
    /// Writes the value of PGN's `TimeControl` tag: `1/30` is 30 s per move, `600+5`
    /// is 600 s for the game and 5 s more after each move.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PerMove(time) => write!(f, "1/{}", time.as_secs()),
            Self::PerGame { time, increment } if increment.is_zero() => {
                write!(f, "{}", time.as_secs())
            }
            Self::PerGame { time, increment } => {
                write!(f, "{}+{}", time.as_secs(), increment.as_secs())
            }
        }
    }
}

impl FromStr for TimeControl {
    type Err = ParseTimeControlError;

    /// Parses what `Display` writes: whole seconds, more than zero and at most 14 days. A
    /// unit may follow: `1/3d` is 3 days a move, `2h+30` is 2 hours and 30 s more for each.
    fn from_str(text: &str) -> Result<Self, ParseTimeControlError> {
        let seconds = |text: &str| {
            let units = [('d', DAY), ('h', 3600), ('m', 60)];
            let unit = units.iter().find_map(|(unit, one)| Some((text.strip_suffix(*unit)?, one)));
            let (text, one) = unit.unwrap_or((text, &1));
            let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse()
                .ok()
                .filter(|_| plain)
                .and_then(|number: u64| number.checked_mul(*one))
                .map(Duration::from_secs)
                .filter(|time| *time <= MAX_TIME)
        };
        let some = |text: &str| seconds(text).filter(|time| !time.is_zero());
        let timing = match (text.split_once('/'), text.split_once('+')) {
            (Some(("1", time)), None) => some(time).map(Self::PerMove),
            (None, Some((time, increment))) => some(time)
                .zip(seconds(increment))
                .map(|(time, increment)| Self::PerGame { time, increment }),
            (None, None) => {
                some(text).map(|time| Self::PerGame { time, increment: Duration::ZERO })
            }
            (Some(_), _) => None,
        };
        timing.ok_or_else(|| ParseTimeControlError(text.to_owned()))
    }
}

/// The time controls of both sides: the same, or one for each (time odds).
///
/// ```
/// use tabulae_games::Side;
/// use tabulae_session::TimeControls;
///
/// let odds: TimeControls = "600+5,180+2".parse()?;
/// assert!(!odds.is_even());
/// assert_eq!(odds.of(Side::Second).time().as_secs(), 180);
/// assert_eq!(odds.swapped().to_string(), "180+2,600+5");
/// let even = TimeControls::both("1/30".parse()?);
/// assert_eq!((even.is_even(), even.to_string()), (true, "1/30".to_owned()));
/// # Ok::<(), tabulae_session::ParseTimeControlError>(())
/// ```
///
/// Serde writes and reads the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TimeControls([TimeControl; 2]);

impl TimeControls {
    /// The same time control for both sides.
    pub const fn both(time_control: TimeControl) -> Self {
        Self([time_control; 2])
    }

    /// A time control for each side, by [`Side::index`].
    pub const fn each(time_controls: [TimeControl; 2]) -> Self {
        Self(time_controls)
    }

    /// The time control of a side.
    pub const fn of(self, side: Side) -> TimeControl {
        self.0[side.index()]
    }

    /// Whether both sides have the same.
    pub fn is_even(self) -> bool {
        self.0[0] == self.0[1]
    }

    /// Each side with the other's.
    #[must_use]
    pub const fn swapped(self) -> Self {
        let [first, second] = self.0;
        Self([second, first])
    }
}

impl fmt::Display for TimeControls {
    /// Writes one time control for both sides, or two with a comma between.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = self.0;
        if self.is_even() { first.fmt(f) } else { write!(f, "{first},{second}") }
    }
}

impl From<TimeControls> for String {
    fn from(time_controls: TimeControls) -> Self {
        time_controls.to_string()
    }
}

impl TryFrom<String> for TimeControls {
    type Error = ParseTimeControlError;

    fn try_from(text: String) -> Result<Self, ParseTimeControlError> {
        text.parse()
    }
}

impl FromStr for TimeControls {
    type Err = ParseTimeControlError;

    /// Parses what `Display` writes.
    fn from_str(text: &str) -> Result<Self, ParseTimeControlError> {
        let (first, second) = text.split_once(',').unwrap_or((text, text));
        match (first.parse(), second.parse()) {
            (Ok(first), Ok(second)) => Ok(Self([first, second])),
            _ => Err(ParseTimeControlError(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_written_as_in_pgn_and_parse_back() {
        let usual = [TimeControl::MOVES, TimeControl::DAYS].concat();
        for control in usual.into_iter().chain(TimeControl::GAMES) {
            assert_eq!(control.to_string().parse(), Ok(control), "{control}");
        }
        assert_eq!("1/3d".parse(), Ok(TimeControl::DAYS[1]));
        assert_eq!("1/1m".parse(), Ok(TimeControl::MOVES[2]));
        assert_eq!(
            "1h+30".parse::<TimeControl>().map(|control| control.to_string()),
            Ok("3600+30".into())
        );
        assert_eq!(TimeControl::MOVES[1].to_string(), "1/30");
        assert_eq!(TimeControl::GAMES[2].to_string(), "600+5");
        assert_eq!(TimeControl::GAMES[1].to_string(), "300");
        for text in [
            "",
            "0",
            "-",
            "?",
            "40/9000",
            "*180",
            "1/0",
            "0+5",
            "5+",
            "+5",
            "1/+5",
            "9999999",
            "1e3",
            "1/15d",
            "d",
            "1/d",
            "99999999999999999999d",
            "9999999999999999999d",
        ] {
            assert_eq!(
                text.parse::<TimeControl>(),
                Err(ParseTimeControlError(text.to_owned())),
                "{text}"
            );
        }
    }

    #[test]
    fn time_odds_are_two_times_with_a_comma_between() {
        let odds: TimeControls = "600+5,1/30".parse().expect("two times");
        assert_eq!(odds.of(Side::Second), TimeControl::MOVES[1]);
        assert_eq!(odds.to_string().parse(), Ok(odds));
        assert_eq!(
            "60,60".parse::<TimeControls>().map(|control| control.to_string()),
            Ok("60".to_owned())
        );
        for text in ["", ",", "60,", ",60", "60,60,60", "60,0"] {
            assert!(text.parse::<TimeControls>().is_err(), "{text}");
        }
    }
}
