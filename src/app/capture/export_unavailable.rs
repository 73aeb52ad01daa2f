//! On a page no animation is written: the program cannot be started once more.

use bevy::prelude::*;

/// What is being drawn: nothing.
#[derive(Resource, Default)]
pub(crate) struct ExportJobs;

impl ExportJobs {
    /// The file of each drawing, the ply it has come to and how many there are.
    pub(crate) const fn progress(&self) -> Vec<(String, usize, usize)> {
        Vec::new()
    }
}

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<ExportJobs>();
}
