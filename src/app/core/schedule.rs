//! The order of a frame's work, declared in one place.

use bevy::prelude::*;

/// The order of a frame's work.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum AppSet {
    /// The clocks go on.
    Clock,
    /// Keys become acts.
    Input,
    /// Acts are put to the game or the replay.
    ApplyActions,
    /// Files are written and read.
    Files,
    /// Engines are asked, and answer.
    Engines,
    /// The scene takes up its cues and moves things.
    Scene,
    /// What was done is kept and reported.
    Report,
}

/// Chains the sets in the order of [`AppSet`].
pub(crate) fn plugin(app: &mut App) {
    app.configure_sets(
        Update,
        (
            AppSet::Clock,
            AppSet::Input,
            AppSet::ApplyActions,
            AppSet::Files,
            AppSet::Engines,
            AppSet::Scene,
            AppSet::Report,
        )
            .chain(),
    );
}
