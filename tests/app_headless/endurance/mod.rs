//! Endurance of the app: being killed at any moment, disks that refuse writes,
//! several copies at once, and hours of play.
//!
//! Each test runs a child process: this test program again as [`child::program`],
//! which is the headless app ([`tabulae::app::headless_run`]) with a home folder of
//! its own.
//!
//! The default tests are short. `cargo crash`, `cargo soak` and
//! `cargo soak-window` run for minutes or hours and print what they measure.
pub(crate) mod child;
mod copies;
mod crash;
mod disks;
mod memory;
mod play;
mod soak;
#[cfg(target_os = "linux")]
mod window;
