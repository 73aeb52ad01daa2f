//! A session to a record and back, without loss.

use std::time::{SystemTime, UNIX_EPOCH};

use chrono::{DateTime, Datelike as _, NaiveDate};

use tabulae_engines::Level;
use tabulae_games::{AnyMove, Ply, RuleSet, Side};
use tabulae_records::{GameResult, Record};

use super::{
    super::{
        clock::{self, Clock, mover, strip_clock_command},
        dice::random_seed,
        setup::{Outcome, Seat},
        storage,
    },
    GameSession, RecordNotes, UnratedReason,
};

/// The `Termination` tag of a resigned game.
const RESIGNATION: &str = "resignation";
/// The `Termination` tag of an agreed draw.
const AGREEMENT: &str = "agreement";
/// The `Termination` tag of a game lost on time, as in PGN.
const TIME: &str = "time forfeit";
/// The tag of a game whose throws are entered by hand ([`BY_HAND`]), or in which who starts
/// was drawn at once ([`START_DRAWN`]).
const STICKS: &str = "Sticks";
const BY_HAND: &str = "by hand";
const START_DRAWN: &str = "start drawn";
/// The tag of a game that counts for ratings ([`RATED_YES`]), or that does so no longer and
/// why.
const RATED: &str = "Rated";
/// The value of [`RATED`] in a game that counts for ratings.
const RATED_YES: &str = "yes";
/// The values of [`RATED`] in games that count no longer.
const UNRATED: [(&str, UnratedReason); 3] =
    [("help", UnratedReason::Help), ("undo", UnratedReason::Undo), ("copy", UnratedReason::Copy)];
/// The tag, with its value, of a game whose level was chosen by the person's rating.
const ADAPTIVE: (&str, &str) = ("Adaptive", "yes");
/// The value of [`kind_tag`] for another program, as in PGN.
const PROGRAM: &str = "program";
/// The tag of a saved game's undone plies, in the order in which redo plays them.
const REDO: &str = "Redo";

impl GameSession {
    /// The game as a record. `date` (`2026.11.20`) is the day of a game that has
    /// none yet. A game that was read from a record keeps that record's date,
    /// variations, comments and tags.
    pub fn record(&self, date: Option<String>) -> Record {
        let mut record = Record::new(self.history().clone());
        record.players.clone_from(self.names());
        record.date = self.notes.date.clone().or(date);
        // A server and the players make the throws of an online game.
        record.seed = (self.rules().has_sticks() && !self.is_online()).then(|| self.seed());
        match self.outcome() {
            Some(Outcome::Resigned(side)) => {
                record.stop(GameResult::Won(side.other()), Some(RESIGNATION));
            }
            Some(Outcome::Agreed) => {
                record.stop(GameResult::Drawn, Some(AGREEMENT));
            }
            Some(Outcome::TimedOut(side)) => {
                record.stop(GameResult::Won(side.other()), Some(TIME));
            }
            Some(Outcome::Ended(_)) => {}
            // How the record that was read says the game ended.
            None => {
                if let Some((result, termination)) = &self.notes.stopped {
                    record.stop(*result, termination.as_deref());
                }
            }
        }
        for (name, value) in &self.notes.tags {
            // What these tell may have changed since they were read.
            let value = match (&**name, &**value) {
                (RATED, _) => self.rated_value(),
                (STICKS, BY_HAND | START_DRAWN) => self.sticks_value(),
                (_, value) => Some(value),
            };
            if let Some(value) = value {
                record.set_tag(name, value);
            }
        }
        if let Some(played) = &self.match_played {
            played.write_tags(&mut record);
        }
        for side in Side::BOTH {
            match self.seats()[side.index()] {
                Seat::Engine(level) => {
                    record.set_tag(&level_tag(self.rules(), side), &level.to_string());
                }
                Seat::Program => {
                    record.set_tag(&kind_tag(self.rules(), side), PROGRAM);
                }
                Seat::Person | Seat::Remote => {}
            }
        }
        let adaptive = self.is_adaptive().then_some(ADAPTIVE.1);
        let tags =
            [(STICKS, self.sticks_value()), (ADAPTIVE.0, adaptive), (RATED, self.rated_value())];
        for (name, value) in tags {
            if let Some(value) = value {
                record.set_tag(name, value);
            }
        }
        if let Some(clock) = self.clock() {
            for (name, value) in clock.tags(self.rules()) {
                record.set_tag(&name, &value);
            }
            let due = self.clock_runs_for();
            if let Some(left) = due.and_then(|side| clock.running(self.history().len(), side)) {
                record.set_tag(clock::RUNNING, &left);
            }
            for number in 1..=self.history().len() {
                let comment =
                    mover(self.history(), number).and_then(|side| clock.comment(number, side));
                if let Some(comment) = comment {
                    record.comment(number, &comment);
                }
            }
        }
        record.adopt(&self.notes.tree);
        record
    }

