//! `tabulae check`: records replayed by the rules.

use std::{
    io::{self, Write},
    path::PathBuf,
};

use super::{Failure, read_records};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The records: .tab files, Berkeley move lists or Bologna logs
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

/// Writes a line for each good game; the first thing wrong in a bad file goes
/// to stderr, and the other files are still looked at.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let mut all_good = true;
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
            Err(Failure::Wrong(text)) => {
                all_good = false;
                eprintln!("{text}");
            }
            Err(other) => return Err(other),
        }
    }
    if all_good { Ok(()) } else { Err(Failure::Said) }
}
