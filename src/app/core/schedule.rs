//! The order of a frame's work, declared in one place.

use bevy::prelude::*;

/// The order of a frame's work.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Steps {
    /// The clocks go on.
    Clock,
    /// Keys become acts.
    Input,
    /// Acts are put to the game or the replay.
    Judge,
    /// Files are written and read.
    Files,
    /// Engines are asked, and answer.
    Think,
    /// The scene takes up its cues and moves things.
    Scene,
    /// What was done is kept and reported.
    Report,
}

/// Chains the sets in the order of [`Steps`].
pub(crate) fn plugin(app: &mut App) {
    app.configure_sets(
        Update,
        (
            Steps::Clock,
            Steps::Input,
            Steps::Judge,
            Steps::Files,
            Steps::Think,
            Steps::Scene,
            Steps::Report,
        )
            .chain(),
    );
}
