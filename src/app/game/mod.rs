//! The game on the table: rules, seats, clock, autosave.

pub(crate) mod autoplay;
pub(crate) mod clock;
pub mod referee;
pub(crate) mod seats;
