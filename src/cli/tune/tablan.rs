//! Tuning Tablan's networks by temporal differences.

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

use super::{Args, cannot_write, claim};

/// Unless another number is asked for.
const GAMES: u64 = 100_000;
/// How often the progress is told and the weights so far are written.
const STOPS: u64 = 50;

pub(super) fn run(args: &Args) -> Result<(), CommandError> {
    let out = &args.out;
    let rules = if args.rules == RuleSet::TablanOrdered { ORDERED } else { PLAIN };
    let games = args.games.unwrap_or(GAMES);
    let mut training = match args.against {
        Some(style) => Training::against(style, rules, args.seed, games),
        None => Training::new(rules, args.seed, games),
    };
    let write = |training: &Training| {
        write_atomic(out, training.to_bytes()).map_err(|error| cannot_write(out, &error))
    };
    claim(out)?;
    let mut said = std::io::stdout();
    let whom = args.against.map(|style| format!(" against {style} play")).unwrap_or_default();
    writeln!(said, "{}{whom}: {games} games, seed {}", args.rules, args.seed)?;
    loop {
        let more = training.play(games.div_ceil(STOPS));
        write(&training)?;
        let (played, error) = (training.played(), training.error());
        writeln!(said, "game {played} of {games}: error {error:.4}")?;
        if !more {
            return Ok(());
        }
    }
}
