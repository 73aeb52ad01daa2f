//! The panel of an exercise, in place of the list of moves: a task, what the last try
//! was worth, and buttons.

use std::{fmt::Debug, hash::Hash};

use bevy_egui::egui::{Color32, Context, FontId, Rect, Ui, UiBuilder};

use crate::app::ui::{
    theme::{self, BODY},
    widgets,
};

/// From this height on the task and the last try's feedback have room (points).
const ROOMY_HEIGHT: f32 = 220.0;

/// What the last try was worth, and its colour.
pub(super) type Feedback = (String, Color32);

/// What all exercises show.
pub(super) struct ExercisePanel<'a, Step> {
    /// Names the panel.
    pub(super) id: &'static str,
    pub(super) heading: &'a str,
    /// Names the exercise: another one is shown from its first line.
    pub(super) step: Step,
    pub(super) feedback: Option<Feedback>,
}

impl<Step: Hash + Debug> ExercisePanel<'_, Step> {
    /// Shows the panel; the closures add the task and the buttons.
    pub(super) fn show(
        self,
        context: &Context,
        rect: Rect,
        add_task: impl FnOnce(&mut Ui),
        add_buttons: impl FnOnce(&mut Ui),
    ) {
        let Self { id, heading, step, feedback } = self;
        widgets::panel(context, id, rect, theme::panel_frame(), |ui| {
            widgets::heading(ui, heading);
            tighten_if_narrow(ui);
            let rows = if ui.available_width() < 420.0 { 2 } else { 1 };
            let free = ui.available_height() - foot_height(rows);
            // Where there is little room, what is new comes first and all is scrolled.
            let (first, last) =
                if free < ROOMY_HEIGHT { (feedback, None) } else { (None, feedback) };
            let room = (free - feedback_height(ui, last.as_ref())).max(40.0);
            let new_text = first.as_ref().map(|(text, _)| text.clone());
            widgets::scroll_area(ui, (id, "scroll", step, new_text), room, |ui| {
                if let Some((text, color)) = first {
                    widgets::wrapped(ui, &text, BODY, color);
                }
                add_task(ui);
            });
            show_feedback(ui, last);
            show_foot(ui, rows, add_buttons);
        });
    }
}

/// Brings buttons closer together where the panel is narrow.
pub(super) fn tighten_if_narrow(ui: &mut Ui) {
    if ui.available_width() < 220.0 {
        ui.spacing_mut().button_padding.x = 6.0;
        ui.spacing_mut().item_spacing.x = 4.0;
    }
}

/// The height of the feedback, with the space above it.
pub(super) fn feedback_height(ui: &Ui, feedback: Option<&Feedback>) -> f32 {
    feedback.map_or(0.0, |(text, color)| {
        let (font, width) = (FontId::proportional(BODY), ui.available_width());
        ui.painter().layout(text.clone(), font, *color, width).size().y + 12.0
    })
}

/// Shows the feedback under the task, where it stays in sight however long the task is.
pub(super) fn show_feedback(ui: &mut Ui, feedback: Option<Feedback>) {
    if let Some((text, color)) = feedback {
        ui.add_space(6.0);
        widgets::wrapped(ui, &text, BODY, color);
    }
}

/// The height of so many rows of buttons.
pub(super) const fn foot_height(rows: u8) -> f32 {
    8.0 + 38.0 * rows as f32
}

/// Shows buttons in so many rows at the panel's foot: they stay in place from step to
/// step.
pub(super) fn show_foot(ui: &mut Ui, rows: u8, add_buttons: impl FnOnce(&mut Ui)) {
    let foot = ui.max_rect();
    let foot = foot.with_min_y(foot.bottom() - foot_height(rows) + 6.0);
    ui.scope_builder(UiBuilder::new().max_rect(foot), |ui| {
        ui.horizontal_wrapped(add_buttons);
    });
}
