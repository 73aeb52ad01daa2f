//! The user's list of other engines: programs that speak UGI.

use crate::{app::core::prelude::*, session::EngineList};

/// The user's list of other engines. Without a file (tests, the web page) it lasts for
/// this run only.
#[derive(Resource, Debug, Default)]
pub struct Engines {
    path: Option<PathBuf>,
    list: EngineList,
}

impl Engines {
    /// Reads the list. A file that cannot be read stays as it is, and is not written;
    /// the message says so.
    pub(crate) fn read(path: &Path) -> (Self, Option<LocalizedMessage>) {
        match EngineList::read(path) {
            Ok(list) => (Self { path: Some(path.to_owned()), list }, None),
            Err(error) => {
                let message = LocalizedMessage::new("notice.engines-unread")
                    .with("file", path.display())
                    .with("error", error);
                (Self::default(), Some(message))
            }
        }
    }

    /// The programs.
    pub const fn list(&self) -> &EngineList {
        &self.list
    }

    /// Replaces the list, and writes it to its file.
    ///
    /// # Errors
    /// It cannot be written: it lasts for this run only.
    pub fn replace(&mut self, list: EngineList) -> Result<(), LocalizedMessage> {
        self.list = list;
        let Some(path) = &self.path else { return Ok(()) };
        self.list.write(path).map_err(|error| {
            LocalizedMessage::new("notice.engines-unkept")
                .with("file", path.display())
                .with("error", error)
        })
    }

    /// A list for a test.
    #[cfg(test)]
    pub(crate) const fn of(list: EngineList) -> Self {
        Self { path: None, list }
    }
}
