//! `tabulae tune` for Tablan: TD(λ) training.

use std::io::Write;

use crate::{
    cli::{CommandError, cannot_write},
    engines::tablan::Training,
    games::{
        RuleSet,
        tablan::{ORDERED, PLAIN},
    },
    table::write_atomic,
};

use super::{Args, open_for_append};

/// The default number of games.
const DEFAULT_GAMES: u64 = 100_000;
/// How many times a run reports its progress and writes the weights so far.
const CHECKPOINTS: u64 = 50;

/// Trains a network, and writes it after each report.
pub(super) fn run(args: &Args) -> Result<(), CommandError> {
    let out = &args.out;
    let rules = if args.rules == RuleSet::TablanOrdered { ORDERED } else { PLAIN };
    let games = args.games.unwrap_or(DEFAULT_GAMES);
    let mut training = match args.against {
        Some(style) => Training::against(style, rules, args.seed, games),
        None => Training::new(rules, args.seed, games),
    };
    let write = |training: &Training| {
        write_atomic(out, training.to_bytes()).map_err(|error| cannot_write(out, &error))
    };
    open_for_append(out)?;
    let mut stdout = std::io::stdout();
    let opponent = args.against.map(|style| format!(" against {style} play")).unwrap_or_default();
    writeln!(stdout, "{}{opponent}: {games} games, seed {}", args.rules, args.seed)?;
    loop {
        let is_unfinished = training.train(games.div_ceil(CHECKPOINTS));
        write(&training)?;
        let (played, error) = (training.games_played(), training.rms_error());
        writeln!(
            stdout,
            "game {played} of {games}: RMS error of the predicted equity {error:.4} (win +1, loss -1)"
        )?;
        if !is_unfinished {
            return Ok(());
        }
    }
}
