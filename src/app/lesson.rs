//! A lesson on the real board: one step after the other, each checked by the
//! rules.
//!
//! The game on the table is suspended until the lesson ends. A
//! lesson is never saved as a game; the settings remember the step it was left
//! at.

use std::ops::Range;

use bevy::ecs::message::MessageMutator;

use crate::{
    app::{
        core::prelude::*,
        game::{
            autosave::Autosave,
            referee::{Referee, left_table, on_table},
            suspended::SuspendedGame,
        },
        scene::api::{MotionStatus, SceneCommand},
        settings::{LessonProgress, NewGameChoice, Settings},
    },
    session::{Attempt, LessonGoal, LessonStep, lesson_steps},
};

/// The state of a lesson.
#[derive(Resource, Default)]
pub struct Lesson {
    /// The game being taught; none outside a lesson.
    pub game: Option<GameKind>,
    /// The index of the current step.
    pub step: usize,
    /// Whether the step is done.
    pub done: bool,
    /// The steps that were ever done.
    progress: LessonProgress,
    /// Why the last attempt was wrong, if it was.
    pub missed: Option<LocalizedMessage>,
}

impl Lesson {
    /// The current step, if there is a lesson.
    pub fn current_step(&self) -> Option<&'static LessonStep> {
        lesson_steps(self.game?).get(self.step)
    }

    /// Whether the step of this name is still to come.
    pub(crate) fn is_before(&self, name: &str) -> bool {
        let steps = self.game.map_or(&[][..], lesson_steps);
        steps.iter().skip(self.step + 1).any(|step| step.name == name)
    }

    /// Whether a step was ever done.
    pub(crate) fn is_done(&self, step: usize) -> bool {
        self.game.is_some_and(|game| self.progress.is_done(game, step))
    }

    /// Sets whether the step is done now; the settings remember that it was.
    fn set_done(&mut self, is_done: bool, settings: &mut ResMut<Settings>) {
        self.done = is_done;
        if let Some(game) = self.game.filter(|_| is_done)
            && !settings.lessons.is_done(game, self.step)
        {
            settings.lessons.set_done(game, self.step);
        }
        self.progress = settings.lessons;
    }

    /// The number of steps.
    pub fn steps(&self) -> usize {
        self.game.map_or(0, |game| lesson_steps(game).len())
    }

    /// The steps of the part that the current one belongs to: the lesson itself, or what is
    /// different in the game's other rule sets.
    pub(crate) fn part(&self) -> Range<usize> {
        let steps = self.game.map_or(&[][..], lesson_steps);
        let other = steps.iter().position(LessonStep::is_of_other_rules).unwrap_or(steps.len());
        if self.step < other { 0..other } else { other..steps.len() }
    }

    /// Whether the current step is the last of its part.
    pub(crate) fn ends_part(&self) -> bool {
        self.step + 1 == self.part().end
    }
}

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Lesson>()
        .add_systems(
            Update,
            play_taught
                .run_if(on_table(OnTable::Lesson).or_eager(on_table(OnTable::Practice)))
                .after(AppSet::Input)
                .before(AppSet::Dispatch),
        )
        .add_systems(Update, apply_actions.in_set(AppSet::Files))
        // The scene has begun to show what was played.
        .add_systems(Update, check_attempt.run_if(on_table(OnTable::Lesson)).in_set(AppSet::Report))
        // Another game or exercise takes its place.
        .add_systems(
            Update,
            (|mut lesson: ResMut<Lesson>| *lesson = Lesson::default())
                .run_if(left_table(OnTable::Lesson))
                .in_set(AppSet::Report),
        );
}

/// Begins a game of what was taught or practised in place of the exercise. A game that would
/// be lost comes back instead.
fn play_taught(
    mut actions: MessageMutator<Action>,
    lesson: Res<Lesson>,
    (referee, suspended): (Res<Referee>, Res<SuspendedGame>),
    (autosave, mut settings): (Res<Autosave>, ResMut<Settings>),
) {
    for action in actions.read().filter(|action| **action == GameAction::PlayTaught.into()) {
        let Some(rules) = referee.table.as_ref().map(GameSession::rules) else { continue };
        if let Some(game) = lesson.game {
            save_progress(&mut settings, game, 0);
        }
        let waits = |game: &GameSession| game.outcome().is_none() && !game.history().is_empty();
        *action = if suspended.game(&referee).is_some_and(waits) && autosave.store().is_none() {
            GameAction::LeavePractice.into()
        } else {
            // Against the opponent of the title.
            let mut choice = NewGameChoice { games: 1, ..settings.new_game.clone() };
            choice.set_rules(rules);
            choice.play_computer();
            GameAction::NewGame(choice.setup()).into()
        };
    }
}

