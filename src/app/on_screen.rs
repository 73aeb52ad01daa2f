//! What the current screen shows: a game at the table, a replay, or a position that is set up.

use crate::{
    app::{
        core::prelude::*,
        editor::Editor,
        game::referee::Referee,
        replay::{Replay, shown_game},
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

    /// The game that is played or watched, and how many of its plies are shown.
    fn shown(&self) -> Option<(&GameHistory<AnyPosition>, usize)> {
        shown_game(self.screen(), &self.referee, &self.replay)
    }

    /// The game that is played or watched.
    pub(crate) fn history(&self) -> Option<&GameHistory<AnyPosition>> {
        self.shown().map(|(history, _)| history)
    }

    /// How many plies have been played in the position that is seen: those that are still to
    /// be animated have not.
    pub(crate) fn ply(&self, motion: &MotionStatus) -> usize {
        let ply = self.shown().map_or(0, |(_, ply)| ply);
        let is_looked_up = self.screen() == Screen::Table && self.referee.viewed_ply.is_some();
        if is_looked_up { ply } else { ply.saturating_sub(motion.pending) }
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
