//! The players' clocks.
//!
//! Architecture invariant: nothing here reads the system's clock. The caller says
//! how much time has passed.

use std::time::Duration;

use crate::i18n::{localize_decimal, tr_args};
use tabulae_engines::PlayerClock;
use tabulae_games::{AnyPosition, Game, GameHistory, Ply, RuleSet, Side, Turn};
use tabulae_records::Record;

use super::time_control::{MAX_TIME, TimeControl, TimeControls};

/// The clocks of both sides, with their times after each ply.
///
/// ```
/// use tabulae_games::Side;
/// use tabulae_records::read;
/// use tabulae_session::Clock;
///
/// let text = "[Rules \"tablaaza\"]\n[TimeControl \"600+5\"]\n\n1. c7 {[%clk 0:09:30]} *\n";
/// let clock = Clock::from_record(&read(text)?[0]).unwrap();
/// assert_eq!(clock.left(Side::First).as_secs(), 9 * 60 + 30);
/// assert_eq!(clock.left(Side::Second), clock.time_controls().of(Side::Second).time());
/// assert!(clock.allowance(Side::First) < clock.left(Side::First));
/// # Ok::<(), tabulae_records::RecordError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    time_controls: TimeControls,
    left: [Duration; 2],
    /// The times after each ply, the start first. Those of undone plies stay for
    /// redo.
    after_plies: Vec<[Duration; 2]>,
}

/// PGN's tag of the [`TimeControl`]. With time odds each side has its own, which
/// begins with the side's name.
const TAG: &str = "TimeControl";
/// PGN's tag of a running clock: the time left to the side to move, if it has
/// used some for the next move.
pub(super) const RUNNING: &str = "Clock";

impl Clock {
    /// Both clocks before the first ply.
    pub fn new(time_controls: TimeControls) -> Self {
        let left = Side::BOTH.map(|side| time_controls.of(side).time());
        Self { time_controls, left, after_plies: vec![left] }
    }

    /// The tags of the time controls in a record of these rules.
    pub(super) fn tags(&self, rules: RuleSet) -> Vec<(String, String)> {
        if self.time_controls.is_even() {
            return vec![(TAG.to_owned(), self.time_controls.to_string())];
        }
        let of = |side| (side_tag(rules, side), self.time_controls.of(side).to_string());
        Side::BOTH.map(of).to_vec()
    }

