//! The commands of the `tabulae` program, one file or folder each.
//!
//! [`tabulae_command_line`] says how they print and end. The commands for researchers are
//! those of `tabulae-lab`.

// `eprintln!` panics when stderr cannot be written.
#![warn(clippy::print_stderr)]

mod analyse;
mod board;
mod bologna;
mod book;
mod check;
mod convert;
mod diagram;
mod generate;
mod lines;
mod match_runner;
mod open;
mod perft;
mod play;
mod post;
mod prelude;
mod programs;
mod render;
pub mod rules;
mod serve;
mod signals;
mod train;
mod ugi;

use std::{env, path::PathBuf, process::ExitCode};

use clap::{ColorChoice, CommandFactory as _, Parser, Subcommand, ValueHint};

use tabulae_command_line::{
    CommandError, exit_code, files, files::refuse_stdio, json, print_parse_error, progress, screen,
    take_color, tell_unused_threads, unused_threads, values, with_color,
};
use tabulae_lab::commands::solve;

use crate::{games::RuleSet, online::GameLink, session::Seat};

/// Play Tablut, Tablan and Tablaaza on a 3D table
///
/// Without a command, opens the 3D game. `--rules` starts a game at once, and
/// `--record` opens a replay.
#[derive(Debug, Parser)]
#[command(
    name = "tabulae",
    version,
    args_conflicts_with_subcommands = true,
    max_term_width = 100,
    after_help = "\
Examples:
  tabulae --rules tablut                     Play Tablut by the Ashton rules
  tabulae --record game.tab                  Watch the replay of a game
  tabulae play --rules tablan                Play Tablan in the terminal
  tabulae check game.tab                     Check a record by the rules

