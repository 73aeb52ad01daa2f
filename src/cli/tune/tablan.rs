//! Tuning Tablan's network by temporal differences.

use std::{fs, io::Write};

use crate::{
    cli::Failure,
    engines::tablan::Training,
    games::{
        RuleSet,
        tablan::{ORDERED, PLAIN},
    },
};

use super::Args;

/// How often the progress is told and the weights so far are written.
const STOPS: u64 = 50;

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let rules = if args.rules == RuleSet::TablanOrdered { ORDERED } else { PLAIN };
    let mut training = Training::new(rules, args.seed, args.games);
    let write = |training: &Training| {
        fs::write(&args.out, training.to_bytes()).map_err(|error| {
            Failure::Wrong(format!("cannot write {}: {error}", args.out.display()))
        })
    };
    // Better to know now than after an hour that it cannot be written.
    write(&training)?;
    let mut out = std::io::stdout();
    writeln!(out, "{}: {} games, seed {}", args.rules, args.games, args.seed)?;
    loop {
        let more = training.play(args.games.div_ceil(STOPS));
        write(&training)?;
        let (played, error) = (training.played(), training.error());
        writeln!(out, "game {played} of {}: error {error:.4}", args.games)?;
        if !more {
            return Ok(());
        }
    }
}
