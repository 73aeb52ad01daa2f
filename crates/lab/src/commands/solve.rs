//! `tabulae solve`: tells who wins a position of Tablaaza.

use std::{
    fs,
    io::{self, Write},
    num::{NonZeroU16, NonZeroU32},
    path::{Path, PathBuf},
    time::Duration,
};

use serde::Serialize;

use tabulae_command_line::{
    CommandError,
    files::{cannot_read, check_writable, refuse_stdio, write_file},
    json, print_error_line,
    progress::Progress,
    screen::{shown, stdout},
    tell_unused_threads, values,
};
use tabulae_engines::{
    Ledger, MoveOutcome, ProvenPosition, Solution, SolveOptions, SolveProgress, StopSignal, solve,
};
use tabulae_games::{RuleSet, tablaaza::Position};

use crate::proof::{
    checkpoint::{Checkpoint, min_proof_squares},
    ledger::MIN_LEDGER_SQUARES,
    proof_file::free_squares,
};

/// The flags of a search for the winner.
#[derive(Debug, clap::Args)]
pub(super) struct SearchFlags {
    /// Solve a position of these rules; only tablaaza can be solved
    #[arg(value_name = "RULES", value_parser = values::rule_set(), hide_possible_values = true)]
    pub(super) rules: RuleSet,
    /// Solve this position instead of the empty board
    #[arg(long, value_name = "POSITION")]
    pub(super) from: Option<String>,
    /// Use at most this much memory, in MiB
    #[arg(long, value_name = "MIB", default_value = "1024", value_parser = values::above_zero::<NonZeroU32>())]
    pub(super) memory: NonZeroU32,
    /// Search with this many threads
    #[arg(long, value_name = "THREADS", default_value = "1", value_parser = values::above_zero::<NonZeroU16>())]
    pub(super) threads: NonZeroU16,
    /// Stop after this many hours [default: no limit]
    #[arg(long, value_name = "HOURS", value_parser = parse_hours, allow_negative_numbers = true)]
    pub(super) hours: Option<Duration>,
    /// Save the proven positions to this file, and continue from it if it exists; cannot
    /// be `-`
    #[arg(long, value_name = "FILE")]
    pub(super) checkpoint: Option<PathBuf>,
    /// Keep positions with at least this many free squares in the checkpoint [default: 32;
    /// if the position to solve has fewer than 40 free squares, their number minus 8]
    #[arg(long, value_name = "SQUARES")]
    pub(super) keep: Option<u32>,
    /// Stop at the first winning move
    #[arg(long)]
    pub(super) first: bool,
    /// Print a JSON object for each move, then one for the result
    #[arg(long)]
    pub(super) json: bool,
    /// Print no progress
    #[arg(long)]
    pub(super) quiet: bool,
}

impl SearchFlags {
    pub(super) const fn hides_progress(&self) -> bool {
        self.json || self.quiet
    }

    /// The position to solve.
    pub(super) fn position(&self) -> Result<Position, CommandError> {
        match &self.from {
            None => Ok(Position::start()),
            Some(text) => Position::parse(text).map_err(CommandError::failed),
        }
    }

    /// How to solve it; of the proofs those of positions with `min_proof_squares` free
    /// squares are told.
    pub(super) fn options(&self, min_proof_squares: u32) -> SolveOptions {
        SolveOptions {
            memory_mib: self.memory.get() as usize,
            threads: usize::from(self.threads.get()),
            min_proof_squares,
            first_win_only: self.first,
        }
    }

    /// Refuses what no search can use.
    ///
    /// # Errors
    /// The rules are not Tablaaza's, or the checkpoint is `-` or cannot be written.
    pub(super) fn check(&self) -> Result<(), CommandError> {
        if self.rules != RuleSet::Tablaaza {
            let rules = self.rules;
            return Err(CommandError::Usage(format!("cannot solve {rules}: expected tablaaza")));
        }
        let reason = "it is read and written again and again";
        refuse_stdio("--checkpoint", self.checkpoint.as_deref(), reason)?;
        self.checkpoint.as_deref().map_or(Ok(()), check_writable)
    }
}

