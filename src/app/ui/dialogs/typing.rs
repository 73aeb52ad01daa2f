//! A line to type a move in.

use bevy_egui::egui::{Key, TextEdit, Ui, WidgetInfo, WidgetType};

use crate::{
    app::{
        core::actions::{Action, EditorAction, GameAction, UiAction},
        editor,
        ui::{overlays::popups, state::UiState, theme, widgets},
    },
    games::{GameKind, RuleSet},
    i18n::{tr, tr_args},
};

/// The position that is set up, as text to copy, type or paste; says when it
/// can be closed.
pub(crate) fn position(
    ui: &mut Ui,
    rules: RuleSet,
    desk: &mut UiState,
    asked: &mut Vec<Action>,
) -> bool {
    widgets::heading(ui, tr("edit.as-text"));
    widgets::note(ui, tr("edit.text-hint"));
    let edit = TextEdit::singleline(&mut desk.typed).desired_width(f32::INFINITY);
    let response = ui.add(edit);
    if response.changed() {
        desk.mistyped = None;
    }
    if let Some(why) = &desk.mistyped {
        widgets::wrapped(ui, why, theme::BODY, theme::ALARM);
    }
    let words = tr("edit.as-text");
    response.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, words));
    let mut entered = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    if ui.memory(|memory| memory.focused().is_none()) && !entered {
        response.request_focus();
    }
    let mut shut = false;
    ui.horizontal_wrapped(|ui| {
        entered |= widgets::button(ui, tr("edit.take-over")).clicked();
        if widgets::button(ui, tr("edit.copy")).clicked() {
            asked.push(Action::Ui(UiAction::Copy));
        }
        shut = widgets::button(ui, tr("popup.close")).clicked();
    });
    if entered {
        let text = desk.typed.trim().to_owned();
        // What cannot be read stays there to be mended.
        match editor::read(rules, &text) {
            Ok(_) => {
                asked.push(Action::Editor(EditorAction::SetText(text)));
                shut = true;
            }
            Err(why) => desk.mistyped = Some(popups::sentence(&why.localized())),
        }
    }
    shut
}

/// The line; says when it can be closed.
pub(crate) fn text(
    ui: &mut Ui,
    game: GameKind,
    desk: &mut UiState,
    asked: &mut Vec<Action>,
) -> bool {
    widgets::heading(ui, tr("desk.type-move"));
    let example = match game {
        GameKind::Tablut => "e4-f4",
        GameKind::Tablan => "a1-c1, k1-l1+a1-b1",
        GameKind::Tablaaza => "c7",
    };
    widgets::note(ui, &tr_args("desk.type-hint", &[("move", example)]));
    let edit = TextEdit::singleline(&mut desk.typed).desired_width(f32::INFINITY);
    let response = ui.add(edit);
    let words = tr("desk.type-move");
    response.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, words));
    let mut entered = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    let mut shut = false;
    ui.horizontal_wrapped(|ui| {
        entered |= widgets::button(ui, tr("ask.yes-play")).clicked();
        shut = widgets::button(ui, tr("popup.close")).clicked();
    });
    if ui.memory(|memory| memory.focused().is_none()) && !entered {
        response.request_focus();
    }
    if entered {
        let text = desk.typed.trim().to_owned();
        if !text.is_empty() {
            asked.push(Action::Game(GameAction::TypeMove(text)));
        }
    }
    entered || shut
}
