//! A step of a lesson.

use super::Exercise;
use crate::{
    app::{lesson::Lesson, ui::prelude::*},
    session::{LessonGoal, LessonStep, leader},
};

pub(super) fn exercise(
    lesson: &Lesson,
    step: &LessonStep,
    history: &GameHistory<AnyPosition>,
) -> Exercise {
    let game = game_texts::name(step.start.rules().game());
    let explanation = step.explanation().filter(|_| lesson.done);
    let is_last = lesson.step + 1 == lesson.steps();
    let status = match &step.goal {
        _ if !lesson.done => "",
        _ if is_last => tr("lesson.end"),
        LessonGoal::Read => tr("status.read"),
        _ => tr("status.step"),
    };
    Exercise {
        title: tr_args("lesson.of", &[("game", game)]),
        step: Some([lesson.step, lesson.steps()]),
        id: format!("{game} {}", lesson.step),
        // What is to be done has a line of its own.
        task: step.text().lines().chain(explanation).map(str::to_owned).collect(),
        wait: None,
        // As in a game, once the lesson has said how to count.
        notes: leader(history.position())
            .filter(|_| step.explanation().is_some())
            .into_iter()
            .collect(),
        feedback: feedback(lesson, step, history),
        status: status.to_owned(),
        more: &["toggle-course"],
    }
}

/// The feedback to the last attempt, or that one is due, and its colour. It
/// repeats what the move announced, which is called out only for a moment.
fn feedback(
    lesson: &Lesson,
    step: &LessonStep,
    history: &GameHistory<AnyPosition>,
) -> Option<super::Feedback> {
    let (text, color) = if lesson.wrong_attempt {
        (tr("lesson.missed"), ERROR)
    } else if !lesson.done {
        (tr("lesson.try"), ACCENT)
    } else if lesson.step + 1 == lesson.steps() {
        (tr("lesson.end"), ACCENT)
    } else if step.goal != LessonGoal::Read {
        (tr("lesson.done"), ACCENT)
    } else {
        return None;
    };
    let announces = lesson.done && step.goal == LessonGoal::Announce;
    let announced = describe_ply(history, history.len()).pop().filter(|_| announces);
    Some((announced.map_or_else(|| text.to_owned(), |words| format!("{words} {text}")), color))
}
