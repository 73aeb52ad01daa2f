//! The puzzle trainer: positions with one best move on the real board, near the
//! player's rating, and the missed ones again.
//!
//! It is shown as a lesson is: the referee suspends the game on the table, which is
//! never changed, and brings it back at the end. A wrong try is answered on the board
//! by the engine and then undone.

mod actions;
mod attempt;

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use bevy::prelude::*;

use crate::{
    app::{
        analysis::AnalysisSearches,
        core::{schedule::AppSet, states::Screen},
        game::referee::Referee,
        scene::api::SceneCommand,
    },
    engines::{Judgement, MoveJudge},
    games::{AnyMove, AnyPosition, GameHistory, Ply, RuleSet, Side},
    i18n::LocalizedMessage,
    table::{
        GameSession,
        puzzles::{Puzzle, PuzzleProgress, Theme},
        set_aside,
    },
};

/// So many puzzles lie at least between a miss and its return.
const PUZZLES_BETWEEN: usize = 2;

/// The puzzles, what the player has solved of them, and the one on the board.
#[derive(Resource, Default)]
pub struct PuzzleTrainer {
    progress: PuzzleProgress,
    /// Where the progress is saved; without a path it is not (tests).
    path: Option<PathBuf>,
    /// The puzzles of one rule set.
    puzzles: Vec<Puzzle>,
    /// The only theme; none for all, which alone is rated.
    theme: Option<Theme>,
    /// The ids of the last puzzles.
    recent: Vec<String>,
    /// The puzzle on the board; none outside the trainer.
    current: Option<TrainedPuzzle>,
    judge: MoveJudge,
}

/// The puzzle on the board.
#[derive(Clone, Debug)]
pub struct TrainedPuzzle {
    /// The puzzle.
    pub puzzle: Puzzle,
    /// The right moves so far, and the replies to them.
    pub played: GameHistory<AnyPosition>,
    /// What happens on the board.
    pub attempt: PuzzleAttempt,
    /// Whether the solution was shown.
    pub was_shown: bool,
    /// Whether it was missed before and came back.
    pub came_back: bool,
    /// Whether it was solved at once, and the change of the rating; none before the
    /// first wrong try, the solution or the last right move.
    pub result: Option<(bool, i32)>,
    /// The screen that the trainer was started from.
    from: Screen,
}

/// What happens on the board.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum PuzzleAttempt {
    /// A move is awaited.
    #[default]
    Waiting,
    /// The move is right; this reply follows.
    Answering(AnyMove),
    /// The move is wrong, and the engine looks for an answer to it.
    Judging(AnyMove),
    /// The answer is shown for so long, then both are undone.
    Refuted(Judgement, Duration),
    /// It was undone; without a judgement where the engine had no answer.
    Missed(Option<Judgement>),
    /// The puzzle is solved.
    Solved,
}

impl PuzzleTrainer {
    /// The trainer with the progress saved in a file. A damaged file is set aside; the
    /// message says so.
    pub(crate) fn in_file(path: &Path) -> (Self, Option<LocalizedMessage>) {
        let trainer = |progress| Self { progress, path: Some(path.to_owned()), ..Self::default() };
        match PuzzleProgress::read(path) {
            Ok(progress) => (trainer(progress), None),
            Err(reason) => match set_aside(path) {
                Ok(aside) => {
                    let message = LocalizedMessage::new("puzzles.damaged")
                        .with("reason", reason)
                        .with("aside", aside.display());
                    (trainer(PuzzleProgress::default()), Some(message))
                }
                Err(_) => {
                    let message =
                        LocalizedMessage::new("puzzles.unreadable").with("reason", reason);
                    (Self::default(), Some(message))
                }
            },
        }
    }

    /// The puzzle on the board; none outside the trainer.
    #[must_use]
    pub const fn current(&self) -> Option<&TrainedPuzzle> {
        self.current.as_ref()
    }

    /// What the player has solved.
    #[must_use]
    pub const fn progress(&self) -> &PuzzleProgress {
        &self.progress
    }

    /// The only theme; none for all.
    #[must_use]
    pub const fn theme(&self) -> Option<Theme> {
        self.theme
    }

