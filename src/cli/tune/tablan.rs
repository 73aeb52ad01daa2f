//! `tabulae tune` for Tablan: TD(λ) training.

use std::io::Write;

use crate::{
    cli::CommandError,
    engines::tablan::Training,
    games::{
        RuleSet,
        tablan::{ORDERED, PLAIN},
    },
    table::write_atomic,
};

use super::{Args, cannot_write, open_for_append};

/// The default number of games.
const DEFAULT_GAMES: u64 = 100_000;
/// How often a run reports its progress and writes the weights so far.
const CHECKPOINTS: u64 = 50;

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
        let more = training.train(games.div_ceil(CHECKPOINTS));
        write(&training)?;
        let (played, error) = (training.games_played(), training.rms_error());
        writeln!(stdout, "game {played} of {games}: error {error:.4}")?;
        if !more {
            return Ok(());
        }
    }
}
