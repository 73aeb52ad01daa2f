//! `tabulae-lab tune` for Tablan: TD(λ) training.

use tabulae_command_line::{
    CommandError,
    files::{is_stdio, write_file},
    progress::Progress,
};
use tabulae_engines::tablan::Training;
use tabulae_games::{
    RuleSet,
    tablan::{ORDERED, PLAIN},
};

use super::{Args, Reporter, open_for_append};

/// The default number of games.
const DEFAULT_GAMES: u64 = 100_000;
/// How many times a run reports its progress and writes the weights so far.
const CHECKPOINTS: u64 = 50;

/// Trains a network, and writes it after each report; to stdout only at the end.
pub(super) fn run(args: &Args) -> Result<(), CommandError> {
    let out = &args.out;
    let rules = if args.rules == RuleSet::TablanOrdered { ORDERED } else { PLAIN };
    let games = args.games.unwrap_or(DEFAULT_GAMES);
    let mut training = Training::new(rules, args.seed, games);
    if !is_stdio(out) {
        open_for_append(out)?;
    }
    let bar = Progress::bar(usize::try_from(games).unwrap_or(usize::MAX), "games", args.quiet);
    let mut reporter = Reporter::new(args, bar);
    reporter.line(format!("{}: {games} games, seed {}", args.rules, args.seed))?;
    loop {
        let is_unfinished = training.train(games.div_ceil(CHECKPOINTS));
        if !is_unfinished || !is_stdio(out) {
            write_file(out, training.to_bytes())?;
        }
        let (played, error) = (training.games_played(), training.rms_error());
        reporter.progress.set(usize::try_from(played).unwrap_or(usize::MAX));
        reporter.line(format!(
            "game {played} of {games}: RMS error of the predicted equity {error:.4} (win +1, loss -1)"
        ))?;
        if !is_unfinished {
            return Ok(reporter.finish()?);
        }
    }
}
