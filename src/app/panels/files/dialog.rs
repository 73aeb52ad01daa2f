//! The program's own dialog of files.

use std::path::PathBuf;

use bevy_egui::egui;
use egui_file_dialog::{DialogState, FileDialog};

use super::Purpose;
use crate::{
    app::{
        export::FRAMES,
        panels::{bar, theme},
    },
    words::say,
};

#[path = "labels.rs"]
mod labels;

/// The dialog.
#[derive(Default)]
pub(super) struct Place {
    dialog: FileDialog,
    /// Opened in this frame: the key that did it is not meant for the dialog.
    fresh: bool,
}

impl Place {
    /// Whether the dialog is open.
    pub(super) fn is_open(&self) -> bool {
        matches!(self.dialog.state(), DialogState::Open)
    }

    /// Opens it in this folder; `name` is what a file to be written is to be
    /// called, unless another name is chosen.
    pub(super) fn ask(&mut self, purpose: Purpose, folder: Option<PathBuf>, name: Option<String>) {
        let (filter, extensions) = match purpose {
            Purpose::Export => (say("files.pictures"), vec!["gif", "png"]),
            Purpose::Save | Purpose::Open | Purpose::Analyse | Purpose::Resume => {
                (say("files.records"), vec!["tab", "txt"])
            }
        };
        let mut dialog = FileDialog::new()
            .title(purpose.title())
            .id(egui::Id::new("file-dialog"))
            .anchor(egui::Align2::CENTER_CENTER, [0.0, 0.0])
            .default_size([760.0, 420.0])
            .labels(labels::labels())
            .add_file_filter_extensions(filter, extensions)
            .default_file_filter(filter);
        if purpose == Purpose::Export {
            let picture = say("files.picture");
            dialog = dialog
                .add_save_extension("GIF", "gif")
                .add_save_extension(picture, "png")
                .add_save_extension(say("files.frames"), FRAMES)
                .default_save_extension("GIF");
        } else {
            let record = say("files.record");
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
    pub(super) fn chosen(&mut self, context: &egui::Context) -> Option<PathBuf> {
        if !self.is_open() || std::mem::take(&mut self.fresh) {
            return None;
        }
        // Where there is little room, only the folder and its files.
        let tight = bar::is_tight(context.content_rect().width());
        let config = self.dialog.config_mut();
        (config.show_left_panel, config.show_search) = (!tight, !tight);
        // It writes the chosen file's name in the colour that it gives what is
        // chosen in its list: both must be read on a dark ground.
        theme::choose(context, theme::CHOSEN_NAME);
        self.dialog.update(context);
        theme::choose(context, theme::CARD_CHOSEN);
        self.dialog.take_picked()
    }
}
