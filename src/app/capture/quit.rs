//! The end of the program.

use bevy::prelude::*;

use super::export::ExportJobs;
use crate::{
    app::{
        core::{
            actions::{Action, UiAction},
            schedule::AppSet,
        },
        game::referee::Referee,
    },
    words::Why,
};

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(Update, leave.in_set(AppSet::ApplyActions));
}

/// Ends the program; while a picture is being written, which would be lost,
/// only when it is asked for again.
pub(crate) fn leave(
    mut acts: MessageReader<Action>,
    drawings: Res<ExportJobs>,
    mut referee: ResMut<Referee>,
    mut exit: MessageWriter<AppExit>,
    mut warned: Local<bool>,
) {
    *warned &= !drawings.progress().is_empty();
    for _ in acts.read().filter(|act| **act == Action::Ui(UiAction::Quit)) {
        if *warned || drawings.progress().is_empty() {
            exit.write(AppExit::Success);
        } else {
            *warned = true;
            referee.notify(Why::of("notice.export-runs"));
        }
    }
}
