//! `tabulae tune`: networks made by engines that play with themselves, or
//! against a style of play.

mod tablan;
mod tablut;

use std::{
    fs::{File, OpenOptions},
    io,
    path::{Path, PathBuf},
};

use crate::{
    engines::tablan::Style,
    games::{GameKind, RuleSet},
};

use super::CommandError;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The rules
    #[arg(long, value_name = "RULES")]
    rules: RuleSet,
    /// How many games to learn from; 10000 of Tablut, 100000 of Tablan
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    /// For all that is random: the same seed and games make the same network
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Write the network to this file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Tablan: learn what pays against a player of this style (greedy, random),
    /// starting from the network that is shipped
    #[arg(long, value_name = "STYLE")]
    against: Option<Style>,
    /// Tablut: how many positions to look at for each move of those games
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Tablut: how many games the new network plays against the old one
    /// afterwards
    #[arg(long, value_name = "N")]
    check: Option<u64>,
    /// Tablut: play the games by counting soldiers alone, not by the network
    /// that is shipped
    #[arg(long, conflicts_with = "from")]
    counting: bool,
    /// Tablut: play them by the network of this file
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Tablut: how many threads play them; their number changes nothing else
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    threads: Option<u16>,
    /// Tablut: keep the games' positions in this file; those that are there
    /// already are learnt from too, so it can be stopped and taken up again,
    /// and one round can learn from the games of those before. Games are known
    /// by their seeds, which count up from --seed: give a new round one that is
    /// far enough from the last
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
}

impl Args {
    /// The first flag given that only Tablut's tuning has.
    fn tablut_only(&self) -> Option<&'static str> {
        [
            ("--nodes", self.nodes.is_some()),
            ("--check", self.check.is_some()),
            ("--counting", self.counting),
            ("--from", self.from.is_some()),
            ("--threads", self.threads.is_some()),
            ("--positions", self.positions.is_some()),
        ]
        .into_iter()
        .find_map(|(name, given)| given.then_some(name))
    }
}

/// Learns, says how it goes, and writes the network.
pub(super) fn run(args: &Args) -> Result<(), CommandError> {
    match args.rules.game() {
        GameKind::Tablut if args.against.is_some() => {
            Err(CommandError::Usage(format!("--against is for Tablan, not for {}", args.rules)))
        }
        GameKind::Tablut => tablut::run(args),
        GameKind::Tablan => {
            if let Some(flag) = args.tablut_only() {
                return Err(CommandError::Usage(format!(
                    "{flag} is for Tablut, not for {}",
                    args.rules
                )));
            }
            tablan::run(args)
        }
        GameKind::Tablaaza => {
            Err(CommandError::Usage(format!("{} has no network to tune", args.rules)))
        }
    }
}

/// A file to be written when all is learnt, opened without a change to what is
/// there: better to know now than after an hour that it cannot be written.
fn claim(path: &Path) -> Result<File, CommandError> {
    let open = OpenOptions::new().append(true).create(true).open(path);
    open.map_err(|error| cannot_write(path, &error))
}

fn cannot_write(path: &Path, error: &io::Error) -> CommandError {
    CommandError::Failed(format!("cannot write {}: {error}", path.display()))
}
