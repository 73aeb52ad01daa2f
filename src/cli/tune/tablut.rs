//! Tuning Tablut's networks.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::Path,
};

use crate::{
    engines::{TablutFitError, TablutNews, TablutPlan, TablutStart, fit_tablut},
    table::write_whole,
};

use super::{Args, Failure};

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
    // Better to know now than after an hour that it cannot be written; what is
    // there stays until there is something better.
    let is_new = !args.out.exists();
    appending(&args.out)?;
    let made = make(args, &plan);
    if made.is_err() && is_new {
        _ = fs::remove_file(&args.out);
    }
    made
}

fn make(args: &Args, plan: &TablutPlan) -> Result<(), Failure> {
    // Opened when there is something to keep: a plan that is refused leaves no
    // file.
    let mut kept = None;
    let mut broken = None;
    let network = fit_tablut(plan, &mut |news| {
        let done = match (news, &args.positions) {
            (TablutNews::Line(line), _) => writeln!(io::stdout(), "{line}").map_err(Into::into),
            (news, Some(path)) => keep(&mut kept, path, news),
            (_, None) => Ok(()),
        };
        if let Err(failure) = done {
            broken.get_or_insert(failure);
        }
    });
    let network = network.map_err(|error| {
        let file = match error {
            TablutFitError::Rules(_) => &None,
            TablutFitError::Network(_) => &args.from,
            TablutFitError::Positions(_) => &args.positions,
        };
        let file = file.as_ref().map_or_else(String::new, |path| format!("{}: ", path.display()));
        Failure::Wrong(format!("{file}{error}"))
    })?;
    write_whole(&args.out, network).map_err(|error| cannot_write(&args.out, &error))?;
    broken.map_or(Ok(()), Err)
}

/// Puts positions behind those of the file, or takes the end of these away.
fn keep(kept: &mut Option<File>, path: &Path, news: TablutNews<'_>) -> Result<(), Failure> {
    let mut file = match kept.take() {
        Some(file) => file,
        None => appending(path)?,
    };
    let done = match news {
        TablutNews::Positions(bytes) => file.write_all(bytes),
        TablutNews::Cut(length) => file.set_len(length as u64),
        TablutNews::Line(_) => Ok(()),
    };
    *kept = Some(file);
    done.map_err(|error| cannot_write(path, &error))
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path)
        .map_err(|error| Failure::Wrong(format!("cannot read {}: {error}", path.display())))
}

fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    Failure::Wrong(format!("cannot write {}: {error}", path.display()))
}

fn appending(path: &Path) -> Result<File, Failure> {
    let open = OpenOptions::new().append(true).create(true).open(path);
    open.map_err(|error| cannot_write(path, &error))
}
