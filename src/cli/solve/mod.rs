//! `tabulae solve`: who wins a position of Tablaaza, proven.

mod ledger;
mod witness;

use std::{
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
    time::Duration,
};

use crate::{
    engines::{
        MoveOutcome, Proof, Solution, SolveProgress, SolveSettings, StopSignal, prove, solve,
    },
    games::{RuleSet, Side, tablaaza::Position},
};

use self::{
    ledger::{KEPT_FROM, Ledger},
    witness::Witness,
};
use super::{Failure, write_file};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The rules; only Tablaaza can be solved
    #[arg(value_name = "RULES")]
    rules: RuleSet,
    /// Solve this position instead of the empty board
    #[arg(long, value_name = "POSITION")]
    from: Option<String>,
    /// Memory to use, in MiB
    #[arg(long, value_name = "MB", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..))]
    memory: u32,
    /// Threads to use
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    threads: u16,
    /// Stop after so many hours
    #[arg(long, value_name = "HOURS")]
    hours: Option<f64>,
    /// Keep what is proven in this file, and go on from it if it is there
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Stop at the first winning move
    #[arg(long)]
    first: bool,
    /// Write the winner's moves to this file
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    /// Up to how many free squares a proof is left to be looked through
    #[arg(long, value_name = "SQUARES", default_value_t = 16, requires = "proof")]
    floor: u32,
    /// Play a proof through against every reply instead
    #[arg(long, value_name = "FILE", conflicts_with_all = ["from", "checkpoint", "proof", "hours"])]
    verify: Option<PathBuf>,
}

/// Time between two checkpoints, and between two lines on stderr.
const CHECKPOINT: Duration = Duration::from_secs(60);
const WORD: Duration = Duration::from_secs(10);
/// Moves in a proof file at most: some 20 MB.
const MOST_MOVES: usize = 1 << 20;

/// Solves, and says for each move whether it wins.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    if args.rules != RuleSet::Tablaaza {
        return Err(Failure::Usage(format!("only tablaaza can be solved, not {}", args.rules)));
    }
    if let Some(path) = &args.verify {
        return verify(path);
    }
    let position = match &args.from {
        None => Position::start(),
        Some(text) => Position::parse(text).map_err(|error| Failure::Wrong(error.to_string()))?,
    };
    let hours = args.hours.map(|hours| Duration::try_from_secs_f64(hours * 3600.0)).transpose();
    let hours = hours.map_err(|_| Failure::Usage("--hours wants a number above 0".to_owned()))?;
    let mut ledger = match &args.checkpoint {
        None => Ledger::default(),
        Some(path) => load(path)?,
    };
    let settings = SolveSettings {
        memory_mib: args.memory as usize,
        threads: usize::from(args.threads),
        told_from: if args.checkpoint.is_some() { KEPT_FROM } else { u32::MAX },
        first_only: args.first,
    };
    let solution = search(args, &position, settings, hours.unwrap_or(Duration::MAX), &mut ledger)?;
    report(&position, &solution)?;
    match (&args.proof, solution.winner) {
        (None, _) => Ok(()),
        (Some(_), None) => Err(Failure::Wrong("nothing is proven to write down".to_owned())),
        (Some(path), Some(winner)) => {
            let known: Vec<Proof> = ledger.proofs.into_iter().collect();
            write_proof(path, &position, winner, args.floor, settings, &known)
        }
    }
}

fn load(path: &Path) -> Result<Ledger, Failure> {
    let wrong = |what: String| Failure::Wrong(format!("{}: {what}", path.display()));
    match fs::read_to_string(path) {
        Ok(text) => Ledger::read(&text).map_err(wrong),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Ledger::default()),
        Err(error) => Err(wrong(format!("cannot be read: {error}"))),
    }
}

