//! Files on a page: the browser asks for those to be opened, and downloads those
//! to be saved without asking.

use super::Purpose;
use crate::{
    app::{platform::web_files, ui::prelude::*},
    session::storage,
};

/// The browser.
#[derive(Default)]
pub(super) struct FilePicker {
    /// Where the file to be saved goes.
    saved: Option<PathBuf>,
}

impl FilePicker {
    /// Never: the browser's own dialog does not lie over the panels.
    pub(super) const fn is_open(&self) -> bool {
        false
    }

    /// Has the browser ask for a file, or save one by this name.
    pub(super) fn open(&mut self, _: Purpose, _folder: Option<PathBuf>, name: Option<String>) {
        match name {
            Some(name) => self.saved = Some(storage::download_path(&name)),
            None => web_files::choose(),
        }
    }

    /// The file that was chosen, once.
    pub(super) fn show(&mut self, context: &egui::Context) -> Option<PathBuf> {
        let path = self.saved.take().or_else(web_files::take_chosen)?;
        // The action with it is applied in the next frame.
        context.request_repaint();
        Some(path)
    }
}
