//! `tabulae convert`: writes a record in another format.

use clap::ValueEnum;

use super::files::{game_of, read_games, read_records, refuse_same_file};
use crate::{cli::prelude::*, records::opentafl};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabulae convert game.otg --out game.tab
  tabulae convert games.tab --game 3 --to otg")]
pub(super) struct Args {
    /// Read this record, in any format that `tabulae check` reads; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Write to this file; `-` is standard output
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,
    /// Choose the format [default: otg if the name of --out ends in .otg, else tab]
    #[arg(long, value_name = "FORMAT")]
    to: Option<Format>,
    /// Convert only this game of the file, counted from 1
    #[arg(long, value_name = "N")]
    game: Option<usize>,
}

/// A format that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A record of Tabulae
    Tab,
    /// OpenTafl's notation: one game of Tablut, without annotation symbols and drawings
    Otg,
}

/// Converts a file.
pub(super) fn run(args: &Args) -> Result<(), CommandError> {
    refuse_same_file(("FILE", &args.file), ("--out", &args.out))?;
    let chosen = match args.game {
        Some(_) => {
            let games = read_games(&args.file)?;
            vec![game_of(&args.file, &games, args.game, None)?.clone()]
        }
        None => read_records(&args.file)?.into_iter().map(|(_, record)| record).collect(),
    };
    let is_otg = |path: &Path| {
        path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("otg"))
    };
    let by_name = if is_otg(&args.out) { Format::Otg } else { Format::Tab };
    let text = match args.to.unwrap_or(by_name) {
        Format::Tab => chosen.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
        Format::Otg => {
            let file = shown(&args.file);
            let [record] = &chosen[..] else {
                return Err(CommandError::Failed(format!(
                    "cannot write {} games of {file} to one .otg file: choose one with --game",
                    chosen.len()
                )));
            };
            opentafl::write(record).ok_or_else(|| {
                CommandError::Failed(format!(
                    "cannot write {file} as .otg: OpenTafl's notation has no rules for {}, or not \
                     for a start with the other side to move",
                    record.rules()
                ))
            })?
        }
    };
    write_file(&args.out, text)
}
