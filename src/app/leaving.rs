//! The end of the program.

use bevy::prelude::*;

use super::{Steps, acts::Act, export::Drawings, referee::Referee};
use crate::i18n::LocalizedMessage;

pub(crate) fn plugin(app: &mut App) {
    app.add_systems(Update, leave.in_set(Steps::Judge));
}

/// Ends the program; while a picture is being written, which would be lost,
/// only when it is asked for again.
pub(super) fn leave(
    mut acts: MessageReader<Act>,
    drawings: Res<Drawings>,
    mut referee: ResMut<Referee>,
    mut exit: MessageWriter<AppExit>,
    mut warned: Local<bool>,
) {
    *warned &= !drawings.progress().is_empty();
    for _ in acts.read().filter(|act| **act == Act::Quit) {
        if *warned || drawings.progress().is_empty() {
            exit.write(AppExit::Success);
        } else {
            *warned = true;
            referee.tell(LocalizedMessage::new("notice.export-runs"));
        }
    }
}
