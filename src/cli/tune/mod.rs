//! `tabulae tune`: weights made by an engine playing against itself.

mod tablan;

use std::path::PathBuf;

use crate::games::{GameKind, RuleSet};

use super::Failure;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The rules
    #[arg(long, value_name = "RULES")]
    rules: RuleSet,
    /// The same seed and games make the same weights
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many games to learn from
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Where to write the weights
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Learns, says how it goes, and writes the weights.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    match args.rules.game() {
        GameKind::Tablan => tablan::run(args),
        GameKind::Tablut | GameKind::Tablaaza => {
            Err(Failure::Usage(format!("{} has no weights to tune", args.rules)))
        }
    }
}
