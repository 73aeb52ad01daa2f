//! `tabulae match`: plays engines against each other and measures the
//! difference in strength. `tabulae tournament` is built on it.
//!
//! `config` and `player` describe what plays, `game` plays one game, `report` tells the
//! result, and this module runs them.

mod args;
mod config;
mod game;
mod player;
mod player_spec;
mod records_out;
pub(super) mod referee;
mod report;
mod server_log;
mod sprt;
mod stats;
pub(super) mod tournament;

use std::{
    collections::BTreeMap,
    num::NonZeroUsize,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
};

use crate::cli::prelude::*;

use self::{
    args::{GameArgs, PLAYERS_HELP, check_programs},
    game::play_game,
    player_spec::PlayerSpec,
    report::{MatchReport, ReportOptions},
    sprt::Sprt,
};

use super::signals::end_programs_too;

const EXAMPLES: &str = "\
Examples:
  tabulae match --rules tablut/ashton --first master --second expert --games 20
  tabulae match --rules tablan --first 'cmd:./engine -x' --second club --out games.tab
  tabulae match --rules tablut/ashton --first master --movetime 2000 --second 'bologna:./player {role} {time} {host}'";

#[derive(Debug, clap::Args)]
#[command(after_help = format!("{PLAYERS_HELP}\n\n{EXAMPLES}"))]
pub(super) struct Args {
    /// Play by these rules
    #[arg(long, value_name = "RULES", value_parser = values::rule_set())]
    rules: RuleSet,
    /// Choose the first player: a level, greedy, random, cmd:COMMAND or
    /// bologna:COMMAND (see below)
    #[arg(long, value_name = "PLAYER")]
    first: PlayerSpec,
    /// Choose the second player
    #[arg(long, value_name = "PLAYER")]
    second: PlayerSpec,
    /// Play this many games; use an even number, since the statistics count pairs
    #[arg(long, value_name = "GAMES", default_value = "10", value_parser = values::above_zero::<NonZeroUsize>())]
    games: NonZeroUsize,
    #[command(flatten)]
    game: GameArgs,
    /// Write the records of the games to this file, or each to a file of its own in this
    /// folder; `-` is standard output, and all other output goes to standard error
    #[arg(long, value_name = "FILE|DIR")]
    out: Option<PathBuf>,
    /// Stop when a sequential probability ratio test (SPRT) decides between these
    /// two Elo differences of the first player, with error rates of 5 %
    #[arg(long, value_name = "LOW,HIGH", allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// Print a JSON object for each game, then one for the score
    #[arg(long)]
    json: bool,
    /// Show no progress bar, and print no line for each game
    #[arg(long)]
    quiet: bool,
}

/// Plays the match: prints a line for each game, then the score. A program that
/// cannot be started ends it before the first game.
pub(super) fn run(args: &Args) -> Result<(), CommandError> {
    let players = [args.first.clone(), args.second.clone()];
    let config = args.game.config(args.rules, &players, players.each_ref())?;
    if args.json {
        refuse_stdio("--out", args.out.as_deref(), "--json prints to stdout")?;
    }
    check_programs([("--first", &args.first), ("--second", &args.second)])?;
    end_programs_too(true);
    let options = ReportOptions {
        games: args.games.get(),
        path: args.out.as_deref(),
        json: args.json,
        quiet: args.quiet,
    };
    let mut report = MatchReport::new(&config, options, args.sprt)?;
    // Games that ended before an earlier one wait here.
    let mut waiting = BTreeMap::new();
    play_games(
        0..args.games.get(),
        args.game.concurrency.get().min(args.games.get()),
        |number, stopped| play_game(&config, number, stopped),
        |number, game| {
            waiting.insert(number, game);
            let mut decided = false;
            while !decided && let Some(game) = waiting.remove(&report.next_game()) {
                decided = report.add_game(&game)?;
            }
            Ok(decided)
        },
    )?;
    report.finish()
}

/// Plays these games on so many threads. `report` gets each as soon as it ends; true or
/// an error stops the rest, and `play` is told.
fn play_games<T: Send>(
    games: impl Iterator<Item = usize> + Send,
    threads: usize,
    play: impl Fn(usize, &AtomicBool) -> Result<T, CommandError> + Sync,
    mut report: impl FnMut(usize, T) -> Result<bool, CommandError>,
) -> Result<(), CommandError> {
    let (games, stopped) = (Mutex::new(games), AtomicBool::new(false));
    let next = || games.lock().unwrap_or_else(PoisonError::into_inner).next();
    thread::scope(|scope| {
        let (sender, finished) = mpsc::channel();
        for _ in 0..threads {
            let (next, play, stopped, sender) = (&next, &play, &stopped, sender.clone());
            scope.spawn(move || {
                while !stopped.load(Ordering::Relaxed)
                    && let Some(number) = next()
                    && sender.send((number, play(number, stopped))).is_ok()
                {}
            });
        }
        drop(sender);
        for (number, game) in finished {
            let decided = game.and_then(|game| report(number, game));
            if !matches!(decided, Ok(false)) {
                stopped.store(true, Ordering::Relaxed);
                return decided.map(|_| ());
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without the signal this test would not end.
    #[test]
    fn an_error_of_one_game_stops_the_others() {
        let play = |game: usize, stopped: &AtomicBool| {
            while game > 0 && !stopped.load(Ordering::Relaxed) {
                thread::yield_now();
            }
            Ok(game)
        };
        let ended = play_games(0..9, 3, play, |_, _| Err(CommandError::OutputClosed));
        assert!(matches!(ended, Err(CommandError::OutputClosed)));
    }
}
