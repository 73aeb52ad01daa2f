//! `tabulae-lab tune`: trains networks by self-play.

mod tablan;
mod tablut;

use std::{
    fs::{File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
};

use tabulae_command_line::{
    CommandError,
    files::{cannot_write, refuse_stdio, refuse_terminal, results_beside},
    progress::Progress,
    values,
};
use tabulae_games::{GameKind, RuleSet};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Output:
  Tablan  The RMS error of the predicted equity (win +1, loss -1) against the
          targets of the training, a moving average over its batches
  Tablut  The loss after each epoch: the cross-entropy of the predicted score in
          nats, less the entropy of the target

Examples:
  tabulae-lab tune --rules tablan --out tablan.net
  tabulae-lab tune --rules tablut/ashton --positions games --check 100 --out ashton.net")]
pub(super) struct Args {
    /// Train for these rules, of Tablut or Tablan
    #[arg(long, value_name = "RULES", value_parser = values::rule_set())]
    rules: RuleSet,
    /// Play this many games [default: 10000 for Tablut, 100000 for Tablan]
    #[arg(long, value_name = "GAMES", value_parser = values::above_zero::<u64>())]
    games: Option<u64>,
    /// Set the seed of the random numbers; the seed, the number of games and the input
    /// files decide the network
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Write the network to this file; `-` is standard output, and all other output goes
    /// to standard error
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Tablut: search this many nodes for each move [default: 3000]
    #[arg(long, value_name = "NODES", value_parser = values::above_zero::<u64>())]
    nodes: Option<u64>,
    /// Tablut: afterwards, play this many games of the new network against the old
    /// network [default: 0]
    #[arg(long, value_name = "GAMES")]
    check: Option<u64>,
    /// Tablut: play the games with a material count instead of the built-in
    /// network
    #[arg(long, conflicts_with = "from")]
    counting: bool,
    /// Tablut: play the games with the network in this file; `-` is standard input
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Tablut: use this many threads; the result does not depend on it
    /// [default: 1]
    #[arg(long, value_name = "THREADS", value_parser = clap::value_parser!(u16).range(1..=64))]
    threads: Option<u16>,
    /// Tablut: save the positions of the games in this file, and also learn from the
    /// positions already in it; cannot be `-`
    ///
    /// So you can stop and resume a run, and learn from earlier rounds. Games are
    /// identified by their seeds, which count up from --seed: give a new round a --seed
    /// above the seeds of all earlier rounds.
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
    /// Tablut: begin half of the games at a position of these records, after up to two
    /// random plies, instead of near the start
    ///
    /// So the network learns more about the positions that occur in these records.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    start_from: Vec<PathBuf>,
    /// Print only the last line of the progress
    #[arg(long)]
    quiet: bool,
}

impl Args {
    /// The first given flag that is for Tablut only.
    fn tablut_only_flag(&self) -> Option<&'static str> {
        [
            ("--nodes", self.nodes.is_some()),
            ("--check", self.check.is_some()),
            ("--counting", self.counting),
            ("--from", self.from.is_some()),
            ("--threads", self.threads.is_some()),
            ("--positions", self.positions.is_some()),
            ("--start-from", !self.start_from.is_empty()),
        ]
        .into_iter()
        .find_map(|(name, given)| given.then_some(name))
    }
}

/// Trains a network, reports progress, and writes the network.
pub(super) fn run(args: &Args) -> Result<(), CommandError> {
    refuse_terminal("--out", &args.out)?;
    let reason = "it is read and written in the same run";
    refuse_stdio("--positions", args.positions.as_deref(), reason)?;
    match args.rules.game() {
        GameKind::Tablut => tablut::run(args),
        GameKind::Tablan => {
            if let Some(flag) = args.tablut_only_flag() {
                return Err(unusable_flag(flag, args.rules, "Tablut"));
            }
            tablan::run(args)
        }
        GameKind::Tablaaza => {
            let rules = args.rules;
            Err(CommandError::Usage(format!(
                "cannot tune {rules}, which has no network: expected rules of Tablut or Tablan"
            )))
        }
    }
}

/// Prints the lines of a run, and shows its progress on a terminal.
struct Reporter {
    out: Box<dyn Write>,
    progress: Progress,
    /// With `--quiet`, the line to print at the end.
    last: Option<String>,
    quiet: bool,
}

impl Reporter {
    fn new(args: &Args, progress: Progress) -> Self {
        Self { out: results_beside(Some(&args.out)), progress, last: None, quiet: args.quiet }
    }

    fn line(&mut self, text: String) -> io::Result<()> {
        if self.quiet {
            self.last = Some(text);
            return Ok(());
        }
        let out = &mut self.out;
        self.progress.suspend(|| writeln!(out, "{text}"))
    }

    /// Removes the progress; prints the last line if no other was printed.
    fn finish(&mut self) -> io::Result<()> {
        self.progress.finish();
        match self.last.take() {
            Some(text) => writeln!(self.out, "{text}"),
            None => Ok(()),
        }
    }
}

/// The error of a flag that the game of `rules` does not have.
fn unusable_flag(flag: &str, rules: RuleSet, game: &str) -> CommandError {
    CommandError::Usage(format!("cannot use {flag} with {rules}: it is for {game} only"))
}

/// Opens a file for appending without changing it, so that a run fails at the
/// start and not at the end if the file cannot be written.
fn open_for_append(path: &Path) -> Result<File, CommandError> {
    let open = OpenOptions::new().append(true).create(true).open(path);
    open.map_err(|error| cannot_write(path, &error))
}
