//! `tabulae tune`: weights made by an engine that plays with itself.

mod tablan;
mod tablut;

use std::path::PathBuf;

use crate::games::{GameKind, RuleSet};

use super::Failure;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The rules
    #[arg(long, value_name = "RULES")]
    rules: RuleSet,
    /// How many games to learn from; 10000 of Tablut, 100000 of Tablan
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    /// For all that is random: the same seed and games make the same weights
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Write the weights to this file; without it Tablut's, which are text, go
    /// to stdout
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Tablut: how many positions to look at for each move of those games
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Tablut: how many games the new weights play against the old ones
    /// afterwards
    #[arg(long, value_name = "N")]
    check: Option<u64>,
    /// Tablut: begin with weights set by hand, not with those that are shipped
    #[arg(long, conflicts_with = "from")]
    by_hand: bool,
    /// Tablut: begin with the weights of this file
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
}

impl Args {
    /// The first flag given that only Tablut's tuning has.
    fn tablut_only(&self) -> Option<&'static str> {
        [
            ("--nodes", self.nodes.is_some()),
            ("--check", self.check.is_some()),
            ("--by-hand", self.by_hand),
            ("--from", self.from.is_some()),
        ]
        .into_iter()
        .find_map(|(name, given)| given.then_some(name))
    }
}

/// Learns, says how it goes, and writes the weights.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    match args.rules.game() {
        GameKind::Tablut => tablut::run(args),
        GameKind::Tablan => {
            if let Some(flag) = args.tablut_only() {
                return Err(Failure::Usage(format!(
                    "{flag} is for Tablut, not for {}",
                    args.rules
                )));
            }
            let Some(out) = &args.out else {
                let text =
                    "the network of Tablan is no text: say where to write it with --out FILE";
                return Err(Failure::Usage(text.to_owned()));
            };
            tablan::run(args, out)
        }
        GameKind::Tablaaza => Err(Failure::Usage(format!("{} has no weights to tune", args.rules))),
    }
}
