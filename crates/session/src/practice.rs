//! Practice on the mistakes of a finished game: for each of them the position before
//! it, to find a better move.

use tabulae_engines::Judgement;
use tabulae_games::{AnyPosition, GameHistory, RuleSet};

/// A mistake of a game, to be improved.
#[derive(Clone, Debug, PartialEq)]
pub struct Exercise {
    /// The ply of the mistake, from 1.
    pub ply: usize,
    /// The move that was played in the game, and the best one.
    pub judgement: Judgement,
    /// How many wrong moves were tried.
    pub wrong_tries: usize,
    /// How it ended; none while it is open.
    pub result: Option<ExerciseResult>,
}

/// How an exercise ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExerciseResult {
    /// A move was found that is as good as the best one.
    Found,
    /// The answer was shown.
    Shown,
}

/// What came of all exercises.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PracticeTotals {
    /// The exercises found at the first try.
    pub at_once: usize,
    /// Those found after wrong tries.
    pub later: usize,
    /// Those whose answer was shown.
    pub shown: usize,
    /// Those that are neither found nor shown.
    pub open: usize,
}

/// The exercises of a game, one of which is on the board.
///
/// ```
/// use tabulae_engines::{Judgement, Score};
/// use tabulae_games::{AnyPosition, Game, GameHistory, Ply, RuleSet};
/// use tabulae_session::{Exercise, ExerciseResult, Practice, PracticeTotals};
///
/// let mut history = GameHistory::new(AnyPosition::start(RuleSet::Tablaaza));
/// let [played, best] = ["c7", "b6"].map(|mv| history.position().parse_move(mv).unwrap());
/// history.push(Ply::Move(played)).unwrap();
/// let (played_score, best_score) = (Score::Points(-300), Score::Points(0));
/// let judgement = Judgement {
///     played, best, played_score, best_score, reply: None, loss: 0.3, exact: false,
/// };
/// let mut practice = Practice::new(history, [(1, judgement)]);
/// let exercise: Option<&Exercise> = practice.exercise();
/// assert_eq!(exercise.map(|exercise| exercise.ply), Some(1));
/// assert!(practice.before().is_empty());
/// practice.show();
/// assert_eq!(practice.exercise().and_then(|exercise| exercise.result), Some(ExerciseResult::Shown));
/// assert_eq!(practice.totals(), PracticeTotals { shown: 1, ..PracticeTotals::default() });
/// ```
#[derive(Clone, Debug)]
pub struct Practice {
    history: GameHistory<AnyPosition>,
    exercises: Vec<Exercise>,
    current: usize,
}

impl Practice {
    /// Practice on these mistakes of a game: a ply and its judgement each.
    pub fn new(
        history: GameHistory<AnyPosition>,
        mistakes: impl IntoIterator<Item = (usize, Judgement)>,
    ) -> Self {
        let mut practice = Self { history, exercises: Vec::new(), current: 0 };
        practice.extend(mistakes);
        practice
    }

    /// The rules of the game.
    pub fn rules(&self) -> RuleSet {
        self.history.start().rules()
    }

    /// The number of exercises.
    pub const fn len(&self) -> usize {
        self.exercises.len()
    }

    /// Whether no mistake was found.
    pub const fn is_empty(&self) -> bool {
        self.exercises.is_empty()
    }

    /// The index of the exercise on the board; [`Self::len`] after the last.
    pub const fn current(&self) -> usize {
        self.current
    }

    /// Of each exercise, whether it was found or shown.
    pub fn done(&self) -> impl Iterator<Item = bool> {
        self.exercises.iter().map(|exercise| exercise.result.is_some())
    }

    /// The exercise on the board; none after the last.
    pub fn exercise(&self) -> Option<&Exercise> {
        self.exercises.get(self.current)
    }

    /// The game before the mistake of the exercise; after the last one the whole game.
    pub fn before(&self) -> GameHistory<AnyPosition> {
        let mut history = self.history.clone();
        if let Some(exercise) = self.exercise() {
            history.truncate(exercise.ply.saturating_sub(1));
        }
        history
    }

