//! Other programs that speak UGI: as a player, as an analyst, and the user's list of
//! them.
//!
//! A program may be broken in any way. It costs its caller the time that the caller
//! allows and the memory for a few lines, and never a game: an illegal move is an error
//! that names it, and a program that is dropped is killed. [`UgiProgram`] waits for
//! answers; [`ProgramWorker`] runs one on a thread of its own, for callers that draw
//! frames.

mod list;
mod ugi;
mod worker;

pub use list::{EngineEntry, EngineList, EngineListError, engines_path, split_command};
pub use ugi::{OptionKind, ProgramError, ProgramInfo, ProgramLimits, ProgramOption, UgiProgram};
pub use worker::{ProgramEvent, ProgramWorker};
