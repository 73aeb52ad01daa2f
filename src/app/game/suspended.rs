//! The game that waits while a lesson or an exercise is on the table.

use bevy::prelude::*;

use super::referee::Referee;
use crate::{app::scene::api::SceneCommand, session::GameSession};

/// The game that was on the table before an exercise; none if there was none. It is not
/// touched until the exercise ends.
#[derive(Resource, Default)]
pub(crate) struct SuspendedGame(Option<GameSession>);

impl SuspendedGame {
    /// Takes the game off the table, unless it waits already.
    pub(crate) fn suspend(&mut self, referee: &mut Referee) {
        if !referee.is_exercise() {
            self.0 = referee.table.take();
        }
    }

    /// Ends an exercise: puts the game back and returns the scene's setup; none when there
    /// was no game.
    pub(crate) fn resume(&mut self, referee: &mut Referee) -> Option<SceneCommand> {
        if !referee.is_exercise() {
            return None;
        }
        referee.end_exercise(self.0.take())
    }

    /// The game, on the table or waiting.
    pub(crate) fn game<'a>(&'a self, referee: &'a Referee) -> Option<&'a GameSession> {
        if referee.is_exercise() { self.0.as_ref() } else { referee.table.as_ref() }
    }
}

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<SuspendedGame>();
}
