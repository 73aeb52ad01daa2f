//! The players' time: how it is given out, used up and given back.
//!
//! Architecture invariant: nothing here asks the machine for the time. Whoever
//! runs a game says how much has gone by.

use std::{fmt, str::FromStr, time::Duration};

use thiserror::Error;

use crate::{
    games::{AnyPosition, Game, GameHistory, Ply, Side, Turn},
    i18n::localize_decimal,
    records::Record,
};

/// How much time the players have.
///
/// ```
/// use tabulae::table::{ParseTimeControlError, TimeControl};
///
/// let timing: TimeControl = "600+5".parse()?;
/// assert_eq!((timing.time().as_secs(), timing.increment().as_secs()), (600, 5));
/// assert_eq!(timing.to_string(), "600+5");
/// assert_eq!("soon".parse::<TimeControl>(), Err(ParseTimeControlError("soon".to_owned())));
/// # Ok::<(), ParseTimeControlError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TimeControl {
    /// So much for each move; what is not used of it is gone.
    PerMove(Duration),
    /// So much for all moves of a game, and a little more with each.
    PerGame {
        /// For all moves.
        time: Duration,
        /// Added after each move.
        increment: Duration,
    },
}

/// A text that is no [`TimeControl`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown time '{0}' (1/30 for 30 seconds a move, 600 or 600+5 for a game)")]
pub struct ParseTimeControlError(pub String);

/// No game is given more time than this.
const MOST: Duration = Duration::from_secs(100 * 3600);

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
    /// What is usual for a move.
    pub const MOVES: [Self; 4] = [each_move(10), each_move(30), each_move(60), each_move(180)];
    /// What is usual for a game.
    pub const GAMES: [Self; 5] = [game(3, 2), game(5, 0), game(10, 5), game(15, 10), game(30, 20)];

    /// What stands on both clocks at the beginning.
    #[must_use]
    pub const fn time(self) -> Duration {
        match self {
            Self::PerMove(time) | Self::PerGame { time, .. } => time,
        }
    }

    /// What is added after each move; nothing where each move has its own
    /// time.
    #[must_use]
    pub const fn increment(self) -> Duration {
        match self {
            Self::PerMove(_) => Duration::ZERO,
            Self::PerGame { increment, .. } => increment,
        }
    }
}

impl fmt::Display for TimeControl {
    /// As records write it in their `TimeControl` tag, which is PGN's: `1/30`
    /// is 30 seconds for each move, `600+5` is 600 seconds for the game and 5
    /// more after each move.
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

