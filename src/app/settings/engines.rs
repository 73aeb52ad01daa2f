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

    /// A list for a test.
    #[cfg(test)]
    pub(crate) const fn of(list: EngineList) -> Self {
        Self { path: None, list }
    }
}

/// Replaces the list of other engines.
#[derive(Message, Clone, Debug)]
pub struct ChangeEngines(pub EngineList);

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Engines>()
        .add_message::<ChangeEngines>()
        .add_systems(Update, apply_changes.in_set(AppSet::ApplyActions));
}

fn apply_changes(
    mut changes: MessageReader<ChangeEngines>,
    mut engines: ResMut<Engines>,
    mut notices: MessageWriter<Notify>,
) {
    for ChangeEngines(list) in changes.read() {
        engines.list = list.clone();
        let Some(path) = &engines.path else { continue };
        if let Err(error) = list.write(path) {
            let message = LocalizedMessage::new("notice.engines-unkept")
                .with("file", path.display())
                .with("error", error);
            notices.write(Notify::error(message));
        }
    }
}