/// Time between two writes of the checkpoint.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(60);
/// Time between two lines of progress on stderr.
pub(super) const PROGRESS_INTERVAL: Duration = Duration::from_secs(10);

/// The flags of `tabulae solve`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabulae solve tablaaza                     Find who wins from the empty board
  tabulae solve tablaaza --from POSITION     Find who wins a position
  tabulae solve tablaaza --hours 8 --checkpoint solve.txt
                                             Search for 8 hours, and continue the next time

`tabulae-lab prove` writes and verifies proofs.")]
pub struct Args {
    #[command(flatten)]
    search: SearchFlags,
}

/// Solves a position and prints for each move whether it wins.
///
/// # Errors
/// The arguments are wrong, or a file cannot be read or written.
pub fn run(args: &Args) -> Result<(), CommandError> {
    let args = &args.search;
    args.check()?;
    if args.keep.is_some() && args.checkpoint.is_none() {
        return Err(CommandError::usage("--keep needs --checkpoint"));
    }
    let position = args.position()?;
    let is_known = args.checkpoint.is_none() && args.hours.is_none();
    let known = is_known.then(|| Ledger::shipped().solution(&position)).flatten();
    let solution = match known {
        Some(solution) => solution,
        None => search(args, &position)?.solution,
    };
    print_solution(&mut stdout(), &position, &solution, args.json)
}

/// What a search has found.
pub(super) struct Solved {
    pub(super) solution: Solution,
    /// The proofs of this run and of those before it.
    pub(super) proofs: Vec<ProvenPosition>,
    pub(super) options: SolveOptions,
}

/// Solves from the checkpoint on, if there is one.
///
/// # Errors
/// The checkpoint cannot be read or written.
pub(super) fn search(args: &SearchFlags, position: &Position) -> Result<Solved, CommandError> {
    let mut checkpoint = match &args.checkpoint {
        None => Checkpoint::default(),
        Some(path) => load_checkpoint(path)?,
    };
    let default_keep = min_proof_squares(free_squares(position).count_ones());
    let keep = args.keep.unwrap_or(default_keep);
    if args.keep.is_some() {
        checkpoint.drop_smaller(keep);
    }
    tell_unused_threads(usize::from(args.threads.get()));
    let options = args.options(if args.checkpoint.is_some() { keep } else { u32::MAX });
    let max_time = args.hours.unwrap_or(Duration::MAX);
    let solution = solve_and_save(args, position, options, max_time, &mut checkpoint)?;
    Ok(Solved { solution, proofs: checkpoint.proofs(), options })
}

/// Parses hours with an optional fraction.
fn parse_hours(text: &str) -> Result<Duration, String> {
    let hours = text.parse::<f64>().ok();
    hours
        .and_then(|hours| Duration::try_from_secs_f64(hours * 3600.0).ok())
        .ok_or_else(|| "expected a number of hours, 0 or more".to_owned())
}

/// Reads a checkpoint; an empty one if the file does not exist.
fn load_checkpoint(path: &Path) -> Result<Checkpoint, CommandError> {
    match fs::read_to_string(path) {
        Ok(text) => Checkpoint::read(&text).map_err(|reason| {
            CommandError::Failed(format!("invalid checkpoint {}: {reason}", shown(path)))
        }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Checkpoint::default()),
        Err(error) => Err(cannot_read(path, &error)),
    }
}

