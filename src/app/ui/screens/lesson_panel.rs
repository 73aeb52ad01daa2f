//! The text of a lesson's step, in place of the list of moves.

use bevy_egui::egui::{Button, Context, Rect, RichText, Ui, vec2};

use super::exercise_panel::{
    Feedback, feedback_height, foot_height, show_feedback, show_foot, tighten_if_narrow,
};
use crate::{
    app::{
        core::actions::{Action, GameAction, UiAction, ViewAction},
        lesson::Lesson,
        ui::{
            game_texts,
            theme::{self, ACCENT, BODY, ERROR, LARGE, TEXT},
            widgets,
        },
    },
    games::{AnyPosition, GameHistory},
    i18n::{tr, tr_args},
    session::{LessonStep, describe_ply},
};

/// The heading: which step of which lesson.
fn title(lesson: &Lesson, step: &LessonStep) -> String {
    let (number, all) = ((lesson.step + 1).to_string(), lesson.steps().to_string());
    let game = game_texts::name(step.start.rules().game());
    let names = [("game", game), ("step", number.as_str()), ("all", all.as_str())];
    tr_args("lesson.of", &names)
}

/// Shows the step.
pub(super) fn show(
    context: &Context,
    rect: Rect,
    lesson: &Lesson,
    step: &LessonStep,
    history: &GameHistory<AnyPosition>,
    actions: &mut Vec<Action>,
) {
    widgets::panel(context, "lesson", rect, theme::panel_frame(), |ui| {
        widgets::heading(ui, &title(lesson, step));
        tighten_if_narrow(ui);
        // They stand in several rows where the panel is small.
        let is_narrow = ui.available_width() < 330.0;
        // The menu has the course where there is little room.
        let has_course = step.start.rules().has_sticks() && ui.available_height() > 320.0;
        let rows = 1 + u8::from(is_narrow) + u8::from(has_course);
        let feedback = feedback(lesson, step, history);
        let explanation = step.explanation().filter(|_| lesson.done);
        let fixed = foot_height(rows) + feedback_height(ui, feedback.as_ref());
        let room = (ui.available_height() - fixed).max(40.0);
        widgets::scroll_area(ui, lesson.step, room, |ui| {
            // Where there is little room, the new text comes first.
            let texts = if room < ROOMY_HEIGHT {
                [explanation, Some(step.text())]
            } else {
                [Some(step.text()), explanation]
            };
            for text in texts.into_iter().flatten() {
                widgets::wrapped(ui, text, BODY, TEXT);
            }
        });
        show_feedback(ui, feedback);
        show_foot(ui, rows, |ui| step_buttons(ui, lesson, has_course, actions));
    });
}

/// From this height on there is room for several lines of text (points).
const ROOMY_HEIGHT: f32 = 160.0;

/// The feedback to the last attempt, or that one is due, and its colour. It
/// repeats what the move announced, which is called out only for a moment.
fn feedback(
    lesson: &Lesson,
    step: &LessonStep,
    history: &GameHistory<AnyPosition>,
) -> Option<Feedback> {
    let (text, color) = if lesson.wrong_attempt {
        (tr("lesson.missed"), ERROR)
    } else if lesson.done && lesson.step + 1 == lesson.steps() {
        (tr("lesson.end"), ACCENT)
    } else if lesson.done && step.goal != crate::session::LessonGoal::Read {
        (tr("lesson.done"), ACCENT)
    } else if !lesson.done {
        (tr("lesson.try"), ACCENT)
    } else {
        return None;
    };
    let announces = lesson.done && step.goal == crate::session::LessonGoal::Announce;
    let announced = describe_ply(history, history.len()).pop().filter(|_| announces);
    Some((announced.map_or_else(|| text.to_owned(), |it| format!("{it} {text}")), color))
}

fn step_buttons(ui: &mut Ui, lesson: &Lesson, has_course: bool, actions: &mut Vec<Action>) {
    ui.add_enabled_ui(lesson.step > 0, |ui| {
        if widgets::button(ui, tr("lesson.back")).clicked() {
            actions.push(GameAction::PreviousLessonStep.into());
        }
    });
    let last = lesson.step + 1 == lesson.steps();
    let word = tr(if last { "lesson.to-play" } else { "lesson.next" });
    let size = vec2(76.0, 32.0);
    let next = if lesson.done {
        widgets::primary_button(ui, word, size)
    } else {
        ui.add(Button::new(RichText::new(word).size(LARGE)).min_size(size))
    };
    if next.clicked() {
        actions.push(GameAction::NextLessonStep.into());
    }
    if has_course
        && widgets::button(ui, tr("menu.course")).on_hover_text(tr("menu.course-hint")).clicked()
    {
        actions.push(ViewAction::ToggleCourse.into());
    }
    if widgets::button(ui, tr("lesson.leave")).clicked() {
        actions.push(UiAction::ShowTitle.into());
    }
}
