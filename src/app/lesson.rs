//! A lesson on the real board: one step after the other, each judged by the
//! rules.
//!
//! The game that was on the table is set aside and comes back when the lesson
//! is left. A lesson is never kept as a game; the step it was left at is, among
//! the settings.

use bevy::prelude::*;

use crate::{
    app::{
        core::{
            actions::{Action, GameAction, UiAction},
            schedule::AppSet,
            states::Screen,
        },
        game::referee::{Referee, SuspendedGame},
        scene::api::{MotionStatus, SceneCommand},
        settings::Settings,
    },
    games::{AnyPosition, Game, GameKind, Line},
    table::{Attempt, Setup, Step, Table, Task, lesson},
};

/// Where a lesson is.
#[derive(Resource, Default)]
pub struct Lesson {
    /// Which game is learnt; none while no lesson is on.
    pub game: Option<GameKind>,
    /// Which of its steps, from 0.
    pub step: usize,
    /// Whether the step is done.
    pub done: bool,
    /// Whether the last try was something else.
    pub missed: bool,
    before: Option<SuspendedGame>,
}

impl Lesson {
    /// The step that is on, if a lesson is.
    #[must_use]
    pub fn now(&self) -> Option<&'static Step> {
        lesson(self.game?).get(self.step)
    }

    /// How many steps there are.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.game.map_or(0, |game| lesson(game).len())
    }
}

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<Lesson>()
        .add_systems(Update, (follow, judge).chain().in_set(AppSet::Files));
}

fn follow(
    mut acts: MessageReader<Action>,
    mut lesson: ResMut<Lesson>,
    mut referee: ResMut<Referee>,
    mut settings: ResMut<Settings>,
    mut cues: MessageWriter<SceneCommand>,
    mut next: ResMut<NextState<Screen>>,
) {
    for act in acts.read() {
        let step = match act {
            Action::Game(GameAction::StartLesson(game)) => {
                lesson.game = Some(*game);
                if !referee.lesson {
                    lesson.before = Some(referee.set_aside());
                }
                settings.lessons.step(*game)
            }
            Action::Game(GameAction::NextLessonStep)
                if referee.lesson && lesson.step + 1 < lesson.steps() =>
            {
                lesson.step + 1
            }
            // After the last step there is nothing to do but to play.
            Action::Game(GameAction::NextLessonStep)
            | Action::Game(GameAction::PreviousLessonStep)
            | Action::Game(GameAction::FirstLessonStep)
                if !referee.lesson =>
            {
                continue;
            }
            Action::Game(GameAction::PreviousLessonStep) => lesson.step.saturating_sub(1),
            Action::Game(GameAction::FirstLessonStep) => 0,
            Action::Game(GameAction::NextLessonStep) | Action::Ui(UiAction::ShowTitle)
                if referee.lesson =>
            {
                // One that was gone through to its end begins anew.
                if let Some(game) =
                    lesson.game.filter(|_| *act == Action::Game(GameAction::NextLessonStep))
                {
                    reach(&mut settings, game, 0);
                }
                if let Some(before) = lesson.before.take() {
                    cues.write_batch(referee.take_back(before));
                }
                *lesson = Lesson::default();
                next.set(Screen::Title);
                continue;
            }
            _ => continue,
        };
        lesson.step = step;
        let Some(now) = lesson.now() else { continue };
        if let Some(game) = lesson.game {
            reach(&mut settings, game, step);
        }
        (lesson.done, lesson.missed) = (now.task == Task::Read, false);
        cues.write(referee.teach(table(now)));
        referee.rests = lesson.done;
        next.set(Screen::Table);
    }
    // Another game was begun or opened: the lesson is over.
    if lesson.game.is_some() && !referee.lesson {
        *lesson = Lesson::default();
    }
}

/// Keeps the place; settings that stay the same are not written.
fn reach(settings: &mut ResMut<Settings>, game: GameKind, step: usize) {
    if settings.lessons.step(game) != step {
        settings.lessons.set_step(game, step);
    }
}

fn table(step: &Step) -> Table {
    Table::new(Setup {
        seed: Some(SEED),
        start: Some(step.start.clone()),
        ..Setup::of(step.start.rules())
    })
}

/// The sticks of lessons fall alike for everybody.
const SEED: u64 = 1;

/// Judges what was played, and takes back what was not asked for.
fn judge(
    mut lesson: ResMut<Lesson>,
    mut referee: ResMut<Referee>,
    mut cues: MessageWriter<SceneCommand>,
    motion: Res<MotionStatus>,
) {
    let Some(step) = lesson.now().filter(|_| referee.lesson) else { return };
    if lesson.done {
        // Taken back, a task can be done once more.
        let again = referee.table.as_ref().is_some_and(|table| table.line().is_empty());
        if again && step.task != Task::Read {
            (lesson.done, referee.rests) = (false, false);
        }
        return;
    }
    // What is chosen now was not missed yet.
    if lesson.missed && !referee.selection.is_empty() {
        lesson.missed = false;
    }
    let attempt = referee.table.as_ref().map(|table| attempt(step, table.line()));
    match attempt {
        Some(Attempt::Done) => {
            (lesson.done, lesson.missed) = (true, false);
            referee.rests = true;
        }
        // It is seen to its end before it goes back.
        Some(Attempt::Missed) if !motion.is_busy() => {
            lesson.missed = true;
            cues.write(referee.teach(table(step)));
        }
        Some(Attempt::Missed | Attempt::Waiting) | None => {}
    }
}

fn attempt(step: &Step, line: &Line<AnyPosition>) -> Attempt {
    // Another game's board has nothing to do with this step.
    if line.start().key() == step.start.key() { step.attempt(line) } else { Attempt::Waiting }
}
