//! Files on a page: the browser asks for those to be opened, and what is saved
//! it downloads without asking.

use std::path::PathBuf;

use bevy_egui::egui;

use super::Purpose;
use crate::{app::platform::web_files, table::storage};

/// The browser.
#[derive(Default)]
pub(crate) struct Place {
    /// Where what is to be saved goes.
    saved: Option<PathBuf>,
}

impl Place {
    /// What the browser shows does not lie over the panels.
    pub(crate) const fn is_open(&self) -> bool {
        false
    }

    /// Has the browser ask for a file, or save one by this name.
    pub(crate) fn ask(&mut self, _: Purpose, _folder: Option<PathBuf>, name: Option<String>) {
        match name {
            Some(name) => self.saved = Some(storage::to_save(&name)),
            None => web_files::choose(),
        }
    }

    /// The file that was chosen, once.
    pub(crate) fn chosen(&mut self, context: &egui::Context) -> Option<PathBuf> {
        let path = self.saved.take().or_else(web_files::take_chosen)?;
        // What is done with it is done in the next frame.
        context.request_repaint();
        Some(path)
    }
}
