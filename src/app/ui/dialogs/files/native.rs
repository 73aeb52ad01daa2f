//! The program's own file dialog, by `egui-file-dialog`.

use egui_file_dialog::{DialogState, FileDialog, FileDialogLabels};

use super::Purpose;
use crate::app::{
    core::actions::ExportForm,
    ui::{prelude::*, screens::toolbar},
};

/// The dialog.
#[derive(Default)]
pub(super) struct FilePicker {
    dialog: FileDialog,
    /// Opened in this frame: the key that did it is not meant for the dialog.
    is_new: bool,
    /// Whether a file's name was being written in the last frame.
    is_naming: bool,
}

/// The dialog's name among egui's windows.
const WINDOW: &str = "file-dialog";

impl FilePicker {
    /// Whether the dialog is open.
    pub(super) fn is_open(&self) -> bool {
        matches!(self.dialog.state(), DialogState::Open)
    }

    /// Opens it in this folder; `name` is the proposed name of a file to be
    /// written, none where one is to be read.
    pub(super) fn open(&mut self, purpose: Purpose, folder: Option<PathBuf>, name: Option<String>) {
        let (filter, extensions) = match purpose {
            Purpose::Export(_) | Purpose::Photo(_) => (tr("files.pictures"), vec!["gif", "png"]),
            Purpose::Save
            | Purpose::SaveReplay
            | Purpose::Open
            | Purpose::Analyse
            | Purpose::Resume => (tr("files.records"), vec!["tab", "txt"]),
        };
        let mut dialog = FileDialog::new()
            .title(purpose.title())
            .id(egui::Id::new(WINDOW))
            .anchor(egui::Align2::CENTER_CENTER, [0.0, 0.0])
            .default_size([760.0, 420.0])
            .labels(labels())
            .add_file_filter_extensions(filter, extensions)
            .default_file_filter(filter)
            .show_search(false)
            .show_devices(false)
            .show_removable_devices(false);
        let form = match purpose {
            Purpose::Photo(_) => Some(ExportForm::Picture),
            Purpose::Export(options) => Some(options.form),
            _ => None,
        };
        let (written, extension) = match form {
            Some(ExportForm::Picture) => (tr("files.picture"), "png"),
            Some(ExportForm::Animation) => (tr("files.animation"), "gif"),
            Some(ExportForm::Frames) => (tr("files.frames"), "frames"),
            None => (tr("files.record"), "tab"),
        };
        dialog = dialog.add_save_extension(written, extension).default_save_extension(written);
        if let Some(folder) = folder {
            dialog = dialog.initial_directory(folder);
        }
        self.dialog = dialog;
        self.is_new = true;
        match name {
            Some(name) => {
                self.dialog.config_mut().default_file_name = name;
                self.dialog.save_file();
            }
            None => self.dialog.pick_file(),
        }
    }

    /// Shows it while it is open; returns the file that was chosen, once.
    pub(super) fn show(&mut self, context: &egui::Context) -> Option<PathBuf> {
        if !self.is_open() || std::mem::take(&mut self.is_new) {
            return None;
        }
        self.fit(context);
        // The dialog writes the chosen file's name in the colour that marks it
        // in the list: it must be legible on a dark ground.
        theme::set_selection_fill(context, theme::CHOSEN_NAME);
        theme::use_solid_scroll_bars(context);
        if self.is_naming && context.input(|input| input.key_pressed(egui::Key::Escape)) {
            // The dialog itself would only leave the text field.
            self.dialog = FileDialog::default();
        }
        self.dialog.update(context);
        self.is_naming = self.is_open() && is_naming_a_file(context);
        theme::use_floating_scroll_bars(context);
        theme::set_selection_fill(context, theme::CARD_CHOSEN);
        self.dialog.take_picked()
    }

