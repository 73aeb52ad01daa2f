//! A player's training: which puzzle comes next, and what is kept of each.

use std::{
    io,
    path::{Path, PathBuf},
};

use super::{Puzzle, PuzzleProgress, SavedProgress, Theme, shipped};
use crate::{i18n::LocalizedMessage, set_aside, settings_path};
use tabulae_games::RuleSet;

/// The file with the player's progress, beside the settings.
const FILE: &str = "puzzles.toml";
/// The puzzles of one rule set, and what the player has solved of all.
///
/// ```
/// use tabulae_games::RuleSet;
/// use tabulae_session::puzzles::PuzzleTraining;
///
/// let mut training = PuzzleTraining::default();
/// training.set_rules(RuleSet::Tablaaza);
/// let (puzzle, came_back) = training.next_puzzle().expect("a puzzle");
/// assert!(!came_back);
/// let (change, unsaved) = training.record(&puzzle, true);
/// assert!(change > 0 && unsaved.is_none());
/// assert_eq!((training.progress().streak(), training.due()), (1, 0));
/// ```
#[derive(Clone, Debug, Default)]
pub struct PuzzleTraining {
    progress: PuzzleProgress,
    /// The player's name; a guest's is empty.
    player: String,
    /// The progress of all players, as it was saved last.
    saved: SavedProgress,
    /// The file in which the progress is saved; without one it is not saved.
    path: Option<PathBuf>,
    puzzles: Vec<Puzzle>,
    theme: Option<Theme>,
    /// The ids of the puzzles shown, the last one last.
    shown: Vec<String>,
}

impl PuzzleTraining {
    /// The file with this user's progress, if the system names such a place.
    pub fn default_path() -> Option<PathBuf> {
        settings_path().map(|path| path.with_file_name(FILE))
    }

    /// The training with the progress saved in a file. A damaged file is set aside; the
    /// message says so.
    pub fn in_file(path: &Path) -> (Self, Option<LocalizedMessage>) {
        let training = |saved: SavedProgress| Self {
            progress: saved.of(""),
            saved,
            path: Some(path.to_owned()),
            ..Self::default()
        };
        match SavedProgress::read(path) {
            Ok(saved) => (training(saved), None),
            Err(reason) => match set_aside(path) {
                Ok(aside) => {
                    let message = LocalizedMessage::new("puzzles.damaged")
                        .with("reason", reason)
                        .with("aside", aside.display());
                    (training(SavedProgress::default()), Some(message))
                }
                Err(_) => {
                    let message =
                        LocalizedMessage::new("puzzles.unreadable").with("reason", reason);
                    (Self::default(), Some(message))
                }
            },
        }
    }

    /// What the player has solved.
    pub const fn progress(&self) -> &PuzzleProgress {
        &self.progress
    }

    /// The player's name; a guest's is empty.
    pub fn player(&self) -> &str {
        &self.player
    }

    /// Chooses the player by name; a guest's is empty.
    pub fn set_player(&mut self, name: &str) {
        if self.player != name {
            name.clone_into(&mut self.player);
            self.progress = self.saved.of(name);
            self.shown.clear();
        }
    }

    /// Chooses the rules; other rules begin with all themes.
    pub fn set_rules(&mut self, rules: RuleSet) {
        if self.puzzles.first().map(Puzzle::rules) != Some(rules) {
            self.puzzles = shipped(rules);
            self.theme = None;
        }
    }

    /// The only theme; none for all, which alone is rated.
    pub const fn theme(&self) -> Option<Theme> {
        self.theme
    }

    /// Chooses a theme, or all.
    pub const fn set_theme(&mut self, theme: Option<Theme>) {
        self.theme = theme;
    }

    /// The themes that occur, in the order of [`Theme::ALL`].
    pub fn themes(&self) -> impl Iterator<Item = Theme> {
        let occurs =
            |theme: &Theme| self.puzzles.iter().any(|puzzle| puzzle.themes.contains(theme));
        Theme::ALL.iter().copied().filter(occurs)
    }

    /// How many puzzles have this theme, or how many there are in all.
    pub fn count(&self, theme: Option<Theme>) -> usize {
        let has = |puzzle: &&Puzzle| theme.is_none_or(|theme| puzzle.themes.contains(&theme));
        self.puzzles.iter().filter(has).count()
    }

    /// How many missed puzzles wait to be tried again now.
    pub fn due(&self) -> usize {
        self.progress.due(&self.puzzles, PuzzleProgress::now())
    }

    /// The next puzzle, and whether it was missed before and comes back; none if
    /// nothing is left for now. A puzzle that is left without a try is the same one only
    /// if there is no other, and comes again after all others.
    pub fn next_puzzle(&mut self) -> Option<(Puzzle, bool)> {
        let now = PuzzleProgress::now();
        let chosen = self.progress.next(&self.puzzles, self.theme, &self.shown, now)?;
        let puzzle = self.puzzles.get(chosen)?;
        let id = puzzle.id();
        self.shown.retain(|other| *other != id);
        self.shown.push(id);
        Some((puzzle.clone(), self.progress.is_due(puzzle, now)))
    }

    /// Counts a puzzle as solved at once or not, and saves. Returns the change of the
    /// rating, and why the progress could not be saved.
    pub fn record(&mut self, puzzle: &Puzzle, solved: bool) -> (i32, Option<io::Error>) {
        let is_rated = self.theme.is_none();
        let change = self.progress.record(puzzle, solved, is_rated, PuzzleProgress::now());
        self.saved.set(&self.player, self.progress.clone());
        let error = self.path.as_ref().and_then(|path| self.saved.write(path).err());
        (change, error)
    }
}

impl PuzzleTraining {
    /// The training with this puzzle only.
    pub fn of(puzzle: Puzzle) -> Self {
        Self { puzzles: vec![puzzle], ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_player_has_a_rating_and_a_streak_of_their_own() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("puzzles.toml");
        let begun = |name: &str| {
            let (mut training, unread) = PuzzleTraining::in_file(&path);
            assert!(unread.is_none());
            training.set_rules(RuleSet::Tablaaza);
            training.set_player(name);
            training
        };
        let rating =
            |training: &PuzzleTraining| training.progress().rating(RuleSet::Tablaaza).rating;
        let mut guest = begun("");
        let before = rating(&guest);
        let (puzzle, _) = guest.next_puzzle().expect("a puzzle");
        guest.record(&puzzle, true);
        let mut aili = begun("Aili");
        assert_eq!((rating(&aili), aili.progress().streak()), (before, 0));
        assert_eq!(aili.next_puzzle().expect("a puzzle").0, puzzle, "she has not solved it");
        aili.record(&puzzle, false);
        assert!(rating(&begun("")) > before && rating(&begun("Aili")) < before);
        aili.set_player("");
        assert_eq!(aili.progress().streak(), 1);
    }
}
