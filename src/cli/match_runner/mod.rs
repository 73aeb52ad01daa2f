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
    config::MatchConfig,
    game::play_game,
    player::Player,
    report::{MatchReport, ReportOptions},
    stats::Sprt,
};

use super::{CommandError, bologna::protocol::COMPETITION_RULES, refuse_stdio, values};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Players:
  LEVEL            A built-in level: novice, casual, club, expert or master
  cmd:COMMAND      Any UGI engine
  bologna:COMMAND  A client of Bologna's competition, for tablut/ashton. In the
                   command, {role} stands for white or black, {ROLE} for WHITE or
                   BLACK, {time} for the seconds for a move, {host} and {port} for
                   the address of the server
  A command is split into words as in a shell, with quotes and backslashes.

Examples:
  tabulae match --rules tablut/ashton --first master --second expert --games 20
  tabulae match --rules tablan --first 'cmd:./engine -x' --second club --out games.tab
  tabulae match --rules tablut/ashton --first master --movetime 2000 --second 'bologna:./player {role} {time} {host}'")]
pub(super) struct Args {
    /// Play by these rules
    #[arg(long, value_name = "RULES", value_parser = values::rule_set())]
    rules: RuleSet,
    /// Choose the first player: a level, cmd:COMMAND or bologna:COMMAND (see below)
    #[arg(long, value_name = "PLAYER")]
    first: Player,
    /// Choose the second player
    #[arg(long, value_name = "PLAYER")]
    second: Player,
    /// Play this many games; use an even number, since the statistics count pairs
    #[arg(long, value_name = "GAMES", default_value = "10")]
    games: NonZeroUsize,
    /// Set the time for each move, in milliseconds
    #[arg(long, value_name = "MS", default_value = "100")]
    movetime: NonZeroU64,
    /// Let a program take this long to start, and overrun its move time by as
    /// much, in milliseconds; after that it loses the game
    #[arg(long, value_name = "MS", default_value = "10000")]
    patience: NonZeroU64,
    /// Play this many games at the same time
    #[arg(long, value_name = "GAMES", default_value = "1")]
    concurrency: NonZeroUsize,
    /// Write the records of the games to this file; - is standard output, and all
    /// else goes to standard error
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Seed the openings, the sticks and the randomness of the levels [default:
    /// random, and printed]
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,
    /// Start each game with this many random moves, at most 20 [default: 4; 0 in
    /// Tablan, where the throws vary the games, and with a bologna: player, which
    /// always starts from the initial position]
    #[arg(long, value_name = "MOVES", value_parser = clap::value_parser!(u8).range(..=20))]
    openings: Option<u8>,
    /// Stop when a sequential probability ratio test (SPRT) decides between these
    /// two Elo differences of the first player, with error rates of 5 %
    #[arg(long, value_name = "LOW,HIGH", allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// Search with this many threads for each level
    #[arg(long, value_name = "THREADS", default_value = "1")]
    threads: NonZeroUsize,
    /// Set the size of each level's transposition table, in MiB
    #[arg(long, value_name = "MIB", default_value = "64")]
    hash: NonZeroUsize,
    /// End a game as a draw at this length, in plies
    #[arg(long, value_name = "PLIES", default_value = "1000")]
    plies: NonZeroUsize,
    /// Print a JSON object for each game, then one for the score
    #[arg(long)]
    json: bool,
    /// Show no progress bar, and print no line for each game
    #[arg(long)]
    quiet: bool,
}

impl Args {
    /// Checks the options against each other and resolves the defaults.
    fn config(&self) -> Result<MatchConfig, CommandError> {
        let players = [&self.first, &self.second];
        let with_client = players.iter().any(|player| player.is_bologna_client());
        // In Tablan the throws already vary the games, and an engine that models
        // its opponent would learn from the random moves.
        let no_openings = with_client || self.rules.has_sticks();
        let opening_moves = usize::from(self.openings.unwrap_or(if no_openings { 0 } else { 4 }));
        let usage = |text: &str| Err(CommandError::Usage(text.to_owned()));
        if with_client && self.rules != COMPETITION_RULES {
            return usage(&format!(
                "cannot play {} with a bologna: player: it plays {COMPETITION_RULES} only",
                self.rules
            ));
        }
        if with_client && opening_moves > 0 {
            return usage(&format!(
                "cannot play {opening_moves} random moves with a bologna: player, which starts \
                 from the initial position: --openings must be 0"
            ));
        }
        if self.concurrency.get() > 1 && players.iter().any(|player| player.needs_fixed_port()) {
            return usage(
                "cannot play several games at once with a bologna: player whose command has no \
                 {port}: --concurrency must be 1",
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

/// Plays the match: prints a line for each game, then the score. A program that
/// cannot be started ends it before the first game.
pub(super) fn run(args: &Args) -> Result<(), CommandError> {
    let config = args.config()?;
    if args.json {
        refuse_stdio("--out", args.out.as_deref(), "--json prints to stdout")?;
    }
    for (flag, player) in [("--first", &args.first), ("--second", &args.second)] {
        player.check_program().map_err(|(program, error)| {
            CommandError::Failed(format!("cannot start '{program}' ({flag}): {error}"))
        })?;
    }
    let options = ReportOptions {
        games: args.games.get(),
        sprt: args.sprt,
        path: args.out.as_deref(),
        json: args.json,
        quiet: args.quiet,
    };
    let mut report = MatchReport::new(&config, options)?;
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
            let game = match game {
                Ok(game) => game,
                Err(error) => {
                    stopped.store(true, Ordering::Relaxed);
                    return Err(error);
                }
            };
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
