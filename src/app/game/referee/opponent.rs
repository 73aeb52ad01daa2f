//! The engines' seats: asks when it is an engine's turn, throws for it, plays
//! its answer. A late answer (the game has moved on) is dropped.

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
    engines::{EngineOptions, Request, SearchEvent, SearchLimits, SearchWorker},
    games::{Game, Turn},
    i18n::LocalizedMessage,
    table::Seat,
};

/// What an opponent remembers of what it has seen, in MiB: a move of a few
/// seconds fills no more.
const HASH_MIB: usize = 32;

/// The engine at this table.
#[derive(Resource)]
struct Engine {
    worker: SearchWorker,
    /// The ticket of the running thought, and the position it is about.
    asked: Option<(u64, u64)>,
}

pub(crate) fn plugin(app: &mut App) {
    app.insert_resource(Engine { worker: SearchWorker::new(), asked: None })
        .add_systems(Update, drive.in_set(crate::app::core::schedule::AppSet::Engines));
}

fn drive(
    mut engine: ResMut<Engine>,
    mut referee: ResMut<Referee>,
    mut cues: MessageWriter<SceneCommand>,
    motion: Res<MotionStatus>,
    screen: Res<State<Screen>>,
    (painting, compiling): (Res<BoardPainting>, Res<PipelineStatus>),
) {
    let here = *screen.get() == Screen::Table;
    // A thought is about the position that waits for an engine; when there is
    // none any more (the game moved on, was given up, another one began), its
    // answer must not come.
    let key = referee
        .table
        .as_ref()
        .filter(|table| here && matches!(table.seat_to_act(), Some(Seat::Engine(_))))
        .map(|table| table.history().position().key());
    if engine.asked.is_some_and(|(_, asked)| Some(asked) != key) {
        engine.worker.cancel();
        engine.asked = None;
    }
    let seat = referee.table.as_ref().and_then(crate::table::GameSession::seat_to_act);
    let thinks = engine.asked.is_some();
    if referee.thinking != thinks {
        referee.thinking = thinks;
    }
    // Whoever looks back is not disturbed: the answer waits. So it does for the
    // first whole frame: nothing moves before the table can be seen.
    if referee.looking.is_some() || painting.0 || compiling.is_busy() {
        return;
    }
    while let Some(reply) = engine.worker.poll() {
        let SearchEvent::BestMove { ticket, key: asked, best } = reply else { continue };
        if engine.asked != Some((ticket, asked)) {
            continue;
        }
        engine.asked = None;
        referee.thinking = false;
        if let Some(mv) = best {
            let cue = referee.play(mv);
            cues.write_batch(cue);
        } else {
            referee.notify_error(LocalizedMessage::new("notice.engine-no-move"));
        }
        return;
    }
    let Some(Seat::Engine(level)) = seat else { return };
    if !here || motion.is_busy() || engine.asked.is_some() {
        return;
    }
    let Some(table) = referee.table.as_ref() else { return };
    match table.turn() {
        // Sticks in a hand are thrown for the engine too.
        Some(Turn::Throw(_)) if table.by_hand() => {}
        Some(Turn::Throw(_)) => {
            let cue = referee.cast();
            cues.write_batch(cue);
        }
        Some(Turn::Move(_)) => {
            let options = EngineOptions {
                level,
                hash_mib: HASH_MIB,
                seed: table.seed().wrapping_add(table.history().len() as u64),
                ..EngineOptions::default()
            };
            let limits: SearchLimits = level.limits().within(table.allowance());
            let key = table.history().position().key();
            let line = table.history().clone();
            let ticket = engine.worker.ask(Request { line, limits, options });
            engine.asked = Some((ticket, key));
            referee.thinking = true;
        }
        Some(Turn::Over(_)) | None => {}
    }
}
