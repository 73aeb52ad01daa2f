//! `tabulae perft`: counting move sequences.

use std::io::{self, Write};

use crate::games::{AnyPosition, Game, RuleSet, divide, perft};

use super::Failure;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The rules
    #[arg(value_name = "RULES")]
    rules: RuleSet,
    /// How many moves deep
    depth: u32,
    /// Count from this position instead of the start
    #[arg(long, value_name = "POSITION")]
    position: Option<String>,
    /// Say the count behind each first move
    #[arg(long)]
    divide: bool,
}

/// Writes the count; with `--divide` a line `MOVE COUNT` for each first move
/// before it.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    if args.rules.has_sticks() {
        return Err(Failure::Usage(format!(
            "perft counts moves and is not for dice: {} throws sticks",
            args.rules
        )));
    }
    let position = match &args.position {
        None => AnyPosition::start(args.rules),
        Some(text) => AnyPosition::parse(args.rules, text)
            .map_err(|error| Failure::Wrong(error.to_string()))?,
    };
    // Inside its own type a game counts faster than behind the enum.
    match &position {
        AnyPosition::Tablut(position) => count(position, args),
        AnyPosition::Tablan(position) => count(position, args),
        AnyPosition::Tablaaza(position) => count(position, args),
    }
}

fn count<G: Game>(position: &G, args: &Args) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    if args.divide && args.depth > 0 {
        let counts = divide(position, args.depth);
        for (mv, count) in &counts {
            writeln!(out, "{mv} {count}")?;
        }
        writeln!(out, "{}", counts.iter().map(|(_, count)| count).sum::<u64>())?;
    } else {
        writeln!(out, "{}", perft(position, args.depth))?;
    }
    Ok(())
}
