//! The order of the systems of a frame, declared in one place.
//!
//! Every system of the app that runs in [`Update`] belongs to one [`AppSet`].
//! The systems of one plugin within a set are chained where the plugin adds
//! them; systems of different plugins within a set do not depend on each other.
//!
//! Around [`Update`]: `PreUpdate` collects input (picking, egui), `PostUpdate`
//! runs the UI (`EguiPrimaryContextPass`), so the UI shows the result of the same
//! frame and its actions take effect in the next one. `Last` decides when the
//! next frame is due (`scene::look`), then writes the reports of `dev_tools`.

use bevy::prelude::*;

/// The steps of a frame, in this order.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum AppSet {
    /// The players' clocks run: the position shown until now has cost this time.
    Clock,
    /// Keys and dropped files become actions.
    Input,
    /// Actions change the game, the replay, the editor and the settings.
    ApplyActions,
    /// Files are read and written.
    Files,
    /// Engines receive positions and answer.
    Engines,
    /// The highlights follow from the game, the replay and the engines.
    Highlights,
    /// The scene takes its commands and moves.
    Scene,
    /// Changes are saved, and the UI state follows from them.
    Report,
    /// The notices of this frame reach the player (see [`Notify`](super::notice::Notify)).
    Notify,
}

/// Chains the sets in the order of [`AppSet`].
pub(super) fn plugin(app: &mut App) {
    app.configure_sets(
        Update,
        (
            AppSet::Clock,
            AppSet::Input,
            AppSet::ApplyActions,
            AppSet::Files,
            AppSet::Engines,
            AppSet::Highlights,
            AppSet::Scene,
            AppSet::Report,
            AppSet::Notify,
        )
            .chain(),
    );
}
