//! Tabulae: the board games Tablut, Tablan and Tablaaza.
//!
//! The packages below this one, each importing only from those before it:
//!
//! - [`games`]: the rules, as pure values without clock, randomness or files.
//! - [`records`]: reading and writing `.tab` records; importers.
//! - [`engines`]: search and evaluation.
//! - [`session`]: one game in progress: seats, throws, undo, clocks, saving; the
//!   program's texts ([`i18n`]).
//! - [`online`]: games over a network: links, messages, fair throws; `server` with the
//!   feature of that name.
//!
//! Two more serve the commands: `tabulae_command_line`, and `tabulae_lab`, whose own program
//! is for researchers.
//!
//! This package is the program:
//!
//! - [`cli`]: the commands, which also start the app.
//! - `app`: the 3D table (feature `app`).

#[cfg(feature = "app")]
pub mod app;
#[cfg(not(target_arch = "wasm32"))]
pub mod cli;

#[cfg(all(feature = "server", not(target_arch = "wasm32")))]
pub use tabulae_online::server;
pub use tabulae_session::i18n;
pub use {
    tabulae_engines as engines, tabulae_games as games, tabulae_online as online,
    tabulae_records as records, tabulae_session as session,
};
