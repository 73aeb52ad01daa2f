//! The puzzle trainer: positions with one best move on the real board, near the
//! player's rating, and the missed ones again.
//!
//! It is shown as a lesson is: the game on the table is suspended (`SuspendedGame`), never
//! changed, and comes back at the end. A wrong try is answered on the board
//! by the engine and then undone.

mod actions;
mod attempt;

use crate::{
    app::{
        analysis::AnalysisSearches,
        core::prelude::*,
        game::{
            exercise::Attempt,
            referee::{left_table, on_table},
        },
    },
    engines::MoveJudge,
    session::puzzles::{Puzzle, PuzzleTraining},
};

/// The puzzles, what the player has solved of them, and the one on the board.
#[derive(Resource, Default)]
pub struct PuzzleTrainer {
    training: PuzzleTraining,
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
    pub attempt: Attempt,
    /// How many tries were wrong.
    pub wrong_tries: usize,
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

impl PuzzleTrainer {
    /// A trainer for this training.
    pub(crate) fn new(training: PuzzleTraining) -> Self {
        Self { training, ..Self::default() }
    }

    /// The puzzle on the board; none outside the trainer.
    pub const fn current(&self) -> Option<&TrainedPuzzle> {
        self.current.as_ref()
    }

    /// How much of the judgement of the player's try is done, from 0 to 1.
    pub fn judged(&self) -> Option<f32> {
        self.judge.progress()
    }

    /// The rules, the theme and what the player has solved.
    pub const fn training(&self) -> &PuzzleTraining {
        &self.training
    }

    /// Chooses the next puzzle. False if there is none.
    fn choose(&mut self, from: Screen) -> bool {
        let Some((puzzle, came_back)) = self.training.next_puzzle() else { return false };
        self.judge.cancel();
        self.current = Some(TrainedPuzzle {
            played: GameHistory::new(puzzle.start.clone()),
            puzzle,
            attempt: Attempt::Waiting,
            wrong_tries: 0,
            was_shown: false,
            came_back,
            result: None,
            from,
        });
        true
    }

    fn end(&mut self) {
        self.judge.cancel();
        self.current = None;
    }

    /// Counts the puzzle on the board, once. Returns what went wrong with the file.
    fn record(&mut self, solved: bool) -> Option<LocalizedMessage> {
        let current = self.current.as_mut().filter(|current| current.result.is_none())?;
        let (change, error) = self.training.record(&current.puzzle, solved);
        current.result = Some((solved, change));
        Some(LocalizedMessage::new("puzzles.unsaved").with("reason", error?))
    }
}

#[cfg(test)]
impl PuzzleTrainer {
    /// The trainer with a puzzle at this point.
    pub(crate) fn at(puzzle: Puzzle, attempt: Attempt) -> Self {
        let mut trainer = Self::new(PuzzleTraining::of(puzzle));
        trainer.choose(Screen::Title);
        if let Some(current) = &mut trainer.current {
            let is_open = matches!(attempt, Attempt::Waiting);
            current.attempt = attempt;
            current.result = (!is_open).then_some((false, -12));
            current.wrong_tries = usize::from(!is_open);
        }
        trainer
    }

    /// Shows the solution.
    pub(crate) fn show_solution(&mut self) {
        if let Some(current) = &mut self.current {
            current.was_shown = true;
        }
    }

    /// Another try was wrong.
    pub(crate) fn miss_again(&mut self) {
        if let Some(current) = &mut self.current {
            current.wrong_tries += 1;
        }
    }

    /// The trainer with a solved puzzle.
    pub(crate) fn solved(puzzle: Puzzle, played: GameHistory<AnyPosition>) -> Self {
        let mut trainer = Self::at(puzzle, Attempt::Solved(None));
        if let Some(current) = &mut trainer.current {
            current.played = played;
        }
        trainer
    }
}

impl TrainedPuzzle {
    /// The rules.
    pub fn rules(&self) -> RuleSet {
        self.puzzle.rules()
    }

    /// The side that solves it.
    pub fn side(&self) -> Side {
        self.puzzle.side()
    }

    /// The move that is right now.
    pub fn solution(&self) -> Option<AnyMove> {
        self.puzzle.solution(&self.played)
    }

    /// Whether it is solved.
    pub const fn is_solved(&self) -> bool {
        matches!(self.attempt, Attempt::Solved(_))
    }
}

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<PuzzleTrainer>()
        .add_systems(Update, actions::apply.in_set(AppSet::Files))
        .add_systems(
            Update,
            attempt::advance
                .run_if(in_state(Screen::Table).and_then(on_table(OnTable::Puzzle)))
                .in_set(AppSet::Engines)
                .after(AnalysisSearches),
        )
        // Another game or exercise takes its place.
        .add_systems(
            Update,
            (|mut trainer: ResMut<PuzzleTrainer>| trainer.end())
                .run_if(left_table(OnTable::Puzzle))
                .in_set(AppSet::Report),
        );
}
