//! Other programs that speak UGI: as a player, as an analyst, and the user's list of
//! them.
//!
//! A program may be broken in any way. It costs its caller the time that the caller
//! allows and the memory for a few lines, and never a game: an illegal move is an error
//! that names it, and a program that is dropped is killed with all that it has started.
//! [`UgiProgram`] waits for
//! answers; [`ProgramWorker`] runs one on a thread of its own, for callers that draw
//! frames.

use std::time::Duration;

use super::{GameSession, TimeControl};
use tabulae_engines::SearchLimits;
use tabulae_games::Side;

mod list;
mod options;
mod process;
mod protocol;
#[cfg(not(target_arch = "wasm32"))]
mod tree;
#[cfg(target_arch = "wasm32")]
#[path = "tree_web.rs"]
mod tree;
mod ugi;
mod worker;

pub use list::{EngineEntry, EngineList, EngineListError, engines_path, split_command};
pub use options::{OptionKind, ProgramOption};
pub use protocol::{ProgramInfo, ProgramLimits};
pub use tree::ProcessTree;
#[cfg(not(target_arch = "wasm32"))]
pub use tree::end_programs;
pub use ugi::{ProgramError, UgiProgram};
pub use worker::{ProgramEvent, ProgramWorker};

/// How long a program may take to start, and how much longer than its time for a move.
pub const PROGRAM_PATIENCE: Duration = Duration::from_secs(10);

/// The time of a program's move in a game without clocks.
const MOVE_TIME: Duration = Duration::from_secs(1);

impl ProgramLimits {
    /// The limits of the next move of a game, and the time after which a program has
    /// failed. Without clocks it has a second, and with a time per move most of that. With a
    /// time for the game it is told both clocks, and shares its time out itself.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tabulae_games::RuleSet;
    /// use tabulae_session::{GameSession, PROGRAM_PATIENCE, ProgramLimits, Setup};
    ///
    /// let setup = Setup::new(RuleSet::Tablaaza);
    /// let (limits, deadline) = ProgramLimits::for_turn(&GameSession::new(setup.clone()));
    /// assert!(matches!(limits, ProgramLimits::PerMove(it) if it.movetime.is_some()));
    /// assert_eq!(deadline, Duration::from_secs(1) + PROGRAM_PATIENCE);
    ///
    /// let timed = Setup { clock: Some("600+5".parse()?), ..setup };
    /// let (limits, deadline) = ProgramLimits::for_turn(&GameSession::new(timed));
    /// let ProgramLimits::Clocks([own, _]) = limits else { panic!("no clocks") };
    /// assert_eq!((own.remaining.as_secs(), own.increment.as_secs()), (600, 5));
    /// assert_eq!(deadline, Duration::from_secs(600) + PROGRAM_PATIENCE);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn for_turn(session: &GameSession) -> (Self, Duration) {
        if let (Some(clock), Some(side)) = (session.clock(), session.clock_runs_for())
            && let TimeControl::PerGame { .. } = clock.time_controls().of(side)
        {
            let clocks = Side::BOTH.map(|side| clock.player_clock(side));
            return (Self::Clocks(clocks), clock.left(side) + PROGRAM_PATIENCE);
        }
        let time = session.allowance().unwrap_or(MOVE_TIME);
        let limits = SearchLimits { movetime: Some(time), ..SearchLimits::default() };
        (Self::PerMove(limits), time + PROGRAM_PATIENCE)
    }
}
