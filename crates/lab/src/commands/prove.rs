//! `tabulae-lab prove`: proves who wins a position of Tablaaza, by moves that a verifier
//! plays against every reply.

use std::{
    cell::Cell,
    fs,
    io::Write,
    path::{Path, PathBuf},
    time::Instant,
};

use serde::Serialize;

use tabulae_command_line::{
    CommandError,
    files::{
        cannot_read, check_writable, is_stdio, read_text_file, refuse_same_file, refuse_stdio,
        results_beside, write_file,
    },
    json, print_error_line,
    progress::Progress,
    screen::{shown, stdout},
};
use tabulae_engines::{SolveOptions, read_ledger, with_move_oracle};
use tabulae_games::{
    Game as _, RuleSet, Side,
    tablaaza::{Move, Position},
};

use super::solve::{self, PROGRESS_INTERVAL, SearchFlags, Solved, print_move};
use crate::proof::{
    ledger::{MIN_LEDGER_SQUARES, ProvenMoves, prove_moves},
    proof_file::ProofFile,
};

/// Moves in a proof file at most: about 20 MB.
const MAX_PROOF_MOVES: usize = 1 << 20;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabulae-lab prove tablaaza --from POSITION --proof proof.txt
                                             Solve a position and write a proof
  tabulae-lab prove tablaaza --verify proof.txt
                                             Verify the proof
  tabulae-lab prove tablaaza --ledger tablaaza.ledger
                                             Prove for each first move whether it wins

`tabulae solve` finds who wins, but writes no proof.")]
pub(super) struct Args {
    #[command(flatten)]
    search: SearchFlags,
    /// Write the winner's moves to this file; `-` is standard output, and all other
    /// output goes to standard error
    #[arg(long, value_name = "FILE", required_unless_present_any = ["verify", "ledger"])]
    proof: Option<PathBuf>,
    /// Leave positions with at most this many free squares out of the proof; the verifier
    /// searches these positions
    #[arg(long, value_name = "SQUARES", default_value_t = 16, requires = "proof")]
    floor: u32,
    /// Verify a proof file by playing it against every reply; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["from", "checkpoint", "proof", "hours"])]
    verify: Option<PathBuf>,
    /// Prove for each move whether it wins, by playing the solver's moves against every
    /// reply. After each move, write the positions proven lost so far to this file: those
    /// with at least --keep free squares, or 40 without --keep
    #[arg(long, value_name = "FILE", conflicts_with_all = ["checkpoint", "proof", "hours", "verify"])]
    ledger: Option<PathBuf>,
    /// Prove only these moves [default: all], separated by commas
    #[arg(long, value_name = "MOVES", value_delimiter = ',', conflicts_with_all = ["proof", "verify"])]
    moves: Vec<String>,
    /// Trust the positions of this ledger, and write them to the new one, too; may be
    /// given again for another ledger
    #[arg(long, value_name = "FILE", conflicts_with_all = ["proof", "verify"])]
    known: Vec<PathBuf>,
}

/// Writes or verifies a proof, or writes a ledger.
pub(super) fn run(args: &Args) -> Result<(), CommandError> {
    let search = &args.search;
    search.check()?;
    if search.json {
        refuse_stdio("--proof", args.proof.as_deref(), "--json prints to stdout")?;
    }
    if let (Some(checkpoint), Some(proof)) = (&search.checkpoint, &args.proof) {
        refuse_same_file(("--checkpoint", checkpoint), ("--proof", proof))?;
    }
    if let Some(path) = &args.verify {
        return verify(path, search.json);
    }
    let position = search.position()?;
    for path in [&args.proof, &args.ledger].into_iter().flatten() {
        check_writable(path)?;
    }
    match (&args.proof, &args.ledger) {
        (Some(path), _) => make_proof(path, position, args),
        (None, Some(path)) => make_ledger(path, &position, args),
        // The parser wants one of them.
        (None, None) => Err(CommandError::usage("give --proof, --verify or --ledger")),
    }
}

/// Solves a position, prints who wins, and writes the winner's moves.
fn make_proof(path: &Path, position: Position, args: &Args) -> Result<(), CommandError> {
    let search = &args.search;
    if search.keep.is_some() && search.checkpoint.is_none() {
        return Err(CommandError::usage("--keep needs --checkpoint or --ledger"));
    }
    let mut out = results_beside(Some(path));
    let solved = solve::search(search, &position)?;
    solve::print_solution(&mut out, &position, &solved.solution, search.json)?;
    let Some(winner) = solved.solution.winner else {
        return Err(CommandError::Failed(format!(
            "cannot write {}: no winner is proven; continue the search first",
            shown(path)
        )));
    };
    let proof = ProofFile { position, winner, floor: args.floor, moves: Vec::new() };
    let moves = write_proof(path, proof, &solved, search)?;
    if search.json {
        json::print_line(&mut out, &Line::Proof { file: path.display().to_string(), moves })
    } else {
        Ok(writeln!(out, "{moves} moves written to {}", shown(path))?)
    }
}

