//! What the program is, where the rules come from, and under which licences.

use super::{DialogWindow, WindowLayout};
use crate::app::ui::{prelude::*, widgets};

pub(super) fn show(mut window: DialogWindow) {
    window.show(&WindowLayout::default(), |ui, _| content(ui));
}

fn content(ui: &mut Ui) {
    let title = tr_args("about.title", &[("version", env!("CARGO_PKG_VERSION"))]);
    widgets::dialog_title(ui, &title);
    widgets::wrapped(ui, tr("about.line"), BODY, TEXT);
    ui.add_space(4.0);
    widgets::heading(ui, tr("about.rules"));
    for text in [tr("about.tablut"), tr("about.tablan"), tr("about.tablaaza")] {
        widgets::wrapped(ui, text, BODY, TEXT);
    }
    ui.add_space(4.0);
    widgets::heading(ui, tr("about.licences"));
    widgets::wrapped(ui, tr("about.program"), BODY, TEXT);
    widgets::note(ui, tr("about.others"));
    widgets::note(ui, tr("about.made"));
}
