//! The engine as a player: starts a search when it is its turn to move, and plays what
//! was found. The result for a position that is gone is dropped.

use super::{
    program::{ProgramPlayers, no_ply_is_due, play_program_turns},
    referee::Referee,
};
use crate::{
    app::{
        core::prelude::*,
        scene::api::{MotionStatus, SceneCommand, SceneReady},
    },
    engines::{EngineOptions, Request, SearchEvent, SearchLimits, SearchWorker},
};

/// Size of an opponent's transposition table in MiB; a search of a few seconds
/// fills no more.
const HASH_MIB: usize = 32;

/// The engine that plays at this table.
#[derive(Resource)]
pub(super) struct Engine {
    worker: SearchWorker,
    /// The position that is searched.
    pending: Option<SearchedPosition>,
    /// The position that a search found no move in: it is not searched again.
    failed: Option<SearchedPosition>,
}

/// Whether an engine or another program is thinking about its move.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EngineThinking(pub bool);

/// A position of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SearchedPosition {
    /// The number of the game.
    game: u64,
    /// The position's key.
    key: u64,
}

impl Engine {
    /// Cancels the running search unless it belongs to this game and position.
    fn cancel_unless(&mut self, wanted: Option<SearchedPosition>) {
        if self.pending.is_some() && self.pending != wanted {
            self.worker.cancel();
            self.pending = None;
        }
        if self.failed != wanted {
            self.failed = None;
        }
    }

    /// See [`found_move`].
    fn poll_result(&mut self) -> Option<Option<AnyMove>> {
        let best = found_move(&mut self.worker)?;
        self.failed = self.pending.take().filter(|_| best.is_none());
        Some(best)
    }

    /// Starts a search for the side to move.
    fn start_search(&mut self, game: u64, table: &GameSession, level: Level) {
        let options = EngineOptions {
            level,
            hash_mib: HASH_MIB,
            seed: table.seed().wrapping_add(table.history().len() as u64),
            book: true,
            ..EngineOptions::default()
        };
        let limits: SearchLimits = level.limits().within(table.allowance());
        let key = table.history().position().key();
        let history = table.history().clone();
        self.worker.start(Request { history, limits, options });
        self.pending = Some(SearchedPosition { game, key });
    }
}

/// The result of the running search: its best move, if there is one. None while the search
/// runs.
pub(super) fn found_move(worker: &mut SearchWorker) -> Option<Option<AnyMove>> {
    std::iter::from_fn(|| worker.poll()).find_map(|event| match event {
        SearchEvent::BestMove { best, .. } => Some(best),
        SearchEvent::Info { .. } => None,
    })
}

pub(crate) fn plugin(app: &mut App) {
    app.insert_resource(Engine { worker: SearchWorker::new(), pending: None, failed: None })
        .init_resource::<EngineThinking>()
        .add_systems(
            Update,
            play_engine_turns
                .run_if(no_ply_is_due)
                .in_set(AppSet::Engines)
                .after(play_program_turns),
        );
}

/// Starts searches and plays their moves.
pub(super) fn play_engine_turns(
    mut engine: ResMut<Engine>,
    programs: Res<ProgramPlayers>,
    mut thinking: ResMut<EngineThinking>,
    mut referee: ResMut<Referee>,
    (mut commands, mut told): (MessageWriter<SceneCommand>, MessageWriter<Notify>),
    motion: Res<MotionStatus>,
    screen: Res<State<Screen>>,
    scene_ready: Res<SceneReady>,
) {
    let here = *screen.get() == Screen::Table;
    // A search belongs to the position that waits for an engine. If that is gone
    // (the game moved on, was resigned or replaced), so is its answer.
    let wanted = referee
        .table
        .as_ref()
        .filter(|table| here && matches!(table.seat_to_act(), Some(Seat::Engine(_))))
        .map(|table| SearchedPosition {
            game: referee.game_number(),
            key: table.history().position().key(),
        });
    engine.cancel_unless(wanted);
    let seat = referee.table.as_ref().and_then(GameSession::seat_to_act);
    thinking.set_if_neq(EngineThinking(engine.pending.is_some() || programs.are_thinking()));
    // The result waits while an earlier ply is viewed and until the first frame is
    // complete: nothing moves before the table can be seen.
    if referee.viewed_ply.is_some() || !scene_ready.0 || referee.reply_waits(&motion) {
        return;
    }
    if let Some(best) = engine.poll_result() {
        thinking.0 = false;
        if let Some(mv) = best {
            let command = referee.play(mv);
            commands.write_batch(command);
        } else {
            told.write(Notify::error(LocalizedMessage::new("notice.engine-no-move")));
        }
        return;
    }
    let Some(Seat::Engine(level)) = seat else { return };
    // A person's move may still be taken back.
    if referee.awaits_verdict() {
        return;
    }
    if !here || motion.is_busy() || engine.pending.is_some() || engine.failed.is_some() {
        return;
    }
    let Some(table) = referee.table.as_ref() else { return };
    if matches!(table.turn(), Some(Turn::Move(_))) {
        engine.start_search(referee.game_number(), table, level);
        thinking.0 = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::headless;

    #[test]
    fn a_reply_waits_for_the_eye_but_for_no_clock() {
        let [rests, still] = [true, false].map(|rests| MotionStatus { rests, ..default() });
        for (clock, waits) in [(None, true), ("600".parse().ok(), false)] {
            let mut referee = Referee::default();
            let setup = Setup { clock, ..Setup::new(RuleSet::Tablaaza) };
            referee.table.replace(GameSession::new(setup));
            assert_eq!(referee.reply_waits(&rests), waits, "{clock:?}");
            assert!(!referee.reply_waits(&still));
        }
    }

    #[test]
    fn a_position_in_which_no_move_was_found_is_not_searched_again() {
        let mut app = headless((900, 600));
        let seats = [Seat::Engine(Level::Newcomer), Seat::Person];
        let setup = Setup { seats, ..Setup::new(RuleSet::Tablaaza) };
        app.world_mut().write_message(Action::Game(GameAction::NewGame(setup)));
        let pending = |app: &App| app.world().resource::<Engine>().pending;
        let mut frames = 0;
        while pending(&app).is_none() {
            app.update();
            frames += 1;
            assert!(frames < 1_000, "no search begins");
        }
        let search = pending(&app);
        let mut engine = app.world_mut().resource_mut::<Engine>();
        engine.cancel_unless(None);
        engine.failed = search;
        for _ in 0..10 {
            app.update();
            assert_eq!(pending(&app), None);
        }
        let mut engine = app.world_mut().resource_mut::<Engine>();
        engine.cancel_unless(None);
        app.update();
        assert_eq!(pending(&app), search, "after another position it is");
    }
}
