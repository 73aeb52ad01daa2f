//! `tabulae-lab book`: makes an opening book.

use std::{fmt::Write as _, io::Write, path::PathBuf};

use tabulae_command_line::{
    CommandError,
    files::{
        counted, read_records_of, refuse_same_file, refuse_stdio_twice, refuse_terminal,
        results_beside, write_file,
    },
    progress::Progress,
    screen::shown,
    values,
};
use tabulae_games::RuleSet;

use crate::{BookBuilder, BookPlan};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabulae-lab book --rules tablut/ashton --seed 26 --games 100 --out new.book
  tabulae-lab book --rules tablan --from mine.tab more.tab --games 0 --min-games 1 --out own.book

`tabulae book --show --book own.book` looks positions up in own.book.")]
pub(super) struct Args {
    /// Make a book of these rules
    #[arg(long, value_name = "RULES", value_parser = values::rule_set())]
    rules: RuleSet,
    /// Set the seed of the self-play games; the same seed makes the same book
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Play this many games of self-play
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: u64,
    /// Count the games of these records, too; `-` is standard input
    #[arg(long, value_name = "FILE", num_args = 1..)]
    from: Vec<PathBuf>,
    /// Count this many plies of each game; in Tablan throws are plies
    #[arg(long, value_name = "N", default_value_t = 24)]
    plies: usize,
    /// Search this many nodes for a move of self-play, and for the value of a position
    #[arg(long, value_name = "N", default_value_t = 1000)]
    #[arg(value_parser = values::above_zero::<u64>())]
    nodes: u64,
    /// Leave out positions that fewer games than this reached
    #[arg(long, value_name = "N", default_value_t = 2)]
    min_games: u32,
    /// Keep at most this many positions: those that the most games reached
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    max_positions: usize,
    /// Write the book to this file; `-` is standard output
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Show no progress bar
    #[arg(long)]
    quiet: bool,
}

/// Makes a book.
pub(super) fn run(args: &Args) -> Result<(), CommandError> {
    let (rules, out) = (args.rules, &args.out);
    refuse_stdio_twice(&args.from)?;
    refuse_terminal("--out", out)?;
    for file in &args.from {
        refuse_same_file(("--out", out), ("--from", file))?;
    }
    let mut builder = BookBuilder::new(BookPlan {
        rules,
        seed: args.seed,
        plies: args.plies,
        nodes: args.nodes,
        min_games: args.min_games,
        max_positions: args.max_positions,
    });
    let mut taken = 0;
    for file in &args.from {
        for (_, record) in read_records_of(file, rules)? {
            taken += usize::from(builder.take_game(record.history(), record.result()));
        }
    }
    let progress = Progress::bar(args.games as usize, "games", args.quiet);
    for _ in 0..args.games {
        builder.play_game();
        progress.advance(1);
    }
    progress.finish();
    let progress = Progress::bar(builder.positions(), "positions", args.quiet);
    let (seed, games, plies, nodes) = (args.seed, args.games, args.plies, args.nodes);
    let least = args.min_games;
    let mut origin =
        format!("seed {seed}, games {games}, plies {plies}, nodes {nodes}, min-games {least}");
    if taken > 0 {
        // Writing to a text cannot fail.
        _ = write!(origin, ", games of records {taken}");
    }
    let book = builder.finish(&origin, |_| {
        progress.advance(1);
        true
    });
    progress.finish();
    let bytes = book.write();
    let size = bytes.len();
    write_file(out, bytes)?;
    let positions = counted(book.len(), "position", "positions");
    let mut results = results_beside(Some(out));
    writeln!(results, "{}: {rules}, {positions}, {size} bytes", shown(out))?;
    Ok(())
}
