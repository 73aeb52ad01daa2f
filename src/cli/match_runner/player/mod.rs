//! The players in one game of a match: each is started, shown the positions and asked for
//! moves.

mod bologna;

use std::fmt;

use crate::{
    cli::prelude::*,
    engines::{EngineState, PlayerClock, Yardstick, preload, search_with_state},
    session::{ProgramLimits, UgiProgram},
};

pub(super) use self::bologna::BolognaClient;
use super::{
    config::{MatchConfig, ThinkingLimits},
    player_spec::{PlayerKind, PlayerSpec},
};

/// Why a player was not started.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum StartError {
    /// The player's fault, which loses the game.
    Player(String),
    /// Not the player's fault: the match cannot go on.
    Match(String),
}

/// A player in one game.
pub(super) enum PlayerInstance {
    /// A built-in level, which searches on the game's own thread.
    Level {
        /// The engine's options.
        options: EngineOptions,
        /// The search tables, kept from move to move.
        engine_state: EngineState,
    },
    /// A simple player.
    Yardstick {
        /// Which one.
        yardstick: Yardstick,
        /// The seed of its choices.
        seed: u64,
    },
    /// A UGI engine, and by how much it may overrun its time for a move.
    Ugi(UgiProgram, Duration),
    /// A client of Bologna's server.
    Bologna(BolognaClient),
}

impl PlayerInstance {
    /// Starts a player.
    ///
    /// # Errors
    /// The program cannot be started or does not answer, or the match cannot serve
    /// it; the text says so.
    pub(super) fn start(
        config: &MatchConfig,
        player: &PlayerSpec,
        side: Side,
        seed: u64,
    ) -> Result<Self, StartError> {
        match &player.kind {
            PlayerKind::Level(level) => {
                let options = EngineOptions {
                    level: *level,
                    threads: config.threads,
                    hash_mib: config.hash_mib,
                    seed,
                    book: true,
                    ..EngineOptions::default()
                };
                // The loading takes nothing from the time of the first move.
                preload(config.rules);
                Ok(Self::Level { options, engine_state: EngineState::new() })
            }
            PlayerKind::Yardstick(yardstick) => Ok(Self::Yardstick { yardstick: *yardstick, seed }),
            PlayerKind::Ugi(words) => {
                let started = UgiProgram::start(words, config.patience).and_then(|mut program| {
                    program.new_game(config.rules).map(|()| Self::Ugi(program, config.overrun))
                });
                started.map_err(|error| StartError::Player(error.to_string()))
            }
            PlayerKind::Bologna(words) => {
                BolognaClient::start(words, side, config).map(Self::Bologna)
            }
        }
    }

    /// Shows the position at the start and after each ply to a player that follows
    /// the whole game.
    ///
    /// # Errors
    /// The program cannot be reached any more.
    pub(super) fn show_position(
        &mut self,
        history: &GameHistory<AnyPosition>,
    ) -> Result<(), String> {
        match self {
            // These get the position together with the request for a move.
            Self::Level { .. } | Self::Yardstick { .. } | Self::Ugi(..) => Ok(()),
            Self::Bologna(client) => client.show_position(history),
        }
    }

    /// Tells a player that follows the whole game how it ended. It may have gone already.
    pub(super) fn show_result(&mut self, history: &GameHistory<AnyPosition>, result: GameResult) {
        if let Self::Bologna(client) = self {
            client.show_result(history, result);
        }
    }

    /// Asks for a move.
    ///
    /// # Errors
    /// The player gives no legal move in time; the text says what it did.
    pub(super) fn choose_move(
        &mut self,
        history: &GameHistory<AnyPosition>,
        limits: MoveLimits,
    ) -> Result<AnyMove, NoMove> {
        match self {
            Self::Level { options, engine_state } => {
                let (limits, stop) = limits.of_search(history);
                let request =
                    Request { history: history.clone(), limits, options: options.clone() };
                search_with_state(engine_state, &request, &stop, &mut |_| ())
                    .ok_or_else(|| NoMove::Failed("gives no move".to_owned()))
            }
            Self::Yardstick { yardstick, seed } => yardstick
                .choose_move(history, *seed)
                .ok_or_else(|| NoMove::Failed("gives no move".to_owned())),
            Self::Ugi(program, patience) => {
                let deadline = limits.deadline(history, *patience);
                program
                    .choose_move(history, &limits.of_program(), deadline, &mut |_| ())
                    .map_err(|error| NoMove::Failed(error.to_string()))
            }
            Self::Bologna(client) => client.choose_move(history, limits),
        }
    }
}

