//! The bar along the top of the table where there is no room for the pill: its buttons,
//! and the status line.

use super::{clocks, move_list::MoveList};
use crate::app::ui::{
    prelude::*,
    widgets::{self, command::CommandUi},
};

/// How high the bar is.
pub(super) const HEIGHT: f32 = 90.0;

/// How high it is without the status line.
pub(super) const BUTTONS_HEIGHT: f32 = 48.0;

/// Whether a bar has no room for all its buttons: the menu has the others.
pub(crate) const fn is_narrow(window: f32) -> bool {
    window < 760.0
}

/// Whether there is so little room beside the board that the list of moves is
/// shown only when it is opened.
pub(crate) const fn is_tight(window: f32) -> bool {
    window < 600.0
}

/// What the pill or the status line says.
pub(super) struct Status<'a> {
    /// Whose turn it is and what to do.
    pub(super) text: &'a str,
    /// Whether an engine is thinking.
    pub(super) thinking: bool,
    /// Whether the player has something to do now.
    pub(super) awaits_player: bool,
    /// Whose turn it is in the position that is shown.
    pub(super) turn: Option<Side>,
    /// A warning in place of the text, where no other panel shows it.
    pub(super) warning: Option<&'static str>,
    /// The clocks, for where no other panel shows them.
    pub(super) clocks: Option<clocks::Clocks>,
}

/// Shows the toolbar.
pub(super) fn show(
    context: &Context,
    rect: Rect,
    rules: RuleSet,
    status: &Status<'_>,
    list: &mut MoveList,
    commands: &mut CommandUi,
) {
    widgets::panel(context, "bar", rect, theme::panel_frame(), |ui| {
        ui.horizontal(|ui| {
            narrow_spacing(ui, rect.width());
            commands.button(ui, "menu");
            ui.separator();
            let views_earlier = commands.context.views_earlier_ply;
            let is_exercise = commands.context.is_exercise();
            let ids: &[&str] = match (views_earlier, is_exercise) {
                (true, _) => &["view-latest-ply", "play-from-here"],
                (false, true) => &["undo", "redo"],
                (false, false) => &["undo", "redo", "hint"],
            };
            for id in ids {
                commands.button(ui, id);
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if is_exercise {
                    commands.button(ui, "toggle-top-view");
                } else {
                    list_button(ui, list);
                }
            });
        });
        if rect.height() > BUTTONS_HEIGHT {
            ui.add_space(2.0);
            ui.horizontal(|ui| status_line(ui, rules, status));
        }
    });
}

/// Less space between and in buttons where there is little room.
pub(super) fn narrow_spacing(ui: &mut Ui, width: f32) {
    if width < 1100.0 {
        ui.spacing_mut().item_spacing.x = 5.0;
        ui.spacing_mut().button_padding.x = 7.0;
    }
}

fn status_line(ui: &mut Ui, rules: RuleSet, status: &Status<'_>) {
    if let Some(side) = status.turn {
        widgets::disc(ui, theme::side_color(rules, side), 9.0);
    }
    let color = match status.warning {
        Some(_) => ERROR,
        None if status.awaits_player => ACCENT,
        None => TEXT,
    };
    if status.thinking {
        widgets::thinking_dots(ui);
    }
    let text = status.warning.unwrap_or(status.text);
    let text = Label::new(RichText::new(text).size(SMALL).color(color)).wrap();
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        if let Some(clocks) = &status.clocks {
            clocks::both(ui, rules, clocks);
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| ui.add(text));
    });
}

/// Opens and closes the list of moves, where there is little room.
pub(super) fn list_button(ui: &mut Ui, list: &mut MoveList) {
    if widgets::choice_button(ui, list.is_open, tr("bar.list")).clicked() {
        list.is_open = !list.is_open;
        // The panels move in the next frame.
        ui.ctx().request_repaint();
    }
}
