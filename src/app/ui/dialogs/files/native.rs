//! The program's own dialog of files.

use std::path::PathBuf;

use bevy_egui::egui;
use egui_file_dialog::{DialogState, FileDialog};

use super::Purpose;
use crate::{
    app::{
        capture::export::FRAMES_EXTENSION,
        ui::{screens::toolbar, theme},
    },
    i18n::tr,
};

#[path = "labels.rs"]
mod labels;

/// The dialog.
#[derive(Default)]
pub(crate) struct Place {
    dialog: FileDialog,
    /// Opened in this frame: the key that did it is not meant for the dialog.
    fresh: bool,
    /// Whether a file's name was being written in the last frame.
    naming: bool,
}

/// What the dialog is called among egui's windows.
const NAME: &str = "file-dialog";

impl Place {
    /// Whether the dialog is open.
    pub(crate) fn is_open(&self) -> bool {
        matches!(self.dialog.state(), DialogState::Open)
    }

    /// Opens it in this folder; `name` is what a file to be written is to be
    /// called, unless another name is chosen.
    pub(crate) fn ask(&mut self, purpose: Purpose, folder: Option<PathBuf>, name: Option<String>) {
        let (filter, extensions) = match purpose {
            Purpose::Export => (tr("files.pictures"), vec!["gif", "png"]),
            Purpose::Save | Purpose::Open | Purpose::Analyse | Purpose::Resume => {
                (tr("files.records"), vec!["tab", "txt"])
            }
        };
        let mut dialog = FileDialog::new()
            .title(purpose.title())
            .id(egui::Id::new(NAME))
            .anchor(egui::Align2::CENTER_CENTER, [0.0, 0.0])
            .default_size([760.0, 420.0])
            .labels(labels::labels())
            .add_file_filter_extensions(filter, extensions)
            .default_file_filter(filter);
        if purpose == Purpose::Export {
            let picture = tr("files.picture");
            dialog = dialog
                .add_save_extension("GIF", "gif")
                .add_save_extension(picture, "png")
                .add_save_extension(tr("files.frames"), FRAMES_EXTENSION)
                .default_save_extension("GIF");
        } else {
            let record = tr("files.record");
            dialog = dialog.add_save_extension(record, "tab").default_save_extension(record);
        }
        if let Some(folder) = folder {
            dialog = dialog.initial_directory(folder);
        }
        self.dialog = dialog;
        self.fresh = true;
        match name {
            Some(name) => {
                self.dialog.config_mut().default_file_name = name;
                self.dialog.save_file();
            }
            None => self.dialog.pick_file(),
        }
    }

    /// Shows it while it is open; the file that was chosen, once.
    pub(crate) fn chosen(&mut self, context: &egui::Context) -> Option<PathBuf> {
        if !self.is_open() || std::mem::take(&mut self.fresh) {
            return None;
        }
        // Where there is little room, only the folder and its files.
        let width = context.content_rect().width();
        let tight = toolbar::is_tight(width);
        let config = self.dialog.config_mut();
        (config.show_left_panel, config.show_search) = (!tight, !tight);
        let cancel = tr("dialog.cancel");
        config.labels.cancel_button =
            if tight { widened(context, cancel, width) } else { cancel.to_owned() };
        // It writes the chosen file's name in the colour that it gives what is
        // chosen in its list: both must be read on a dark ground.
        theme::choose(context, theme::CHOSEN_NAME);
        theme::scroll_beside(context);
        if self.naming && context.input(|input| input.key_pressed(egui::Key::Escape)) {
            // The dialog itself would only leave the name.
            self.dialog = FileDialog::default();
        }
        self.dialog.update(context);
        self.naming = self.is_open() && names_a_file(context);
        theme::scroll_over(context);
        theme::choose(context, theme::CARD_CHOSEN);
        self.dialog.take_picked()
    }
}

/// Whether the keyboard writes in the dialog's lowest part, where files are
/// named: elsewhere Escape has something else to close first.
fn names_a_file(context: &egui::Context) -> bool {
    let focused = context.memory(egui::Memory::focused);
    let field = focused.and_then(|it| context.read_response(it)).map(|it| it.rect);
    let lowest = egui::PanelState::load(context, egui::Id::new(NAME).with("bottom_panel"));
    field.zip(lowest).is_some_and(|(field, lowest)| lowest.outer_rect.contains_rect(field))
}

/// A button's words with so much space round them that the dialog, which makes
/// all below its list as wide, gives a file's name a line of its own.
fn widened(context: &egui::Context, words: &str, width: f32) -> String {
    let font = egui::FontId::proportional(theme::BODY);
    let (text, space) = context.fonts_mut(|fonts| {
        let text = words.chars().map(|it| fonts.glyph_width(&font, it)).sum::<f32>();
        (text, fonts.glyph_width(&font, ' ').max(1.0))
    });
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "some spaces")]
    let around = ((width / 2.0 - 115.0 - text) / space / 2.0).max(0.0) as usize;
    let around = " ".repeat(around);
    format!("{around}{words}{around}")
}
