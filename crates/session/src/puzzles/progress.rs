//! What a player has solved: ratings, streaks, and the misses that come back.

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    ops::RangeInclusive,
    path::Path,
    time::UNIX_EPOCH,
};

use serde::{Deserialize, Serialize};
use skillratings::{
    Outcomes,
    glicko2::{Glicko2Config, Glicko2Rating, glicko2},
};
use sm_2::{Card, DateTime, Scheduler, Utc};

use super::{Puzzle, Theme};
use crate::{Rating, storage};
use tabulae_games::RuleSet;

/// The rating of a player who has solved nothing yet.
const FIRST_RATING: f64 = 1000.0;
/// How sure the rating of a puzzle is.
const PUZZLE_DEVIATION: f64 = 60.0;
/// The answers of SM-2, from 0 to 5.
const MISSED: u8 = 1;
const SOLVED: u8 = 4;
/// The next puzzle is one of this many nearest to the player's rating.
const NEAREST: usize = 12;
/// The easiness of SM-2 of a new puzzle, and its range: it is at least 1.3 and grows by 0.1
/// with an answer at most.
const FIRST_EASINESS: f32 = 2.5;
const EASINESS: RangeInclusive<f32> = 1.3..=100.0;
/// The longest time between two reviews: a century. The dates of SM-2 have an end.
const MAX_DAYS: u32 = 36_525;
/// The most puzzles in a row.
const MAX_COUNT: u32 = 1_000_000;
/// The least number of puzzles between a miss and its return.
const PUZZLES_BETWEEN: usize = 2;

/// A player's rating by one rule set (Glicko-2).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PuzzleRating {
    /// The rating.
    pub rating: f64,
    /// The rating deviation: how sure it is.
    pub deviation: f64,
    volatility: f64,
}

impl Default for PuzzleRating {
    fn default() -> Self {
        let Glicko2Rating { deviation, volatility, .. } = Glicko2Rating::new();
        Self { rating: FIRST_RATING, deviation, volatility }
    }
}

impl PuzzleRating {
    /// Whether Glicko-2 can have made it.
    fn is_sound(self) -> bool {
        let Self { rating, deviation, volatility } = self;
        (-10_000.0..=10_000.0).contains(&rating)
            && (1.0..=1_000.0).contains(&deviation)
            && (0.0..=1.0).contains(&volatility)
    }
}

impl From<PuzzleRating> for Rating {
    fn from(rating: PuzzleRating) -> Self {
        Self { value: rating.rating, deviation: rating.deviation }
    }
}

/// When a missed puzzle comes back (SM-2).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Review {
    /// Times solved in a row.
    solved: u32,
    /// SM-2's easiness factor: by how much the days between reviews grow.
    easiness: f32,
    /// Days between the last two reviews.
    days: u32,
    /// When it is due, in seconds since 1970.
    due: i64,
}

impl Review {
    /// What a puzzle becomes that is missed or solved at this time, before which it
    /// was not due.
    fn after(self, answer: u8, now: i64) -> Self {
        let card = Card {
            card_id: 0,
            n: self.solved,
            ef: self.easiness,
            i: self.days,
            due: date(self.due.min(now)),
            needs_extra_review: false,
        };
        // The only error is a card that is not due, and this one is.
        Scheduler::review_card(&card, answer, Some(date(now)), None).map_or(self, |(card, _)| {
            Self {
                solved: card.n,
                easiness: card.ef,
                days: card.i.min(MAX_DAYS),
                // From today on, however late the review is.
                due: now + i64::from(card.i) * 24 * 60 * 60,
            }
        })
    }
}

fn date(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(seconds, 0).unwrap_or_default()
}

/// What a player has solved, by all rule sets.
///
/// ```
/// use tabulae_games::RuleSet;
/// use tabulae_session::puzzles::{Puzzle, PuzzleProgress};
///
/// let line = "900;win 1;escape;4B4/9/9/9/9/9/1B2K4/9/4B4 w;e3-i3;example";
/// let puzzles = [Puzzle::parse(RuleSet::TablutBerkeley, line).unwrap()];
/// let mut progress = PuzzleProgress::default();
/// let change = progress.record(&puzzles[0], true, true, 1_000);
/// assert!(change > 0 && progress.streak() == 1);
/// assert_eq!(progress.next(&puzzles, None, &[], 1_000), None, "it is solved");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct PuzzleProgress {
    /// Puzzles solved in a row.
    streak: u32,
    /// The longest such row.
    best_streak: u32,
    /// By the name of the rules.
    ratings: BTreeMap<String, PuzzleRating>,
    /// The puzzles that were solved at once.
    solved: BTreeSet<String>,
    /// The puzzles that were missed, by id.
    reviews: BTreeMap<String, Review>,
}

