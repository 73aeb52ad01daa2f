//! The commands of the `tabulae` program, one file or folder each.
//!
//! Results go to stdout and errors to stderr. The exit code is 0 on success, 1
//! when the input is wrong (a bad record, an illegal move, a file that cannot be
//! read) and 2 on bad usage. When the reader of stdout closes it early, the
//! command ends with code 0 and no message.

mod analyse;
mod bologna;
mod check;
mod engine;
mod generate;
mod match_runner;
mod open;
mod perft;
mod play;
mod render;
pub mod rules;
mod solve;
mod tune;

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::{Parser, Subcommand, ValueHint};

use crate::{
    games::RuleSet,
    records::{self, Record},
    table::{Seat, write_atomic},
};

/// Tablut, Tablan and Tablaaza on one 3D table.
///
/// Without a command the 3D game opens. `--rules` opens a new game at once,
/// `--record` the replay of a recorded one.
#[derive(Debug, Parser)]
#[command(name = "tabulae", version, args_conflicts_with_subcommands = true)]
struct Cli {
    /// Open the replay of this record, as --record does; a file with the name of
    /// a command needs ./ before it
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    #[arg(conflicts_with_all = ["rules", "record"])]
    file: Option<PathBuf>,
    /// Start a game by these rules: tablut/berkeley, tablut/ashton,
    /// tablut/linnaeus, tablan, tablan/ordered or tablaaza; tablut alone means
    /// tablut/ashton
    #[arg(long, value_name = "RULES", value_parser = RuleSet::asked)]
    rules: Option<RuleSet>,
    /// Player of the first side: person or a level
    #[arg(long, value_name = "PLAYER", requires = "rules")]
    first: Option<Seat>,
    /// Player of the second side: person or a level
    #[arg(long, value_name = "PLAYER", requires = "rules")]
    second: Option<Seat>,
    /// Seed of the casting sticks
    #[arg(long, value_name = "N", requires = "rules")]
    seed: Option<u64>,
    /// Open the replay of this record
    #[arg(long, value_name = "FILE", conflicts_with = "rules")]
    record: Option<PathBuf>,
    /// When a game between two engines is over, or after PLIES plies, start one
    /// by the next rule set
    #[arg(long, value_name = "PLIES", num_args = 0..=1, requires = "rules")]
    again: Option<Option<usize>>,
    /// Size of the window in pixels, as 1280x720
    #[arg(long, value_name = "WxH", value_parser = render::parse_size)]
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
    /// Other programs use it as an engine or as a referee, with one command a
    /// line: `ugi`, `isready`, `setoption name Rules value tablan`, `uginewgame`,
    /// `position startpos moves t1 l1-k2`, `position fen POSITION`, `go movetime
    /// 500` (or `depth N`, `nodes N`, `infinite`; without a limit, the level's
    /// own), `stop`, `query gameover|p1turn|result|fen|legal|events`, `quit`.
    /// When the game is over, `go` answers `bestmove none`.
    Engine,
    /// Count move sequences to test the move generator (not for games with throws)
    Perft(perft::Args),
    /// Play a match between two engines and measure the Elo difference
    ///
    /// The players swap sides after each game. Games 1 and 2, 3 and 4 and so on
    /// are pairs with the same opening and the same throws. A player that
    /// crashes, does not answer or plays an illegal move loses that game.
    ///
    /// The Elo difference, its 95 % interval and the SPRT count pairs, not
    /// games, as fastchess and fishtest do: "Ptnml(0-2)" is the number of pairs
    /// with 0, ½, 1, 1½ and 2 points for the first player. A last game without a
    /// partner counts in the score only.
    Match(match_runner::Args),
    /// Play in Bologna's Tablut competition, as a client of its server
    ///
    /// Connects, sends the name, and answers the server's boards with moves by
    /// the Ashton rules until the game is over.
    Bologna(bologna::Args),
    /// Replay records by the rules and report the first error of each file
    Check(check::Args),
    /// Write a record with an evaluation and the best move at each ply
    ///
    /// The record goes to stdout. Each position with a move due gets a comment
    /// like {cp 35, best e4-f4, depth 5}. The score is from the side to move's
    /// point of view: cp in hundredths of a soldier or a similar unit, or mate in
    /// a number of moves.
    ///
    /// In Tablan it separates luck from skill, in hundredths of equity (100 won,
    /// -100 lost): each throw against the average of all throws {luck +3.4}, the
    /// equity that each move lost {error -1.2}, and each side's totals at the
    /// end.
    Analyse(analyse::Args),
    /// Render a picture of the 3D table, without a window
    Render(render::Args),
    /// Print the rules
    Rules(rules::Args),
    /// Train an engine's network by self-play
    ///
    /// The same seed and number of games give the same network. The networks
    /// that ship are in assets/engines/, with a note on how they were trained.
    Tune(tune::Args),
    /// Prove who wins a position of Tablaaza
    ///
    /// Prints for each move whether it wins (for one of several moves that
    /// symmetry makes equal), and who wins the position. Proven positions are
    /// written to the checkpoint every minute, so you can interrupt the command
    /// at any time and continue from there. A proof file holds the winner's
    /// moves; --verify plays them against every reply by the rules alone.
    Solve(solve::Args),
    /// Write the man pages or the shell completions of these commands to a folder
    #[command(hide = true)]
    Generate(generate::Args),
}

