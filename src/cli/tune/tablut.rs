//! Fitting Tablut's weights.

use std::io::{self, Write};

use crate::engines::{TablutPlan, fit_tablut};

use super::{super::write_file, Args, Failure};

const GAMES: u64 = 10_000;
const NODES: u64 = 2_000;

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let plan = TablutPlan {
        rules: args.rules,
        games: args.games.unwrap_or(GAMES),
        nodes: args.nodes.unwrap_or(NODES),
        check: args.check,
        seed: args.seed,
        by_hand: args.by_hand,
    };
    let weights = fit_tablut(&plan, &mut |line| eprintln!("{line}"))
        .ok_or_else(|| Failure::Usage(format!("{} has no such weights", args.rules)))?;
    match &args.out {
        Some(path) => write_file(path, &weights),
        None => Ok(io::stdout().write_all(weights.as_bytes())?),
    }
}