    /// Reads what `Display` writes; whole seconds, some time at least.
    fn from_str(text: &str) -> Result<Self, ParseTimeControlError> {
        let seconds = |text: &str| {
            let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse().ok().filter(|_| plain).map(Duration::from_secs).filter(|it| *it <= MOST)
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

/// The clocks of both sides, and what stood on them after each ply.
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
    timing: TimeControl,
    left: [Duration; 2],
    /// After each ply, the start first. What belongs to plies taken back is
    /// kept for when they are played again.
    stood: Vec<[Duration; 2]>,
}

/// The tag of a game's [`TimeControl`].
pub(super) const TAG: &str = "TimeControl";
/// The tag of what is left to the side to move, where some of it went into the
/// move that is due; PGN's tag for a running clock.
pub(super) const RUNNING: &str = "Clock";

impl Clock {
    /// Both clocks before the first ply.
    #[must_use]
    pub fn new(timing: TimeControl) -> Self {
        let left = [timing.time(); 2];
        Self { timing, left, stood: vec![left] }
    }

    /// The clocks of a record, as they stood at its end; none where it was
    /// played without, or with some that are unknown here.
    #[must_use]
    pub fn from_record(record: &Record) -> Option<Self> {
        let tag = record.tags().iter().find(|(name, _)| name == TAG)?;
        let mut clock = Self::new(tag.1.parse().ok()?);
        let line = record.history();
        for number in 1..=line.len() {
            if let (Some(mover), TimeControl::PerGame { .. }) = (mover(line, number), clock.timing)
                && let Some(left) = record.comments(number).iter().find_map(|it| noted(it))
            {
                clock.left[mover.index()] = left;
            }
            clock.stood.push(clock.left);
        }
        // What went into the move that is due is not given back.
        if let Turn::Move(side) = line.turn()
            && let Some((_, left)) = record.tags().iter().find(|(name, _)| name == RUNNING)
            && let Some(left) = read_time(left)
        {
            let side = &mut clock.left[side.index()];
            *side = left.min(*side);
        }
        Some(clock)
    }

    /// What a record says of the move that is due, after so many plies: what
    /// is left to `side`, where some of it is gone.
    pub(super) fn running(&self, plies: usize, side: Side) -> Option<String> {
        let left = self.left(side);
        (left < self.stood(plies)[side.index()]).then(|| written(left))
    }

    /// How much time the players have.
    #[must_use]
    pub const fn time_control(&self) -> TimeControl {
        self.timing
    }

    /// What is left of a side's time.
    #[must_use]
    pub const fn left(&self, side: Side) -> Duration {
        self.left[side.index()]
    }

    /// What was left after so many plies, by [`Side::index`].
    #[must_use]
    pub fn stood(&self, plies: usize) -> [Duration; 2] {
        self.stood.get(plies).or(self.stood.last()).copied().unwrap_or(self.left)
    }

    /// How long an engine may think about its next move. Never all that is
    /// left: an engine that keeps to it does not lose on time.
    #[must_use]
    pub fn allowance(&self, side: Side) -> Duration {
        allowance(self.timing, self.left(side))
    }

    /// Takes so much of a side's time; true once none is left. An engine is
    /// charged what it was allowed since its last ply and no more: whatever
    /// else the machine does in that time is not its thinking.
    pub(super) fn run(
        &mut self,
        side: Side,
        plies: usize,
        elapsed: Duration,
        spared: bool,
    ) -> bool {
        let before = self.stood(plies)[side.index()];
        let least = if spared {
            before.saturating_sub(allowance(self.timing, before))
        } else {
            Duration::ZERO
        };
        let left = &mut self.left[side.index()];
        *left = left.saturating_sub(elapsed).max(least);
        left.is_zero() && !spared
    }

    /// Notes that a ply was played, so that there are `plies` now; `mover` made
    /// a move, or nobody did (a throw).
    pub(super) fn played(&mut self, plies: usize, mover: Option<Side>, anew: bool) {
        if let Some(mover) = mover {
            let left = &mut self.left[mover.index()];
            *left = match self.timing {
                TimeControl::PerMove(time) => time,
                TimeControl::PerGame { increment, .. } => left.saturating_add(increment).min(MOST),
            };
        }
        if anew {
            self.stood.truncate(plies);
        }
        match self.stood.get_mut(plies) {
            Some(stood) => *stood = self.left,
            None => self.stood.push(self.left),
        }
    }

    /// Sets both clocks to what stood on them after so many plies.
    pub(super) fn set(&mut self, plies: usize) {
        self.left = self.stood(plies);
    }

    /// Forgets what came after so many plies.
    pub(super) fn cut(&mut self, plies: usize) {
        self.stood.truncate(plies + 1);
        self.set(plies);
    }

    /// What a record says after ply `number`, which `mover` made: PGN's clock
    /// command. A move that has its own time needs none.
    pub(super) fn note(&self, number: usize, mover: Side) -> Option<String> {
        match self.timing {
            TimeControl::PerMove(_) => None,
            TimeControl::PerGame { .. } => Some(note(self.stood(number)[mover.index()])),
        }
    }
}

fn allowance(timing: TimeControl, left: Duration) -> Duration {
    match timing {
        TimeControl::PerMove(_) => left * 4 / 5,
        TimeControl::PerGame { increment, .. } => (left / 25 + increment * 3 / 4).min(left * 4 / 5),
    }
}

/// Who made a move with this ply; nobody where it was a throw.
pub(super) fn mover(line: &GameHistory<AnyPosition>, number: usize) -> Option<Side> {
    match line.ply(number)? {
        Ply::Move(_) => Some(line.at(number.checked_sub(1)?)?.side()),
        Ply::Throw(_) => None,
    }
}

const COMMAND: &str = "[%clk ";

/// Tenths of a second, rounded up: what is left is never written as nothing.
const fn tenths(left: Duration) -> u128 {
    left.as_millis().div_ceil(100)
}

fn note(left: Duration) -> String {
    format!("{COMMAND}{}]", written(left))
}

/// A time as records write it: `0:04:32.1`.
fn written(left: Duration) -> String {
    let tenths = tenths(left);
    let (seconds, tenth) = (tenths / 10, tenths % 10);
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let tenth = if tenth == 0 { String::new() } else { format!(".{tenth}") };
    format!("{hours}:{minutes:02}:{seconds:02}{tenth}")
}

/// Reads what [`written`] writes, to the thousandth of a second.
fn read_time(text: &str) -> Option<Duration> {
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
    (left <= MOST).then_some(left)
}

/// Where a clock command begins and ends in a comment, and what it says.
fn command(comment: &str) -> Option<(usize, usize, Duration)> {
    let begin = comment.find(COMMAND)?;
    let value = &comment[begin + COMMAND.len()..];
    let (value, _) = value.split_once(']')?;
    let end = begin + COMMAND.len() + value.len() + 1;
    Some((begin, end, read_time(value)?))
}

/// What a comment says of the mover's clock.
fn noted(comment: &str) -> Option<Duration> {
    command(comment).map(|(_, _, left)| left)
}

/// A comment without what it says of the clock, for people to read; none where
/// it says nothing else.
///
/// ```
/// use tabulae::table::strip_clock_command;
///
/// assert_eq!(strip_clock_command("well [%clk 0:04:32] done").as_deref(), Some("well done"));
/// assert_eq!(strip_clock_command("[%clk 0:04:32]"), None);
/// ```
#[must_use]
pub fn strip_clock_command(comment: &str) -> Option<String> {
    let text = match command(comment) {
        Some((begin, end, _)) => {
            let (before, after) = (comment[..begin].trim(), comment[end..].trim());
            let gap = if before.is_empty() || after.is_empty() { "" } else { " " };
            format!("{before}{gap}{after}")
        }
        None => comment.to_owned(),
    };
    (!text.is_empty()).then_some(text)
}

/// Below this the tenths are shown, and that time runs short.
const SHORT: Duration = Duration::from_secs(10);

/// Whether so little is left that a player should hurry.
#[must_use]
pub const fn is_low_on_time(left: Duration) -> bool {
    left.as_millis() <= SHORT.as_millis()
}

/// What a clock shows: `1:02:03`, `12:03`, and the last seconds as `9.4`.
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

/// How long a running clock still shows what it shows now.
#[must_use]
pub fn next_clock_change(left: Duration) -> Duration {
    let step = if is_low_on_time(left) { 100 } else { 1000 };
    let into = (left.as_nanos() / 1_000_000) % step;
    let rest = if into == 0 { step } else { into };
    Duration::from_millis(u64::try_from(rest).unwrap_or(1000))
}

#[cfg(test)]
mod tests;
