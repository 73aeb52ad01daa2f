//! What the app withstands: being killed at any moment, disks that take
//! nothing, other copies of itself, and hours of play.
//!
//! All of it happens to a process of its own: this test program run again as
//! [`child::program`], which is the real app without a window
//! ([`tabulae::app::headless_run`]) with a home folder of its own.
//!
//! The tests of every day are short. `cargo crash`, `cargo soak` and
//! `cargo soak-window` take their time and print what they have measured.
#![cfg(feature = "app")]

#[path = "../common/mod.rs"]
mod common;

mod child;
mod copies;
mod crash;
mod disks;
mod memory;
mod play;
mod soak;
#[cfg(target_os = "linux")]
mod window;
