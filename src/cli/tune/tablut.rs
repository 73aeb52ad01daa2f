//! Fitting Tablut's weights.

use std::{
    fs,
    io::{self, Write},
};

use crate::engines::{TablutPlan, TablutStart, fit_tablut};

use super::{super::write_file, Args, Failure};

const GAMES: u64 = 10_000;
const NODES: u64 = 2_000;

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let start =
        match &args.from {
            _ if args.by_hand => TablutStart::ByHand,
            None => TablutStart::Shipped,
            Some(path) => TablutStart::Text(fs::read_to_string(path).map_err(|error| {
                Failure::Wrong(format!("cannot read {}: {error}", path.display()))
            })?),
        };
    let plan = TablutPlan {
        rules: args.rules,
        games: args.games.unwrap_or(GAMES),
        nodes: args.nodes.unwrap_or(NODES),
        check: args.check.unwrap_or(0),
        seed: args.seed,
        start,
    };
    let weights = fit_tablut(&plan, &mut |line| eprintln!("{line}")).map_err(Failure::Wrong)?;
    match &args.out {
        Some(path) => write_file(path, &weights),
        None => Ok(io::stdout().write_all(weights.as_bytes())?),
    }
}
