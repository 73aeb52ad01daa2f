//! The bar along the top of the table: its buttons, and the status line.

use bevy_egui::egui::{Align, Context, Label, Layout, Rect, RichText, Ui};

use super::{clocks, move_list::MoveList};
use crate::{
    app::{
        analysis::Analysis,
        core::{
            actions::{Action, GameAction, UiAction, ViewAction},
            states::Dialog,
        },
        ui::{
            theme::{self, ACCENT, ERROR, LARGE, SMALL, TEXT},
            widgets,
        },
    },
    games::Side,
    i18n::tr,
    session::GameSession,
};

/// How high the bar is in a window this wide.
pub(super) const fn height(window: f32) -> f32 {
    if is_narrow(window) { 90.0 } else { 86.0 }
}

/// How high it is without the status line.
pub(super) const BUTTONS_HEIGHT: f32 = 48.0;

/// Whether the toolbar has no room for all its buttons: the menu has the others.
pub(crate) const fn is_narrow(window: f32) -> bool {
    window < 760.0
}

/// Whether there is so little room beside the board that the list of moves is
/// shown only when it is opened.
pub(crate) const fn is_tight(window: f32) -> bool {
    window < 600.0
}

/// What the status line and the buttons depend on.
pub(super) struct Status<'a> {
    /// Whose turn it is and what to do.
    pub(super) text: &'a str,
    /// Whether an engine is thinking.
    pub(super) thinking: bool,
    /// Whether the player has something to do now.
    pub(super) awaits_player: bool,
    /// Whether an earlier position is looked at.
    pub(super) views_earlier: bool,
    /// Whether a person's move is due.
    pub(super) move_due: bool,
    /// Whether a move can be undone.
    pub(super) can_undo: bool,
    /// Whether one half of a pair of moves is chosen: that is undone first.
    pub(super) half_selected: bool,
    /// Whose turn it is in the position that is shown.
    pub(super) turn: Option<Side>,
    /// A warning in place of the text, where no other panel shows it.
    pub(super) warning: Option<&'static str>,
    /// The clocks, for where no other panel shows them.
    pub(super) clocks: Option<clocks::Clocks>,
    /// Whether a lesson is on.
    pub(super) lesson: bool,
    /// Whether it is an exercise, which hints and evaluation would give away.
    pub(super) exercise: bool,
}

/// Shows the toolbar.
pub(super) fn show(
    context: &Context,
    rect: Rect,
    table: &GameSession,
    status: &Status<'_>,
    analysis: &Analysis,
    list: &mut MoveList,
    actions: &mut Vec<Action>,
) {
    let (narrow, tight) = (is_narrow(rect.width()), is_tight(rect.width()));
    widgets::panel(context, "bar", rect, theme::panel_frame(), |ui| {
        ui.horizontal(|ui| {
            narrow_spacing(ui, rect.width());
            if widgets::button(ui, tr("bar.menu")).clicked() {
                actions.push(UiAction::OpenDialog(Dialog::Menu).into());
            }
            ui.separator();
            if status.views_earlier {
                viewing_buttons(ui, actions);
            } else {
                undo_buttons(ui, table, status, narrow, actions);
                if !status.exercise {
                    ui.separator();
                    analysis_buttons(ui, status.move_due, analysis, narrow, actions);
                }
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if tight && status.lesson {
                    top_view_button(ui, actions);
                } else if tight {
                    list_button(ui, list);
                } else if narrow {
                    help_button(ui, actions);
                } else {
                    view_buttons(ui, actions);
                }
            });
        });
        if rect.height() > BUTTONS_HEIGHT {
            ui.add_space(2.0);
            ui.horizontal(|ui| status_line(ui, table, status, narrow, tight));
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

fn status_line(ui: &mut Ui, table: &GameSession, status: &Status<'_>, narrow: bool, tight: bool) {
    if let Some(side) = status.turn {
        widgets::disc(ui, theme::side_color(table.rules(), side), 9.0);
    }
    let color = match status.warning {
        Some(_) => ERROR,
        None if status.awaits_player || status.views_earlier => ACCENT,
        None => TEXT,
    };
    if status.thinking {
        widgets::thinking_dots(ui);
    }
    if !narrow {
        widgets::one_line(ui, status.text, LARGE, color);
        return;
    }
    let text = status.warning.unwrap_or(status.text);
    let text = RichText::new(text).size(SMALL).color(color);
    let Some(clocks) = status.clocks.as_ref().filter(|_| tight) else {
        ui.add(Label::new(text).wrap());
        return;
    };
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        clocks::both(ui, table.rules(), clocks);
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            ui.add(Label::new(text).wrap());
        });
    });
}

