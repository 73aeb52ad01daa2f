//! `tabulae tune`: fitting an engine's weights to games it plays with itself.

mod tablut;

use std::path::PathBuf;

use crate::games::{GameKind, RuleSet};

use super::Failure;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The rules
    #[arg(long, value_name = "RULES")]
    rules: RuleSet,
    /// How many games to learn from
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// For all that is random: the same seed gives the same weights
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How many positions to look at for each move of those games
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// How many games the new weights play against the old ones afterwards
    #[arg(long, value_name = "N", default_value_t = 0)]
    check: u64,
    /// Begin with weights set by hand, not with those that are shipped
    #[arg(long, conflicts_with = "from")]
    by_hand: bool,
    /// Begin with the weights of this file
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Write the weights to this file, not to stdout
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Fits the weights; how it goes is said on stderr.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    match args.rules.game() {
        GameKind::Tablut => tablut::run(args),
        GameKind::Tablan | GameKind::Tablaaza => {
            Err(Failure::Usage(format!("{} has no weights to fit", args.rules)))
        }
    }
}
