//! The bar along the top of the table: what can be done, and whose turn it is.

use bevy_egui::egui::{Align, Context, Label, Layout, Rect, RichText, Ui};

use super::clocks;
use crate::{
    app::{
        analysis::Analysis,
        core::{
            actions::{Action, GameAction, UiAction, ViewAction},
            states::Dialog,
        },
        ui::{
            state::UiState,
            theme::{self, ACCENT, ALARM, INK, LARGE, SMALL},
            widgets,
        },
    },
    games::Side,
    i18n::tr,
    table::GameSession,
};

/// How high the bar is in a window this wide.
pub(crate) const fn height(window: f32) -> f32 {
    if is_narrow(window) { 90.0 } else { 86.0 }
}

/// How high it is with its buttons only.
pub(crate) const BUTTONS: f32 = 48.0;

/// Whether a bar has no room for all its buttons: the menu has the others.
pub(crate) const fn is_narrow(window: f32) -> bool {
    window < 760.0
}

/// Whether the board and the list of moves have so little room that the list
/// is shown only when it is wanted.
pub(crate) const fn is_tight(window: f32) -> bool {
    window < 600.0
}

/// What the bar says besides the table itself.
pub(crate) struct Telling<'a> {
    /// Whose turn it is and what to do.
    pub(crate) status: &'a str,
    /// Whether an engine is thinking.
    pub(crate) thinking: bool,
    /// Whether the person looking on has something to do now.
    pub(crate) calls: bool,
    /// Whether an earlier position is looked at.
    pub(crate) looking: bool,
    /// Whether a person's move is due.
    pub(crate) plays: bool,
    /// Whether one half of a pair of moves is chosen: that is taken back first.
    pub(crate) half: bool,
    /// Whose turn it is in the position that is shown.
    pub(crate) turn: Option<Side>,
    /// What is to be warned of, where nothing else says it.
    pub(crate) warning: Option<&'static str>,
    /// The clocks, where the seats may not be shown.
    pub(crate) clocks: Option<clocks::Clocks>,
    /// Whether a lesson is on: its text says what to do.
    pub(crate) lesson: bool,
}

/// Shows the bar.
pub(crate) fn show(
    context: &Context,
    place: Rect,
    table: &GameSession,
    telling: &Telling<'_>,
    advice: &Analysis,
    desk: &mut UiState,
    asked: &mut Vec<Action>,
) {
    widgets::pane(context, "bar", place, theme::pane(), |ui| {
        ui.horizontal(|ui| {
            if place.width() < 1100.0 {
                ui.spacing_mut().item_spacing.x = 5.0;
                ui.spacing_mut().button_padding.x = 7.0;
            }
            let (narrow, tight) = (is_narrow(place.width()), is_tight(place.width()));
            if widgets::button(ui, tr("bar.menu")).clicked() {
                asked.push(Action::Ui(UiAction::OpenDialog(Dialog::Menu)));
            }
            ui.separator();
            if telling.looking {
                looking(ui, asked);
            } else {
                turns(ui, table, telling.half, narrow, asked);
                ui.separator();
                advices(ui, telling.plays, advice, narrow, asked);
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if tight && telling.lesson {
                    views_of_a_lesson(ui, asked);
                } else if tight {
                    if widgets::choice(ui, desk.list, tr("bar.list")).clicked() {
                        desk.list = !desk.list;
                        // The panels stand otherwise from the next frame on.
                        ui.ctx().request_repaint();
                    }
                } else if narrow {
                    how_to(ui, asked);
                } else {
                    views(ui, asked);
                }
            });
        });
        if place.height() <= BUTTONS {
            return;
        }
        ui.add_space(2.0);
        ui.horizontal(|ui| {
            if let Some(side) = telling.turn {
                widgets::disc(ui, theme::colour(table.rules(), side), 9.0);
            }
            let ink = match telling.warning {
                Some(_) => ALARM,
                None if telling.calls || telling.looking => ACCENT,
                None => INK,
            };
            if telling.thinking {
                widgets::pondering(ui);
            }
            if is_narrow(place.width()) {
                let text = telling.warning.unwrap_or(telling.status);
                let text = RichText::new(text).size(SMALL + 1.0).color(ink);
                let clocks = telling.clocks.as_ref().filter(|_| is_tight(place.width()));
                let Some(clocks) = clocks else {
                    ui.add(Label::new(text).wrap());
                    return;
                };
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    clocks::both(ui, table.rules(), clocks);
                    ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                        ui.add(Label::new(text).wrap());
                    });
                });
            } else {
                widgets::one_line(ui, telling.status, LARGE, ink);
            }
        });
    });
}

