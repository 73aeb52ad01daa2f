//! What the current screen shows: a game at the table, a replay, or a position that is set up.

use bevy::ecs::system::SystemParam;

use crate::app::{core::prelude::*, editor::Editor, game::referee::Referee, replay::Replay};

/// What the current screen shows.
#[derive(SystemParam)]
pub(crate) struct OnScreen<'w> {
    screen: Res<'w, State<Screen>>,
    pub(crate) referee: Res<'w, Referee>,
    pub(crate) replay: Res<'w, Replay>,
    pub(crate) editor: Res<'w, Editor>,
}

impl OnScreen<'_> {
    /// The screen.
    pub(crate) fn screen(&self) -> Screen {
        *self.screen.get()
    }

    /// The game that is played or watched.
    pub(crate) fn history(&self) -> Option<&GameHistory<AnyPosition>> {
        match self.screen() {
            Screen::Title | Screen::Editor => None,
            Screen::Table => self.referee.table.as_ref().map(GameSession::history),
            Screen::Replay => self.replay.history(),
        }
    }

    /// Its rules, or those of the position that is set up; none on the title.
    pub(crate) fn rules(&self) -> Option<RuleSet> {
        match self.screen() {
            Screen::Editor => Some(self.editor.draft.rules()),
            _ => self.history().map(|history| history.start().rules()),
        }
    }
}
