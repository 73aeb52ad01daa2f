//! The log of the game on the table, in words.

use super::referee::Referee;
use crate::{
    app::{core::prelude::*, settings::Settings},
    session::{self, describe_lot},
};

/// A log of the game on the table in words, newest line last.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub struct GameLog(pub Vec<String>);

impl GameLog {
    /// The log of a game in the current language.
    fn of(table: &GameSession) -> Self {
        let history: &GameHistory<AnyPosition> = table.history();
        let plies = (table.drawn_throws() + 1..=history.len())
            .flat_map(|number| describe_ply(history, number));
        let mut lines: Vec<String> = describe_lot(table).into_iter().chain(plies).collect();
        match table.outcome() {
            Some(session::Outcome::Ended(_)) | None => {}
            // An end that no ply made: resignation, agreement, time.
            Some(outcome) => lines.push(describe_outcome(table.rules(), outcome)),
        }
        Self(lines)
    }
}

/// Writes the log after a change of the game, or of the language.
fn write_log(referee: Res<Referee>, mut log: ResMut<GameLog>) {
    log.set_if_neq(referee.table.as_ref().map(GameLog::of).unwrap_or_default());
}

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<GameLog>().add_systems(
        Update,
        write_log
            .run_if(resource_changed::<Referee>.or_else(resource_changed::<Settings>))
            .in_set(AppSet::Report),
    );
}