/// Starts, steps through and leaves a lesson.
fn apply_actions(
    mut actions: MessageReader<Action>,
    mut lesson: ResMut<Lesson>,
    (mut referee, mut suspended): (ResMut<Referee>, ResMut<SuspendedGame>),
    mut settings: ResMut<Settings>,
    mut commands: MessageWriter<SceneCommand>,
    mut next: ResMut<NextState<Screen>>,
) {
    for action in actions.read() {
        let is_on = referee.on_table == OnTable::Lesson;
        let step = match action {
            Action::Game(GameAction::StartLesson(game)) => {
                lesson.game = Some(*game);
                if !settings.lessons.is_answered(*game) {
                    settings.lessons.answer(*game);
                }
                settings.lessons.step(*game)
            }
            Action::Game(GameAction::NextLessonStep)
                if is_on && lesson.step + 1 < lesson.steps() =>
            {
                lesson.step + 1
            }
            Action::Game(GameAction::Hint) if is_on => {
                lesson.missed = None;
                continue;
            }
            // Without a lesson these do nothing.
            Action::Game(
                GameAction::NextLessonStep
                | GameAction::PreviousLessonStep
                | GameAction::FirstLessonStep,
            ) if !is_on => {
                continue;
            }
            Action::Game(GameAction::PreviousLessonStep) => lesson.step.saturating_sub(1),
            Action::Game(GameAction::FirstLessonStep) => 0,
            Action::Game(GameAction::NextLessonStep | GameAction::LeavePractice)
            | Action::Ui(UiAction::ShowTitle)
                if is_on =>
            {
                // A finished lesson starts at its first step the next time.
                let is_finished = lesson.ends_part()
                    && (lesson.done || *action == Action::Game(GameAction::NextLessonStep));
                if let Some(game) = lesson.game.filter(|_| is_finished) {
                    save_progress(&mut settings, game, 0);
                }
                commands.write_batch(suspended.resume(&mut referee));
                *lesson = Lesson::default();
                next.set(Screen::Title);
                continue;
            }
            _ => continue,
        };
        lesson.step = step;
        let Some(current) = lesson.current_step() else { continue };
        if let Some(game) = lesson.game {
            save_progress(&mut settings, game, step);
        }
        let is_read = current.goal == LessonGoal::Read;
        lesson.missed = None;
        lesson.set_done(is_read, &mut settings);
        suspended.suspend(&mut referee);
        commands.write(referee.set_exercise(OnTable::Lesson, table(current), Some(Side::First)));
        referee.locked = lesson.done;
        next.set(Screen::Table);
    }
}

/// Remembers the step; does not touch settings that stay the same.
fn save_progress(settings: &mut ResMut<Settings>, game: GameKind, step: usize) {
    if settings.lessons.step(game) != step {
        settings.lessons.set_step(game, step);
    }
}

/// The table that shows a step.
fn table(step: &LessonStep) -> GameSession {
    GameSession::new(Setup {
        seed: Some(SEED),
        start: Some(step.start.clone()),
        ..Setup::new(step.start.rules())
    })
}

/// The seed of the throws: everyone gets the same ones in a lesson.
const SEED: u64 = 1;

/// Checks what was played, once it has been seen; a wrong attempt is undone.
fn check_attempt(
    mut lesson: ResMut<Lesson>,
    mut referee: ResMut<Referee>,
    mut commands: MessageWriter<SceneCommand>,
    motion: Res<MotionStatus>,
    (mut settings, mut next): (ResMut<Settings>, ResMut<NextFrame>),
    mut plies: Local<usize>,
) {
    let Some(step) = lesson.current_step() else { return };
    let Some(history) = referee.table.as_ref().map(GameSession::history) else { return };
    let before = std::mem::replace(&mut *plies, history.len());
    if lesson.done {
        // After an undo the task can be tried again.
        if history.len() < before && step.goal != LessonGoal::Read {
            lesson.done = false;
            commands.write(referee.set_exercise(OnTable::Lesson, table(step), Some(Side::First)));
        } else if !motion.is_busy()
            && !motion.rests
            && let Some(mv) = step.proof(history)
        {
            commands.write_batch(referee.play_in_exercise(mv));
            next.at_once();
        }
        return;
    }
    // A new selection starts a new attempt.
    if lesson.missed.is_some() && !referee.selection.is_empty() {
        lesson.missed = None;
    }
    let attempt = attempt(step, history);
    if attempt == Attempt::Waiting {
        return;
    }
    if !referee.locked {
        referee.locked = true;
        next.at_once();
    }
    if motion.is_busy() {
        return;
    }
    if attempt == Attempt::Done {
        lesson.missed = None;
        lesson.set_done(true, &mut settings);
    } else {
        let history = referee.table.as_ref().map(GameSession::history);
        lesson.missed = history.map(|history| step.why_missed(history));
        commands.write(referee.set_exercise(OnTable::Lesson, table(step), Some(Side::First)));
    }
    next.at_once();
}

/// How far the moves played solve the step.
fn attempt(step: &LessonStep, history: &GameHistory<AnyPosition>) -> Attempt {
    // The table may still hold another game.
    if history.start().key() == step.start.key() { step.attempt(history) } else { Attempt::Waiting }
}
