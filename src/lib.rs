//! Tabulae: Tablut, Tablan and Tablaaza on one table.
//!
//! The layers, each using only the ones above it:
//!
//! - [`i18n`] has what is said, in each language.
//! - [`games`] has the rules. Pure values; no clock, no randomness, no files.
//! - [`records`] has `.tab` text in and out.
//! - [`engines`] think.
//! - [`table`] is one game being played: seats, sticks, undo.
//! - [`cli`] has the commands.
//! - `app` is the 3D table (feature `app`).

#[cfg(feature = "app")]
pub mod app;
#[cfg(not(target_arch = "wasm32"))]
pub mod cli;
pub mod engines;
pub mod games;
pub mod i18n;
pub mod records;
pub mod table;