fn viewing_buttons(ui: &mut Ui, actions: &mut Vec<Action>) {
    if widgets::button(ui, tr("bar.back-to-game")).clicked() {
        actions.push(GameAction::ViewPly(usize::MAX).into());
    }
    if widgets::button(ui, tr("bar.branch")).on_hover_text(tr("bar.branch-hint")).clicked() {
        actions.push(GameAction::Branch.into());
    }
}

fn undo_buttons(
    ui: &mut Ui,
    table: &GameSession,
    status: &Status<'_>,
    narrow: bool,
    actions: &mut Vec<Action>,
) {
    let &Status { can_undo, half_selected, .. } = status;
    if widgets::button_if(ui, can_undo || half_selected, tr("bar.undo"), tr("bar.no-undo"))
        .clicked()
    {
        actions.push(GameAction::Undo.into());
    }
    if table.rules().has_sticks()
        && !narrow
        && widgets::button_if(ui, can_undo, tr("bar.undo-turn"), tr("bar.no-undo"))
            .on_hover_text(tr("bar.undo-turn-hint"))
            .clicked()
    {
        actions.push(GameAction::UndoTurn.into());
    }
    if widgets::button_if(ui, table.can_redo(), tr("bar.redo"), tr("bar.no-redo")).clicked() {
        actions.push(GameAction::Redo.into());
    }
}

fn analysis_buttons(
    ui: &mut Ui,
    move_due: bool,
    analysis: &Analysis,
    narrow: bool,
    actions: &mut Vec<Action>,
) {
    let can_ask = move_due && !analysis.hint_pending;
    if widgets::button_if(ui, can_ask, tr("bar.hint"), tr("bar.no-hint"))
        .on_hover_text(tr("bar.hint-hint"))
        .clicked()
    {
        actions.push(GameAction::Hint.into());
    }
    if narrow {
        return;
    }
    if widgets::choice_button(ui, analysis.show_threats, tr("bar.threats"))
        .on_hover_text(tr("bar.threats-hint"))
        .clicked()
    {
        actions.push(ViewAction::ToggleThreats.into());
    }
    if widgets::choice_button(ui, analysis.show_evaluation, tr("bar.value"))
        .on_hover_text(tr("bar.value-hint"))
        .clicked()
    {
        actions.push(ViewAction::ToggleEvaluation.into());
    }
}

/// Opens and closes the list of moves, where there is little room.
pub(super) fn list_button(ui: &mut Ui, list: &mut MoveList) {
    if widgets::choice_button(ui, list.is_open, tr("bar.list")).clicked() {
        list.is_open = !list.is_open;
        // The panels move in the next frame.
        ui.ctx().request_repaint();
    }
}

/// The buttons of the help and of the camera, on any screen with a board.
pub(super) fn view_buttons(ui: &mut Ui, actions: &mut Vec<Action>) {
    help_button(ui, actions);
    if widgets::button(ui, tr("bar.reset-view")).on_hover_text(tr("bar.reset-hint")).clicked() {
        actions.push(ViewAction::ResetCamera.into());
    }
    top_view_button(ui, actions);
}

fn top_view_button(ui: &mut Ui, actions: &mut Vec<Action>) {
    if widgets::button(ui, tr("bar.above")).on_hover_text(tr("bar.above-hint")).clicked() {
        actions.push(ViewAction::ToggleTopView.into());
    }
}

fn help_button(ui: &mut Ui, actions: &mut Vec<Action>) {
    let help = widgets::button(ui, "?");
    widgets::set_accessible_label(&help, tr("bar.how-to"));
    if help.on_hover_text(tr("bar.how-to")).clicked() {
        actions.push(UiAction::OpenDialog(Dialog::Help).into());
    }
}
