//! No export on a web page, which cannot start another process.

use bevy::prelude::*;

/// The running exports: none.
#[derive(Resource, Default)]
pub(crate) struct ExportJobs;

impl ExportJobs {
    /// The file of each export, the ply it has reached and its number of plies.
    pub(crate) const fn progress(&self) -> Vec<(String, usize, usize)> {
        Vec::new()
    }
}

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<ExportJobs>();
}