    /// Leaves out all but the folder and its files where there is little room.
    fn fit(&mut self, context: &egui::Context) {
        let width = context.content_rect().width();
        let tight = toolbar::is_tight(width);
        let config = self.dialog.config_mut();
        config.show_left_panel = !tight;
        let cancel = tr("dialog.cancel");
        config.labels.cancel_button =
            if tight { widened(context, cancel, width) } else { cancel.to_owned() };
    }
}

/// Whether the text field of the file's name, in the lowest part of the dialog,
/// has the focus: elsewhere Escape has something else to close first.
fn is_naming_a_file(context: &egui::Context) -> bool {
    let focused = context.memory(egui::Memory::focused);
    let field =
        focused.and_then(|focused| context.read_response(focused)).map(|response| response.rect);
    let lowest = egui::PanelState::load(context, egui::Id::new(WINDOW).with("bottom_panel"));
    field.zip(lowest).is_some_and(|(field, lowest)| lowest.outer_rect.contains_rect(field))
}

/// A button's text with so many spaces around it that the file's name gets a
/// line of its own: the dialog makes everything below its list as wide.
fn widened(context: &egui::Context, words: &str, width: f32) -> String {
    let font = egui::FontId::proportional(theme::BODY);
    let (text, space) = context.fonts_mut(|fonts| {
        let text = words.chars().map(|letter| fonts.glyph_width(&font, letter)).sum::<f32>();
        (text, fonts.glyph_width(&font, ' ').max(1.0))
    });
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "some spaces")]
    let around = ((width / 2.0 - 115.0 - text) / space / 2.0).max(0.0) as usize;
    let around = " ".repeat(around);
    format!("{around}{words}{around}")
}

/// The texts of the dialog, with its own signs.
fn labels() -> FileDialogLabels {
    let own = |text: &'static str| text.to_owned();
    let with_sign = |sign: &str, text: &str| format!("{sign}  {text}");
    FileDialogLabels {
        cancel: own(tr("dialog.cancel")),
        overwrite: own(tr("dialog.overwrite")),
        reload: with_sign("⟲", tr("dialog.reload")),
        working_directory: with_sign("↗", tr("dialog.working")),
        select_all: with_sign("🗐", tr("dialog.all")),
        show_hidden: own(tr("dialog.hidden")),
        show_system_files: own(tr("dialog.system")),
        heading_pinned: own(tr("dialog.pinned")),
        heading_places: own(tr("dialog.places")),
        heading_devices: own(tr("dialog.devices")),
        heading_removable_devices: own(tr("dialog.removable")),
        home_dir: with_sign("🏠", tr("dialog.home")),
        desktop_dir: with_sign("🖵", tr("dialog.desktop")),
        documents_dir: with_sign("🗐", tr("dialog.documents")),
        downloads_dir: with_sign("📥", tr("dialog.downloads")),
        audio_dir: with_sign("🎵", tr("dialog.audio")),
        pictures_dir: with_sign("🖼", tr("dialog.pictures")),
        videos_dir: with_sign("🎞", tr("dialog.videos")),
        pin_folder: with_sign("📌", tr("dialog.pin")),
        unpin_folder: with_sign("✖", tr("dialog.unpin")),
        rename_pinned_folder: with_sign("✏", tr("dialog.rename")),
        selected_file: own(tr("dialog.selected")),
        file_name: own(tr("dialog.name")),
        file_filter_all_files: own(tr("dialog.every")),
        save_extension_any: own(tr("dialog.any")),
        open_button: with_sign("🗀", tr("dialog.open")),
        save_button: with_sign("📥", tr("dialog.save")),
        cancel_button: own(tr("dialog.cancel")),
        overwrite_file_modal_text: own(tr("dialog.exists")),
        err_empty_folder_name: own(tr("dialog.no-folder-name")),
        err_empty_file_name: own(tr("dialog.no-file-name")),
        err_directory_exists: own(tr("dialog.folder-exists")),
        err_file_exists: own(tr("dialog.file-exists")),
        ..FileDialogLabels::default()
    }
}