fn looking(ui: &mut Ui, asked: &mut Vec<Action>) {
    if widgets::button(ui, tr("bar.back-to-game")).clicked() {
        asked.push(Action::Game(GameAction::ViewPly(usize::MAX)));
    }
    if widgets::button(ui, tr("bar.branch")).on_hover_text(tr("bar.branch-hint")).clicked() {
        asked.push(Action::Game(GameAction::Branch));
    }
}

fn turns(ui: &mut Ui, table: &GameSession, half: bool, narrow: bool, asked: &mut Vec<Action>) {
    let can_undo = table.can_undo();
    if widgets::button_if(ui, can_undo || half, tr("bar.undo"), tr("bar.no-undo")).clicked() {
        asked.push(Action::Game(GameAction::Undo));
    }
    if table.rules().has_sticks()
        && !narrow
        && widgets::button_if(ui, can_undo, tr("bar.undo-turn"), tr("bar.no-undo"))
            .on_hover_text(tr("bar.undo-turn-hint"))
            .clicked()
    {
        asked.push(Action::Game(GameAction::UndoTurn));
    }
    if widgets::button_if(ui, table.can_redo(), tr("bar.redo"), tr("bar.no-redo")).clicked() {
        asked.push(Action::Game(GameAction::Redo));
    }
}

fn advices(ui: &mut Ui, plays: bool, advice: &Analysis, narrow: bool, asked: &mut Vec<Action>) {
    let free = plays && !advice.hint_pending;
    if widgets::button_if(ui, free, tr("bar.hint"), tr("bar.no-hint"))
        .on_hover_text(tr("bar.hint-hint"))
        .clicked()
    {
        asked.push(Action::Game(GameAction::Hint));
    }
    if narrow {
        return;
    }
    if widgets::choice(ui, advice.show_threats, tr("bar.threats"))
        .on_hover_text(tr("bar.threats-hint"))
        .clicked()
    {
        asked.push(Action::View(ViewAction::ToggleThreats));
    }
    if widgets::choice(ui, advice.show_evaluation, tr("bar.value"))
        .on_hover_text(tr("bar.value-hint"))
        .clicked()
    {
        asked.push(Action::View(ViewAction::ToggleEvaluation));
    }
}

/// What a narrow bar has room for beside a lesson.
fn views_of_a_lesson(ui: &mut Ui, asked: &mut Vec<Action>) {
    if widgets::button(ui, tr("bar.above")).on_hover_text(tr("bar.above-hint")).clicked() {
        asked.push(Action::View(ViewAction::ToggleTopView));
    }
}

/// How wide those of [`views`] are.
pub(crate) fn views_width(ui: &Ui) -> f32 {
    widgets::wide(ui, &["?", tr("bar.reset-view"), tr("bar.above")])
}

/// The buttons of the view, and of the help, on any screen with a board.
pub(crate) fn views(ui: &mut Ui, asked: &mut Vec<Action>) {
    how_to(ui, asked);
    if widgets::button(ui, tr("bar.reset-view")).on_hover_text(tr("bar.reset-hint")).clicked() {
        asked.push(Action::View(ViewAction::ResetCamera));
    }
    if widgets::button(ui, tr("bar.above")).on_hover_text(tr("bar.above-hint")).clicked() {
        asked.push(Action::View(ViewAction::ToggleTopView));
    }
}

/// The button of the help.
fn how_to(ui: &mut Ui, asked: &mut Vec<Action>) {
    let help = widgets::button(ui, "?");
    widgets::speak(&help, tr("bar.how-to"));
    if help.on_hover_text(tr("bar.how-to")).clicked() {
        asked.push(Action::Ui(UiAction::OpenDialog(Dialog::Help)));
    }
}
