//! Throws the sticks for a person who does not want to click for each throw.

use super::{
    program::no_ply_is_due,
    referee::{OnlineRequest, Referee, Response},
};
use crate::app::{
    core::prelude::*,
    scene::api::{MotionStatus, SceneCommand, SceneReady},
    settings::{ChangeSettings, Settings},
};

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(Update, toggle.in_set(AppSet::ApplyActions)).add_systems(
        Update,
        throw
            .run_if(in_state(Screen::Table).and_then(no_ply_is_due).and_then(is_chosen))
            .in_set(AppSet::Engines),
    );
}

fn is_chosen(settings: Res<Settings>) -> bool {
    settings.automatic_throws
}

fn toggle(
    mut actions: MessageReader<GameAction>,
    settings: Res<Settings>,
    mut changes: MessageWriter<ChangeSettings>,
) {
    let toggles = |action: &&GameAction| **action == GameAction::ToggleAutomaticThrows;
    if actions.read().filter(toggles).count() % 2 == 1 {
        changes.write_batch(settings.patch(|settings| {
            settings.automatic_throws = !settings.automatic_throws;
        }));
    }
}

/// Throws once the last ply has been seen. A throw that was taken back is left to the
/// person: else nothing could be taken back any more.
fn throw(
    mut referee: ResMut<Referee>,
    (motion, ready): (Res<MotionStatus>, Res<SceneReady>),
    mut commands: MessageWriter<SceneCommand>,
    mut requests: MessageWriter<OnlineRequest>,
) {
    let is_due = referee.awaits_throw()
        && !referee.is_exercise()
        && referee.viewed_ply.is_none()
        && referee.question.is_none()
        && referee.table.as_ref().is_some_and(|table| !table.by_hand() && !table.can_redo());
    if !is_due || !ready.0 || motion.is_busy() || referee.reply_waits(&motion) {
        return;
    }
    match referee.throw() {
        Response::Scene(command) => _ = commands.write(command),
        Response::Online(request) => _ = requests.write(request),
        Response::Done | Response::Help(_) => {}
    }
}
