//! Tabulae: Tablut, Tablan and Tablaaza on one table.
//!
//! The layers, each using only the ones above it:
//!
//! - [`games`]: the rules. Pure values; no clock, no randomness, no files.
//! - [`records`]: `.tab` text in and out.
//! - [`engines`]: thinking.
//! - [`table`]: one game being played: seats, sticks, undo.
//! - [`cli`]: the commands.
//! - `app`: the 3D table (feature `app`).

#[cfg(feature = "app")]
pub mod app;
pub mod cli;
pub mod engines;
pub mod games;
pub mod records;
pub mod table;