/// An object of JSON.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Line {
    Proof {
        file: String,
        moves: usize,
    },
    Ledger {
        file: String,
        position: String,
        /// None if only some moves were tried, and they lose.
        winner: Option<&'static str>,
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

/// Writes a proof and returns its number of moves.
fn write_proof(
    path: &Path,
    mut proof: ProofFile,
    solved: &Solved,
    args: &SearchFlags,
) -> Result<usize, CommandError> {
    let bar = Progress::spinner(args.hides_progress());
    let mut on_progress = |moves: usize| {
        let text = format!("{moves} moves in the proof so far");
        if bar.is_shown() {
            bar.set_message(text);
        } else if !args.hides_progress() {
            print_error_line!("{text}");
        }
    };
    let Solved { options, proofs, .. } = solved;
    let is_whole = with_move_oracle(proof.position.board(), *options, proofs, |oracle| {
        proof.find_moves(MAX_PROOF_MOVES, oracle, &mut on_progress)
    });
    if !is_whole {
        return Err(CommandError::Failed(format!(
            "cannot write {}: the proof has more than {MAX_PROOF_MOVES} moves; try a --floor \
             above {}",
            shown(path),
            proof.floor
        )));
    }
    bar.finish();
    write_file(path, proof.write())?;
    Ok(proof.moves.len())
}

/// Proves who wins with each move and writes the ledger, after each move as far as it is.
fn make_ledger(path: &Path, position: &Position, args: &Args) -> Result<(), CommandError> {
    let moves = moves_to_prove(position, &args.moves)?;
    let mut known = Vec::new();
    for path in &args.known {
        known.extend(known_positions(path)?);
    }
    let args = &args.search;
    let options = SolveOptions { threads: 1, ..args.options(u32::MAX) };
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
        proven.moves.last().map_or(Ok(()), |last| print_move(&mut out, last, args.json))
    };
    let keep = args.keep.unwrap_or(MIN_LEDGER_SQUARES);
    let proven =
        prove_moves(position, &moves, options, keep, &known, &on_progress, &mut on_proven)?;
    bar.finish();
    let ProvenMoves { moves, verified, kept, ledger } = proven;
    write_file(path, ledger)?;
    let wins = moves.iter().find(|outcome| outcome.wins == Some(true));
    let winner = match wins {
        Some(_) => Some(position.side()),
        None => (moves.len() == position.legal_moves().len()).then(|| position.side().other()),
    };
    let winner = winner.map(|winner| RuleSet::Tablaaza.side_name(winner));
    if args.json {
        let line = Line::Ledger {
            file: path.display().to_string(),
            position: position.to_string(),
            winner,
            mv: wins.map(|outcome| outcome.mv.to_string()),
            verified: verified as u64,
            kept: kept as u64,
        };
        return json::print_line(&mut out, &line);
    }
    let verdict = winner.map_or(String::new(), |winner| format!("{winner} wins {position}: "));
    writeln!(
        out,
        "{verdict}{verified} positions verified, {kept} of them written to {}",
        shown(path)
    )?;
    Ok(())
}

/// The moves with these names, or all.
fn moves_to_prove(position: &Position, names: &[String]) -> Result<Vec<Move>, CommandError> {
    if names.is_empty() {
        let mut moves = position.legal_moves();
        moves.sort_unstable();
        return Ok(moves);
    }
    let moves = names.iter().map(|name| {
        position.parse_move(name).map_err(|illegal| {
            CommandError::Failed(format!("illegal move {name} in '{position}': {illegal}"))
        })
    });
    moves.collect()
}

/// The positions of a ledger, with Green to move.
fn known_positions(path: &Path) -> Result<Vec<u64>, CommandError> {
    let bytes = fs::read(path).map_err(|error| cannot_read(path, &error))?;
    let invalid =
        |reason: &str| CommandError::Failed(format!("invalid ledger {}: {reason}", shown(path)));
    match read_ledger(&bytes) {
        Ok((Side::Second, lost)) => Ok(lost),
        Ok((Side::First, _)) => Err(invalid("expected positions with Green to move")),
        Err(error) => Err(invalid(&error.to_string())),
    }
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
