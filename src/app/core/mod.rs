//! What every other part of the app shares: actions, states, the schedule, and
//! notices to the player.

pub mod actions;
pub mod notice;
pub(crate) mod schedule;
pub mod states;
