//! The engines' seats: asks when it is an engine's turn, throws for it, plays
//! its answer. A late answer (the game has moved on) is dropped.

use bevy::prelude::*;

use super::Referee;
use crate::{
    app::{
        core::states::Screen,
        scene::api::{MotionStatus, SceneCommand, SceneReady},
    },
    engines::{Limits, Reply, Request, Settings, Worker},
    games::{Game, Turn},
    table::Seat,
    words::Why,
};

/// What an opponent remembers of what it has seen, in MiB: a move of a few
/// seconds fills no more.
const HASH_MIB: usize = 32;

/// The engine at this table.
#[derive(Resource)]
struct Engine {
    worker: Worker,
    /// The ticket of the running thought, and the position it is about.
    asked: Option<(u64, u64)>,
}

pub(crate) fn plugin(app: &mut App) {
    app.insert_resource(Engine { worker: Worker::new(), asked: None })
        .add_systems(Update, drive.in_set(crate::app::core::schedule::AppSet::Engines));
}

fn drive(
    mut engine: ResMut<Engine>,
    mut referee: ResMut<Referee>,
    mut cues: MessageWriter<SceneCommand>,
    motion: Res<MotionStatus>,
    screen: Res<State<Screen>>,
    scene_ready: Res<SceneReady>,
) {
    let here = *screen.get() == Screen::Table;
    // A thought is about the position that waits for an engine; when there is
    // none any more (the game moved on, was given up, another one began), its
    // answer must not come.
    let key = referee
        .table
        .as_ref()
        .filter(|table| here && matches!(table.seat_to_act(), Some(Seat::Engine(_))))
        .map(|table| table.line().position().key());
    if engine.asked.is_some_and(|(_, asked)| Some(asked) != key) {
        engine.worker.cancel();
        engine.asked = None;
    }
    let seat = referee.table.as_ref().and_then(crate::table::Table::seat_to_act);
    let thinks = engine.asked.is_some();
    if referee.thinking != thinks {
        referee.thinking = thinks;
    }
    // Whoever looks back is not disturbed: the answer waits. So it does for the
    // first whole frame: nothing moves before the table can be seen.
    if referee.looking.is_some() || !scene_ready.0 {
        return;
    }
    while let Some(reply) = engine.worker.poll() {
        let Reply::Best { ticket, key: asked, best } = reply else { continue };
        if engine.asked != Some((ticket, asked)) {
            continue;
        }
        engine.asked = None;
        referee.thinking = false;
        if let Some(mv) = best {
            let cue = referee.play(mv);
            cues.write_batch(cue);
        } else {
            referee.notify_error(Why::of("notice.engine-no-move"));
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
            engine.asked = Some((ticket, key));
            referee.thinking = true;
        }
        Some(Turn::Over(_)) | None => {}
    }
}
