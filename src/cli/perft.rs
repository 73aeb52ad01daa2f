//! `tabulae perft`: counts move sequences to test the move generator.

use crate::{
    cli::prelude::*,
    games::{divide, perft},
};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabulae perft tablut/ashton 3 --divide     Count by first move
  tabulae perft tablaaza 1 --position '8/8/2~2~2/2~2~2/2~2~2/8/r7 g'")]
pub(super) struct Args {
    /// Count by these rules; Tablan has throws and cannot be counted
    #[arg(value_name = "RULES", value_parser = values::rule_set())]
    rules: RuleSet,
    /// Count sequences of this many moves, at most 50
    #[arg(value_name = "DEPTH", value_parser = clap::value_parser!(u32).range(..=50))]
    depth: u32,
    /// Count from this position instead of the initial one
    #[arg(long, value_name = "POSITION")]
    position: Option<String>,
    /// Print the count of each first move, then the total
    #[arg(long)]
    divide: bool,
    /// Print each count as a JSON object
    #[arg(long)]
    json: bool,
}

/// A count as JSON.
#[derive(Serialize)]
struct Counted {
    rules: &'static str,
    position: String,
    depth: u32,
    /// The first move; `None` for the total.
    #[serde(rename = "move")]
    mv: Option<String>,
    nodes: u64,
}

/// Prints the count; with `--divide`, first a line `MOVE COUNT` for each first
/// move.
pub(super) fn run(args: &Args) -> Result<(), CommandError> {
    if args.rules.has_sticks() {
        return Err(CommandError::Usage(format!(
            "cannot count moves of {}: perft is not for dice; expected rules without throws",
            args.rules
        )));
    }
    // Counting in the game's own type is faster than through the enum.
    match &values::position(args.rules, args.position.as_deref())? {
        AnyPosition::Tablut(position) => count(position, args),
        AnyPosition::Tablan(position) => count(position, args),
        AnyPosition::Tablaaza(position) => count(position, args),
    }
}

fn count<G: Game>(position: &G, args: &Args) -> Result<(), CommandError> {
    let mut out = stdout();
    let mut print = |mv: Option<String>, nodes: u64| -> Result<(), CommandError> {
        if args.json {
            let (rules, position) = (args.rules.id(), position.to_string());
            let counted = Counted { rules, position, depth: args.depth, mv, nodes };
            return json::print_line(&mut out, &counted);
        }
        match mv {
            Some(mv) => writeln!(out, "{mv} {nodes}")?,
            None => writeln!(out, "{nodes}")?,
        }
        Ok(())
    };
    if args.divide && args.depth > 0 {
        let counts = divide(position, args.depth);
        for (mv, nodes) in &counts {
            print(Some(mv.to_string()), *nodes)?;
        }
        print(None, counts.iter().map(|(_, nodes)| nodes).sum())
    } else {
        print(None, perft(position, args.depth))
    }
}