/// Why a command did not succeed.
#[derive(Debug)]
enum CommandError {
    /// The input is wrong or an operation failed: exit code 1.
    Failed(String),
    /// The arguments are wrong: exit code 2.
    Usage(String),
    /// As `Failed`, with all messages already printed: exit code 1.
    AlreadyReported,
    /// The reader closed our output: exit code 0.
    OutputClosed,
}

impl From<io::Error> for CommandError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::OutputClosed,
            _ => Self::Failed(error.to_string()),
        }
    }
}

/// Runs the program on the process's own arguments.
///
/// ```no_run
/// fn main() -> std::process::ExitCode {
///     tabulae::cli::main()
/// }
/// ```
pub fn main() -> ExitCode {
    let cli = match open::parse(std::env::args_os().collect()) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version come this way too, with code 0. An error of
            // printing cannot be reported anywhere.
            _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    let result = match cli.command {
        None => open_app(cli),
        Some(Command::Play(args)) => play::run(&args),
        Some(Command::Engine) => engine::run(),
        Some(Command::Perft(args)) => perft::run(&args),
        Some(Command::Match(args)) => match_runner::run(&args),
        Some(Command::Bologna(args)) => bologna::run(&args),
        Some(Command::Check(args)) => check::run(&args),
        Some(Command::Analyse(args)) => analyse::run(&args),
        Some(Command::Render(args)) => render::run(args),
        Some(Command::Rules(args)) => rules::run(&args),
        Some(Command::Tune(args)) => tune::run(&args),
        Some(Command::Solve(args)) => solve::run(&args),
        Some(Command::Generate(args)) => generate::run(&args),
    };
    let (code, text) = match result {
        Ok(()) | Err(CommandError::OutputClosed) => return ExitCode::SUCCESS,
        Err(CommandError::AlreadyReported) => return ExitCode::from(1),
        Err(CommandError::Failed(text)) => (1, text),
        Err(CommandError::Usage(text)) => (2, text),
    };
    eprintln!("tabulae: {text}");
    ExitCode::from(code)
}

/// Opens the 3D game.
#[cfg(feature = "app")]
fn open_app(cli: Cli) -> Result<(), CommandError> {
    let options = crate::app::AppOptions {
        rules: cli.rules,
        seats: [cli.first, cli.second],
        seed: cli.seed,
        record: cli.record.or(cli.file),
        size: cli.size,
        autoplay: cli.again.is_some(),
        autoplay_max_plies: cli.again.flatten(),
        report: cli.report,
        frame_report: cli.frame_report,
    };
    crate::app::run(&options).map_err(|error| CommandError::Failed(error.to_string()))
}

/// Reports that this build has no 3D game.
#[cfg(not(feature = "app"))]
fn open_app(cli: Cli) -> Result<(), CommandError> {
    cli.record.or(cli.file).map_or(Ok(()), |path| read_records(&path).map(drop))?;
    Err(missing_app("play in the terminal with `tabulae play --rules tablut/ashton`"))
}

/// The error of a build without the 3D table; `instead` says what to do.
#[cfg(not(feature = "app"))]
fn missing_app(instead: &str) -> CommandError {
    CommandError::Failed(format!(
        "this build has no 3D table: {instead}; `cargo build --features app` builds one that has"
    ))
}

/// Reads a file of records in any supported format.
///
/// # Errors
/// The file cannot be read or holds an error, which the text locates.
fn read_records(path: &Path) -> Result<Vec<Record>, CommandError> {
    let bytes = fs::read(path).map_err(|error| {
        CommandError::Failed(format!("cannot read {}: {error}", path.display()))
    })?;
    records::read_bytes(&bytes)
        .map_err(|error| CommandError::Failed(error.in_file(path).to_string()))
}

/// Replaces a file's content.
///
/// # Errors
/// The file cannot be written; the text names it.
fn write_file(path: &Path, text: &str) -> Result<(), CommandError> {
    write_atomic(path, text)
        .map_err(|error| CommandError::Failed(format!("cannot write {}: {error}", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

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
