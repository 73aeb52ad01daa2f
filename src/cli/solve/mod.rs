//! `tabulae solve`: proves who wins a position of Tablaaza.

mod checkpoint;
mod game_values;
mod ledger;
mod proof;
mod verifier;

use std::{
    cell::Cell,
    fs,
    io::{self, Write},
    num::{NonZeroU16, NonZeroU32},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use serde::Serialize;

use crate::{
    engines::{
        Ledger, MoveOutcome, ProvenPosition, Solution, SolveOptions, SolveProgress, StopSignal,
        StrategyRequest, extract_strategy, solve,
    },
    games::{
        Game as _, RuleSet,
        tablaaza::{Move, Position},
    },
};

use self::{
    checkpoint::{Checkpoint, min_proof_squares},
    ledger::{ProvenMove, ProvenMoves, prove_moves},
    proof::{ProofFile, free_squares},
};
use super::{
    CommandError,
    files::{
        cannot_read, check_writable, is_stdio, read_text_file, refuse_same_file, results_beside,
        write_file,
    },
    json,
    progress::Progress,
    refuse_stdio,
    screen::{shown, stdout},
    tell_unused_threads, values,
};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabulae solve tablaaza                     Tell who wins from the empty board
  tabulae solve tablaaza --hours 8 --checkpoint solve.txt
                                             Search for 8 hours, and continue the next time
  tabulae solve tablaaza --from POSITION --proof proof.txt
                                             Solve a position and write a proof
  tabulae solve tablaaza --verify proof.txt  Verify the proof")]
pub(super) struct Args {
    /// Solve a position of these rules; only tablaaza can be solved
    #[arg(value_name = "RULES", value_parser = values::rule_set(), hide_possible_values = true)]
    rules: RuleSet,
    /// Solve this position instead of the empty board
    #[arg(long, value_name = "POSITION")]
    from: Option<String>,
    /// Use at most this much memory, in MiB
    #[arg(long, value_name = "MIB", default_value = "1024", value_parser = values::above_zero::<NonZeroU32>())]
    memory: NonZeroU32,
    /// Search with this many threads
    #[arg(long, value_name = "THREADS", default_value = "1", value_parser = values::above_zero::<NonZeroU16>())]
    threads: NonZeroU16,
    /// Stop after this many hours [default: no limit]
    #[arg(long, value_name = "HOURS", value_parser = parse_hours, allow_negative_numbers = true)]
    hours: Option<Duration>,
    /// Save the proven positions to this file, and continue from it if it exists;
    /// cannot be -
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Keep positions with at least this many free squares in the checkpoint [default: 32,
    /// or 8 fewer than the position has if it has fewer than 40] or the ledger [default: 40]
    #[arg(long, value_name = "SQUARES")]
    keep: Option<u32>,
    /// Stop at the first winning move
    #[arg(long)]
    first: bool,
    /// Write the winner's moves to this file; - is standard output, and all else
    /// goes to standard error
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    /// Leave positions with at most this many free squares out of the proof; the
    /// verifier searches them
    #[arg(long, value_name = "SQUARES", default_value_t = 16, requires = "proof")]
    floor: u32,
    /// Verify a proof file by playing it against every reply; - is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["from", "checkpoint", "proof", "hours"])]
    verify: Option<PathBuf>,
    /// Prove of each move whether it wins, by playing the solver's moves against every
    /// reply, and write the positions proven lost to this file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["checkpoint", "proof", "hours", "verify"])]
    ledger: Option<PathBuf>,
    /// Print a JSON object for each move, then one for the result
    #[arg(long)]
    json: bool,
    /// Print no progress
    #[arg(long)]
    quiet: bool,
}

impl Args {
    const fn hides_progress(&self) -> bool {
        self.json || self.quiet
    }
}

/// Time between two writes of the checkpoint.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(60);
/// Time between two lines of progress on stderr.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(10);
/// The ledger holds the verified positions with at least this many free squares, if
/// `--keep` says nothing else.
const MIN_LEDGER_SQUARES: u32 = 40;
/// Moves in a proof file at most: about 20 MB.
const MAX_PROOF_MOVES: usize = 1 << 20;

/// Solves a position and prints for each move whether it wins.
pub(super) fn run(args: &Args) -> Result<(), CommandError> {
    if args.rules != RuleSet::Tablaaza {
        return Err(CommandError::Usage(format!("cannot solve {}: expected tablaaza", args.rules)));
    }
    let reason = "it is read and written again and again";
    refuse_stdio("--checkpoint", args.checkpoint.as_deref(), reason)?;
    if args.json {
        refuse_stdio("--proof", args.proof.as_deref(), "--json prints to stdout")?;
    }
    if let (Some(checkpoint), Some(proof)) = (&args.checkpoint, &args.proof) {
        refuse_same_file(("--checkpoint", checkpoint), ("--proof", proof))?;
    }
    if let Some(path) = &args.verify {
        return verify(path, args.json);
    }
    let position = match &args.from {
        None => Position::start(),
        Some(text) => {
            Position::parse(text).map_err(|error| CommandError::Failed(error.to_string()))?
        }
    };
    for path in [&args.checkpoint, &args.proof, &args.ledger].into_iter().flatten() {
        check_writable(path)?;
    }
    if let Some(path) = &args.ledger {
        return make_ledger(path, &position, args);
    }
    if args.keep.is_some() && args.checkpoint.is_none() {
        return Err(CommandError::Usage("--keep needs --checkpoint or --ledger".to_owned()));
    }
    let mut out = results_beside(args.proof.as_deref());
    if args.checkpoint.is_none()
        && args.proof.is_none()
        && args.hours.is_none()
        && let Some(solution) = Ledger::shipped().solution(&position)
    {
        return print_solution(&mut out, &position, &solution, args.json);
    }
    let mut checkpoint = match &args.checkpoint {
        None => Checkpoint::default(),
        Some(path) => load_checkpoint(path)?,
    };
    let default_keep = min_proof_squares(free_squares(&position).count_ones());
    let keep = args.keep.unwrap_or(default_keep);
    if args.keep.is_some() {
        checkpoint.drop_smaller(keep);
    }
    tell_unused_threads(usize::from(args.threads.get()));
    let options = SolveOptions {
        memory_mib: args.memory.get() as usize,
        threads: usize::from(args.threads.get()),
        min_proof_squares: match args.checkpoint {
            Some(_) => keep,
            None => u32::MAX,
        },
        first_win_only: args.first,
    };
    let max_time = args.hours.unwrap_or(Duration::MAX);
    let solution = search(args, &position, options, max_time, &mut checkpoint)?;
    print_solution(&mut out, &position, &solution, args.json)?;
    match (&args.proof, solution.winner) {
        (None, _) => Ok(()),
        (Some(path), None) => Err(CommandError::Failed(format!(
            "cannot write {}: no winner is proven; continue the search first",
            shown(path)
        ))),
        (Some(path), Some(winner)) => {
            let request = StrategyRequest {
                position,
                winner,
                max_searched_squares: args.floor,
                max_moves: MAX_PROOF_MOVES,
            };
            let moves = write_proof(path, request, options, &checkpoint.proofs(), args)?;
            if args.json {
                json::print_line(&mut out, &Line::Proof { file: path.display().to_string(), moves })
            } else {
                Ok(writeln!(out, "{moves} moves written to {}", shown(path))?)
            }
        }
    }
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
fn search(
    args: &Args,
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
    Proof {
        file: String,
        moves: usize,
    },
    Ledger {
        file: String,
        position: String,
        winner: &'static str,
        /// The first winning move.
        #[serde(rename = "move")]
        mv: Option<String>,
        verified: u64,
        kept: u64,
    },
    Verification {
        file: String,
        position: String,
        winner: &'static str,
        played: u64,
        searched: u64,
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

fn print_json_solution(
    out: &mut impl Write,
    position: &Position,
    solution: &Solution,
) -> Result<(), CommandError> {
    for outcome in &solution.moves {
        let replies = outcome.replies.iter().map(OutcomeLine::from).collect();
        json::print_line(out, &Line::Move { outcome: outcome.into(), replies })?;
    }
    let winner = solution.winner.map(|winner| RuleSet::Tablaaza.side_name(winner));
    let position = position.to_string();
    json::print_line(out, &Line::Result { position, winner, nodes: solution.nodes })
}

fn print_solution(
    out: &mut impl Write,
    position: &Position,
    solution: &Solution,
    as_json: bool,
) -> Result<(), CommandError> {
    if as_json {
        return print_json_solution(out, position, solution);
    }
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

/// Writes a proof and returns its number of moves.
fn write_proof(
    path: &Path,
    request: StrategyRequest,
    options: SolveOptions,
    known: &[ProvenPosition],
    args: &Args,
) -> Result<usize, CommandError> {
    let StrategyRequest { position, winner, max_searched_squares: floor, .. } = request;
    let bar = Progress::spinner(args.hides_progress());
    let mut on_progress = |moves: usize| {
        let text = format!("{moves} moves in the proof so far");
        if bar.is_shown() {
            bar.set_message(text);
        } else if !args.hides_progress() {
            print_error_line!("{text}");
        }
    };
    let moves = extract_strategy(request, options, known, &StopSignal::default(), &mut on_progress);
    let Some(moves) = moves else {
        return Err(CommandError::Failed(format!(
            "cannot write {}: the proof has more than {MAX_PROOF_MOVES} moves; try a --floor \
             above {floor}",
            shown(path)
        )));
    };
    let proof = ProofFile { position, winner, floor, moves };
    bar.finish();
    write_file(path, proof.write())?;
    Ok(proof.moves.len())
}

/// Proves who wins with each move and writes the ledger, after each move as far as it is.
fn make_ledger(path: &Path, position: &Position, args: &Args) -> Result<(), CommandError> {
    let options = SolveOptions {
        memory_mib: args.memory.get() as usize,
        threads: 1,
        min_proof_squares: u32::MAX,
        first_win_only: args.first,
    };
    let bar = Progress::spinner(args.hides_progress());
    let (last_line, start) = (Cell::new(None), Instant::now());
    let on_progress = |mv: Move, verified: usize| {
        let text = format!("{mv}: {verified} positions verified");
        let elapsed = start.elapsed();
        let is_due = last_line.get().is_none_or(|last| elapsed >= last + PROGRESS_INTERVAL);
        if bar.is_shown() {
            bar.set_message(text);
        } else if !args.hides_progress() && is_due {
            last_line.set(Some(elapsed));
            print_error_line!("{} s: {text}", elapsed.as_secs());
        }
    };
    let mut out = results_beside(Some(path));
    let mut on_proven = |proven: &ProvenMoves| {
        if !is_stdio(path) {
            write_file(path, &proven.ledger)?;
        }
        proven.moves.last().map_or(Ok(()), |last| print_proven_move(&mut out, last, args.json))
    };
    let keep = args.keep.unwrap_or(MIN_LEDGER_SQUARES);
    let proven = prove_moves(position, options, keep, &on_progress, &mut on_proven)?;
    bar.finish();
    let ProvenMoves { moves, verified, kept, ledger } = proven;
    write_file(path, ledger)?;
    let wins = moves.iter().find(|proven| proven.refutation.is_none());
    let winner = if wins.is_some() { position.side() } else { position.side().other() };
    let winner = RuleSet::Tablaaza.side_name(winner);
    if args.json {
        let line = Line::Ledger {
            file: path.display().to_string(),
            position: position.to_string(),
            winner,
            mv: wins.map(|proven| proven.mv.to_string()),
            verified: verified as u64,
            kept: kept as u64,
        };
        return json::print_line(&mut out, &line);
    }
    writeln!(
        out,
        "{winner} wins {position}: {verified} positions verified, {kept} of them written to {}",
        shown(path)
    )?;
    Ok(())
}

fn print_proven_move(
    out: &mut impl Write,
    proven: &ProvenMove,
    as_json: bool,
) -> Result<(), CommandError> {
    let ProvenMove { mv, refutation } = proven;
    if as_json {
        let reply = |mv: Move| OutcomeLine { mv: mv.to_string(), wins: Some(true) };
        let replies = refutation.map(reply).into_iter().collect();
        let outcome = OutcomeLine { mv: mv.to_string(), wins: Some(refutation.is_none()) };
        return json::print_line(out, &Line::Move { outcome, replies });
    }
    match refutation {
        None => writeln!(out, "{mv} wins")?,
        Some(reply) => writeln!(out, "{mv} loses ({reply} wins)")?,
    }
    Ok(())
}

/// Verifies a proof file and prints its claim.
fn verify(path: &Path, as_json: bool) -> Result<(), CommandError> {
    let invalid =
        |reason: String| CommandError::Failed(format!("invalid proof {}: {reason}", shown(path)));
    let text = read_text_file(path)?;
    let proof = ProofFile::read(&text).map_err(invalid)?;
    let count = proof.verify().map_err(invalid)?;
    let winner = RuleSet::Tablaaza.side_name(proof.winner);
    if as_json {
        let line = Line::Verification {
            file: path.display().to_string(),
            position: proof.position.to_string(),
            winner,
            played: count.played as u64,
            searched: count.searched as u64,
        };
        return json::print_line(&mut stdout(), &line);
    }
    writeln!(
        stdout(),
        "{winner} wins {}: {} positions played through, {} searched exhaustively",
        proof.position,
        count.played,
        count.searched
    )?;
    Ok(())
}
