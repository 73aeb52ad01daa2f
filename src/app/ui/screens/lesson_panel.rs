//! The text of a lesson's step, in the place of the list of moves.

use bevy_egui::egui::{Button, Color32, Context, FontId, Rect, RichText, Ui, UiBuilder, vec2};

use crate::{
    app::{
        core::actions::{Action, GameAction, UiAction},
        lesson::Lesson,
        ui::{
            game_texts,
            theme::{self, ACCENT, ALARM, BODY, INK, LARGE},
            widgets,
        },
    },
    games::{AnyPosition, GameHistory},
    i18n::{tr, tr_args},
    table::{LessonStep, describe_ply},
};

/// The line over the text: which step of which lesson.
pub(crate) fn title(lesson: &Lesson, step: &LessonStep) -> String {
    let (number, all) = ((lesson.step + 1).to_string(), lesson.steps().to_string());
    let game = game_texts::name(step.start.rules().game());
    let names = [("game", game), ("step", number.as_str()), ("all", all.as_str())];
    tr_args("lesson.of", &names)
}

/// Shows the step.
pub(crate) fn show(
    context: &Context,
    place: Rect,
    lesson: &Lesson,
    step: &LessonStep,
    line: &GameHistory<AnyPosition>,
    asked: &mut Vec<Action>,
) {
    widgets::pane(context, "lesson", place, theme::pane(), |ui| {
        widgets::heading(ui, &title(lesson, step));
        if ui.available_width() < 220.0 {
            ui.spacing_mut().button_padding.x = 6.0;
            ui.spacing_mut().item_spacing.x = 4.0;
        }
        // The three stand in two rows where the panel is small.
        let buttons = if ui.available_width() < 330.0 { 84.0 } else { 46.0 };
        let word = word(lesson, step, line);
        let why = step.explanation().filter(|_| lesson.done);
        let high = word.as_ref().map_or(0.0, |(text, ink)| {
            let (font, width) = (FontId::proportional(BODY), ui.available_width());
            ui.painter().layout(text.clone(), font, *ink, width).size().y + 12.0
        });
        let room = (ui.available_height() - buttons - high).max(40.0);
        widgets::scrolling(ui, lesson.step, room, |ui| {
            // Where there is little room, what is new comes first.
            let texts =
                if room < ROOMY { [why, Some(step.text())] } else { [Some(step.text()), why] };
            for text in texts.into_iter().flatten() {
                widgets::wrapped(ui, text, BODY + 1.0, INK);
            }
        });
        // How it went is in sight however long the text is.
        if let Some((text, ink)) = word {
            ui.add_space(6.0);
            widgets::wrapped(ui, &text, BODY, ink);
        }
        // They stay where they are from step to step.
        let foot = ui.max_rect();
        let foot = foot.with_min_y(foot.bottom() - buttons + 6.0);
        ui.scope_builder(UiBuilder::new().max_rect(foot), |ui| {
            ui.horizontal_wrapped(|ui| turn(ui, lesson, asked));
        });
    });
}

/// A text of several lines has room in so much height.
const ROOMY: f32 = 160.0;

/// What is said of the try, or that one is due; and in which colour. What a
/// move has announced is said too: it is called out for a moment only.
fn word(
    lesson: &Lesson,
    step: &LessonStep,
    line: &GameHistory<AnyPosition>,
) -> Option<(String, Color32)> {
    let (text, ink) = if lesson.wrong_attempt {
        (tr("lesson.missed"), ALARM)
    } else if lesson.done && lesson.step + 1 == lesson.steps() {
        (tr("lesson.end"), ACCENT)
    } else if lesson.done && step.goal != crate::table::LessonGoal::Read {
        (tr("lesson.done"), ACCENT)
    } else if !lesson.done {
        (tr("lesson.try"), ACCENT)
    } else {
        return None;
    };
    let announces = lesson.done && step.goal == crate::table::LessonGoal::Announce;
    let announced = describe_ply(line, line.len()).pop().filter(|_| announces);
    Some((announced.map_or_else(|| text.to_owned(), |it| format!("{it} {text}")), ink))
}

fn turn(ui: &mut Ui, lesson: &Lesson, asked: &mut Vec<Action>) {
    ui.add_enabled_ui(lesson.step > 0, |ui| {
        if widgets::button(ui, tr("lesson.back")).clicked() {
            asked.push(Action::Game(GameAction::PreviousLessonStep));
        }
    });
    let last = lesson.step + 1 == lesson.steps();
    let word = tr(if last { "lesson.to-play" } else { "lesson.next" });
    let size = vec2(76.0, 32.0);
    let next = if lesson.done {
        widgets::main_button(ui, word, size)
    } else {
        ui.add(Button::new(RichText::new(word).size(LARGE)).min_size(size))
    };
    if next.clicked() {
        asked.push(Action::Game(GameAction::NextLessonStep));
    }
    if widgets::button(ui, tr("lesson.leave")).clicked() {
        asked.push(Action::Ui(UiAction::ShowTitle));
    }
}