    /// The value of [`RATED`], if the record has the tag.
    fn rated_value(&self) -> Option<&'static str> {
        let Some(unrated) = self.unrated else { return Some(RATED_YES) };
        UNRATED.into_iter().find_map(|(value, reason)| (reason == unrated).then_some(value))
    }

    /// The value of [`STICKS`], if the record has the tag.
    fn sticks_value(&self) -> Option<&'static str> {
        if self.by_hand() && !self.is_online() {
            return Some(BY_HAND);
        }
        (self.drawn_throws > 0).then_some(START_DRAWN)
    }

    /// The game as the record that is saved while it is played: with the undone
    /// plies, so that a resumed game can still redo them.
    pub fn saved_game(&self, date: Option<String>) -> Record {
        let mut record = self.record(date);
        let mut history = self.history().clone();
        let mut undone = Vec::new();
        for &ply in self.undone.iter().rev().filter(|_| self.can_redo()) {
            if history.push(ply).is_err() {
                break;
            }
            undone.extend(history.notation(history.len()));
        }
        if !undone.is_empty() {
            record.set_tag(REDO, &undone.join(" "));
        }
        record
    }

    /// The plies of the tag [`REDO`], the next one last; none unless all are legal.
    fn undone_plies(&self, tag: &str) -> Vec<Ply<AnyMove>> {
        let mut history = self.history().clone();
        let mut plies = Vec::new();
        for text in tag.split_whitespace() {
            match history.parse(text) {
                Ok(ply) if history.push(ply).is_ok() => plies.push(ply),
                _ => return Vec::new(),
            }
        }
        plies.reverse();
        plies
    }

    /// The session of a record, to play on: engines where the record names their
    /// level, programs where it says so, persons elsewhere; the same seed, so the same throws to come; the
    /// record's clocks, variations, comments and tags.
    pub fn from_record(record: &Record) -> Self {
        let rules = record.rules();
        let tag = |name: &str| record.tag(name);
        let seats = Side::BOTH.map(|side| {
            let level = tag(&level_tag(rules, side)).and_then(|level| level.parse::<Level>().ok());
            match level {
                Some(level) => Seat::Engine(level),
                None if tag(&kind_tag(rules, side)) == Some(PROGRAM) => Seat::Program,
                None => Seat::Person,
            }
        });
        let seed = record.seed.unwrap_or_else(random_seed);
        let mut session = Self::at(record.history().clone(), seats, record.players.clone(), seed)
            .with_hand_throws(tag(STICKS) == Some(BY_HAND))
            .timed(Clock::from_record(record));
        let (date, mut tags) = (record.date.clone(), record.tags().to_vec());
        let rated = tag(RATED);
        let reason = UNRATED.into_iter().find(|(value, _)| rated == Some(*value));
        session.unrated = (rated != Some(RATED_YES))
            .then(|| reason.map_or(UnratedReason::Other, |(_, reason)| reason));
        session.adaptive = tag(ADAPTIVE.0) == Some(ADAPTIVE.1);
        if tag(STICKS) == Some(START_DRAWN) {
            session.keep_start();
        }
        if let Some(undone) = tag(REDO) {
            session.undone = session.undone_plies(undone);
            tags.retain(|(name, _)| name != REDO);
        }
        let mut untimed = record.clone();
        if session.clock().is_some() {
            // The clock writes its own tag and comments.
            tags.retain(|(name, _)| name != clock::RUNNING);
            for &node in record.tree().main_line() {
                untimed.clear_comments(node);
                for comment in record.tree().annotation(node).comments() {
                    untimed.add_comment(node, &strip_clock_command(comment).unwrap_or_default());
                }
            }
        }
        let tree = untimed.tree().clone();
        session.notes = RecordNotes { date, tags, tree, stopped: None };
        match (record.result(), record.termination()) {
            (GameResult::Won(winner), Some(RESIGNATION)) => {
                session.resign(winner.other());
            }
            (GameResult::Drawn, Some(AGREEMENT)) => {
                session.agree();
            }
            (GameResult::Won(winner), Some(TIME)) => session.forfeit(winner.other()),
            (result, termination) => {
                session.notes.stopped = Some((result, termination.map(str::to_owned)));
            }
        }
        session
    }

    /// The comments on the position after `plies` plies.
    pub fn comments(&self, plies: usize) -> &[String] {
        let tree = &self.notes.tree;
        let node = tree.find(self.history.plies().take(plies));
        node.map_or(&[], |node| tree.annotation(node).comments())
    }

    /// Sets the date of a game that has none: a game keeps the day it began.
    pub fn date(&mut self, date: Option<String>) {
        if self.notes.date.is_none() {
            self.notes.date = date;
        }
    }
}