    /// The clocks at the end of a record; `None` for an untimed game or an unknown
    /// time control.
    pub fn from_record(record: &Record) -> Option<Self> {
        let tag = |name: &str| record.tag(name)?.parse::<TimeControl>().ok();
        let time_controls = match Side::BOTH.map(|side| tag(&side_tag(record.rules(), side))) {
            [Some(first), Some(second)] => TimeControls::each([first, second]),
            _ => TimeControls::both(tag(TAG)?),
        };
        let mut clock = Self::new(time_controls);
        let history = record.history();
        for number in 1..=history.len() {
            if let Some(mover) = mover(history, number)
                && let TimeControl::PerGame { .. } = time_controls.of(mover)
                && let Some(left) =
                    record.comments(number).iter().find_map(|comment| clock_in(comment))
            {
                clock.left[mover.index()] = left;
            }
            clock.after_plies.push(clock.left);
        }
        // The time used for the next move is not given back.
        if let Turn::Move(side) = history.turn()
            && let Some(left) = record.tag(RUNNING).and_then(parse_time)
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

    /// The time controls.
    pub const fn time_controls(&self) -> TimeControls {
        self.time_controls
    }

    /// The time left to a side.
    pub const fn left(&self, side: Side) -> Duration {
        self.left[side.index()]
    }

    /// The times after `plies` plies, by [`Side::index`].
    pub fn after_ply(&self, plies: usize) -> [Duration; 2] {
        self.after_plies.get(plies).or(self.after_plies.last()).copied().unwrap_or(self.left)
    }

    /// The time an engine may use for its next move. It is always less than the
    /// time left, so an engine that keeps to it never loses on time.
    pub fn allowance(&self, side: Side) -> Duration {
        allowance(self.time_controls.of(side), self.left(side))
    }

    /// A side's clock, as engines are told it.
    pub const fn player_clock(&self, side: Side) -> PlayerClock {
        player_clock(self.time_controls.of(side), self.left(side))
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
            before.saturating_sub(allowance(self.time_controls.of(side), before))
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
            *left = match self.time_controls.of(mover) {
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

    /// Shows these times, but none that is longer than the time left.
    pub(super) fn show(&mut self, left: [Duration; 2]) {
        for (own, shown) in self.left.iter_mut().zip(left) {
            *own = shown.min(*own);
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
        match self.time_controls.of(mover) {
            TimeControl::PerMove(_) => None,
            TimeControl::PerGame { .. } => {
                Some(clock_command(self.after_ply(number)[mover.index()]))
            }
        }
    }
}

/// The tag of a side's [`TimeControl`] where the other has another one.
fn side_tag(rules: RuleSet, side: Side) -> String {
    format!("{}{TAG}", rules.side_name(side))
}

/// The time an engine may use for a move with `left` on its clock.
fn allowance(time_control: TimeControl, left: Duration) -> Duration {
    let most = left * 4 / 5;
    match time_control {
        TimeControl::PerMove(_) => most,
        // The share of a clock below 1 ms is that of 1 ms.
        TimeControl::PerGame { .. } => player_clock(time_control, left).share().min(most),
    }
}

/// A clock with `left` on it, for the engines' time management.
const fn player_clock(time_control: TimeControl, left: Duration) -> PlayerClock {
    let moves_to_go = match time_control {
        TimeControl::PerMove(_) => Some(1),
        TimeControl::PerGame { .. } => None,
    };
    PlayerClock { remaining: left, increment: time_control.increment(), moves_to_go }
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
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let whole =
        |text: &str| text.parse::<u64>().ok().filter(|number| digits(text) && *number < 1000);
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
/// use tabulae_session::strip_clock_command;
///
/// assert_eq!(strip_clock_command("well [%clk 0:04:32] done").as_deref(), Some("well done"));
/// assert_eq!(strip_clock_command("[%clk 0:04:32]"), None);
/// ```
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

/// With this much time left, or less, a clock shows tenths of a second and warns.
const LOW_TIME: Duration = Duration::from_secs(10);

/// Whether a player is low on time: 10 s or less.
pub const fn is_low_on_time(left: Duration) -> bool {
    left.as_millis() <= LOW_TIME.as_millis()
}

/// The text of a clock's display: `3 d 4 h`, `1:02:03`, `12:03`, and the last 10 s as `9.4`.
///
/// ```
/// use std::time::Duration;
/// use tabulae_session::{format_clock, is_low_on_time, next_clock_change};
///
/// let (long, short) = (Duration::from_secs(3_723), Duration::from_millis(9_400));
/// assert_eq!((format_clock(long).as_str(), format_clock(short).as_str()), ("1:02:03", "9.4"));
/// assert!(is_low_on_time(short) && !is_low_on_time(long));
/// assert!(next_clock_change(short) <= Duration::from_millis(100));
/// ```
pub fn format_clock(left: Duration) -> String {
    if is_low_on_time(left) {
        let tenths = tenths(left);
        return localize_decimal(&format!("{}.{}", tenths / 10, tenths % 10));
    }
    let seconds = left.as_millis().div_ceil(1000);
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours >= 24 {
        let (days, hours) = ((hours / 24).to_string(), (hours % 24).to_string());
        tr_args("clock.days-left", &[("days", &days), ("hours", &hours)])
    } else if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

/// The time until the display of a running clock changes.
pub fn next_clock_change(left: Duration) -> Duration {
    let step = if is_low_on_time(left) { 100 } else { 1000 };
    let into = (left.as_nanos() / 1_000_000) % step;
    let rest = if into == 0 { step } else { into };
    Duration::from_millis(u64::try_from(rest).unwrap_or(1000))
}

#[cfg(test)]
mod tests;