/// The progress of all players, as the file has it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SavedProgress {
    /// The progress of a guest. Older files have only this.
    #[serde(flatten)]
    guest: PuzzleProgress,
    /// The progress of each named player, by name.
    #[serde(default)]
    players: BTreeMap<String, PuzzleProgress>,
}

impl SavedProgress {
    /// A player's progress; a guest's name is empty.
    pub fn of(&self, name: &str) -> PuzzleProgress {
        if name.is_empty() {
            return self.guest.clone();
        }
        self.players.get(name).cloned().unwrap_or_default()
    }

    /// Takes over a player's progress.
    pub fn set(&mut self, name: &str, progress: PuzzleProgress) {
        if name.is_empty() {
            self.guest = progress;
        } else {
            self.players.insert(name.to_owned(), progress);
        }
    }

    /// Reads the file; none exists at first.
    ///
    /// # Errors
    /// It cannot be read, or is damaged.
    pub fn read(path: &Path) -> io::Result<Self> {
        let Some(bytes) = storage::read_if_there(path)? else { return Ok(Self::default()) };
        let text = String::from_utf8(bytes).map_err(io::Error::other)?;
        let mut saved: Self = toml::from_str(&text).map_err(io::Error::other)?;
        saved.players.values_mut().chain([&mut saved.guest]).for_each(PuzzleProgress::sanitize);
        Ok(saved)
    }

    /// Writes the file.
    ///
    /// # Errors
    /// It cannot be written; the old file stays.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let text = toml::to_string(self).map_err(io::Error::other)?;
        path.parent().map_or(Ok(()), storage::create_dir_all)?;
        storage::write_atomic(path, text)
    }
}

impl PuzzleProgress {
    /// Brings the numbers of a file into the bounds that the program itself keeps.
    fn sanitize(&mut self) {
        self.streak = self.streak.min(MAX_COUNT);
        self.best_streak = self.best_streak.min(MAX_COUNT);
        for rating in self.ratings.values_mut().filter(|rating| !rating.is_sound()) {
            *rating = PuzzleRating::default();
        }
        for review in self.reviews.values_mut() {
            review.solved = review.solved.min(MAX_COUNT);
            review.days = review.days.min(MAX_DAYS);
            review.due = review.due.max(0);
            let is_easiness = EASINESS.contains(&review.easiness);
            review.easiness = if is_easiness { review.easiness } else { FIRST_EASINESS };
        }
    }

    /// The seconds since 1970, by the system's clock.
    pub fn now() -> i64 {
        let seconds = storage::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        i64::try_from(seconds).unwrap_or(i64::MAX)
    }

    /// The player's rating.
    pub fn rating(&self, rules: RuleSet) -> PuzzleRating {
        self.ratings.get(rules.id()).copied().unwrap_or_default()
    }

    /// Puzzles solved in a row.
    pub const fn streak(&self) -> u32 {
        self.streak
    }

    /// The longest row of puzzles solved.
    pub const fn best_streak(&self) -> u32 {
        self.best_streak
    }

    /// How many missed puzzles of these are due by now.
    pub fn due(&self, puzzles: &[Puzzle], now: i64) -> usize {
        puzzles.iter().filter(|puzzle| self.is_due(puzzle, now)).count()
    }

    /// Whether a puzzle was missed and comes back now.
    pub fn is_due(&self, puzzle: &Puzzle, now: i64) -> bool {
        self.reviews.get(&puzzle.id()).is_some_and(|review| review.due <= now)
    }

    /// Records that a puzzle was solved at the first try, or not. Returns the change of
    /// the rating: 0 unless `is_rated`, and for a puzzle that comes back.
    pub fn record(&mut self, puzzle: &Puzzle, solved: bool, is_rated: bool, now: i64) -> i32 {
        let id = puzzle.id();
        let answer = if solved { SOLVED } else { MISSED };
        self.streak = if solved { self.streak.saturating_add(1) } else { 0 };
        self.best_streak = self.best_streak.max(self.streak);
        if let Some(review) = self.reviews.get_mut(&id) {
            *review = review.after(answer, now);
            return 0;
        }
        if solved {
            self.solved.insert(id);
        } else {
            let new = Review { solved: 0, easiness: FIRST_EASINESS, days: 0, due: now };
            self.reviews.insert(id, new.after(answer, now));
        }
        if is_rated { self.rate(puzzle, solved) } else { 0 }
    }

