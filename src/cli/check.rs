//! `tabulae check`: replays records by the rules and reports their errors.

use super::files::{read_games, refuse_stdio_twice};
use crate::{
    cli::prelude::*,
    online::{ProofError, verify_throws},
};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  tabulae check game.tab moves.txt           Check two files

Prints `FILE: RULES, N plies, RESULT (REASON)` for each game, and the number of its
variations if there are any. The moves of variations are checked, too, and so is the
proof of fair throws in the record of an online game. The first error of a game is
`FILE:LINE:COLUMN: 'TEXT': REASON` on stderr, and the exit code is 1.")]
pub(super) struct Args {
    /// Check these records: .tab or .otg files, Berkeley's move lists or commands, or
    /// Bologna logs; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Print a JSON object for each game, and for each file that cannot be read
    #[arg(long)]
    json: bool,
}

/// A game, or the error of a game or a file, as JSON.
#[derive(Default, Serialize)]
struct Checked {
    file: String,
    game: Option<usize>,
    rules: Option<&'static str>,
    plies: Option<usize>,
    variations: Option<usize>,
    result: Option<String>,
    reason: Option<String>,
    /// The number of throws that the record proves to be fair.
    proven_throws: Option<usize>,
    error: Option<String>,
}

impl Checked {
    fn game(
        file: String,
        number: usize,
        record: &Record,
        proof: &Result<Option<usize>, ProofError>,
    ) -> Self {
        let error = proof.as_ref().err().map(|error| format!("{file}: game {number}: {error}"));
        Self {
            file,
            game: Some(number),
            rules: Some(record.rules().id()),
            plies: Some(record.history().len()),
            variations: Some(record.tree().variations()),
            result: Some(record.result().to_string()),
            reason: record.termination().map(str::to_owned),
            proven_throws: proof.as_ref().ok().copied().flatten(),
            error,
        }
    }
}

/// Prints a line for each valid game. The error of an invalid one goes to stderr, or with
/// `--json` into an object, and the other games and files are still checked.
pub(super) fn run(args: &Args) -> Result<(), CommandError> {
    refuse_stdio_twice(&args.files)?;
    let mut out = stdout();
    let mut all_valid = true;
    for file in &args.files {
        let name = if args.json { file.display().to_string() } else { shown(file) };
        let refused = |game, error| Checked {
            file: name.clone(),
            game,
            error: Some(error),
            ..Checked::default()
        };
        let games = match read_games(file) {
            Ok(games) => games,
            Err(CommandError::Failed(text)) => {
                all_valid = false;
                print_error(&mut out, args.json, &refused(None, text))?;
                continue;
            }
            Err(other) => return Err(other),
        };
        for (number, game) in (1..).zip(&games) {
            let record = match game {
                Ok(record) => record,
                Err(error) => {
                    all_valid = false;
                    print_error(&mut out, args.json, &refused(Some(number), error.to_string()))?;
                    continue;
                }
            };
            let proof = verify_throws(record);
            all_valid &= proof.is_ok();
            if args.json {
                let line = Checked::game(name.clone(), number, record, &proof);
                json::print_line(&mut out, &line)?;
            } else {
                match &proof {
                    Ok(proven) => print_game(&mut out, &name, record, *proven)?,
                    Err(error) => print_error_line!("{name}: game {number}: {error}"),
                }
            }
        }
    }
    if all_valid { Ok(()) } else { Err(CommandError::AlreadyReported) }
}

/// Prints the error of a game or a file.
fn print_error(out: &mut impl Write, json: bool, error: &Checked) -> Result<(), CommandError> {
    if json {
        json::print_line(out, error)?;
    } else {
        print_error_line!("{}", error.error.as_deref().unwrap_or_default());
    }
    Ok(())
}

fn print_game(
    out: &mut impl Write,
    file: &str,
    record: &Record,
    proven_throws: Option<usize>,
) -> io::Result<()> {
    let (rules, plies) = (record.rules(), record.history().len());
    write!(out, "{file}: {rules}, {}, ", counted(plies, "ply", "plies"))?;
    match record.tree().variations() {
        0 => {}
        1 => write!(out, "1 variation, ")?,
        several => write!(out, "{several} variations, ")?,
    }
    match proven_throws {
        None => {}
        Some(1) => write!(out, "1 proven throw, ")?,
        Some(throws) => write!(out, "{throws} proven throws, ")?,
    }
    write!(out, "{}", record.result())?;
    match record.termination() {
        Some(termination) => writeln!(out, " ({})", termination.escape_debug()),
        None => writeln!(out),
    }
}
