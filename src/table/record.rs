//! A table to a record and back: what is saved is what is opened again.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::{
    engines::Level,
    games::Side,
    records::{self, Record},
};

use super::{Outcome, Seat, Table, dice::fresh_seed};

/// The word for a game given up, in the `Termination` tag.
const RESIGNATION: &str = "resignation";

impl Table {
    /// The game as a record, dated `date` (`2026.11.20`).
    #[must_use]
    pub fn record(&self, date: Option<String>) -> Record {
        let mut record = Record::new(self.line().clone());
        record.players.clone_from(self.names());
        record.date = date;
        record.seed = self.rules().has_sticks().then(|| self.seed());
        if let Some(Outcome::Resigned(side)) = self.outcome() {
            record.stop(records::Outcome::Won(side.other()), Some(RESIGNATION));
        }
        for side in Side::BOTH {
            if let Seat::Engine(level) = self.seats()[side.index()] {
                let tag = format!("{}Level", self.rules().side_name(side));
                record.set_tag(&tag, &level.to_string());
            }
        }
        record
    }

    /// The table of a record, to play on: the same seats where the record
    /// names an engine's level, persons elsewhere; the same seed, so the same
    /// throws to come.
    #[must_use]
    pub fn from_record(record: &Record) -> Self {
        let rules = record.rules();
        let seats = Side::BOTH.map(|side| {
            let tag = format!("{}Level", rules.side_name(side));
            let level = record
                .tags()
                .iter()
                .find(|(name, _)| *name == tag)
                .and_then(|(_, level)| level.parse::<Level>().ok());
            level.map_or(Seat::Person, Seat::Engine)
        });
        let seed = record.seed.unwrap_or_else(fresh_seed);
        let mut table = Self::at(record.line().clone(), seats, record.players.clone(), seed);
        if let (records::Outcome::Won(winner), Some(RESIGNATION)) =
            (record.result(), record.termination())
        {
            table.resign(winner.other());
        }
        table
    }
}

/// Today by the system's clock, in UTC, as records write it.
#[must_use]
pub fn today() -> Option<String> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
    let (year, month, day) = civil(i64::try_from(since.as_secs() / 86_400).ok()?);
    Some(format!("{year:04}.{month:02}.{day:02}"))
}

/// The Gregorian date of a day counted from 1970-01-01. Eras of 400 years
/// begin on the first of March, so that the leap day comes last.
const fn civil(days: i64) -> (i64, i64, i64) {
    const ERA: i64 = 146_097;
    let shifted = days + 719_468;
    let era = shifted.div_euclid(ERA);
    let day = shifted.rem_euclid(ERA);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (year + era * 400 + carry, month, of_month)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates() {
        for (days, date) in [
            (0, (1970, 1, 1)),
            (-1, (1969, 12, 31)),
            (11_016, (2000, 2, 29)),
            (11_017, (2000, 3, 1)),
            (20_777, (2026, 11, 20)),
            (47_540, (2100, 2, 28)),
            (47_541, (2100, 3, 1)),
        ] {
            assert_eq!(civil(days), date, "{days}");
        }
    }
}
