//! Time controls and the players' clocks.
//!
//! Architecture invariant: nothing here reads the system's clock. The caller says
//! how much time has passed.

use std::{fmt, str::FromStr, time::Duration};

use thiserror::Error;

use crate::{
    games::{AnyPosition, Game, GameHistory, Ply, Side, Turn},
    i18n::localize_decimal,
    records::Record,
};

/// A time control: how much time the players have.
///
/// ```
/// use tabulae::table::{ParseTimeControlError, TimeControl};
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

/// The longest time that a clock can show: 100 hours.
const MAX_TIME: Duration = Duration::from_secs(100 * 3600);

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
    /// The usual times per game.
    pub const GAMES: [Self; 5] = [game(3, 2), game(5, 0), game(10, 5), game(15, 10), game(30, 20)];

    /// The time on both clocks at the start.
    #[must_use]
    pub const fn time(self) -> Duration {
        match self {
            Self::PerMove(time) | Self::PerGame { time, .. } => time,
        }
    }

    /// The time added after each move; zero with a time per move.
    #[must_use]
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

    /// Parses what `Display` writes: whole seconds, more than zero.
    fn from_str(text: &str) -> Result<Self, ParseTimeControlError> {
        let seconds = |text: &str| {
            let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse()
                .ok()
                .filter(|_| plain)
                .map(Duration::from_secs)
                .filter(|it| *it <= MAX_TIME)
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

/// The clocks of both sides, with their times after each ply.
///
/// ```
/// use tabulae::games::Side;
/// use tabulae::records::read;
/// use tabulae::table::Clock;
///
/// let text = "[Rules \"tablaaza\"]\n[TimeControl \"600+5\"]\n\n1. c7 {[%clk 0:09:30]} *\n";
/// let clock = Clock::from_record(&read(text)?[0]).unwrap();
/// assert_eq!(clock.left(Side::First).as_secs(), 9 * 60 + 30);
/// assert_eq!(clock.left(Side::Second), clock.time_control().time());
/// assert!(clock.allowance(Side::First) < clock.left(Side::First));
/// # Ok::<(), tabulae::records::RecordError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    time_control: TimeControl,
    left: [Duration; 2],
    /// The times after each ply, the start first. Those of undone plies stay for
    /// redo.
    after_plies: Vec<[Duration; 2]>,
}

/// PGN's tag of the [`TimeControl`].
pub(super) const TAG: &str = "TimeControl";
/// PGN's tag of a running clock: the time left to the side to move, if it has
/// used some for the next move.
pub(super) const RUNNING: &str = "Clock";

impl Clock {
    /// Both clocks before the first ply.
    #[must_use]
    pub fn new(time_control: TimeControl) -> Self {
        let left = [time_control.time(); 2];
        Self { time_control, left, after_plies: vec![left] }
    }

    /// The clocks at the end of a record; `None` for an untimed game or an unknown
    /// time control.
    #[must_use]
    pub fn from_record(record: &Record) -> Option<Self> {
        let tag = record.tags().iter().find(|(name, _)| name == TAG)?;
        let mut clock = Self::new(tag.1.parse().ok()?);
        let history = record.history();
        for number in 1..=history.len() {
            if let (Some(mover), TimeControl::PerGame { .. }) =
                (mover(history, number), clock.time_control)
                && let Some(left) = record.comments(number).iter().find_map(|it| clock_in(it))
            {
                clock.left[mover.index()] = left;
            }
            clock.after_plies.push(clock.left);
        }
        // The time used for the next move is not given back.
        if let Turn::Move(side) = history.turn()
            && let Some((_, left)) = record.tags().iter().find(|(name, _)| name == RUNNING)
            && let Some(left) = parse_time(left)
        {
            let side = &mut clock.left[side.index()];
            *side = left.min(*side);
        }
        Some(clock)
    }

    /// The value of the tag [`RUNNING`] after `plies` plies with `side` to move;
    /// `None` if it has used no time for the next move.
    pub(super) fn running(&self, plies: usize, side: Side) -> Option<String> {
        let left = self.left(side);
        (left < self.after_ply(plies)[side.index()]).then(|| format_time(left))
    }

    /// The time control.
    #[must_use]
    pub const fn time_control(&self) -> TimeControl {
        self.time_control
    }

    /// The time left to a side.
    #[must_use]
    pub const fn left(&self, side: Side) -> Duration {
        self.left[side.index()]
    }

    /// The times after `plies` plies, by [`Side::index`].
    #[must_use]
    pub fn after_ply(&self, plies: usize) -> [Duration; 2] {
        self.after_plies.get(plies).or(self.after_plies.last()).copied().unwrap_or(self.left)
    }

    /// The time an engine may use for its next move. It is always less than the
    /// time left, so an engine that keeps to it never loses on time.
    #[must_use]
    pub fn allowance(&self, side: Side) -> Duration {
        allowance(self.time_control, self.left(side))
    }

    /// Takes `elapsed` off a side's time; returns whether it ran out. `is_engine`
    /// limits the loss since the last ply to the engine's allowance, since the
    /// machine may have been busy with other work.
    pub(super) fn run(
        &mut self,
        side: Side,
        plies: usize,
        elapsed: Duration,
        is_engine: bool,
    ) -> bool {
        let before = self.after_ply(plies)[side.index()];
        let least = if is_engine {
            before.saturating_sub(allowance(self.time_control, before))
        } else {
            Duration::ZERO
        };
        let left = &mut self.left[side.index()];
        *left = left.saturating_sub(elapsed).max(least);
        left.is_zero() && !is_engine
    }

    /// Stores the times after ply `plies`, which `mover` made; `None` is a throw.
    /// A ply that is not a redo drops the times of undone plies.
    pub(super) fn ply_played(&mut self, plies: usize, mover: Option<Side>, is_redo: bool) {
        if let Some(mover) = mover {
            let left = &mut self.left[mover.index()];
            *left = match self.time_control {
                TimeControl::PerMove(time) => time,
                TimeControl::PerGame { increment, .. } => {
                    left.saturating_add(increment).min(MAX_TIME)
                }
            };
        }
        if !is_redo {
            self.after_plies.truncate(plies);
        }
        match self.after_plies.get_mut(plies) {
            Some(times) => *times = self.left,
            None => self.after_plies.push(self.left),
        }
    }

    /// Sets both clocks to their times after `plies` plies.
    pub(super) fn restore(&mut self, plies: usize) {
        self.left = self.after_ply(plies);
    }

    /// Goes back to `plies` plies and drops the later times.
    pub(super) fn truncate(&mut self, plies: usize) {
        self.after_plies.truncate(plies + 1);
        self.restore(plies);
    }

    /// The comment on ply `number`, which `mover` made: PGN's clock command. With
    /// a time per move there is none.
    pub(super) fn comment(&self, number: usize, mover: Side) -> Option<String> {
        match self.time_control {
            TimeControl::PerMove(_) => None,
            TimeControl::PerGame { .. } => {
                Some(clock_command(self.after_ply(number)[mover.index()]))
            }
        }
    }
}

/// The time an engine may use for a move with `left` on its clock.
fn allowance(time_control: TimeControl, left: Duration) -> Duration {
    match time_control {
        TimeControl::PerMove(_) => left * 4 / 5,
        TimeControl::PerGame { increment, .. } => (left / 25 + increment * 3 / 4).min(left * 4 / 5),
    }
}

/// The side that moved in ply `number`; `None` if it was a throw.
pub(super) fn mover(history: &GameHistory<AnyPosition>, number: usize) -> Option<Side> {
    match history.ply(number)? {
        Ply::Move(_) => Some(history.at(number.checked_sub(1)?)?.side()),
        Ply::Throw(_) => None,
    }
}

const COMMAND: &str = "[%clk ";

/// Tenths of a second, rounded up, so that only no time is written as zero.
const fn tenths(left: Duration) -> u128 {
    left.as_millis().div_ceil(100)
}

fn clock_command(left: Duration) -> String {
    format!("{COMMAND}{}]", format_time(left))
}

/// A time as records write it: `0:04:32.1`.
fn format_time(left: Duration) -> String {
    let tenths = tenths(left);
    let (seconds, tenth) = (tenths / 10, tenths % 10);
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let tenth = if tenth == 0 { String::new() } else { format!(".{tenth}") };
    format!("{hours}:{minutes:02}:{seconds:02}{tenth}")
}

/// Parses what [`format_time`] writes, with up to three decimals.
fn parse_time(text: &str) -> Option<Duration> {
    let mut parts = text.trim().split(':');
    let (Some(hours), Some(minutes), Some(seconds), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return None;
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    let whole = |text: &str| text.parse::<u64>().ok().filter(|it| digits(text) && *it < 1000);
    let (seconds, part) = seconds.split_once('.').unwrap_or((seconds, "0"));
    let part = (part.len() <= 3 && digits(part)).then(|| format!("{part:0<3}").parse().ok())??;
    let seconds = whole(hours)? * 3600 + whole(minutes)? * 60 + whole(seconds)?;
    let left = Duration::from_secs(seconds) + Duration::from_millis(part);
    (left <= MAX_TIME).then_some(left)
}

/// The byte range of the clock command in a comment, and its time.
fn find_clock_command(comment: &str) -> Option<(usize, usize, Duration)> {
    let begin = comment.find(COMMAND)?;
    let value = &comment[begin + COMMAND.len()..];
    let (value, _) = value.split_once(']')?;
    let end = begin + COMMAND.len() + value.len() + 1;
    Some((begin, end, parse_time(value)?))
}

/// The mover's time in a comment.
fn clock_in(comment: &str) -> Option<Duration> {
    find_clock_command(comment).map(|(_, _, left)| left)
}

/// A comment without its clock command; `None` if nothing else is left.
///
/// ```
/// use tabulae::table::strip_clock_command;
///
/// assert_eq!(strip_clock_command("well [%clk 0:04:32] done").as_deref(), Some("well done"));
/// assert_eq!(strip_clock_command("[%clk 0:04:32]"), None);
/// ```
#[must_use]
pub fn strip_clock_command(comment: &str) -> Option<String> {
    let text = match find_clock_command(comment) {
        Some((begin, end, _)) => {
            let (before, after) = (comment[..begin].trim(), comment[end..].trim());
            let gap = if before.is_empty() || after.is_empty() { "" } else { " " };
            format!("{before}{gap}{after}")
        }
        None => comment.to_owned(),
    };
    (!text.is_empty()).then_some(text)
}

/// From here on a clock shows tenths of a second and warns.
const LOW_TIME: Duration = Duration::from_secs(10);

/// Whether a player is low on time: 10 s or less.
#[must_use]
pub const fn is_low_on_time(left: Duration) -> bool {
    left.as_millis() <= LOW_TIME.as_millis()
}

/// The text of a clock's display: `1:02:03`, `12:03`, and the last 10 s as `9.4`.
///
/// ```
/// use std::time::Duration;
/// use tabulae::table::{format_clock, is_low_on_time, next_clock_change};
///
/// let (long, short) = (Duration::from_secs(3_723), Duration::from_millis(9_400));
/// assert_eq!((format_clock(long).as_str(), format_clock(short).as_str()), ("1:02:03", "9.4"));
/// assert!(is_low_on_time(short) && !is_low_on_time(long));
/// assert!(next_clock_change(short) <= Duration::from_millis(100));
/// ```
#[must_use]
pub fn format_clock(left: Duration) -> String {
    if is_low_on_time(left) {
        let tenths = tenths(left);
        return localize_decimal(&format!("{}.{}", tenths / 10, tenths % 10));
    }
    let seconds = left.as_millis().div_ceil(1000);
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

/// The time until the display of a running clock changes.
#[must_use]
pub fn next_clock_change(left: Duration) -> Duration {
    let step = if is_low_on_time(left) { 100 } else { 1000 };
    let into = (left.as_nanos() / 1_000_000) % step;
    let rest = if into == 0 { step } else { into };
    Duration::from_millis(u64::try_from(rest).unwrap_or(1000))
}

#[cfg(test)]
mod tests;
