//! Deadlines of slow games as calendar files (iCalendar, RFC 5545).

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use chrono::{DateTime, Datelike as _, Timelike as _};

use super::{GameLink, GameStatus, Hash256};

/// The longest line in bytes, without its end.
const LONGEST_LINE: usize = 75;

/// When a player's time in a game runs out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deadline {
    /// What tells the event from others; a later one of the same game replaces it.
    uid: String,
    sequence: usize,
    at: String,
    now: String,
    summary: String,
}

impl Deadline {
    /// The deadline of a game that stands so now; `None` if no clock runs.
    pub fn new(
        link: &GameLink,
        status: &GameStatus,
        summary: &str,
        now: SystemTime,
    ) -> Option<Self> {
        let at = now.checked_add(Duration::from_millis(status.time_left?))?;
        let game = link.ticket.game.to_string();
        let uid = Hash256::of(&[b"tabulae calendar", game.as_bytes()]).to_string();
        let (at, now) = (date_time(at)?, date_time(now)?);
        Some(Self { uid, sequence: status.entries, at, now, summary: summary.to_owned() })
    }
}

/// The text of a calendar file with these deadlines. It contains no link: a calendar may be
/// on other people's computers.
///
/// ```
/// use std::time::{Duration, UNIX_EPOCH};
/// use tabulae_online::{Deadline, GameLink, calendar, read_status};
///
/// let link: GameLink = "https://play.example/#seat=AAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA".parse()?;
/// let status = r#"{"type": "status", "standing": "yours", "entries": 7, "time_left": 3600000}"#;
/// let now = UNIX_EPOCH + Duration::from_secs(86_400);
/// let deadline = Deadline::new(&link, &read_status(status)?, "Tablan; with Aili", now);
/// let text = calendar(&deadline.into_iter().collect::<Vec<_>>());
/// assert!(text.contains("\r\nDTSTART:19700102T010000Z\r\nSUMMARY:Tablan\\; with Aili\r\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn calendar(deadlines: &[Deadline]) -> String {
    let head = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Tabulae//Tabulae//EN"];
    let mut text: String = head.into_iter().map(folded).collect();
    for Deadline { uid, sequence, at, now, summary } in deadlines {
        let summary = escaped(summary);
        let event = format!(
            "BEGIN:VEVENT\nUID:{uid}\nSEQUENCE:{sequence}\nDTSTAMP:{now}\nDTSTART:{at}\n\
             SUMMARY:{summary}\nEND:VEVENT"
        );
        text.extend(event.lines().map(folded));
    }
    text + &folded("END:VCALENDAR")
}

/// A time as calendars write it; `None` beyond the year 9999.
fn date_time(time: SystemTime) -> Option<String> {
    let seconds = time.duration_since(UNIX_EPOCH).ok()?.as_secs();
    let time = DateTime::from_timestamp(i64::try_from(seconds).ok()?, 0)?.naive_utc();
    let date = format!("{:04}{:02}{:02}", time.year(), time.month(), time.day());
    let clock = format!("{:02}{:02}{:02}", time.hour(), time.minute(), time.second());
    (time.year() <= 9999).then(|| format!("{date}T{clock}Z"))
}

/// A text without what has a meaning in calendar files.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars().filter(|letter| !letter.is_control()) {
        if matches!(letter, '\\' | ';' | ',') {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}

/// A line with its end; a long one goes on in lines that begin with a space.
fn folded(line: &str) -> String {
    let (mut folded, mut length) = (String::new(), 0);
    for letter in line.chars() {
        if length + letter.len_utf8() > LONGEST_LINE {
            folded.push_str("\r\n ");
            length = 1;
        }
        folded.push(letter);
        length += letter.len_utf8();
    }
    folded + "\r\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Standing;

    fn text(summary: &str, time_left: Option<u64>) -> Option<String> {
        let link = "https://play.example/#seat=AAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA";
        let status = GameStatus { standing: Standing::Yours, entries: 7, time_left };
        // 2024-02-28 23:59:59.
        let now = UNIX_EPOCH + Duration::from_secs(1_709_164_799);
        let deadline = Deadline::new(&link.parse().expect("a link"), &status, summary, now)?;
        Some(calendar(&[deadline]))
    }

    #[test]
    fn a_deadline_is_an_event_that_calendars_read() {
        let uid = Hash256::of(&[b"tabulae calendar", b"AAAAAAAAAAAA"]);
        let expected = format!(
            "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Tabulae//Tabulae//EN\r\nBEGIN:VEVENT\r\n\
             UID:{uid}\r\nSEQUENCE:7\r\nDTSTAMP:20240228T235959Z\r\nDTSTART:20240229T000000Z\r\n\
             SUMMARY:Tablan with A\\,B\\;C\\\\D\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
        );
        let summary = "Tablan with A,B;C\\D\r\n";
        assert_eq!(text(summary, Some(1_000)).as_deref(), Some(&*expected));
    }

    #[test]
    fn long_lines_are_folded_between_letters() {
        let name = "è\u{1f600}".repeat(60);
        let text = text(&name, Some(0)).expect("a deadline");
        let lines: Vec<_> = text.split("\r\n").collect();
        assert!(lines.iter().all(|line| line.len() <= LONGEST_LINE), "{text}");
        assert!(text.replace("\r\n ", "").contains(&format!("SUMMARY:{name}\r\n")));
    }

    #[test]
    fn without_a_clock_and_beyond_all_calendars_there_is_no_deadline() {
        assert_eq!(text("", None), None);
        assert_eq!(text("", Some(u64::MAX)), None);
        assert_eq!(text("", Some(300_000_000_000_000)), None, "the year 11530");
    }
}
