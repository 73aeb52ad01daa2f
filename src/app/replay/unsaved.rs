//! Asking before a changed replay is left.
//!
//! An action that would leave a replay whose changes are in no file is held back until
//! the player has decided.

use bevy::{ecs::message::MessageMutator, prelude::*};

use super::Replay;
use crate::app::core::{
    actions::{Action, EditorAction, GameAction, ReplayAction, UiAction, ViewAction},
    schedule::AppSet,
};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<HeldAction>()
        .add_systems(Update, hold_actions.after(AppSet::Input).before(AppSet::ApplyActions));
}

/// The action that would lose the changes of the replay, for the UI to ask about.
#[derive(Resource, Debug, Default)]
pub(crate) struct HeldAction(pub(crate) Option<Action>);

impl Replay {
    /// Whether the record has changes that are in no file.
    #[must_use]
    pub fn is_unsaved(&self) -> bool {
        self.record != self.saved
    }

    /// Takes the record as it is for saved.
    pub(super) fn mark_saved(&mut self) {
        self.saved.clone_from(&self.record);
    }
}

/// Holds back actions that would lose changes. Each becomes one that does nothing, so
/// that all readers see the same actions.
fn hold_actions(
    mut actions: MessageMutator<Action>,
    mut replay: ResMut<Replay>,
    mut held: ResMut<HeldAction>,
) {
    for action in actions.read() {
        if *action == Action::Replay(ReplayAction::DiscardChanges) {
            replay.mark_saved();
        } else if loses_replay(action) && replay.is_unsaved() {
            let nothing = ViewAction::FinishAnimations.into();
            held.0 = Some(std::mem::replace(action, nothing));
        }
    }
}

/// Whether an action ends the replay that is open.
const fn loses_replay(action: &Action) -> bool {
    matches!(
        action,
        Action::Ui(UiAction::ShowTitle | UiAction::ShowTable | UiAction::Quit)
            | Action::Replay(
                ReplayAction::Open { .. }
                    | ReplayAction::OpenAt { .. }
                    | ReplayAction::PickGame(_)
                    | ReplayAction::WatchGame
                    | ReplayAction::PlayFromHere
            )
            | Action::Game(
                GameAction::NewGame(_)
                    | GameAction::ResumeFile(_)
                    | GameAction::StartLesson(_)
                    | GameAction::StartPuzzles(_)
            )
            | Action::Editor(EditorAction::Analyse)
    )
}
