//! `tabulae analyse`: a record with the engine's opinion at each ply.

use std::{
    io::{self, Write},
    path::PathBuf,
    time::Duration,
};

use crate::{
    engines::{Info, Level, Limits, Request, Settings, Stop, think},
    games::{Game, Line, Turn},
    records::Record,
};

use super::{Failure, read_records};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The record: a .tab file, a Berkeley move list or a Bologna log
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// How long to think about each position, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    movetime: u64,
}

/// Thinks about every position and writes the records with its comments.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    for (index, record) in read_records(&args.file)?.into_iter().enumerate() {
        let record = annotate(record, Duration::from_millis(args.movetime));
        if index > 0 {
            writeln!(out)?;
        }
        write!(out, "{record}")?;
        out.flush()?;
    }
    Ok(())
}

fn annotate(mut record: Record, movetime: Duration) -> Record {
    let whole = record.line().clone();
    let mut line = Line::new(whole.start().clone());
    for number in 0..=whole.len() {
        // The last position of a game ended by repetition is over, too.
        if number > 0
            && let Some(ply) = whole.ply(number)
            && line.push(ply).is_err()
        {
            break;
        }
        if !matches!(line.turn(), Turn::Move(_)) {
            continue;
        }
        let request = Request {
            line: line.clone(),
            limits: Limits { movetime: Some(movetime), ..Limits::default() },
            settings: Settings { level: Level::Master, threads: 1, hash_mib: 16, seed: 0 },
        };
        let mut last: Option<Info> = None;
        let best = think(&request, &Stop::default(), &mut |info| last = Some(info.clone()));
        if let Some(best) = best {
            let best = line.position().notation(best);
            let text = match last {
                Some(info) => format!("{}, best {best}, depth {}", info.score, info.depth),
                None => format!("best {best}"),
            };
            record.comment(number, &text);
        }
    }
    record
}
