//! The order of the systems of a frame, declared in one place.
//!
//! The systems that run in [`Update`] belong to an [`AppSet`], except for a few
//! that stand alone (the window's icon, the choice of quality, loading sounds).
//! Systems of one plugin that depend on each other are chained where the plugin
//! adds them. `SceneSet` orders the systems of the scene within
//! [`AppSet::Scene`], and `UiSet` those of the panels.
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
    /// Actions go to the readers of their concern (see [`Action`](super::actions::Action)).
    Dispatch,
    /// Actions change the game, the replay, the editor and the settings.
    ApplyActions,
    /// The highlights follow from the game, the replay and the analysis. Before
    /// the engines' moves, which are not to be seen before they are animated.
    Highlights,
    /// Games and records are opened and saved, and lessons go on.
    Files,
    /// Engines receive positions and answer.
    Engines,
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
            AppSet::Dispatch,
            AppSet::ApplyActions,
            AppSet::Highlights,
            AppSet::Files,
            AppSet::Engines,
            AppSet::Scene,
            AppSet::Report,
            AppSet::Notify,
        )
            .chain(),
    );
}
