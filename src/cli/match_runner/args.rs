//! The options that a match and a tournament share.

use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};

use crate::{
    cli::{bologna::protocol::COMPETITION_RULES, prelude::*, tell_unused_threads},
    session::random_seed,
};

use super::{
    config::{GameClock, MatchConfig, ThinkingLimits},
    player_spec::PlayerSpec,
};

/// What a player may be, for the help of the commands.
pub(super) const PLAYERS_HELP: &str = "\
Players:
  LEVEL            A built-in level: newcomer, beginner, novice, casual, regular, club,
                   advanced, expert, candidate or master
  greedy           Wins at once if it can, else captures or raises a pavilion, else
                   plays any legal move
  random           Plays any legal move
  cmd:COMMAND      Any UGI engine
  bologna:COMMAND  A client of Bologna's competition, for tablut/ashton. In the
                   command, {role} stands for white or black, {ROLE} for WHITE or
                   BLACK, {time} for the seconds for a move, {host} and {port} for
                   the address of the server
  NAME=PLAYER      Any of these under another name
  A command is split into words as in a shell, with quotes and backslashes.";

/// How the games are played.
#[derive(Debug, clap::Args)]
pub(super) struct GameArgs {
    /// Set the time for each move, in milliseconds [default: 100, unless another
    /// limit is given]
    #[arg(long, value_name = "MS", value_parser = values::above_zero::<NonZeroU64>())]
    movetime: Option<NonZeroU64>,
    /// Search this many positions for each move; with one thread, a level then plays
    /// the same moves each time
    #[arg(long, value_name = "NODES", value_parser = values::above_zero::<NonZeroU64>())]
    nodes: Option<NonZeroU64>,
    /// Search each move to this depth, in plies
    #[arg(long, value_name = "PLIES", value_parser = values::above_zero::<NonZeroU32>())]
    depth: Option<NonZeroU32>,
    /// Give each player a clock: seconds for the game and seconds added after each
    /// move, like 60+0.5
    #[arg(long, value_name = "TIME+INC", conflicts_with_all = ["movetime", "nodes", "depth"])]
    tc: Option<GameClock>,
    /// With --tc, let a player overstep its clock by this much before it loses, in
    /// milliseconds
    #[arg(long, value_name = "MS", default_value = "50", requires = "tc")]
    margin: u32,
    /// Let a program take this many milliseconds to start, and as many more than its
    /// time for a move; after that it loses the game. A bologna: player has at least
    /// 60000 to connect
    #[arg(long, value_name = "MS", default_value = "10000", value_parser = values::above_zero::<NonZeroU64>())]
    patience: NonZeroU64,
    /// Play this many games at the same time, at most 256
    #[arg(long, value_name = "GAMES", default_value = "1")]
    #[arg(value_parser = values::at_most::<NonZeroUsize>(MAX_CONCURRENCY))]
    pub(super) concurrency: NonZeroUsize,
    /// Set the seed of the openings, the sticks and the randomness of the levels
    /// [default: random, and printed]
    #[arg(long, value_name = "SEED")]
    pub(super) seed: Option<u64>,
    /// Start each game with this many random moves, at most 20 [default: 4; 0 in
    /// Tablan, where the throws vary the games, and with a bologna: player, which
    /// may know only the initial position]
    #[arg(long, value_name = "MOVES", value_parser = clap::value_parser!(u8).range(..=20))]
    openings: Option<u8>,
    /// Search with this many threads for each level
    #[arg(long, value_name = "THREADS", default_value = "1")]
    #[arg(value_parser = values::above_zero::<NonZeroUsize>())]
    threads: NonZeroUsize,
    /// Set the size of each level's transposition table, in MiB
    #[arg(long, value_name = "MIB", default_value = "64", value_parser = values::above_zero::<NonZeroUsize>())]
    hash: NonZeroUsize,
    /// End a game as a draw at this length, in plies
    #[arg(long, value_name = "PLIES", default_value = "1000")]
    #[arg(value_parser = values::above_zero::<NonZeroUsize>())]
    plies: NonZeroUsize,
    /// What only the referee of Bologna's competition sets.
    #[arg(skip)]
    referee: Option<RefereeRules>,
}

/// The rules of Bologna's referee for time and errors.
#[derive(Clone, Copy, Debug)]
pub(super) struct RefereeRules {
    /// The time for a move.
    pub(super) time: Duration,
    pub(super) permitted_errors: u32,
}

