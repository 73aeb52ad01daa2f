//! `tabulae check`: replays records by the rules and reports their errors.

use std::{
    io::{self, Write},
    path::PathBuf,
};

use super::{CommandError, read_records};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  tabulae check game.tab moves.txt           Check two files

Prints `FILE: RULES, N plies, RESULT (REASON)` for each game. An error is
`FILE:LINE:COLUMN: 'TEXT': REASON` on stderr, and the exit code is 1.")]
pub(super) struct Args {
    /// Check these records: .tab files, Berkeley move lists or Bologna logs
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

/// Prints a line for each game of a valid file. The first error of an invalid file
/// goes to stderr, and the other files are still checked.
pub(super) fn run(args: &Args) -> Result<(), CommandError> {
    let mut out = io::stdout().lock();
    let mut all_valid = true;
    for file in &args.files {
        match read_records(file) {
            Ok(records) => {
                for record in records {
                    let (file, rules) = (file.display(), record.rules());
                    let (plies, result) = (record.history().len(), record.result());
                    write!(out, "{file}: {rules}, {plies} plies, {result}")?;
                    match record.termination() {
                        Some(termination) => writeln!(out, " ({})", termination.escape_debug())?,
                        None => writeln!(out)?,
                    }
                }
            }
            Err(CommandError::Failed(text)) => {
                all_valid = false;
                eprintln!("{text}");
            }
            Err(other) => return Err(other),
        }
    }
    if all_valid { Ok(()) } else { Err(CommandError::AlreadyReported) }
}
