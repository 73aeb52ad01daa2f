//! Runs the players' clocks and says when the window must redraw them.
//!
//! A clock runs while its player is to move and sees the position: not while
//! pieces or sticks still move, an earlier position is viewed, a dialog is open,
//! or another screen is shown.

use std::time::Duration;

use bevy::prelude::*;

use super::referee::Referee;
use crate::{
    app::{
        core::{
            schedule::AppSet,
            states::{Paused, Screen},
        },
        scene::api::{MotionStatus, NextRedraw},
    },
    table::{Table, until_it_changes},
};

/// No frame is a player's for longer than this: drawing everything for the
/// first time, or a machine that slept, is not thinking.
const LONGEST: Duration = Duration::from_secs(2);

pub(crate) fn plugin(app: &mut App) {
    // First in a frame: the current position has been shown since the last one.
    app.add_systems(Update, run.in_set(AppSet::Clock))
        .add_systems(Update, schedule_redraw.in_set(AppSet::Report));
}

/// Whether a clock runs.
pub(crate) fn runs(referee: &Referee, screen: Screen, motion: &MotionStatus, paused: bool) -> bool {
    screen == Screen::Table
        && !paused
        && !motion.is_busy()
        && !referee.lesson
        && referee.looking.is_none()
        && referee.table.as_ref().and_then(Table::clock_runs_for).is_some()
}

fn run(
    paused: Res<Paused>,
    time: Res<Time<Real>>,
    screen: Res<State<Screen>>,
    motion: Res<MotionStatus>,
    mut referee: ResMut<Referee>,
) {
    if !runs(&referee, *screen.get(), &motion, paused.0) {
        return;
    }
    let elapsed = time.delta().min(LONGEST);
    // A running clock does not change the game.
    if referee.bypass_change_detection().run_clock(elapsed) {
        referee.set_changed();
    }
}

/// Requests the next redraw: when the display of the running clock changes.
fn schedule_redraw(
    paused: Res<Paused>,
    screen: Res<State<Screen>>,
    motion: Res<MotionStatus>,
    referee: Res<Referee>,
    mut due: ResMut<NextRedraw>,
) {
    let table = referee.table.as_ref().filter(|_| runs(&referee, *screen.get(), &motion, paused.0));
    let left = table.and_then(|table| Some(table.clock()?.left(table.clock_runs_for()?)));
    due.set_if_neq(NextRedraw(left.map(until_it_changes)));
}