Exit codes:
  0  success
  1  wrong input or a failed operation: a bad record, an illegal move, an
     unreadable file
  2  bad usage"
)]
struct Cli {
    /// Open the replay of a record, as --record does; write ./ before the name of a
    /// file that is named like a command
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    #[arg(conflicts_with_all = ["rules", "record"])]
    file: Option<PathBuf>,
    /// Start a game by these rules; `tablut` means tablut/ashton
    #[arg(long, value_name = "RULES", value_parser = values::rule_set_or_game())]
    rules: Option<RuleSet>,
    /// Choose the player of the side that moves first [default: person]
    #[arg(long, value_name = "PLAYER", requires = "rules", value_parser = values::seat())]
    first: Option<Seat>,
    /// Choose the player of the side that moves second [default: casual]
    #[arg(long, value_name = "PLAYER", requires = "rules", value_parser = values::seat())]
    second: Option<Seat>,
    /// Set the seed of the casting sticks; the same seed gives the same throws [default:
    /// random]
    #[arg(long, value_name = "SEED", requires = "rules")]
    seed: Option<u64>,
    /// Open the replay of a record
    #[arg(long, value_name = "FILE", conflicts_with = "rules")]
    record: Option<PathBuf>,
    /// Join the online game of a link, or watch it
    #[arg(long, value_name = "LINK", conflicts_with_all = ["rules", "record", "file"])]
    join: Option<GameLink>,
    /// When a game between two levels is over, or after PLIES plies, start a game by the
    /// next rule set
    #[arg(long, value_name = "PLIES", num_args = 0..=1, requires = "rules")]
    again: Option<Option<usize>>,
    /// Set the size of the window, in pixels [default: 1280x720]
    #[arg(long, value_name = "WIDTHxHEIGHT", value_parser = render::parse_size)]
    size: Option<(u32, u32)>,
    /// Print what is shown to stdout, line by line, for scripts
    #[arg(long, hide = true)]
    report: bool,
    /// Print performance figures to stdout: start-up time, the main thread's time
    /// per frame of each ply, the longest frame, and the memory at the end
    #[arg(long)]
    frame_report: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play in the terminal, without a display or with a screen reader
    Play(play::Args),
    /// Speak UGI, the Universal Game Interface, on stdin and stdout
    ///
    /// Other programs use this command as an engine or as a referee. Each input line
    /// is one UGI command:
    ///
    ///   ugi                                  Print the name and the options
    ///   isready                              Answer `readyok`
    ///   setoption name Rules value tablan    Set an option
    ///   uginewgame                           Start a new game
    ///   position startpos moves t1 l1-k2     Set the position
    ///   position fen POSITION [moves ...]
    ///   go movetime 500                      Search; also `depth N`, `nodes N`,
    ///                                        `infinite` and `ponder`. Without a
    ///                                        limit, the level's own limits apply
    ///   go p1time 60000 p1inc 500 p2time 60000 p2inc 500 [movestogo 20]
    ///                                        Search by the clocks, in milliseconds
    ///   go perft 3                           Count move sequences
    ///   ponderhit                            The expected move was played
    ///   stop                                 Stop the search
    ///   query WHAT                           Ask for gameover, p1turn, result, fen,
    ///                                        legal or events
    ///   quit                                 End the program
    ///
    /// Each `go` is answered by one `bestmove`, which is `none` after an error or when
    /// the game is over.
    #[command(
        verbatim_doc_comment,
        after_help = "\
Example:
  tabulae match --rules tablan --first 'cmd:tabulae engine' --second club
                                             Play a match against a level"
    )]
    Engine,
    /// List other programs that speak UGI, add one or remove one
    ///
    /// The list is the file engines.toml beside the settings. The programs on the list
    /// play as engine:NAME.
    Engines(programs::Args),
    /// Count move sequences to a depth (not for games with throws)
    Perft(perft::Args),
    /// Play a match between two engines and estimate their Elo difference
    ///
    /// The players swap sides after each game. Games 1 and 2, 3 and 4 and so on
    /// are pairs with the same opening and the same throws. A player that
    /// crashes, does not answer or plays an illegal move loses that game. If a
    /// command cannot be started, the match ends with an error before the first game.
    ///
    /// The Elo difference, its 95 % interval and the SPRT count pairs, not games, as
    /// fastchess and fishtest do: "Ptnml(0-2)" is the number of pairs with 0, ½, 1, 1½
    /// and 2 points for the first player. If the number of games is odd, the last game
    /// counts only in the score.
    Match(match_runner::Args),
    /// Play a tournament of several engines and print its table
    ///
    /// Each pairing is a match (see `tabulae match`): every opening, with its
    /// throws, is played twice with the sides swapped, and all pairings have the
    /// same openings. A player that crashes, does not answer or plays an illegal
    /// move loses that game. If a command cannot be started, the tournament ends with
    /// an error before the first game.
    ///
    /// With --state, a tournament that was interrupted at any time continues when
    /// you run the same command again. Only --concurrency, --patience, --margin,
    /// --json and --quiet may change.
    ///
    /// For each player, the table has the points, the wins, draws and losses, the
    /// Elo difference to the opponents with its 95 % interval (counted in pairs of
    /// games), and the games lost by a crash, no answer or an illegal move. The last
    /// columns have the points against each opponent, in the order of the ranks.
    Tournament(match_runner::tournament::Args),
    /// Play in Bologna's Tablut competition, as a client of its server
    ///
    /// Connects, sends the name, and answers the server's boards with moves by
    /// the Ashton rules until the game is over.
    Bologna(bologna::Args),
    /// Replay records by the rules and report the first error of each file
    Check(check::Args),
    /// Write a record in another format
    ///
    /// Reads records, Berkeley move lists, Bologna logs and OpenTafl's notation, and
    /// writes records (.tab) or OpenTafl's notation (.otg).
    Convert(convert::Args),
    /// Annotate a record with an evaluation and the best move at each ply
    ///
    /// The record goes to stdout. Each position with a move due gets a comment
    /// like {cp 35, best e4-f4, depth 5}. The score is from the point of view of
    /// the side to move: cp in hundredths of a soldier or a similar unit, or mate
    /// in a number of moves.
    ///
    /// In Tablan, the comments separate luck from skill, in hundredths of equity
    /// (+100 for a win, -100 for a loss). {luck +3.4} says how much better a throw
    /// was than the average of all throws, and {error -1.2} how much equity a move
    /// lost. The last comments have the totals of each side.
    Analyse(analyse::Args),
    /// Draw a position as a flat board in SVG
    Diagram(diagram::Args),
    /// Render a picture or an animation of the 3D table, without a window
    Render(render::Args),
    /// Print the rules of a rule set, or list the rule sets
    Rules(rules::Args),
    /// Play a correspondence game: open it, play, and get the command to send
    ///
    /// Each command contains the whole game, so no server is needed. In Tablan, both
    /// players make the throws together, and nobody can foresee or choose a throw; your
    /// secret for the throws is saved with your games.
    Post(post::Args),
    /// Serve online games: two players anywhere, each with a link
    ///
    /// Prints `listening on ADDRESS` when it is ready, and runs until Ctrl-C. A game is
    /// created by `tabulae play --invite ADDRESS`, or on the web page.
    Serve(serve::Args),
    /// Prove which side wins a position of Tablaaza
    ///
    /// Prints for each move whether it wins, and which side wins the position. Of
    /// several moves that are equal by symmetry, only one is printed. Proven positions
    /// are written to the checkpoint every minute, so you can interrupt the
    /// command at any time and continue from the checkpoint.
    Solve(solve::Args),
    /// Solve puzzles in the terminal
    Train(train::Args),
    /// Look a position up in an opening book
    ///
    /// Prints the moves that a book has for a position: for each move, how many games
    /// it was played in, who won these games, and the engine's value. Positions that are
    /// equal by symmetry count as one, and the order of moves does not matter. With
    /// --search, also lists the games in a folder that reached the position.
    Book(book::Args),
    /// Write the man pages or the shell completions of these commands to a folder
    #[command(hide = true)]
    Generate(generate::Args),
}