/// Solves, with progress on stderr (a bar on a terminal, else lines), and saves the
/// checkpoint on the way.
fn solve_and_save(
    args: &SearchFlags,
    position: &Position,
    options: SolveOptions,
    max_time: Duration,
    checkpoint: &mut Checkpoint,
) -> Result<Solution, CommandError> {
    let (earlier_nodes, earlier_time) = (checkpoint.nodes, checkpoint.time);
    let mut known = checkpoint.proofs();
    // Those with fewer free squares are so many that they would crowd a small table.
    let is_large = |proof: &ProvenPosition| proof.free.count_ones() >= MIN_LEDGER_SQUARES;
    known.extend(Ledger::shipped().proofs().into_iter().filter(is_large));
    let (stop, mut saved) = (StopSignal::default(), Ok(()));
    if max_time.is_zero() {
        // The search may end before its first progress report.
        stop.stop();
    }
    let (mut last_save, mut last_line) = (Duration::ZERO, Duration::ZERO);
    let bar = Progress::spinner(args.hides_progress());
    let mut on_progress = |progress: &SolveProgress| {
        checkpoint.add(&progress.new_proofs);
        checkpoint.nodes = earlier_nodes + progress.nodes;
        checkpoint.time = earlier_time + progress.time;
        if progress.time >= max_time {
            stop.stop();
        }
        if bar.is_shown() {
            bar.set_message(progress_line(progress, checkpoint.proof_count()));
        } else if !args.hides_progress() && progress.time >= last_line + PROGRESS_INTERVAL {
            last_line = progress.time;
            print_error_line!("{}", progress_line(progress, checkpoint.proof_count()));
        }
        if let Some(path) = &args.checkpoint
            && (progress.line.is_empty() || progress.time >= last_save + CHECKPOINT_INTERVAL)
        {
            last_save = progress.time;
            if let Err(error) = write_file(path, checkpoint.write()) {
                saved = Err(error);
                stop.stop();
            }
        }
    };
    let solution = solve(position, options, &known, &stop, &mut on_progress);
    saved.map(|()| solution)
}

fn progress_line(progress: &SolveProgress, proofs: usize) -> String {
    let SolveProgress { tasks_done, tasks_total, .. } = progress;
    let (seconds, thousands) = (progress.time.as_secs(), progress.nodes / 1000);
    let line: Vec<_> = progress.line.iter().map(ToString::to_string).collect();
    let line = line.join(" ");
    format!(
        "{seconds} s: {tasks_done} of {tasks_total} tasks done, {thousands} thousand positions \
         searched, {proofs} proofs stored, now searching {line}"
    )
}

/// An object of JSON.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Line {
    Move {
        #[serde(flatten)]
        outcome: OutcomeLine,
        replies: Vec<OutcomeLine>,
    },
    Result {
        position: String,
        winner: Option<&'static str>,
        nodes: u64,
    },
}

/// A move and whether its player wins, as JSON.
#[derive(Serialize)]
struct OutcomeLine {
    #[serde(rename = "move")]
    mv: String,
    wins: Option<bool>,
}

impl From<&MoveOutcome> for OutcomeLine {
    fn from(outcome: &MoveOutcome) -> Self {
        Self { mv: outcome.mv.to_string(), wins: outcome.wins }
    }
}

/// Prints whether a move wins, and the same of its replies.
pub(super) fn print_move(
    out: &mut impl Write,
    outcome: &MoveOutcome,
    as_json: bool,
) -> Result<(), CommandError> {
    if as_json {
        let replies = outcome.replies.iter().map(OutcomeLine::from).collect();
        return json::print_line(out, &Line::Move { outcome: outcome.into(), replies });
    }
    let text = |outcome: &MoveOutcome| {
        let word = match outcome.wins {
            Some(true) => "wins",
            Some(false) => "loses",
            None => "unknown",
        };
        format!("{} {word}", outcome.mv)
    };
    let replies: Vec<_> = outcome.replies.iter().map(text).collect();
    let replies =
        if replies.is_empty() { String::new() } else { format!(" ({})", replies.join(", ")) };
    Ok(writeln!(out, "{}{replies}", text(outcome))?)
}

pub(super) fn print_solution(
    out: &mut impl Write,
    position: &Position,
    solution: &Solution,
    as_json: bool,
) -> Result<(), CommandError> {
    for outcome in &solution.moves {
        print_move(out, outcome, as_json)?;
    }
    let (winner, nodes) =
        (solution.winner.map(|winner| RuleSet::Tablaaza.side_name(winner)), solution.nodes);
    if as_json {
        let position = position.to_string();
        return json::print_line(out, &Line::Result { position, winner, nodes });
    }
    match winner {
        Some(name) => writeln!(out, "{name} wins {position} ({nodes} positions searched)")?,
        None => writeln!(out, "not solved ({nodes} positions searched)")?,
    }
    Ok(())
}
