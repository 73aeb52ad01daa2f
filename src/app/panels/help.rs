//! How to play: the game's aim, the mouse, the keys.

use bevy_egui::egui::{Grid, Label, RichText, Ui, vec2};

use super::{
    theme::{ACCENT, BODY, INK, LARGE, MUTED},
    widgets, words,
};
use crate::{games::RuleSet, table::rules_words, words::say};

/// Keys, as they stand on the keys, and what they do. What stands on a key is
/// the same in every language the program speaks.
fn keys() -> [(&'static str, &'static str); 19] {
    [
        ("← ↑ → ↓", say("key.arrows")),
        ("Enter", say("key.enter")),
        ("Space", say("key.space")),
        ("Esc", say("key.escape")),
        ("M", say("key.slash")),
        ("U · Ctrl Z", say("key.undo")),
        ("Y · Ctrl ⇧ Z", say("key.redo")),
        ("H", say("key.hint")),
        ("X", say("key.threats")),
        ("E", say("key.value")),
        ("PgUp · PgDn", say("key.pages")),
        ("T", say("key.above")),
        ("R · Home", say("key.seat")),
        ("Ctrl S · Ctrl O", say("key.files")),
        ("Ctrl R · Ctrl ,", say("key.recent")),
        ("A", say("key.analyse")),
        ("0 1 2 3 4", say("key.digits")),
        ("Tab · Enter", say("key.tab")),
        ("F1 · ?", say("key.help")),
    ]
}

/// The help for a game.
pub(super) fn text(ui: &mut Ui, rules: RuleSet) {
    ui.label(RichText::new(rules_words(rules)).size(LARGE + 4.0).color(ACCENT));
    paragraph(ui, words::aim(rules));
    ui.add_space(4.0);
    widgets::heading(ui, say("help.mouse"));
    for line in words::with_the_mouse(rules.game()) {
        paragraph(ui, line);
    }
    paragraph(ui, say("help.let-go"));
    paragraph(ui, say("help.orbit"));
    ui.add_space(4.0);
    widgets::heading(ui, say("help.keys"));
    ui.spacing_mut().interact_size.y = 18.0;
    let wide = (ui.available_width() - 140.0).max(120.0);
    Grid::new("keys").num_columns(2).spacing(vec2(18.0, 3.0)).show(ui, |ui| {
        for (key, does) in keys() {
            ui.label(RichText::new(key).size(BODY).color(ACCENT));
            ui.scope(|ui| {
                ui.set_max_width(wide);
                ui.add(Label::new(RichText::new(does).size(BODY).color(MUTED)).wrap());
            });
            ui.end_row();
        }
    });
}

fn paragraph(ui: &mut Ui, words: &str) {
    ui.add(Label::new(RichText::new(words).size(BODY).color(INK)).wrap());
}
