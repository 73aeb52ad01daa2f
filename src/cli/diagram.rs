//! `tabulae diagram`: draws a position as a flat board in SVG.

use super::files::{game_of, read_games, refuse_same_file};
use crate::{
    cli::prelude::*,
    session::{last_captures, last_move_steps, svg_diagram},
};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabulae diagram game.tab --ply 12 --out 12.svg   Draw a position of a game
  tabulae diagram --rules tablan --out start.svg   Draw the initial position
  tabulae diagram --rules tablaaza --position '8/8/2~2~2/2~2~2/2~2~2/8/r7 g'")]
pub(super) struct Args {
    /// Read this record: a .tab or .otg file, a Berkeley move list or a Bologna log; `-`
    /// is standard input
    #[arg(value_name = "FILE", conflicts_with = "rules")]
    file: Option<PathBuf>,
    /// Draw this game of the file, counted from 1 [default: 1]
    #[arg(long, value_name = "GAME", conflicts_with = "rules")]
    game: Option<usize>,
    /// Draw the position after this many plies [default: the last]
    #[arg(long, value_name = "PLY", conflicts_with = "rules")]
    ply: Option<usize>,
    /// Draw a position of these rules instead of a position of a record
    #[arg(long, value_name = "RULES", value_parser = values::rule_set_or_game())]
    rules: Option<RuleSet>,
    /// Draw this position instead of the initial one; needs --rules
    #[arg(long, value_name = "POSITION", requires = "rules", conflicts_with = "file")]
    position: Option<String>,
    /// Draw the board from the near or the far seat
    #[arg(long, value_name = "VIEW", default_value = "seat", value_parser = ["seat", "far"])]
    view: String,
    /// Write to this file, or with `-` to standard output
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,
}

/// Draws the position of a record, or the one given.
pub(super) fn run(args: &Args) -> Result<(), CommandError> {
    let near = if args.view == "far" { Side::Second } else { Side::First };
    let svg = match (&args.file, args.rules) {
        (Some(file), _) => of_record(file, args, near)?,
        (None, Some(rules)) => {
            let position = values::position(rules, args.position.as_deref())?;
            svg_diagram(&position, &[], &[], near)
        }
        (None, None) => {
            return Err(CommandError::usage("nothing to draw: give a FILE, or --rules"));
        }
    };
    write_file(&args.out, svg)
}

fn of_record(file: &Path, args: &Args, near: Side) -> Result<String, CommandError> {
    refuse_same_file(("FILE", file), ("--out", &args.out))?;
    let records = read_games(file)?;
    let game = game_of(file, &records, args.game, args.ply)?;
    let history = game.history();
    let plies = args.ply.unwrap_or(history.len());
    let position = history.at(plies).unwrap_or_else(|| history.position());
    let (steps, captured) = (last_move_steps(history, plies), last_captures(history, plies));
    Ok(svg_diagram(position, &steps, &captured, near))
}