    /// Goes to the next exercise, or behind the last. False if already there.
    pub const fn advance(&mut self) -> bool {
        let goes = self.current < self.exercises.len();
        if goes {
            self.current += 1;
        }
        goes
    }

    /// Goes to the previous exercise. False at the first.
    pub const fn go_back(&mut self) -> bool {
        let goes = self.current > 0;
        if goes {
            self.current -= 1;
        }
        goes
    }

    /// Starts over with the first exercise.
    pub fn restart(&mut self) {
        self.current = 0;
        for exercise in &mut self.exercises {
            (exercise.wrong_tries, exercise.result) = (0, None);
        }
    }

    /// Counts a try; whether it passes. A better result than the first does not
    /// replace it.
    pub fn record_try(&mut self, judgement: &Judgement) -> bool {
        let is_good = judgement.is_good();
        if let Some(exercise) = self.exercises.get_mut(self.current)
            && exercise.result.is_none()
        {
            if is_good {
                exercise.result = Some(ExerciseResult::Found);
            } else {
                exercise.wrong_tries += 1;
            }
        }
        is_good
    }

    /// Marks the exercise as shown, unless it was found before.
    pub fn show(&mut self) {
        if let Some(exercise) = self.exercises.get_mut(self.current) {
            exercise.result.get_or_insert(ExerciseResult::Shown);
        }
    }

    /// What came of the exercises so far.
    pub fn totals(&self) -> PracticeTotals {
        let mut totals = PracticeTotals::default();
        for exercise in &self.exercises {
            *match (exercise.result, exercise.wrong_tries) {
                (Some(ExerciseResult::Found), 0) => &mut totals.at_once,
                (Some(ExerciseResult::Found), _) => &mut totals.later,
                (Some(ExerciseResult::Shown), _) => &mut totals.shown,
                (None, _) => &mut totals.open,
            } += 1;
        }
        totals
    }
}

/// Adds mistakes that were found later: exercises behind the last one.
impl Extend<(usize, Judgement)> for Practice {
    fn extend<T: IntoIterator<Item = (usize, Judgement)>>(&mut self, mistakes: T) {
        let exercise = |(ply, judgement)| Exercise { ply, judgement, wrong_tries: 0, result: None };
        self.exercises.extend(mistakes.into_iter().map(exercise));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabulae_engines::Score;
    use tabulae_games::{AnyMove, Ply};

    fn judgement(played: AnyMove, best: AnyMove, points: i32, loss: f32) -> Judgement {
        let (played_score, best_score) = (Score::Points(0), Score::Points(points));
        Judgement { played, best, played_score, best_score, reply: None, loss, exact: false }
    }

    #[test]
    fn tries_are_counted_and_an_exercise_is_found_or_shown_once() {
        let mut history = GameHistory::new(AnyPosition::start(RuleSet::TablutAshton));
        let first = history.legal_moves()[0];
        history.push(Ply::Move(first)).expect("legal");
        let moves = history.legal_moves();
        history.push(Ply::Move(moves[0])).expect("legal");
        let bad = judgement(moves[0], moves[1], 300, 0.4);
        let good = judgement(moves[2], moves[1], 15, 0.02);
        assert!(!bad.is_good() && good.is_good() && !good.is_best());
        let mut practice =
            Practice::new(history.clone(), [(1, bad.clone()), (2, bad.clone()), (2, bad.clone())]);
        assert_eq!(practice.before().len(), 0);
        assert!(!practice.go_back(), "it is the first");
        assert!(practice.record_try(&good) && practice.advance());
        assert_eq!(practice.before().len(), 1);
        assert!(!practice.record_try(&bad) && practice.record_try(&good) && practice.advance());
        practice.show();
        assert!(practice.record_try(&good), "it may still be tried");
        assert!(practice.advance() && !practice.advance());
        assert_eq!((practice.exercise(), practice.before()), (None, history));
        let all = PracticeTotals { at_once: 1, later: 1, shown: 1, open: 0 };
        assert_eq!(practice.totals(), all);
        practice.restart();
        assert_eq!(practice.totals(), PracticeTotals { open: 3, ..PracticeTotals::default() });
    }
}
