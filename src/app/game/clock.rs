//! The players' clocks at this machine: says to the table how much time has
//! gone by, and when the window must show them again.
//!
//! Time counts while somebody is to move and sees it: not while pieces or
//! sticks still move, while an earlier position is looked at, under an open
//! sheet, or away from the table.

use std::time::Duration;

use bevy::prelude::*;

use super::referee::Referee;
use crate::{
    app::{
        core::{
            redraw::NextRedraw,
            schedule::AppSet,
            states::{Paused, Screen},
        },
        scene::api::MotionStatus,
    },
    table::{Table, until_it_changes},
};

/// No frame is a player's for longer than this: drawing everything for the
/// first time, or a machine that slept, is not thinking.
const LONGEST: Duration = Duration::from_secs(2);

pub(crate) fn plugin(app: &mut App) {
    // Before anything else of a frame: what stands now has stood since the last
    // one.
    app.add_systems(Update, run.in_set(AppSet::Clock))
        .add_systems(Update, look_again.in_set(AppSet::Report));
}

/// Whose clock runs, if one does.
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
    // A clock that goes on is no change of the game.
    if referee.bypass_change_detection().run_clock(elapsed) {
        referee.set_changed();
    }
}

/// Says when the clock that runs shows something else.
fn look_again(
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
