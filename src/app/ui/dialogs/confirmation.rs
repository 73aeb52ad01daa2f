//! What has to be confirmed before it is done.

use crate::app::ui::prelude::*;

/// The action that waits for a yes.
#[derive(Resource, Debug, Default)]
pub(crate) struct Confirmation(pub(crate) Option<Confirm>);

/// What has to be confirmed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Confirm {
    /// Resign the game.
    Resign,
    /// Do this, though the game on the table is not saved.
    LoseGame(Action),
    /// Do these, though the changes of the replay are not saved.
    LoseChanges(Vec<Action>),
    /// Delete this saved game, which is described so.
    DeleteSave(PathBuf, String),
    /// Quit, though all this would be lost.
    Quit(Vec<Loss>),
}

/// What quitting would lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loss {
    /// The game on the table.
    Game,
    /// The position in the editor.
    Position,
    /// A picture or an animation that is being written.
    Export,
}

/// Whether there is an unfinished game on the table that is in no file.
pub(crate) fn would_lose_game(referee: &Referee, autosave: &Autosave) -> bool {
    referee.table.as_ref().is_some_and(|table| {
        !autosave.has_saved(referee)
            && !referee.is_exercise()
            && !table.is_online()
            && !table.history().is_empty()
            && table.outcome().is_none()
    })
}

impl Confirmation {
    /// Requests `action`, or asks for confirmation first where it would take an
    /// unfinished game that is in no file off the table.
    pub(crate) fn guard(
        &mut self,
        action: impl Into<Action>,
        referee: &Referee,
        autosave: &Autosave,
        actions: &mut Vec<Action>,
    ) {
        if would_lose_game(referee, autosave) {
            self.0 = Some(Confirm::LoseGame(action.into()));
        } else {
            actions.push(action.into());
        }
    }
}
