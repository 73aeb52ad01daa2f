//! Tuning Tablut's networks.

use std::{
    fs::{self, File},
    io::{self, Write},
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use crate::{
    engines::{
        TablutInitialNetwork, TablutTrainError, TablutTrainEvent, TablutTrainPlan, train_tablut,
    },
    table::write_atomic,
};

use super::{Args, CommandError, cannot_write, claim};

const GAMES: u64 = 10_000;
const NODES: u64 = 3_000;

pub(super) fn run(args: &Args) -> Result<(), CommandError> {
    let start = match &args.from {
        _ if args.counting => TablutInitialNetwork::MaterialOnly,
        None => TablutInitialNetwork::Shipped,
        Some(path) => TablutInitialNetwork::Bytes(read(path)?),
    };
    let known = match &args.positions {
        Some(path) if path.exists() => read(path)?,
        _ => Vec::new(),
    };
    let plan = TablutTrainPlan {
        rules: args.rules,
        games: args.games.unwrap_or(GAMES),
        nodes: args.nodes.unwrap_or(NODES),
        match_games: args.check.unwrap_or(0),
        seed: args.seed,
        initial: start,
        threads: usize::from(args.threads.unwrap_or(1)),
        dataset: known,
    };
    let is_new = !args.out.exists();
    claim(&args.out)?;
    // By whatever names: the network would take the games' place.
    let is_out = |path: &PathBuf| path.canonicalize().ok() == args.out.canonicalize().ok();
    if args.positions.as_ref().is_some_and(is_out) {
        if is_new {
            _ = fs::remove_file(&args.out);
        }
        let text = "--out and --positions are the same file".to_owned();
        return Err(CommandError::Usage(text));
    }
    let mut making = Making { args, kept: None, written: false, failure: None };
    let made = train_tablut(&plan, &mut |news| making.tell(news));
    if is_new && !making.written {
        _ = fs::remove_file(&args.out);
    }
    match (making.failure, made) {
        (Some(failure), _) => Err(failure),
        (None, Ok(())) => Ok(()),
        (None, Err(error)) => {
            let file = match error {
                TablutTrainError::Network(_) => &args.from,
                TablutTrainError::Positions(_) => &args.positions,
                _ => &None,
            };
            let file =
                file.as_ref().map_or_else(String::new, |path| format!("{}: ", path.display()));
            Err(CommandError::Failed(format!("{file}{error}")))
        }
    }
}

/// What has come of it so far.
struct Making<'a> {
    args: &'a Args,
    /// The file of positions, once there is something to keep: a plan that is
    /// refused leaves none.
    kept: Option<File>,
    /// Whether there is a new network.
    written: bool,
    failure: Option<CommandError>,
}

impl Making<'_> {
    fn tell(&mut self, news: TablutTrainEvent<'_>) -> ControlFlow<()> {
        let done = match news {
            // That nobody listens is no reason to stop; it is said at the end.
            TablutTrainEvent::Progress(line) => {
                if let Err(error) = writeln!(io::stdout(), "{line}") {
                    self.failure.get_or_insert(error.into());
                }
                Ok(())
            }
            TablutTrainEvent::Network(bytes) => {
                let done = write_atomic(&self.args.out, bytes);
                self.written = done.is_ok();
                done.map_err(|error| cannot_write(&self.args.out, &error))
            }
            TablutTrainEvent::Positions(_) | TablutTrainEvent::TruncatePositions(_) => {
                self.keep(news)
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

    /// Puts positions behind those of the file, or takes the end of these away.
    fn keep(&mut self, news: TablutTrainEvent<'_>) -> Result<(), CommandError> {
        let Some(path) = &self.args.positions else { return Ok(()) };
        let file = match &mut self.kept {
            Some(file) => file,
            none => none.insert(claim(path)?),
        };
        let done = match news {
            TablutTrainEvent::Positions(bytes) => file.write_all(bytes),
            TablutTrainEvent::TruncatePositions(length) => file.set_len(length as u64),
            TablutTrainEvent::Progress(_) | TablutTrainEvent::Network(_) => Ok(()),
        };
        done.map_err(|error| cannot_write(path, &error))
    }
}

fn read(path: &Path) -> Result<Vec<u8>, CommandError> {
    fs::read(path)
        .map_err(|error| CommandError::Failed(format!("cannot read {}: {error}", path.display())))
}
