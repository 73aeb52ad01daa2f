//! Asking before a changed replay is left.
//!
//! An action that would leave a replay whose changes are in no file is held back until
//! the player has decided, and so are those that follow it in the same frame.

use bevy::ecs::message::MessageMutator;

use super::Replay;
use crate::app::{core::prelude::*, game::online::OnlineTable};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<DiscardState>()
        .add_systems(Update, hold_actions.after(AppSet::Input).before(AppSet::Dispatch))
        .add_systems(OnEnter(Screen::Title), forget_discarded_changes)
        .add_systems(OnEnter(Screen::Table), forget_discarded_changes);
}

/// How far the player has got in discarding the changes.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
enum DiscardState {
    #[default]
    No,
    /// The actions of the next frame that would lose them may be done.
    Confirmed,
    /// Such an action was done in the last frame. It may have failed: a file that cannot
    /// be opened leaves the replay as it is, and so its changes are unsaved still.
    Leaving,
    /// An online game was created or joined, which takes a while. The replay of this
    /// revision may be left once the game is there.
    Joining(u64),
}

impl Replay {
    /// Whether the record has changes that are in no file.
    pub fn is_unsaved(&self) -> bool {
        self.record != self.saved
    }

    /// Takes the record as it is for saved.
    pub(super) fn mark_saved(&mut self) {
        self.saved.clone_from(&self.record);
    }
}

/// Holds back actions that would lose changes, and those that follow them. The question about
/// each takes its place, so that all readers see the same actions.
fn hold_actions(
    mut actions: MessageMutator<Action>,
    (replay, online): (Res<Replay>, Res<OnlineTable>),
    mut discard: ResMut<DiscardState>,
) {
    let mut holds = false;
    let is_over = match *discard {
        DiscardState::No | DiscardState::Confirmed => false,
        DiscardState::Leaving => true,
        DiscardState::Joining(revision) => !online.is_on() || revision != replay.revision,
    };
    if is_over {
        *discard = DiscardState::No;
    }
    for action in actions.read() {
        if *action == Action::Replay(ReplayAction::DiscardChanges) {
            let confirmed =
                if replay.is_unsaved() { DiscardState::Confirmed } else { DiscardState::No };
            *discard = confirmed;
        } else if holds || loses_replay(action) && replay.is_unsaved() {
            let passes = match *discard {
                DiscardState::No => false,
                DiscardState::Confirmed | DiscardState::Leaving => true,
                DiscardState::Joining(_) => {
                    !holds && matches!(action, Action::Ui(UiAction::ShowTable) | Action::Online(_))
                }
            };
            if passes {
                *discard = match action {
                    Action::Online(_) => DiscardState::Joining(replay.revision),
                    _ => DiscardState::Leaving,
                };
                continue;
            }
            holds = true;
            *action = UiAction::AskToDiscard(Box::new(action.clone())).into();
        }
    }
}

/// Forgets the changes once the replay has been left without them.
fn forget_discarded_changes(discard: Res<DiscardState>, mut replay: ResMut<Replay>) {
    if *discard == DiscardState::Leaving {
        replay.mark_saved();
    }
}

/// Whether an action ends the replay that is open. The editor and an exercise lead back.
const fn loses_replay(action: &Action) -> bool {
    action.starts_game()
        || action.opens_replay()
        || matches!(
            action,
            Action::Ui(UiAction::ShowTitle | UiAction::ShowTable | UiAction::Quit)
                | Action::Replay(ReplayAction::PlayFromHere)
                | Action::Editor(EditorAction::Analyse)
                | Action::Online(OnlineAction::Create { .. } | OnlineAction::Join { .. })
        )
}
