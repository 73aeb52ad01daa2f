//! What the current screen shows: a game at the table, a replay, or a position that is set up.

use crate::{
    app::{
        core::prelude::*, editor::Editor, game::referee::Referee, replay::Replay,
        scene::api::MotionStatus,
    },
    session::pieces_on,
};

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

    /// How many plies have been played in the position that is seen: those that are still to
    /// be animated have not.
    pub(crate) fn ply(&self, motion: &MotionStatus) -> usize {
        match self.screen() {
            Screen::Title | Screen::Editor => 0,
            Screen::Table => self.referee.viewed_ply.unwrap_or_else(|| {
                self.history().map_or(0, GameHistory::len).saturating_sub(motion.pending)
            }),
            Screen::Replay => self.replay.ply.saturating_sub(motion.pending),
        }
    }

    /// The pieces that are seen, each with its square.
    pub(crate) fn pieces(&self, motion: &MotionStatus) -> Vec<(Square, PieceKind)> {
        match self.screen() {
            Screen::Editor => self.editor.draft.pieces().collect(),
            _ => self
                .history()
                .and_then(|history| history.at(self.ply(motion)))
                .map_or_else(Vec::new, pieces_on),
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
