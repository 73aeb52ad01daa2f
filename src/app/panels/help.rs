//! How to play, over everything else: the game's aim, the mouse, the keys.

use bevy::prelude::*;
use bevy_egui::{
    EguiContexts,
    egui::{Grid, Id, Key, Label, Modal, RichText, ScrollArea, Ui, vec2},
};

use super::{
    desk::Desk,
    theme,
    theme::{ACCENT, BODY, INK, LARGE, MUTED},
    widgets, words,
};
use crate::{
    app::{referee::Referee, replay::Replay, stage::Screen},
    games::RuleSet,
};

/// Keys, and what they do.
const KEYS: [(&str, &str); 11] = [
    ("Space", "Throw the sticks; in a replay, play or pause"),
    ("Escape", "Let go; close a dialog; leave a replay"),
    ("U  or  Ctrl Z", "Take back"),
    ("Y  or  Ctrl Shift Z", "Play again what was taken back"),
    ("T", "Look from above, or back"),
    ("R  or  Home", "Look from your seat"),
    ("Left, Right", "In a replay: one ply back, one ply on"),
    ("Up, Down", "In a replay: to the beginning, to the end"),
    ("Ctrl S  ·  Ctrl O", "Save the game · open a record"),
    ("Tab, Enter", "Walk through the buttons, press one"),
    ("F1  or  ?", "This help"),
];

/// Opens the help with its key, and shows it while it is open.
pub(super) fn show(
    mut contexts: EguiContexts<'_, '_>,
    screen: Res<'_, State<Screen>>,
    mut desk: ResMut<'_, Desk>,
    referee: Res<'_, Referee>,
    replay: Res<'_, Replay>,
) {
    let Ok(context) = contexts.ctx_mut() else { return };
    let typing = context.text_edit_focused();
    let asked = context.input(|input| {
        input.key_pressed(Key::F1) || (!typing && input.key_pressed(Key::Questionmark))
    });
    if asked {
        desk.help = !desk.help;
    }
    if !desk.help {
        return;
    }
    let rules = match screen.get() {
        Screen::Title => desk.choice.rules,
        Screen::Table => {
            referee.table.as_ref().map_or(desk.choice.rules, crate::table::Table::rules)
        }
        Screen::Replay => replay.rules().unwrap_or(desk.choice.rules),
    };
    let room = context.content_rect().size();
    let modal = Modal::new(Id::new("help")).frame(theme::dialog()).show(context, |ui| {
        ui.set_width((room.x - 80.0).min(640.0));
        ScrollArea::vertical().max_height(room.y - 150.0).show(ui, |ui| text(ui, rules));
        ui.add_space(6.0);
        let close = ui.horizontal(|ui| widgets::main_button(ui, "Close", vec2(100.0, 34.0))).inner;
        if ui.memory(|memory| memory.focused().is_none()) {
            close.request_focus();
        }
        close.clicked()
    });
    if modal.inner || modal.should_close() {
        desk.help = false;
    }
}

fn text(ui: &mut Ui, rules: RuleSet) {
    ui.label(RichText::new(rules.title()).size(LARGE + 4.0).color(ACCENT));
    paragraph(ui, words::aim(rules));
    ui.add_space(4.0);
    widgets::heading(ui, "With the mouse");
    for line in words::with_the_mouse(rules.game()) {
        paragraph(ui, line);
    }
    paragraph(ui, "Right click or Escape lets go of what you chose.");
    paragraph(ui, "Drag with the right button to look from elsewhere; the wheel goes nearer.");
    ui.add_space(4.0);
    widgets::heading(ui, "With the keys");
    ui.spacing_mut().interact_size.y = 18.0;
    Grid::new("keys").num_columns(2).spacing(vec2(24.0, 3.0)).show(ui, |ui| {
        for (key, does) in KEYS {
            ui.label(RichText::new(key).size(BODY).color(ACCENT));
            ui.label(RichText::new(does).size(BODY).color(MUTED));
            ui.end_row();
        }
    });
}

fn paragraph(ui: &mut Ui, words: &str) {
    ui.add(Label::new(RichText::new(words).size(BODY).color(INK)).wrap());
}
