//! The engines' seats: asks the engine when it is its turn, throws for it, plays
//! its move. An answer to a position that is gone is dropped.

use bevy::prelude::*;

use super::Referee;
use crate::{
    app::{
        core::states::Screen,
        scene::{
            api::{MotionStatus, SceneCommand},
            look::{BoardPainting, PipelineStatus},
        },
    },
    engines::{Limits, Reply, Request, Settings, Worker},
    games::{Game, Turn},
    table::Seat,
    words::Why,
};

/// Size of an opponent's transposition table in MiB; a search of a few seconds
/// fills no more.
const HASH_MIB: usize = 32;

/// The engine that plays at this table.
#[derive(Resource)]
struct Engine {
    worker: Worker,
    /// The ticket of the running search, and the key of its position.
    pending: Option<(u64, u64)>,
}

pub(crate) fn plugin(app: &mut App) {
    app.insert_resource(Engine { worker: Worker::new(), pending: None })
        .add_systems(Update, play_engine_turns.in_set(crate::app::core::schedule::AppSet::Engines));
}

/// Starts searches, plays their moves and throws for engines.
fn play_engine_turns(
    mut engine: ResMut<Engine>,
    mut referee: ResMut<Referee>,
    mut commands: MessageWriter<SceneCommand>,
    motion: Res<MotionStatus>,
    screen: Res<State<Screen>>,
    (painting, compiling): (Res<BoardPainting>, Res<PipelineStatus>),
) {
    let here = *screen.get() == Screen::Table;
    // A search belongs to the position that waits for an engine. If that is gone
    // (the game moved on, was resigned or replaced), so is its answer.
    let key = referee
        .table
        .as_ref()
        .filter(|table| here && matches!(table.seat_to_act(), Some(Seat::Engine(_))))
        .map(|table| table.line().position().key());
    if engine.pending.is_some_and(|(_, asked)| Some(asked) != key) {
        engine.worker.cancel();
        engine.pending = None;
    }
    let seat = referee.table.as_ref().and_then(crate::table::Table::seat_to_act);
    let thinks = engine.pending.is_some();
    if referee.thinking != thinks {
        referee.thinking = thinks;
    }
    // The answer waits while an earlier ply is viewed, and until the first frame
    // is complete: nothing moves before the table can be seen.
    if referee.looking.is_some() || painting.0 || compiling.is_busy() {
        return;
    }
    while let Some(reply) = engine.worker.poll() {
        let Reply::Best { ticket, key: asked, best } = reply else { continue };
        if engine.pending != Some((ticket, asked)) {
            continue;
        }
        engine.pending = None;
        referee.thinking = false;
        if let Some(mv) = best {
            let cue = referee.play(mv);
            commands.write_batch(cue);
        } else {
            referee.notify_error(Why::of("notice.engine-no-move"));
        }
        return;
    }
    let Some(Seat::Engine(level)) = seat else { return };
    if !here || motion.is_busy() || engine.pending.is_some() {
        return;
    }
    let Some(table) = referee.table.as_ref() else { return };
    match table.turn() {
        // Sticks thrown by hand are thrown by hand for the engine, too.
        Some(Turn::Throw(_)) if table.by_hand() => {}
        Some(Turn::Throw(_)) => {
            let cue = referee.throw_sticks();
            commands.write_batch(cue);
        }
        Some(Turn::Move(_)) => {
            let settings = Settings {
                level,
                hash_mib: HASH_MIB,
                seed: table.seed().wrapping_add(table.line().len() as u64),
                ..Settings::default()
            };
            let limits: Limits = level.limits().within(table.allowance());
            let key = table.line().position().key();
            let line = table.line().clone();
            let ticket = engine.worker.ask(Request { line, limits, settings });
            engine.pending = Some((ticket, key));
            referee.thinking = true;
        }
        Some(Turn::Over(_)) | None => {}
    }
}
