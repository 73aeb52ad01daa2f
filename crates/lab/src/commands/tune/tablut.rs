//! `tabulae-lab tune` for Tablut: self-play and supervised training.

use std::{
    fs::{self, File},
    io::Write,
    ops::ControlFlow,
};

use tabulae_command_line::{
    CommandError,
    files::{cannot_write, is_stdio, read_file, read_records, refuse_same_file, write_file},
    progress::Progress,
    screen::shown,
    tell_unused_threads,
};
use tabulae_engines::{
    TablutInitialNetwork, TablutTrainError, TablutTrainEvent, TablutTrainPlan, train_tablut,
};
use tabulae_games::AnyPosition;

use super::{Args, Reporter, open_for_append};

/// The default number of games.
const DEFAULT_GAMES: u64 = 10_000;
/// The default number of nodes for a move.
const DEFAULT_NODES: u64 = 3_000;

/// Plays the games, trains a network on their positions, and writes it.
pub(super) fn run(args: &Args) -> Result<(), CommandError> {
    if let Some(path) = &args.positions {
        refuse_same_file(("--out", &args.out), ("--positions", path))?;
    }
    for path in &args.start_from {
        refuse_same_file(("--out", &args.out), ("--start-from", path))?;
    }
    if let Some(path) = &args.from {
        refuse_same_file(("--out", &args.out), ("--from", path))?;
    }
    let initial = match &args.from {
        _ if args.counting => TablutInitialNetwork::MaterialOnly,
        None => TablutInitialNetwork::Shipped,
        Some(path) => TablutInitialNetwork::Bytes(read_file(path)?),
    };
    let dataset = match &args.positions {
        Some(path) if path.exists() => read_file(path)?,
        _ => Vec::new(),
    };
    let threads = usize::from(args.threads.unwrap_or(1));
    tell_unused_threads(threads);
    let plan = TablutTrainPlan {
        rules: args.rules,
        games: args.games.unwrap_or(DEFAULT_GAMES),
        nodes: args.nodes.unwrap_or(DEFAULT_NODES),
        match_games: args.check.unwrap_or(0),
        seed: args.seed,
        initial,
        threads,
        dataset,
        openings: openings(args)?,
    };
    let is_new = !is_stdio(&args.out) && !args.out.exists();
    if !is_stdio(&args.out) {
        open_for_append(&args.out)?;
    }
    let reporter = Reporter::new(args, Progress::spinner(args.quiet));
    let mut run = Run { args, reporter, positions: None, written: false, failure: None };
    let trained = train_tablut(&plan, &mut |event| run.handle(event));
    if is_new && !run.written {
        _ = fs::remove_file(&args.out);
    }
    if trained.is_ok()
        && let Err(error) = run.reporter.finish()
    {
        run.failure.get_or_insert(error.into());
    }
    match (run.failure, trained) {
        (Some(failure), _) => Err(failure),
        (None, Ok(())) => Ok(()),
        (None, Err(TablutTrainError::NoOpenings)) => Err(no_openings()),
        (None, Err(error)) => Err(CommandError::Failed(error_text(args, error))),
    }
}

/// The positions of the games in the records of `--start-from`, without the start.
fn openings(args: &Args) -> Result<Vec<AnyPosition>, CommandError> {
    let mut positions = Vec::new();
    for path in &args.start_from {
        for (_, record) in read_records(path)? {
            if record.rules() != args.rules {
                return Err(CommandError::Failed(format!(
                    "cannot begin with {}: it has a game of {}, not of {}",
                    shown(path),
                    record.rules(),
                    args.rules
                )));
            }
            let history = record.history();
            positions.extend((1..=history.len()).filter_map(|ply| history.at(ply)).cloned());
        }
    }
    if positions.is_empty() && !args.start_from.is_empty() {
        return Err(no_openings());
    }
    Ok(positions)
}

fn no_openings() -> CommandError {
    let error = TablutTrainError::NoOpenings;
    CommandError::Failed(format!("cannot begin with the records of --start-from: {error}"))
}

/// Describes an error of the training, with its file.
fn error_text(args: &Args, error: TablutTrainError) -> String {
    match (error, &args.from, &args.positions) {
        (TablutTrainError::Network(reason), Some(path), _) => {
            format!("invalid network {}: {reason}", shown(path))
        }
        (TablutTrainError::Positions(reason), _, Some(path)) => {
            format!("invalid positions {}: {reason}", shown(path))
        }
        (error, ..) => error.to_string(),
    }
}

/// The state of a run: its files and its first failure.
struct Run<'a> {
    args: &'a Args,
    reporter: Reporter,
    /// The file of positions, opened when there are some to write, so that a
    /// rejected plan leaves no file.
    positions: Option<File>,
    /// Whether a network has been written.
    written: bool,
    failure: Option<CommandError>,
}

impl Run<'_> {
    fn handle(&mut self, event: TablutTrainEvent<'_>) -> ControlFlow<()> {
        let done = match event {
            // A closed stdout does not stop the run; it is reported at the end.
            TablutTrainEvent::Progress(line) => {
                if let Err(error) = self.reporter.line(line.to_owned()) {
                    self.failure.get_or_insert(error.into());
                }
                Ok(())
            }
            TablutTrainEvent::Network(bytes) => {
                let done = write_file(&self.args.out, bytes);
                self.written = done.is_ok();
                done
            }
            TablutTrainEvent::Positions(_) | TablutTrainEvent::TruncatePositions(_) => {
                self.save_positions(event)
            }
        };
        match done {
            Ok(()) => ControlFlow::Continue(()),
            Err(failure) => {
                self.failure = Some(failure);
                ControlFlow::Break(())
            }
        }
    }

    /// Appends positions to the file, or truncates it.
    fn save_positions(&mut self, event: TablutTrainEvent<'_>) -> Result<(), CommandError> {
        let Some(path) = &self.args.positions else { return Ok(()) };
        let file = match &mut self.positions {
            Some(file) => file,
            none => none.insert(open_for_append(path)?),
        };
        let done = match event {
            TablutTrainEvent::Positions(bytes) => file.write_all(bytes),
            TablutTrainEvent::TruncatePositions(length) => file.set_len(length as u64),
            TablutTrainEvent::Progress(_) | TablutTrainEvent::Network(_) => Ok(()),
        };
        done.map_err(|error| cannot_write(path, &error))
    }
}