/// By how much a client may overrun its time for a move with a referee: the competition's
/// server looks at its clock once a second.
const REFEREE_OVERRUN: Duration = Duration::from_secs(1);

impl GameArgs {
    /// The arguments of a tournament with a referee: one game after the other, each from
    /// the initial position.
    pub(super) fn with_referee(
        referee: RefereeRules,
        seed: Option<u64>,
        hash: NonZeroUsize,
    ) -> Self {
        Self {
            movetime: None,
            nodes: None,
            depth: None,
            tc: None,
            margin: 0,
            patience: NonZeroU64::MIN,
            concurrency: NonZeroUsize::MIN,
            seed,
            openings: Some(0),
            threads: NonZeroUsize::MIN,
            hash,
            plies: NonZeroUsize::MIN.saturating_add(999),
            referee: Some(referee),
        }
    }

    /// Checks the options against each other and against all `players`, and resolves
    /// the defaults. The games are those of `pair`.
    pub(super) fn config(
        &self,
        rules: RuleSet,
        players: &[PlayerSpec],
        pair: [&PlayerSpec; 2],
    ) -> Result<MatchConfig, CommandError> {
        let with_client = players.iter().any(PlayerSpec::is_bologna_client);
        // In Tablan the throws already vary the games, and an engine that models
        // its opponent would learn from the random moves.
        let no_openings = with_client || rules.has_sticks();
        let opening_moves = usize::from(self.openings.unwrap_or(if no_openings { 0 } else { 4 }));
        let limits = self.limits();
        let usage = |text: &str| Err(CommandError::usage(text));
        if with_client && rules != COMPETITION_RULES {
            return usage(&format!(
                "cannot play {rules} with a bologna: player: it plays {COMPETITION_RULES} only"
            ));
        }
        if with_client && limits.movetime().is_none() {
            return usage(
                "cannot play with a bologna: player without a time for each move: give \
                 --movetime",
            );
        }
        if self.concurrency.get() > 1 && players.iter().any(PlayerSpec::needs_fixed_port) {
            return usage(
                "cannot play several games at once with a bologna: player whose command has no \
                 {port}: --concurrency must be 1",
            );
        }
        tell_unused_threads(self.threads.get());
        let patience = Duration::from_millis(self.patience.get());
        Ok(MatchConfig {
            rules,
            players: pair.map(Clone::clone),
            limits,
            patience: self.referee.map_or(patience, |referee| referee.time),
            overrun: self.referee.map_or(patience, |_| REFEREE_OVERRUN),
            permitted_errors: self.referee.map_or(0, |referee| referee.permitted_errors),
            seed: self.seed.unwrap_or_else(random_seed),
            opening_moves,
            threads: self.threads.get(),
            hash_mib: self.hash.get(),
            max_plies: self.plies.get(),
        })
    }

    /// The errors that a referee permits; `None` without one.
    pub(super) fn permitted_errors(&self) -> Option<u32> {
        self.referee.map(|referee| referee.permitted_errors)
    }

    fn limits(&self) -> ThinkingLimits {
        if let Some(clock) = self.tc {
            let margin = Duration::from_millis(u64::from(self.margin));
            return ThinkingLimits::Clock { clock, margin };
        }
        let movetime = self.movetime.map(|time| Duration::from_millis(time.get()));
        let limits = SearchLimits {
            movetime: self.referee.map(|referee| referee.time).or(movetime),
            depth: self.depth.map(NonZeroU32::get),
            nodes: self.nodes.map(NonZeroU64::get),
            solver_nodes: None,
        };
        ThinkingLimits::PerMove(if limits == SearchLimits::default() {
            SearchLimits { movetime: Some(DEFAULT_MOVETIME), ..limits }
        } else {
            limits
        })
    }
}

/// The most games at the same time: each has a thread, and most players a program.
const MAX_CONCURRENCY: u64 = 256;

/// The time for a move if no limit is given.
const DEFAULT_MOVETIME: Duration = Duration::from_millis(100);

/// Checks that the program of each player can be started; each comes with its flag.
///
/// # Errors
/// Names the first program that cannot.
pub(super) fn check_programs<'a>(
    players: impl IntoIterator<Item = (&'a str, &'a PlayerSpec)>,
) -> Result<(), CommandError> {
    players.into_iter().try_for_each(|(flag, player)| {
        player.check_program().map_err(|(program, error)| {
            CommandError::Failed(format!("cannot start '{program}' ({flag}): {error}"))
        })
    })
}
