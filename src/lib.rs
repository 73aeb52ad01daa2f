//! Tabulae: the board games Tablut, Tablan and Tablaaza.
//!
//! The layers; each imports only from the ones above it:
//!
//! - [`i18n`]: the program's texts in each language.
//! - [`games`]: the rules, as pure values without clock, randomness or files.
//! - [`records`]: reading and writing `.tab` records; importers.
//! - [`engines`]: search and evaluation.
//! - [`table`]: one game in progress: seats, throws, undo, clocks, saving.
//! - [`online`]: games over a network: links, messages, fair throws.
//! - `app`: the 3D table (feature `app`).
//! - `server`: the server of online games (feature `server`).
//! - [`cli`]: the commands, which also start the app.

#[cfg(feature = "app")]
pub mod app;
#[cfg(not(target_arch = "wasm32"))]
pub mod cli;
pub mod engines;
pub mod games;
pub mod i18n;
pub mod online;
pub mod records;
#[cfg(all(feature = "server", not(target_arch = "wasm32")))]
pub mod server;
pub mod table;