    /// The theme after this one in the list of those that occur; all comes first.
    #[must_use]
    pub fn next_theme(&self) -> Option<Theme> {
        let occurs = |theme: &&Theme| self.puzzles.iter().any(|it| it.themes.contains(theme));
        let mut themes = Theme::ALL.iter().filter(occurs).copied();
        match self.theme {
            None => themes.next(),
            Some(theme) => themes.find(|it| *it > theme),
        }
    }

    /// How many missed puzzles wait to be tried again now.
    #[must_use]
    pub fn due(&self) -> usize {
        self.progress.due(&self.puzzles, PuzzleProgress::now())
    }

    /// Chooses the next puzzle. False if there is none.
    fn choose(&mut self, from: Screen) -> bool {
        let now = PuzzleProgress::now();
        let chosen = self.progress.next(&self.puzzles, self.theme, &self.recent, now);
        let Some(puzzle) = chosen.and_then(|index| self.puzzles.get(index)) else { return false };
        let came_back = self.progress.is_due(puzzle, now);
        self.recent.push(puzzle.id());
        let surplus = self.recent.len().saturating_sub(PUZZLES_BETWEEN);
        self.recent.drain(..surplus);
        self.judge.cancel();
        self.current = Some(TrainedPuzzle {
            played: GameHistory::new(puzzle.start.clone()),
            puzzle: puzzle.clone(),
            attempt: PuzzleAttempt::Waiting,
            was_shown: false,
            came_back,
            result: None,
            from,
        });
        true
    }

    /// Counts the puzzle on the board, once. Returns what went wrong with the file.
    fn record(&mut self, solved: bool) -> Option<LocalizedMessage> {
        let current = self.current.as_mut().filter(|it| it.result.is_none())?;
        let is_rated = self.theme.is_none();
        let now = PuzzleProgress::now();
        let change = self.progress.record(&current.puzzle, solved, is_rated, now);
        current.result = Some((solved, change));
        let path = self.path.as_ref()?;
        let error = self.progress.write(path).err()?;
        Some(LocalizedMessage::new("puzzles.unsaved").with("reason", error))
    }
}

#[cfg(test)]
impl PuzzleTrainer {
    /// The trainer with a puzzle at this point.
    pub(crate) fn at(puzzle: Puzzle, attempt: PuzzleAttempt) -> Self {
        let mut trainer = Self { puzzles: vec![puzzle], ..Self::default() };
        trainer.choose(Screen::Title);
        if let Some(current) = &mut trainer.current {
            let is_open = matches!(attempt, PuzzleAttempt::Waiting);
            current.attempt = attempt;
            current.result = (!is_open).then_some((false, -12));
        }
        trainer
    }
}

impl TrainedPuzzle {
    /// The rules.
    #[must_use]
    pub fn rules(&self) -> RuleSet {
        self.puzzle.rules()
    }

    /// The side that solves it.
    #[must_use]
    pub fn side(&self) -> Side {
        self.puzzle.side()
    }

    /// The move that is right now.
    #[must_use]
    pub fn solution(&self) -> Option<AnyMove> {
        // After another forced win than the line's, the line has no more to say.
        let follows =
            self.played.plies().zip(&self.puzzle.line).all(|(ply, mv)| ply == Ply::Move(*mv));
        let solution = self.puzzle.line.get(self.played.len()).copied();
        solution.filter(|_| follows).or_else(|| {
            let moves = self.played.legal_moves();
            moves.into_iter().find(|mv| self.puzzle.accepts(&self.played, *mv))
        })
    }

    /// Puts it on the table as far as it is solved.
    fn set_up(&self, referee: &mut Referee) -> SceneCommand {
        let command = referee.set_lesson_step(GameSession::exercise(self.played.clone()));
        referee.locked = self.attempt == PuzzleAttempt::Solved;
        command
    }
}

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<PuzzleTrainer>()
        .add_systems(Update, actions::apply.in_set(AppSet::Files))
        .add_systems(Update, attempt::advance.in_set(AppSet::Engines).after(AnalysisSearches));
}
