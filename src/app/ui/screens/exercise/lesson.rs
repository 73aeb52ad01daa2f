//! A step of a lesson.

use super::Exercise;
use crate::{
    app::{lesson::Lesson, scene::api::MoveMark, ui::prelude::*},
    session::{LessonGoal, LessonStep, describe_hint, leader},
};

pub(super) fn exercise(
    lesson: &Lesson,
    step: &LessonStep,
    history: &GameHistory<AnyPosition>,
    analysis: &Analysis,
) -> Exercise {
    let game = game_texts::name(step.start.rules().game());
    let explanation = step.explanation().filter(|_| lesson.done);
    let part = lesson.part();
    let title = if step.is_of_other_rules() { "lesson.other-rules-of" } else { "lesson.of" };
    let status = match &step.goal {
        _ if !lesson.done => "",
        _ if lesson.ends_part() => tr("lesson.end"),
        LessonGoal::Read => tr("status.read"),
        _ => tr("status.step"),
    };
    Exercise {
        title: tr_args(title, &[("game", game)]),
        steps: Some((lesson.step - part.start, part.map(|step| lesson.is_done(step)).collect())),
        id: format!("{game} {}", lesson.step),
        // What is to be done has a line of its own.
        task: step.text().lines().chain(explanation).map(str::to_owned).collect(),
        task_mark: None,
        wait: None,
        // As in a game, once the lesson has said how to count.
        notes: leader(history.position())
            .filter(|_| step.explanation().is_some())
            .into_iter()
            .collect(),
        feedback: feedback(lesson, step, history, analysis),
        judged: None,
        status: status.to_owned(),
        names_squares: true,
        more: &["play-taught", "toggle-course"],
    }
}

/// The feedback to the last attempt, or that one is due. It
/// repeats what the move announced, which is called out only for a moment.
fn feedback(
    lesson: &Lesson,
    step: &LessonStep,
    history: &GameHistory<AnyPosition>,
    analysis: &Analysis,
) -> Option<super::Feedback> {
    if let Some(why) = &lesson.missed {
        let text = format!("{} {}", why.localized(), tr("lesson.again"));
        return Some((text, Some(MoveMark::Wrong)));
    }
    if let Some(hint) = analysis.hint_for(history.position()).filter(|_| !lesson.done) {
        return Some((describe_hint(history.position(), hint), None));
    }
    let text = if !lesson.done {
        tr("lesson.try")
    } else if lesson.ends_part() {
        tr("lesson.end")
    } else if step.goal != LessonGoal::Read {
        tr("lesson.done")
    } else {
        return None;
    };
    let announces = lesson.done && step.goal == LessonGoal::Announce;
    let announced = describe_ply(history, history.len()).pop().filter(|_| announces);
    Some((announced.map_or_else(|| text.to_owned(), |words| format!("{words} {text}")), None))
}
