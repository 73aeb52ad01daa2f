//! What the program is, where the rules come from, and under which licences.

use bevy_egui::egui::{Label, RichText, Ui};

use crate::{
    app::ui::{
        theme::{ACCENT, BODY, INK, LARGE},
        widgets,
    },
    words::{fill, say},
};

/// The sheet.
pub(crate) fn text(ui: &mut Ui) {
    let title = fill("about.title", &[("version", env!("CARGO_PKG_VERSION"))]);
    ui.label(RichText::new(title).size(LARGE + 4.0).color(ACCENT));
    paragraph(ui, say("about.line"));
    ui.add_space(4.0);
    widgets::heading(ui, say("about.rules"));
    for text in [say("about.tablut"), say("about.tablan"), say("about.tablaaza")] {
        paragraph(ui, text);
    }
    ui.add_space(4.0);
    widgets::heading(ui, say("about.licences"));
    paragraph(ui, say("about.program"));
    widgets::note(ui, say("about.others"));
    widgets::note(ui, say("about.made"));
}

fn paragraph(ui: &mut Ui, words: &str) {
    ui.add(Label::new(RichText::new(words).size(BODY).color(INK)).wrap());
}