/// How long the player on turn may think about its next move.
#[derive(Clone, Copy, Debug)]
pub(super) enum MoveLimits {
    /// The limits of this move.
    PerMove(SearchLimits),
    /// The clocks of both sides, the first side's first, and by how much a player may
    /// overstep its own.
    Clocks([PlayerClock; 2], Duration),
}

impl MoveLimits {
    /// The limits of a game's first move.
    pub(super) fn start(limits: ThinkingLimits) -> Self {
        match limits {
            ThinkingLimits::PerMove(limits) => Self::PerMove(limits),
            ThinkingLimits::Clock { clock, margin } => Self::Clocks(clock.start(), margin),
        }
    }

    /// Takes the time of a move from its player's clock, if there are clocks.
    ///
    /// # Errors
    /// The clock has run out; the text says so and follows the player's name.
    pub(super) fn stop_clock(&mut self, side: Side, elapsed: Duration) -> Result<(), String> {
        let Self::Clocks(clocks, margin) = self else { return Ok(()) };
        let clock = &mut clocks[side.index()];
        if elapsed > clock.remaining + *margin {
            let over = elapsed.saturating_sub(clock.remaining).as_millis();
            return Err(format!("oversteps its clock by {over} ms"));
        }
        clock.remaining = clock.remaining.saturating_sub(elapsed) + clock.increment;
        Ok(())
    }

    /// The limits of a built-in level's search.
    fn of_search(self, history: &GameHistory<AnyPosition>) -> (SearchLimits, StopSignal) {
        match self {
            Self::PerMove(limits) => (limits, StopSignal::default()),
            Self::Clocks(clocks, _) => {
                let time = clocks[history.position().side().index()].allot();
                let limits = SearchLimits { movetime: Some(time.hard), ..SearchLimits::default() };
                (limits, StopSignal::with_soft_limit(Some(time.soft)))
            }
        }
    }

    /// The limits of a program's search.
    const fn of_program(self) -> ProgramLimits {
        match self {
            Self::PerMove(limits) => ProgramLimits::PerMove(limits),
            Self::Clocks(clocks, _) => ProgramLimits::Clocks(clocks),
        }
    }

    /// How long to wait for the move of a program that may overrun its move time by
    /// `patience`.
    fn deadline(self, history: &GameHistory<AnyPosition>, patience: Duration) -> Duration {
        match self {
            Self::PerMove(limits) => limits.movetime.unwrap_or_default() + patience,
            Self::Clocks(clocks, margin) => {
                clocks[history.position().side().index()].remaining + margin
            }
        }
    }
}

/// Why a player gives no move. The texts follow its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NoMove {
    /// It sent a move that is not legal, which a referee may permit.
    Refused(RefusedMove),
    /// It sent nothing in time.
    Late(String),
    /// It cannot go on.
    Failed(String),
}

/// A move that was sent and is not legal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RefusedMove {
    pub(super) text: String,
    pub(super) why: Illegal,
}

impl fmt::Display for RefusedMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "plays '{}': {}", self.text, self.why)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_runs_out_beyond_its_margin_only() {
        let (ms, clock) = (Duration::from_millis, "1+0.1".parse().expect("a clock"));
        let mut limits = MoveLimits::start(ThinkingLimits::Clock { clock, margin: ms(50) });
        let left = |limits| match limits {
            MoveLimits::Clocks(clocks, _) => clocks.map(|clock| clock.remaining),
            MoveLimits::PerMove(_) => panic!("no clocks"),
        };
        assert_eq!(limits.stop_clock(Side::First, ms(300)), Ok(()));
        assert_eq!(left(limits), [ms(800), ms(1000)]);
        assert_eq!(limits.stop_clock(Side::First, ms(850)), Ok(()));
        assert_eq!(left(limits), [ms(100), ms(1000)], "the increment of an empty clock");
        let error = limits.stop_clock(Side::Second, ms(1051));
        assert_eq!(error, Err("oversteps its clock by 51 ms".to_owned()));
    }
}
