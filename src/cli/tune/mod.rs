//! `tabulae tune`: trains networks by self-play, or against a style of play.

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
    /// Train for these rules
    #[arg(long, value_name = "RULES")]
    rules: RuleSet,
    /// Play this many games [default: 10000 for Tablut, 100000 for Tablan]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    /// Seed the random numbers; the same seed and games give the same network
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Write the network to this file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Tablan: learn to exploit a player of this style (greedy, random),
    /// starting from the built-in network
    #[arg(long, value_name = "STYLE")]
    against: Option<Style>,
    /// Tablut: search this many positions for each move [default: 3000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Tablut: play this many games of the new network against the old one
    /// afterwards [default: 0]
    #[arg(long, value_name = "N")]
    check: Option<u64>,
    /// Tablut: play the games with a material count instead of the built-in
    /// network
    #[arg(long, conflicts_with = "from")]
    counting: bool,
    /// Tablut: play the games with the network in this file
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Tablut: use this many threads; the result does not depend on it
    /// [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    threads: Option<u16>,
    /// Tablut: save the games' positions in this file, and also learn from the
    /// positions already in it. So a run can be stopped and resumed, and a
    /// round can learn from earlier rounds. Games are identified by their
    /// seeds, which count up from --seed: start a new round with a seed far
    /// enough from the last
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
}

impl Args {
    /// The first given flag that only Tablut has.
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

/// Trains a network, reports progress, and writes the network.
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

/// Opens a file for appending without changing it, so that a run fails at the
/// start and not at the end if the file cannot be written.
fn open_for_append(path: &Path) -> Result<File, CommandError> {
    let open = OpenOptions::new().append(true).create(true).open(path);
    open.map_err(|error| cannot_write(path, &error))
}

fn cannot_write(path: &Path, error: &io::Error) -> CommandError {
    CommandError::Failed(format!("cannot write {}: {error}", path.display()))
}
