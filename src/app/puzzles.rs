//! The puzzle trainer: positions with one best move on the real board, near the
//! player's rating, and the missed ones again.
//!
//! It is shown as a lesson is: the referee suspends the game on the table, which is
//! never changed, and brings it back at the end. A wrong try is answered on the board
//! by the engine and then undone.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use bevy::prelude::*;

use crate::{
    app::{
        analysis::{Analysis, AnalysisSearches, HintStep},
        core::{
            actions::{Action, GameAction, UiAction},
            redraw::KeepRedrawing,
            schedule::AppSet,
            states::Screen,
        },
        game::referee::Referee,
        lesson::Lesson,
        practice::{JUDGE_TIME, PracticeSession, REFUTATION_TIME},
        replay::Replay,
        scene::api::{MotionStatus, SceneCommand},
    },
    engines::{Judgement, MoveJudge},
    games::{AnyMove, AnyPosition, Game, GameHistory, Ply, RuleSet, Side},
    i18n::LocalizedMessage,
    table::{
        GameSession,
        puzzles::{Puzzle, PuzzleProgress, Theme, shipped},
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
        .add_systems(Update, apply_actions.in_set(AppSet::Files))
        .add_systems(Update, advance.in_set(AppSet::Engines).after(AnalysisSearches));
}

/// Starts, steps through and leaves the trainer.
fn apply_actions(
    mut actions: MessageReader<Action>,
    mut trainer: ResMut<PuzzleTrainer>,
    mut referee: ResMut<Referee>,
    (mut replay, mut lesson): (ResMut<Replay>, ResMut<Lesson>),
    practice: Res<PracticeSession>,
    mut analysis: ResMut<Analysis>,
    mut commands: MessageWriter<SceneCommand>,
    (screen, mut next): (Res<State<Screen>>, ResMut<NextState<Screen>>),
) {
    for action in actions.read() {
        match action {
            Action::Game(GameAction::StartPuzzles(rules)) => {
                let shown = referee.table.as_ref().filter(|_| *screen.get() == Screen::Table);
                let rules = rules.or_else(|| shown.map(GameSession::rules));
                let rules = rules.unwrap_or(RuleSet::TablutAshton);
                let is_own_game = *screen.get() == Screen::Table && !referee.lesson;
                let from = if is_own_game { Screen::Table } else { Screen::Title };
                if trainer.puzzles.first().map(Puzzle::rules) != Some(rules) {
                    trainer.puzzles = shipped(rules);
                    trainer.theme = None;
                }
                if !trainer.choose(from) {
                    referee.notify(LocalizedMessage::new("puzzles.none-left"));
                    continue;
                }
                *lesson = Lesson::default();
                replay.playing = false;
                analysis.enabled = false;
                analysis.hint = None;
                commands.write_batch(trainer.current().map(|it| it.set_up(&mut referee)));
                next.set(Screen::Table);
            }
            // A lesson takes its place; the suspended game stays suspended.
            Action::Game(GameAction::StartLesson(_)) => end(&mut trainer),
            _ if trainer.current.is_none() || !referee.lesson => {}
            Action::Ui(UiAction::ShowTitle) => {
                commands.write_batch(referee.resume_suspended());
                end(&mut trainer);
                next.set(Screen::Title);
            }
            Action::Game(GameAction::LeavePractice) => {
                let from = trainer.current().map_or(Screen::Title, |it| it.from);
                end(&mut trainer);
                let table = referee.resume_suspended();
                let returns = from == Screen::Table && table.is_some();
                commands.write_batch(table);
                next.set(if returns { Screen::Table } else { Screen::Title });
            }
            Action::Game(action) => {
                let command = step(action, &mut trainer, &mut referee, &mut analysis);
                commands.write_batch(command);
            }
            _ => {}
        }
    }
    // Another game was started or opened, or the mistakes of one are practised.
    if trainer.current.is_some() && (!referee.lesson || practice.game().is_some()) {
        end(&mut trainer);
    }
}

fn end(trainer: &mut PuzzleTrainer) {
    trainer.judge.cancel();
    trainer.current = None;
}

/// Goes to another puzzle, starts this one again, or shows its solution.
fn step(
    action: &GameAction,
    trainer: &mut PuzzleTrainer,
    referee: &mut Referee,
    analysis: &mut Analysis,
) -> Option<SceneCommand> {
    match action {
        GameAction::NextLessonStep | GameAction::FilterPuzzles(_) => {
            let theme = trainer.theme;
            if let GameAction::FilterPuzzles(theme) = action {
                trainer.theme = *theme;
            }
            let from = trainer.current()?.from;
            if !trainer.choose(from) {
                trainer.theme = theme;
                referee.notify(LocalizedMessage::new("puzzles.none-left"));
                return None;
            }
            analysis.hint = None;
        }
        GameAction::PreviousLessonStep | GameAction::FirstLessonStep => {
            trainer.judge.cancel();
            let current = trainer.current.as_mut()?;
            current.played.truncate(0);
            current.attempt = PuzzleAttempt::Waiting;
            analysis.hint = None;
        }
        GameAction::Hint => {
            let current = trainer.current.as_ref()?;
            let is_due = matches!(
                current.attempt,
                PuzzleAttempt::Waiting | PuzzleAttempt::Missed(_) | PuzzleAttempt::Solved
            );
            if !is_due {
                return None;
            }
            if let Some(message) = trainer.record(false) {
                referee.notify(message);
            }
            let current = trainer.current.as_mut()?;
            if current.attempt == PuzzleAttempt::Solved {
                return None;
            }
            current.was_shown = true;
            current.attempt = PuzzleAttempt::Waiting;
            analysis.hint = Some((current.played.position().key(), current.solution()?));
            analysis.hint_step = HintStep::Move;
        }
        _ => return None,
    }
    trainer.current().map(|current| current.set_up(referee))
}

/// Goes on when the judge, the board or the player has.
fn advance(
    mut trainer: ResMut<PuzzleTrainer>,
    mut referee: ResMut<Referee>,
    mut commands: MessageWriter<SceneCommand>,
    mut redraw: ResMut<KeepRedrawing>,
    (motion, screen, time): (Res<MotionStatus>, Res<State<Screen>>, Res<Time<Real>>),
) {
    if trainer.current.is_none() || !referee.lesson || *screen.get() != Screen::Table {
        return;
    }
    let inner = trainer.bypass_change_detection();
    let step = next_attempt(inner, &mut referee, &motion, time.delta());
    let waits = inner.current.as_ref().is_some_and(|current| {
        matches!(
            current.attempt,
            PuzzleAttempt::Judging(_) | PuzzleAttempt::Answering(_) | PuzzleAttempt::Refuted(..)
        )
    });
    if step.is_some() || waits {
        redraw.set_if_neq(KeepRedrawing(true));
    }
    let Some((attempt, command)) = step else { return };
    let result = match &attempt {
        PuzzleAttempt::Solved => Some(true),
        PuzzleAttempt::Judging(_) => Some(false),
        _ => None,
    };
    if let Some(current) = &mut trainer.current {
        current.attempt = attempt;
    }
    if let Some(message) = result.and_then(|solved| trainer.record(solved)) {
        referee.notify(message);
    }
    commands.write_batch(command);
}

/// What the attempt becomes, with the scene's command; none if it stays.
fn next_attempt(
    trainer: &mut PuzzleTrainer,
    referee: &mut Referee,
    motion: &MotionStatus,
    elapsed: Duration,
) -> Option<(PuzzleAttempt, Option<SceneCommand>)> {
    let PuzzleTrainer { current, judge, .. } = trainer;
    let current = current.as_mut()?;
    let history = referee.table.as_ref()?.history();
    let played = current.played.len();
    if history.len() < played {
        // An undo reached into what is solved.
        return Some((current.attempt.clone(), Some(current.set_up(referee))));
    }
    let tried = match history.ply(played + 1) {
        Some(Ply::Move(mv)) => Some(mv),
        Some(Ply::Throw(_)) | None => None,
    };
    match (&mut current.attempt, tried) {
        (PuzzleAttempt::Waiting | PuzzleAttempt::Missed(_), Some(mv)) => {
            referee.locked = true;
            if !current.puzzle.accepts(&current.played, mv) {
                judge.start(&current.played, mv, JUDGE_TIME);
                return Some((PuzzleAttempt::Judging(mv), None));
            }
            current.played.push(Ply::Move(mv)).ok()?;
            let reply = current.puzzle.reply(&current.played);
            Some((reply.map_or(PuzzleAttempt::Solved, PuzzleAttempt::Answering), None))
        }
        // What follows waits until the move is on the board.
        (PuzzleAttempt::Answering(_) | PuzzleAttempt::Judging(_), _) if motion.is_busy() => None,
        (PuzzleAttempt::Answering(reply), _) => {
            let reply = *reply;
            let command = referee.play_in_exercise(reply);
            referee.locked = false;
            current.played.push(Ply::Move(reply)).ok()?;
            Some((PuzzleAttempt::Waiting, command))
        }
        (PuzzleAttempt::Judging(_), Some(_)) => match judge.poll()? {
            Some(judgement) => {
                let answer = judgement.reply.and_then(|reply| referee.play_in_exercise(reply));
                Some((PuzzleAttempt::Refuted(judgement, Duration::ZERO), answer))
            }
            None => Some((PuzzleAttempt::Missed(None), Some(current.set_up(referee)))),
        },
        (PuzzleAttempt::Refuted(judgement, shown), Some(_)) => {
            if !motion.is_busy() {
                *shown += elapsed;
            }
            let judgement = (*shown >= REFUTATION_TIME).then(|| judgement.clone())?;
            Some((PuzzleAttempt::Missed(Some(judgement)), Some(current.set_up(referee))))
        }
        // The try was undone.
        (PuzzleAttempt::Judging(_) | PuzzleAttempt::Refuted(..), None) => {
            judge.cancel();
            referee.locked = false;
            Some((PuzzleAttempt::Waiting, None))
        }
        (PuzzleAttempt::Waiting | PuzzleAttempt::Missed(_), None) | (PuzzleAttempt::Solved, _) => {
            None
        }
    }
}
