//! What the program is, where the rules come from, and under which licences.

use bevy_egui::egui::{Label, RichText, Ui};

use crate::{
    app::ui::{
        theme::{ACCENT, BODY, INK, LARGE},
        widgets,
    },
    i18n::{tr, tr_args},
};

/// The sheet.
pub(crate) fn text(ui: &mut Ui) {
    let title = tr_args("about.title", &[("version", env!("CARGO_PKG_VERSION"))]);
    ui.label(RichText::new(title).size(LARGE + 4.0).color(ACCENT));
    paragraph(ui, tr("about.line"));
    ui.add_space(4.0);
    widgets::heading(ui, tr("about.rules"));
    for text in [tr("about.tablut"), tr("about.tablan"), tr("about.tablaaza")] {
        paragraph(ui, text);
    }
    ui.add_space(4.0);
    widgets::heading(ui, tr("about.licences"));
    paragraph(ui, tr("about.program"));
    widgets::note(ui, tr("about.others"));
    widgets::note(ui, tr("about.made"));
}

fn paragraph(ui: &mut Ui, words: &str) {
    ui.add(Label::new(RichText::new(words).size(BODY).color(INK)).wrap());
}