    fn rate(&mut self, puzzle: &Puzzle, solved: bool) -> i32 {
        let rating = self.ratings.entry(puzzle.rules().id().to_owned()).or_default();
        let player = Glicko2Rating {
            rating: rating.rating,
            deviation: rating.deviation,
            volatility: rating.volatility,
        };
        let opponent = Glicko2Rating {
            rating: f64::from(puzzle.rating),
            deviation: PUZZLE_DEVIATION,
            ..Glicko2Rating::new()
        };
        let outcome = if solved { Outcomes::WIN } else { Outcomes::LOSS };
        let (new, _) = glicko2(&player, &opponent, &outcome, &Glicko2Config::new());
        let change = new.rating.round() - rating.rating.round();
        *rating = PuzzleRating {
            rating: new.rating,
            deviation: new.deviation,
            volatility: new.volatility,
        };
        change as i32
    }

    /// The next puzzle: a missed one that is due, or else one near the player's rating
    /// that was neither solved nor missed. `shown` are the ids of the puzzles shown so
    /// far, the last one last: a missed one does not come back at once, and another one
    /// only after all that were not shown. None if nothing is left.
    pub fn next(
        &self,
        puzzles: &[Puzzle],
        theme: Option<Theme>,
        shown: &[String],
        now: i64,
    ) -> Option<usize> {
        let fits = |puzzle: &Puzzle| theme.is_none_or(|theme| puzzle.themes.contains(&theme));
        let recent = &shown[shown.len().saturating_sub(PUZZLES_BETWEEN)..];
        let mut fresh: Vec<(u64, usize, String)> = Vec::new();
        let mut due: Option<(i64, usize)> = None;
        let rules = puzzles.first()?.rules();
        let rating = self.rating(rules).rating;
        for (index, puzzle) in puzzles.iter().enumerate().filter(|(_, puzzle)| fits(puzzle)) {
            let id = puzzle.id();
            if let Some(review) = self.reviews.get(&id) {
                let is_earliest = due.is_none_or(|(earliest, _)| review.due < earliest);
                if review.due <= now && is_earliest && !recent.contains(&id) {
                    due = Some((review.due, index));
                }
            } else if !self.solved.contains(&id) {
                let distance = (f64::from(puzzle.rating) - rating).abs();
                fresh.push((distance.round() as u64, index, id));
            }
        }
        if let Some((_, index)) = due {
            return Some(index);
        }
        if fresh.iter().all(|(_, _, id)| shown.contains(id)) {
            let since = |id: &String| shown.iter().position(|other| other == id);
            let longest_ago = fresh.into_iter().min_by_key(|(_, _, id)| since(id));
            return longest_ago.map(|(_, index, _)| index);
        }
        fresh.retain(|(_, _, id)| !shown.contains(id));
        fresh.sort_unstable();
        // The ids are as good as random, and the choice changes with each puzzle done.
        let done = self.solved.len() + self.reviews.len();
        let near = &fresh[..fresh.len().min(NEAREST)];
        near.get(done % near.len().max(1)).map(|(_, index, _)| *index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn puzzles() -> Vec<Puzzle> {
        let line = |rating: u32, file: char| {
            let text = format!("{rating};defend;defence;4B4/9/9/9/4K4/9/9/9/4B4 w;e5-{file}5;x");
            // Different positions, by the black soldier's place.
            let row = format!("{}B{}", file as u32 - 96, 8 - (file as u32 - 96));
            text.replace("/9/9/9/4K4", &format!("/{row}/9/9/4K4"))
        };
        let files = ['a', 'b', 'c', 'd'];
        let lines = files.into_iter().zip([700, 900, 1100, 1300]);
        lines
            .map(|(file, rating)| {
                Puzzle::parse(RuleSet::TablutBerkeley, &line(rating, file)).expect("a puzzle")
            })
            .collect()
    }

    #[test]
    fn a_missed_puzzle_comes_back_and_a_solved_one_does_not() {
        const DAY: i64 = 24 * 60 * 60;
        let (puzzles, mut progress) = (puzzles(), PuzzleProgress::default());
        let first = progress.next(&puzzles, None, &[], 0).expect("one");
        assert!(progress.record(&puzzles[first], false, true, 0) < 0);
        assert_eq!((progress.due(&puzzles, 0), progress.streak()), (1, 0));
        // Not at once, but after another.
        let recent = [puzzles[first].id()];
        let second = progress.next(&puzzles, None, &recent, 0).expect("another");
        assert_ne!(first, second);
        assert!(progress.record(&puzzles[second], true, true, 0) > 0);
        assert_eq!(progress.next(&puzzles, None, &[], 0), Some(first));
        assert_eq!(progress.record(&puzzles[first], true, true, 0), 0, "rated once");
        assert_eq!(progress.streak(), 2);
        // Solved: the next day, then after six days.
        assert!(!progress.is_due(&puzzles[first], DAY - 1));
        assert_eq!(progress.next(&puzzles, None, &[], DAY), Some(first));
        progress.record(&puzzles[first], true, true, DAY);
        assert!(
            !progress.is_due(&puzzles[first], 6 * DAY) && progress.is_due(&puzzles[first], 7 * DAY)
        );
        // Missed again: at once.
        progress.record(&puzzles[first], false, true, 7 * DAY);
        assert!(progress.is_due(&puzzles[first], 7 * DAY) && progress.streak() == 0);
        assert_eq!(progress.best_streak(), 3);
    }

    #[test]
    fn a_puzzle_left_without_a_try_comes_again_after_all_others() {
        let (puzzles, progress) = (puzzles(), PuzzleProgress::default());
        let mut shown: Vec<String> = Vec::new();
        for number in 0..2 * puzzles.len() {
            let next = progress.next(&puzzles, None, &shown, 0).expect("a puzzle");
            let id = puzzles[next].id();
            let place = shown.iter().position(|other| *other == id);
            assert_eq!(place, (number >= puzzles.len()).then_some(0), "{number}: {shown:?}");
            shown.retain(|other| *other != id);
            shown.push(id);
        }
    }

    #[test]
    fn the_rating_goes_where_the_player_belongs() {
        let line = "{};win 1;escape;4B4/9/9/9/9/9/1B2K4/9/4B4 w;e3-i3;x";
        let mut progress = PuzzleProgress::default();
        // Solves up to 1300 and misses what is harder.
        for round in 0..60 {
            let near = progress.rating(RuleSet::TablutBerkeley).rating as i64 + (round * 37) % 200;
            let text = line.replace("{}", &(near - 100).to_string());
            let mut puzzle = Puzzle::parse(RuleSet::TablutBerkeley, &text).expect("a puzzle");
            puzzle.source = round.to_string();
            let solved = puzzle.rating <= 1300;
            progress.reviews.clear();
            progress.record(&puzzle, solved, true, 0);
        }
        let PuzzleRating { rating, deviation, .. } = progress.rating(RuleSet::TablutBerkeley);
        assert!((1150.0..1450.0).contains(&rating) && deviation < 120.0, "{rating} {deviation}");
    }

    #[test]
    fn progress_reads_back_and_a_damaged_file_is_an_error() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("new/puzzles.toml");
        assert_eq!(SavedProgress::read(&path).expect("none"), SavedProgress::default());
        let (puzzles, mut progress) = (puzzles(), PuzzleProgress::default());
        progress.record(&puzzles[0], true, true, 5);
        progress.record(&puzzles[1], false, true, 6);
        let mut saved = SavedProgress::default();
        saved.set("Aili", progress.clone());
        saved.write(&path).expect("written");
        assert_eq!(SavedProgress::read(&path).expect("there"), saved);
        assert_eq!((saved.of("Aili"), saved.of("")), (progress.clone(), PuzzleProgress::default()));
        // A file from before there were players is a guest's.
        std::fs::write(&path, toml::to_string(&progress).expect("text")).expect("written");
        let old = SavedProgress::read(&path).expect("there");
        assert_eq!((old.of(""), old.of("Aili")), (progress, PuzzleProgress::default()));
        // Numbers out of bounds neither overflow nor spread.
        let id = puzzles[1].id();
        let text = format!(
            "streak = 4294967295\nratings.'tablut/berkeley'.rating = inf\n[reviews.{id}]\n\
             solved = 4294967295\neasiness = nan\ndays = 4294967295\ndue = -9223372036854775808\n"
        );
        std::fs::write(&path, text).expect("written");
        let mut odd = SavedProgress::read(&path).expect("there").of("");
        for now in [7, 8] {
            odd.record(&puzzles[1], true, true, now);
            odd.record(&puzzles[2], true, true, now);
        }
        assert!((900.0..2000.0).contains(&odd.rating(RuleSet::TablutBerkeley).rating));
        assert!(!odd.is_due(&puzzles[1], 8) && odd.is_due(&puzzles[1], i64::MAX));
        std::fs::write(&path, "streak = 'long'").expect("written");
        assert!(SavedProgress::read(&path).is_err());
    }
}
