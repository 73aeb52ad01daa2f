//! The commands of the program `tabulae-lab`, one file or folder each, and `solve`, which
//! is a command of `tabulae`.

mod book;
mod corpus;
mod prove;
mod puzzles;
pub mod solve;
mod tune;

use std::{env, process::ExitCode};

use clap::{ColorChoice, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use tabulae_command_line::{exit_code, print_parse_error, take_color, with_color};

/// Train engines, prove who wins, and mine puzzles and books
///
/// It makes the data that Tabulae ships: networks, the ledger of proven positions,
/// puzzles and opening books.
#[derive(Debug, Parser)]
#[command(
    name = "tabulae-lab",
    version,
    max_term_width = 100,
    after_help = "\
Examples:
  tabulae-lab tune --rules tablan --out tablan.net
  tabulae-lab prove tablaaza --verify proof.txt
  tabulae-lab puzzles --check assets/puzzles/tablaaza.txt

Exit codes:
  0  success
  1  wrong input or a failed operation
  2  bad usage"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Train an engine's network by self-play
    ///
    /// The same seed and number of games give the same network. The networks
    /// that ship are in assets/engines/, with a note on how they were trained.
    Tune(tune::Args),
    /// Prove which side wins a position of Tablaaza, or verify a proof
    ///
    /// A proof file holds the winner's moves; --verify plays them against every reply,
    /// with the rules of the game but without the solver. With --ledger, proves for each
    /// move whether it wins.
    Prove(prove::Args),
    /// Find puzzles with one best move, or verify them
    ///
    /// Looks for positions with one best move in games of self-play between levels
    /// of all strengths, or in given records, and verifies each of them. In Tablut, the
    /// best move begins a forced win or is the only defence; in Tablan, rollouts show
    /// that it is far better than all others; in Tablaaza, it is the only winning move.
    /// --check verifies files of puzzles again, with deeper searches and the exact
    /// solver of Tablaaza.
    Puzzles(puzzles::Args),
    /// Make an opening book
    ///
    /// For each position of the first plies, counts the games of self-play or of given
    /// records that reached it and the wins of each side, and adds the engine's value.
    /// Positions that are equal by symmetry count as one, and the order of moves does not
    /// matter.
    Book(book::Args),
    /// Play games of self-play and write them with the engine's values
    ///
    /// For programs that learn: each line is a JSON object with the plies of a game, the
    /// value of the position before each ply, and the result.
    Corpus(corpus::Args),
}

/// Runs the program on the process's own arguments.
///
/// ```no_run
/// fn main() -> std::process::ExitCode {
///     tabulae_lab::commands::main()
/// }
/// ```
#[must_use]
pub fn main() -> ExitCode {
    const PROGRAM: &str = "tabulae-lab";
    let (color, arguments) = take_color(env::args_os());
    let parsed = parser(color)
        .try_get_matches_from(arguments)
        .and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => return print_parse_error(PROGRAM, &error),
    };
    let result = match cli.command {
        Command::Tune(args) => tune::run(&args),
        Command::Prove(args) => prove::run(&args),
        Command::Puzzles(args) => puzzles::run(&args),
        Command::Book(args) => book::run(&args),
        Command::Corpus(args) => corpus::run(&args),
    };
    exit_code(PROGRAM, result)
}

/// The program's arguments, with the help and the errors coloured as `color` says.
fn parser(color: ColorChoice) -> clap::Command {
    with_color(Cli::command(), color)
}

#[cfg(test)]
#[path = "../../../../tests/common/help.rs"]
mod help;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_of_all_commands_are_consistent() {
        parser(ColorChoice::Auto).debug_assert();
    }

    #[test]
    fn examples_in_the_help_are_valid() {
        help::check_examples(&parser(ColorChoice::Auto));
    }
}
