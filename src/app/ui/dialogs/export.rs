//! What to export: the part of the game, and the size. The choice of a file follows.

use bevy::prelude::*;
use bevy_egui::{
    EguiPrimaryContextPass,
    egui::{Ui, vec2},
};
use strum::VariantArray;

use super::{DialogWindow, ScreenContent, WindowLayout, files::FileChooser, while_open};
use crate::{
    app::{
        core::{
            actions::{ExportOptions, ExportPart, ExportSize},
            states::Dialog,
        },
        ui::widgets::{self, segmented::choice_row},
    },
    i18n::{tr, tr_args},
};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<ChosenExport>()
        .add_systems(EguiPrimaryContextPass, while_open(Dialog::Export, show));
}

/// What was chosen last.
#[derive(Resource, Debug, Default)]
struct ChosenExport(ExportOptions);

fn show(
    mut window: DialogWindow,
    mut chosen: ResMut<ChosenExport>,
    mut files: ResMut<FileChooser>,
    on_screen: ScreenContent,
) {
    let layout = WindowLayout { width: 520.0, close_button: false, ..WindowLayout::default() };
    let mut options = chosen.0;
    let mut is_confirmed = false;
    window.show_until(&layout, |ui, _| {
        widgets::dialog_title(ui, tr("export.title"));
        choices(ui, &mut options);
        let (confirmed, closed) = buttons(ui);
        is_confirmed = confirmed;
        confirmed || closed
    });
    if options != chosen.0 {
        chosen.0 = options;
    }
    if is_confirmed {
        files.export(on_screen.rules(), options);
    }
}

fn choices(ui: &mut Ui, options: &mut ExportOptions) {
    let parts = ExportPart::VARIANTS.iter().map(|part| match part {
        ExportPart::WholeGame => (*part, tr("export.whole-game")),
        ExportPart::ToShownPly => (*part, tr("export.to-here")),
        ExportPart::FromShownPly => (*part, tr("export.from-here")),
    });
    choice_row(ui, tr("export.part"), "", &mut options.part, parts);
    let sizes = ExportSize::VARIANTS.iter().map(|size| match size {
        ExportSize::Small => (*size, tr("export.small")),
        ExportSize::Medium => (*size, tr("export.medium")),
        ExportSize::Large => (*size, tr("export.large")),
    });
    choice_row(ui, tr("export.size"), "", &mut options.size, sizes);
    let pixels = |size: &str| size.replace('x', "×");
    let animation = pixels(options.size.animation());
    let picture = pixels(options.size.picture());
    let sizes = [("animation", animation.as_str()), ("picture", picture.as_str())];
    widgets::note(ui, &tr_args("export.note", &sizes));
}

/// The buttons below: whether a file is to be chosen, and whether the dialog closes.
fn buttons(ui: &mut Ui) -> (bool, bool) {
    ui.add_space(6.0);
    let row = ui.horizontal_wrapped(|ui| {
        let confirm = widgets::primary_button(ui, tr("export.choose-file"), vec2(150.0, 34.0));
        if ui.memory(|memory| memory.focused().is_none()) {
            confirm.request_focus();
        }
        (confirm.clicked(), widgets::button(ui, tr("dialog.cancel")).clicked())
    });
    row.inner
}