/// Runs the program on the process's own arguments.
///
/// ```no_run
/// fn main() -> std::process::ExitCode {
///     tabulae::cli::main()
/// }
/// ```
pub fn main() -> ExitCode {
    let cli = match open::parse(env::args_os().collect()) {
        Ok(cli) => cli,
        Err(error) => return print_parse_error("tabulae", &error),
    };
    let result = match cli.command {
        None => open_app(cli),
        Some(Command::Play(args)) => play::run(&args),
        Some(Command::Engine) => ugi::run(),
        Some(Command::Engines(args)) => programs::run(&args),
        Some(Command::Perft(args)) => perft::run(&args),
        Some(Command::Match(args)) => match_runner::run(&args),
        Some(Command::Tournament(args)) => match_runner::tournament::run(&args),
        Some(Command::Bologna(args)) => bologna::run(&args),
        Some(Command::Check(args)) => check::run(&args),
        Some(Command::Convert(args)) => convert::run(&args),
        Some(Command::Analyse(args)) => analyse::run(&args),
        Some(Command::Diagram(args)) => diagram::run(&args),
        Some(Command::Render(args)) => render::run(args),
        Some(Command::Rules(args)) => rules::run(&args),
        Some(Command::Post(args)) => post::run(&args),
        Some(Command::Serve(args)) => serve::run(args),
        Some(Command::Solve(args)) => solve::run(&args),
        Some(Command::Train(args)) => train::run(&args),
        Some(Command::Book(args)) => book::run(&args),
        Some(Command::Generate(args)) => generate::run(&args),
    };
    exit_code("tabulae", result)
}

/// The program's arguments, with the help and the errors coloured as `color` says.
fn parser(color: ColorChoice) -> clap::Command {
    with_color(Cli::command(), color)
}

/// Opens the 3D game.
#[cfg(feature = "app")]
fn open_app(cli: Cli) -> Result<(), CommandError> {
    refuse_record_on_stdin(&cli)?;
    // The window closes by Ctrl+C as by its button.
    signals::end_programs_too(false);
    let options = crate::app::AppOptions {
        rules: cli.rules,
        seats: [cli.first, cli.second],
        seed: cli.seed,
        join: cli.join,
        record: cli.record.or(cli.file),
        size: cli.size,
        autoplay: cli.again.is_some(),
        autoplay_max_plies: cli.again.flatten(),
        report: cli.report,
        frame_report: cli.frame_report,
    };
    crate::app::run(&options).map_err(CommandError::failed)
}

/// Reports that this build has no 3D game.
#[cfg(not(feature = "app"))]
fn open_app(cli: Cli) -> Result<(), CommandError> {
    refuse_record_on_stdin(&cli)?;
    cli.record.or(cli.file).map_or(Ok(()), |path| files::read_records(&path).map(drop))?;
    Err(missing_app(
        "cannot open the 3D game",
        "play with `tabulae play --rules tablut/ashton`, or ",
    ))
}

/// Refuses `-` as the record: the game reads its record from a file while it runs.
fn refuse_record_on_stdin(cli: &Cli) -> Result<(), CommandError> {
    refuse_stdio("FILE", cli.file.as_deref(), "the 3D game opens a file")?;
    refuse_stdio("--record", cli.record.as_deref(), "the 3D game opens a file")
}

/// The error of a build without the 3D table: what failed, and what to do besides
/// building one.
#[cfg(not(feature = "app"))]
fn missing_app(what: &str, instead: &str) -> CommandError {
    CommandError::Failed(format!(
        "{what}: this build has no 3D table; {instead}build with `cargo build --features app`"
    ))
}

#[cfg(test)]
#[path = "../../tests/common/help.rs"]
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

    #[test]
    fn a_game_name_means_its_default_rule_set() {
        let parse = |rules: &str| Cli::try_parse_from(["tabulae", "--rules", rules]);
        let rules = |name: &str| parse(name).ok().and_then(|cli| cli.rules);
        assert_eq!(rules("tablut"), Some(RuleSet::TablutAshton));
        assert_eq!(rules("tablan"), Some(RuleSet::Tablan));
        assert_eq!(rules("tablut/berkeley"), Some(RuleSet::TablutBerkeley));
        let error = parse("chess").map(|_| ()).expect_err("no such rules").to_string();
        assert!(error.contains("tablut/berkeley, tablut/ashton"), "{error}");
    }
}
