//! Throws the sticks for the computer, and for a person who does not want to click for
//! each throw.

use super::{
    opponent::play_engine_turns,
    program::{no_ply_is_due, play_program_turns},
    referee::{OnlineRequest, Referee, Response},
};
use crate::app::{
    core::prelude::*,
    scene::api::{MotionStatus, SceneCommand, SceneReady},
    settings::Settings,
};

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(Update, toggle_automatic_throws.in_set(AppSet::ApplyActions)).add_systems(
        Update,
        throw
            .run_if(in_state(Screen::Table).and_then(no_ply_is_due))
            .in_set(AppSet::Engines)
            .after(play_program_turns)
            .after(play_engine_turns),
    );
}

fn toggle_automatic_throws(mut actions: MessageReader<GameAction>, mut settings: ResMut<Settings>) {
    let toggles = |action: &&GameAction| **action == GameAction::ToggleAutomaticThrows;
    if actions.read().filter(toggles).count() % 2 == 1 {
        settings.automatic_throws = !settings.automatic_throws;
    }
}

/// Throws once the last ply has been seen.
fn throw(
    mut referee: ResMut<Referee>,
    settings: Res<Settings>,
    (motion, ready): (Res<MotionStatus>, Res<SceneReady>),
    mut commands: MessageWriter<SceneCommand>,
    mut requests: MessageWriter<OnlineRequest>,
) {
    let waits = referee.viewed_ply.is_some()
        || !ready.0
        || motion.is_busy()
        || referee.reply_waits(&motion);
    let response = match referee.thrower() {
        _ if waits => return,
        Some(Thrower::Computer) if !referee.awaits_verdict() => referee.throw_sticks().into(),
        Some(Thrower::Person)
            if settings.automatic_throws
                && !referee.is_exercise()
                && referee.question.is_none() =>
        {
            referee.throw()
        }
        _ => return,
    };
    match response {
        Response::Scene(command) => _ = commands.write(command),
        Response::Online(request) => _ = requests.write(request),
        Response::Done | Response::Help(_) => {}
    }
}
