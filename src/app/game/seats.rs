//! Flips the board between two people at one screen: always, when asked, or
//! never.

use bevy::prelude::*;

use super::referee::Referee;
use crate::{
    app::{
        core::{
            actions::{Action, ViewAction},
            schedule::AppSet,
            states::Screen,
        },
        scene::{
            api::{FlipOffered, MotionStatus},
            camera::{CameraRig, View},
        },
        settings::{Settings, options::Turning},
    },
    games::{Side, Turn},
    table::Seat,
};

pub(crate) fn plugin(app: &mut App) {
    app.init_resource::<FlipOffered>().add_systems(
        Update,
        flip_board
            .in_set(AppSet::Scene)
            .run_if(resource_exists::<Referee>.and_then(resource_exists::<State<Screen>>)),
    );
}

/// The seat of a side: the first is near, the second far.
const fn seat(side: Side) -> View {
    match side {
        Side::First => View::Seat,
        Side::Second => View::Far,
    }
}

/// Flips the board, or offers to, once the last move has been shown.
fn flip_board(
    referee: Res<Referee>,
    settings: Res<Settings>,
    screen: Res<State<Screen>>,
    motion: Res<MotionStatus>,
    mut actions: MessageReader<Action>,
    mut rig: ResMut<CameraRig>,
    mut asked: ResMut<FlipOffered>,
    mut seen: Local<Option<(Side, Turning)>>,
) {
    if actions.read().any(|action| matches!(action, Action::View(ViewAction::FlipBoard))) {
        asked.set_if_neq(FlipOffered(false));
    }
    let table = referee.table.as_ref().filter(|_| *screen.get() == Screen::Table);
    let due = table.filter(|table| table.seats() == [Seat::Person; 2] && !referee.lesson).and_then(
        |table| match table.turn() {
            Some(Turn::Move(side) | Turn::Throw(side)) => Some(side),
            Some(Turn::Over(_)) | None => None,
        },
    );
    let Some(side) = due else {
        asked.set_if_neq(FlipOffered(false));
        *seen = None;
        return;
    };
    let now = Some((side, settings.turning));
    if motion.is_busy() || *seen == now {
        return;
    }
    *seen = now;
    let away = rig.seat != seat(side);
    asked.set_if_neq(FlipOffered(away && settings.turning == Turning::Ask));
    if away && settings.turning == Turning::Always {
        rig.sit(seat(side));
    }
}
