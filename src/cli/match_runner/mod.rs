//! `tabulae match`: plays engines against each other and measures the
//! difference in strength.
//!
//! Imports go one way: `config` ← `player` ← `game` ← `report` ← this module.

mod config;
mod game;
mod player;
mod report;
mod stats;

use std::{
    collections::BTreeMap,
    num::{NonZeroU64, NonZeroUsize},
    path::PathBuf,
    sync::{
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use crate::{games::RuleSet, table::random_seed};

use self::{
    config::MatchConfig, game::play_game, player::Player, report::MatchReport, stats::Sprt,
};

use super::{CommandError, bologna::protocol::COMPETITION_RULES};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Rule set to play
    #[arg(long, value_name = "RULES")]
    rules: RuleSet,
    /// First player: a level (novice, casual, club, expert, master), cmd:COMMAND
    /// for any UGI engine, or bologna:COMMAND for a client of Bologna's
    /// competition; such a command may contain {role} or {ROLE}, {time}, {host}
    /// and {port}. Commands are split into words as a shell does, with quotes
    /// and backslashes
    #[arg(long, value_name = "PLAYER")]
    first: Player,
    /// Second player
    #[arg(long, value_name = "PLAYER")]
    second: Player,
    /// Number of games; use an even number, since the statistics count pairs
    #[arg(long, value_name = "N", default_value = "10")]
    games: NonZeroUsize,
    /// Time for each move, in milliseconds
    #[arg(long, value_name = "MS", default_value = "100")]
    movetime: NonZeroU64,
    /// Time a program may take to start, and may overrun its move time, in
    /// milliseconds; a program that takes longer loses the game
    #[arg(long, value_name = "MS", default_value = "10000")]
    patience: NonZeroU64,
    /// Number of games played at the same time
    #[arg(long, value_name = "K", default_value = "1")]
    concurrency: NonZeroUsize,
    /// Write the games' records to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Seed of the openings, the sticks and the levels' noise; by default a new
    /// one, which is printed
    #[arg(long)]
    seed: Option<u64>,
    /// Number of random moves at the start of each game, 20 at most; by default
    /// 4, or 0 in Tablan, where the throws vary the games, and 0 against a
    /// bologna: player, which always starts from the initial position
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(..=20))]
    openings: Option<u8>,
    /// Stop when a sequential probability ratio test (SPRT) between these two
    /// Elo differences of the first player is decided, with 5 % of error
    #[arg(long, value_name = "LOW,HIGH", allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// Search threads of each level
    #[arg(long, value_name = "N", default_value = "1")]
    threads: NonZeroUsize,
    /// Transposition table of each level, in MiB
    #[arg(long, value_name = "MIB", default_value = "64")]
    hash: NonZeroUsize,
    /// Length at which a game is a draw, in plies
    #[arg(long, value_name = "N", default_value = "1000")]
    plies: NonZeroUsize,
}

impl Args {
    /// Checks the options against each other and resolves the defaults.
    fn config(&self) -> Result<MatchConfig, CommandError> {
        let players = [&self.first, &self.second];
        let with_client = players.iter().any(|player| player.is_bologna_client());
        // In Tablan the throws already vary the games, and a random move would
        // be taken for the player's own choice.
        let no_openings = with_client || self.rules.has_sticks();
        let opening_moves = usize::from(self.openings.unwrap_or(if no_openings { 0 } else { 4 }));
        let usage = |text: &str| Err(CommandError::Usage(text.to_owned()));
        if with_client && self.rules != COMPETITION_RULES {
            return usage(&format!("a bologna: player plays {COMPETITION_RULES} only"));
        }
        if with_client && opening_moves > 0 {
            return usage(
                "a bologna: player starts from the initial position: --openings must be 0",
            );
        }
        if self.concurrency.get() > 1 && players.iter().any(|player| player.needs_fixed_port()) {
            return usage(
                "a bologna: player without {port} plays one game at a time: --concurrency 1",
            );
        }
        Ok(MatchConfig {
            rules: self.rules,
            players: players.map(Clone::clone),
            movetime: Duration::from_millis(self.movetime.get()),
            patience: Duration::from_millis(self.patience.get()),
            seed: self.seed.unwrap_or_else(random_seed),
            opening_moves,
            threads: self.threads.get(),
            hash_mib: self.hash.get(),
            max_plies: self.plies.get(),
        })
    }
}

/// Plays the match: prints a line for each game, then the score.
pub(super) fn run(args: &Args) -> Result<(), CommandError> {
    let config = args.config()?;
    let mut report = MatchReport::new(&config, args.games.get(), args.sprt, args.out.as_deref())?;
    play_games(&config, args.games.get(), args.concurrency.get(), &mut report)?;
    report.finish()
}

/// Plays the games on `concurrency` threads and reports them in their order,
/// until all are played or the SPRT is decided.
fn play_games(
    config: &MatchConfig,
    games: usize,
    concurrency: usize,
    report: &mut MatchReport<'_>,
) -> Result<(), CommandError> {
    let (next, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
    thread::scope(|scope| {
        let (sender, finished) = mpsc::channel();
        for _ in 0..concurrency.min(games) {
            let (next, stopped, sender) = (&next, &stopped, sender.clone());
            scope.spawn(move || {
                while !stopped.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= games || sender.send(play_game(config, number)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        // Games that ended before an earlier one wait here.
        let mut waiting = BTreeMap::new();
        for game in finished {
            waiting.insert(game.number, game);
            while let Some(game) = waiting.remove(&report.next_game()) {
                let decided = report.add_game(&game);
                if !matches!(decided, Ok(false)) {
                    stopped.store(true, Ordering::Relaxed);
                    return decided.map(|_| ());
                }
            }
        }
        Ok(())
    })
}
