//! Tuning Tablut's networks.

use std::{
    fs::{self, File},
    io::{self, Write},
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use crate::{
    engines::{TablutFitError, TablutNews, TablutPlan, TablutStart, fit_tablut},
    table::write_atomic,
};

use super::{Args, Failure, cannot_write, claim};

const GAMES: u64 = 10_000;
const NODES: u64 = 3_000;

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let start = match &args.from {
        _ if args.counting => TablutStart::Counting,
        None => TablutStart::Shipped,
        Some(path) => TablutStart::Bytes(read(path)?),
    };
    let known = match &args.positions {
        Some(path) if path.exists() => read(path)?,
        _ => Vec::new(),
    };
    let plan = TablutPlan {
        rules: args.rules,
        games: args.games.unwrap_or(GAMES),
        nodes: args.nodes.unwrap_or(NODES),
        check: args.check.unwrap_or(0),
        seed: args.seed,
        start,
        threads: usize::from(args.threads.unwrap_or(1)),
        known,
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
        return Err(Failure::Usage(text));
    }
    let mut making = Making { args, kept: None, written: false, failure: None };
    let made = fit_tablut(&plan, &mut |news| making.tell(news));
    if is_new && !making.written {
        _ = fs::remove_file(&args.out);
    }
    match (making.failure, made) {
        (Some(failure), _) => Err(failure),
        (None, Ok(())) => Ok(()),
        (None, Err(error)) => {
            let file = match error {
                TablutFitError::Network(_) => &args.from,
                TablutFitError::Positions(_) => &args.positions,
                _ => &None,
            };
            let file =
                file.as_ref().map_or_else(String::new, |path| format!("{}: ", path.display()));
            Err(Failure::Wrong(format!("{file}{error}")))
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
    failure: Option<Failure>,
}

impl Making<'_> {
    fn tell(&mut self, news: TablutNews<'_>) -> ControlFlow<()> {
        let done = match news {
            // That nobody listens is no reason to stop; it is said at the end.
            TablutNews::Line(line) => {
                if let Err(error) = writeln!(io::stdout(), "{line}") {
                    self.failure.get_or_insert(error.into());
                }
                Ok(())
            }
            TablutNews::Network(bytes) => {
                let done = write_atomic(&self.args.out, bytes);
                self.written = done.is_ok();
                done.map_err(|error| cannot_write(&self.args.out, &error))
            }
            TablutNews::Positions(_) | TablutNews::Cut(_) => self.keep(news),
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
    fn keep(&mut self, news: TablutNews<'_>) -> Result<(), Failure> {
        let Some(path) = &self.args.positions else { return Ok(()) };
        let file = match &mut self.kept {
            Some(file) => file,
            none => none.insert(claim(path)?),
        };
        let done = match news {
            TablutNews::Positions(bytes) => file.write_all(bytes),
            TablutNews::Cut(length) => file.set_len(length as u64),
            TablutNews::Line(_) | TablutNews::Network(_) => Ok(()),
        };
        done.map_err(|error| cannot_write(path, &error))
    }
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path)
        .map_err(|error| Failure::Wrong(format!("cannot read {}: {error}", path.display())))
}