/// The tag that says what kind of player a side has, as in PGN.
pub(super) fn kind_tag(rules: RuleSet, side: Side) -> String {
    format!("{}Type", rules.side_name(side))
}

/// The tag of the engine level that plays a side.
pub(super) fn level_tag(rules: RuleSet, side: Side) -> String {
    format!("{}Level", rules.side_name(side))
}

/// Today's date in UTC, as records write it.
///
/// ```
/// let today = tabulae_session::today().unwrap();
/// assert!(today.len() == 10 && today.as_str() > "2026.01.01");
/// ```
pub fn today() -> Option<String> {
    date_at(storage::now())
}

/// The date of a time in UTC, as records write it.
///
/// ```
/// use std::time::{Duration, SystemTime};
///
/// let day = SystemTime::UNIX_EPOCH + Duration::from_secs(86_399);
/// assert_eq!(tabulae_session::date_at(day).as_deref(), Some("1970.01.01"));
/// ```
pub fn date_at(time: SystemTime) -> Option<String> {
    let since = time.duration_since(UNIX_EPOCH).ok()?;
    let day = DateTime::from_timestamp(i64::try_from(since.as_secs()).ok()?, 0)?.date_naive();
    Some(format!("{:04}.{:02}.{:02}", day.year(), day.month(), day.day()))
}

/// The days from one date to another, both as records write them; none if one of
/// them is no such date.
///
/// ```
/// use tabulae_session::days_between;
///
/// assert_eq!(days_between("2026.02.27", "2026.03.01"), Some(2));
/// assert_eq!(days_between("2026.11.23", "2026.11.20"), Some(-3));
/// assert_eq!(days_between("2026.02.31", "2026.11.20"), None, "February has no 31st");
/// assert_eq!(days_between("yesterday", "2026.11.20"), None);
/// ```
pub fn days_between(from: &str, to: &str) -> Option<i64> {
    Some((day(to)? - day(from)?).num_days())
}

/// The day of a date as records write it.
fn day(date: &str) -> Option<NaiveDate> {
    let mut parts = date.splitn(3, '.');
    let year = parts.next()?.parse().ok().filter(|year| (0..=9999).contains(year))?;
    NaiveDate::from_ymd_opt(year, parts.next()?.parse().ok()?, parts.next()?.parse().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_played_on_keeps_its_players_and_gets_a_person() {
        use crate::Setup;
        let novice = Seat::Engine(Level::Novice);
        let of = |seats| GameSession::new(Setup { seats, ..Setup::new(RuleSet::TablutAshton) });
        let again = |session: GameSession| {
            GameSession::from_record(&session.record(None)).branch(0).with_person()
        };
        let against = again(of([Seat::Person, novice]));
        assert_eq!(against.seats(), [Seat::Person, novice]);
        // The side on turn becomes a person.
        let engines = again(of([novice, novice]));
        assert_eq!(engines.seats(), [Seat::Person, novice]);
        assert_eq!(engines.names(), &[Seat::Person.name(), novice.name()]);
        let text = engines.record(None).to_string();
        assert!(!text.contains("WhiteLevel") && text.contains("BlackLevel"), "{text}");
    }
}