/// Solves, with words on stderr and checkpoints on the way.
fn search(
    args: &Args,
    position: &Position,
    settings: SolveSettings,
    hours: Duration,
    ledger: &mut Ledger,
) -> Result<Solution, Failure> {
    let (nodes, time) = (ledger.nodes, ledger.time);
    let known: Vec<Proof> = ledger.proofs.iter().map(|(free, wins)| (*free, *wins)).collect();
    let (stop, mut failed) = (StopSignal::default(), Ok(()));
    if hours.is_zero() {
        // The first word of progress may come after the answer.
        stop.stop();
    }
    let (mut saved, mut said) = (Duration::ZERO, Duration::ZERO);
    let mut on_progress = |progress: &SolveProgress| {
        ledger.add(&progress.proofs);
        (ledger.nodes, ledger.time) = (nodes + progress.nodes, time + progress.time);
        if progress.time >= hours {
            stop.stop();
        }
        if progress.time >= said + WORD {
            said = progress.time;
            let path: Vec<_> = progress.at.iter().map(ToString::to_string).collect();
            let (done, all) = progress.tasks;
            eprintln!(
                "{} s: {done} of {all} tasks done, {} thousand positions searched, {} proofs kept, now {}",
                progress.time.as_secs(),
                progress.nodes / 1000,
                ledger.proofs.len(),
                path.join(" ")
            );
        }
        if let Some(path) = &args.checkpoint
            && (progress.at.is_empty() || progress.time >= saved + CHECKPOINT)
        {
            saved = progress.time;
            if let Err(error) = write_file(path, &ledger.write()) {
                failed = Err(error);
                stop.stop();
            }
        }
    };
    let solution = solve(position, settings, &known, &stop, &mut on_progress);
    failed.map(|()| solution)
}

fn report(position: &Position, solution: &Solution) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let word = |outcome: &MoveOutcome| match outcome.wins {
        Some(true) => "wins",
        Some(false) => "loses",
        None => "unknown",
    };
    for outcome in &solution.moves {
        write!(out, "{} {}", outcome.mv, word(outcome))?;
        let replies: Vec<_> =
            outcome.replies.iter().map(|reply| format!("{} {}", reply.mv, word(reply))).collect();
        if replies.is_empty() {
            writeln!(out)?;
        } else {
            writeln!(out, " ({})", replies.join(", "))?;
        }
    }
    let nodes = solution.nodes;
    match solution.winner {
        Some(winner) => {
            let name = RuleSet::Tablaaza.side_name(winner);
            writeln!(out, "{name} wins {position} ({nodes} positions searched)")?;
        }
        None => writeln!(out, "not solved ({nodes} positions searched)")?,
    }
    Ok(())
}

fn write_proof(
    path: &Path,
    position: &Position,
    winner: Side,
    floor: u32,
    settings: SolveSettings,
    known: &[Proof],
) -> Result<(), Failure> {
    let mut on_word = |moves: usize| eprintln!("{moves} moves of the proof");
    let stop = StopSignal::default();
    let moves = prove(position, winner, floor, MOST_MOVES, settings, known, &stop, &mut on_word);
    let Some(moves) = moves else {
        return Err(Failure::Wrong(format!(
            "the proof has more than {MOST_MOVES} moves; try a --floor above {floor}"
        )));
    };
    let witness = Witness { position: *position, winner, floor, moves };
    write_file(path, &witness.write())?;
    let moves = witness.moves.len();
    writeln!(io::stdout(), "{moves} moves written to {}", path.display())?;
    Ok(())
}

fn verify(path: &Path) -> Result<(), Failure> {
    let wrong = |what: String| Failure::Wrong(format!("{}: {what}", path.display()));
    let text =
        fs::read_to_string(path).map_err(|error| wrong(format!("cannot be read: {error}")))?;
    let witness = Witness::read(&text).map_err(wrong)?;
    let (played, looked) = witness.verify().map_err(wrong)?;
    let name = RuleSet::Tablaaza.side_name(witness.winner);
    writeln!(
        io::stdout(),
        "{name} wins {}: {played} positions played through, {looked} looked through",
        witness.position
    )?;
    Ok(())
}
