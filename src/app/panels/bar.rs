//! The bar along the top of the table: what can be done, and whose turn it is.

use bevy_egui::egui::{Align, Context, Layout, Rect, Ui};

use super::{
    desk::{Confirm, Desk},
    files::Files,
    theme,
    theme::{ACCENT, INK, LARGE},
    widgets,
};
use crate::{app::acts::Act, games::RuleSet, table::Table};

/// How high the bar is.
pub(super) const HEIGHT: f32 = 86.0;

/// What the bar says besides the table itself.
pub(super) struct Telling<'a> {
    /// Whose turn it is and what to do.
    pub(super) status: &'a str,
    /// Whether an engine is thinking.
    pub(super) thinking: bool,
    /// Whether the person looking on has something to do now.
    pub(super) calls: bool,
}

/// Shows the bar.
pub(super) fn show(
    context: &Context,
    place: Rect,
    table: &Table,
    telling: &Telling<'_>,
    desk: &mut Desk,
    files: &mut Files,
    asked: &mut Vec<Act>,
) {
    widgets::pane(context, "bar", place, theme::pane(), |ui| {
        ui.horizontal(|ui| {
            if place.width() < 1000.0 {
                ui.spacing_mut().item_spacing.x = 5.0;
                ui.spacing_mut().button_padding.x = 7.0;
            }
            buttons(ui, table, desk, files, asked);
        });
        ui.add_space(2.0);
        ui.horizontal(|ui| {
            if let Some(side) = table.turn().and_then(crate::games::Turn::side) {
                widgets::disc(ui, theme::colour(table.rules(), side), 9.0);
            }
            let ink = if telling.calls { ACCENT } else { INK };
            if telling.thinking {
                widgets::pondering(ui);
            }
            widgets::one_line(ui, telling.status, LARGE, ink);
        });
    });
}

fn buttons(ui: &mut Ui, table: &Table, desk: &mut Desk, files: &mut Files, asked: &mut Vec<Act>) {
    let rules: RuleSet = table.rules();
    let over = table.outcome().is_some();
    let played = !table.line().is_empty();
    if widgets::button(ui, "New game").on_hover_text("Choose a game; this one is kept").clicked() {
        asked.push(Act::Title);
    }
    if widgets::button(ui, "Save…").clicked() {
        files.save(rules);
    }
    if widgets::button(ui, "Open…").on_hover_text("Watch a recorded game").clicked() {
        files.open();
    }
    if widgets::button_if(ui, played, "Replay", "Nothing has been played yet")
        .on_hover_text("Watch this game from its beginning")
        .clicked()
    {
        asked.push(Act::Watch);
    }
    ui.separator();
    if widgets::button_if(ui, table.can_undo(), "Undo", "Nothing to take back").clicked() {
        asked.push(Act::Undo);
    }
    if widgets::button_if(ui, table.can_redo(), "Redo", "Nothing was taken back").clicked() {
        asked.push(Act::Redo);
    }
    ui.add_enabled_ui(!over, |ui| {
        if widgets::alarm_button(ui, "Resign").clicked() {
            desk.confirm = Some(Confirm::Resign);
        }
    });
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| views(ui, desk, asked));
}

/// The buttons of the view, and of the help, on any screen with a board.
pub(super) fn views(ui: &mut Ui, desk: &mut Desk, asked: &mut Vec<Act>) {
    if widgets::button(ui, "How to play").clicked() {
        desk.help = true;
    }
    if widgets::button(ui, "Reset view").on_hover_text("Look from your seat").clicked() {
        asked.push(Act::ResetView);
    }
    if widgets::button(ui, "From above").on_hover_text("From above, or back").clicked() {
        asked.push(Act::TopView);
    }
}
