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
        ui::widgets,
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
    let part = tr("export.part");
    widgets::labelled_row(ui, part, LABEL_WIDTH, &mut |ui| {
        for &choice in ExportPart::VARIANTS {
            let text = match choice {
                ExportPart::WholeGame => tr("export.whole-game"),
                ExportPart::ToShownPly => tr("export.to-here"),
                ExportPart::FromShownPly => tr("export.from-here"),
            };
            if widgets::labelled_choice(ui, part, options.part == choice, text).clicked() {
                options.part = choice;
            }
        }
    });
    let size = tr("export.size");
    widgets::labelled_row(ui, size, LABEL_WIDTH, &mut |ui| {
        for &choice in ExportSize::VARIANTS {
            let text = match choice {
                ExportSize::Small => tr("export.small"),
                ExportSize::Medium => tr("export.medium"),
                ExportSize::Large => tr("export.large"),
            };
            if widgets::labelled_choice(ui, size, options.size == choice, text).clicked() {
                options.size = choice;
            }
        }
    });
    let pixels = |size: &str| size.replace('x', "×");
    let animation = pixels(options.size.animation());
    let picture = pixels(options.size.picture());
    let sizes = [("animation", animation.as_str()), ("picture", picture.as_str())];
    widgets::note(ui, &tr_args("export.note", &sizes));
}

/// How wide the headings beside the choices are.
const LABEL_WIDTH: f32 = 100.0;

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
