//! The commands of the `tabulae` program, one file or folder each.
//!
//! Results go to stdout and errors to stderr. The exit code is 0 on success, 1
//! when the thing asked about is wrong (a bad record, an illegal move, a file
//! that cannot be read), 2 on bad usage. A reader that closes stdout early ends
//! the command quietly.

mod analyse;
mod board;
mod bologna;
mod check;
mod contest;
mod engine;
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

use clap::{Parser, Subcommand};

use crate::{
    games::RuleSet,
    records::{self, Record},
    table::{Seat, write_whole},
};

/// Tablut, Tablan and Tablaaza on one 3D table.
///
/// Without a command the game opens; `--rules` goes straight to a table,
/// `--record` to the replay of a game.
#[derive(Debug, Parser)]
#[command(name = "tabulae", version, args_conflicts_with_subcommands = true)]
struct Cli {
    /// Straight to a table of these rules (tablut/berkeley, tablut/ashton,
    /// tablut/linnaeus, tablan, tablan/ordered or tablaaza; tablut alone means
    /// tablut/ashton)
    #[arg(long, value_name = "RULES", value_parser = RuleSet::asked)]
    rules: Option<RuleSet>,
    /// Who plays the first side at that table: person, or a level
    #[arg(long, value_name = "PLAYER", requires = "rules")]
    first: Option<Seat>,
    /// Who plays the second side
    #[arg(long, value_name = "PLAYER", requires = "rules")]
    second: Option<Seat>,
    /// The sticks' seed at that table
    #[arg(long, value_name = "N", requires = "rules")]
    seed: Option<u64>,
    /// Straight to the replay of this record
    #[arg(long, value_name = "FILE", conflicts_with = "rules")]
    record: Option<PathBuf>,
    /// When two engines' game is over, or after so many plies, begin one under
    /// the next rules
    #[arg(long, value_name = "PLIES", num_args = 0..=1, requires = "rules")]
    again: Option<Option<usize>>,
    /// The window's size in pixels, as 1280x720
    #[arg(long, value_name = "WxH", value_parser = render::size)]
    size: Option<(u32, u32)>,
    /// Say on stdout what is shown, line by line, for scripts
    #[arg(long, hide = true)]
    report: bool,
    /// Say on stdout what frames cost: when the game can be played, the main
    /// thread's part of each ply's frames, the longest, and the memory at the end
    #[arg(long)]
    frame_report: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play in the terminal: no display is needed, and a screen reader can follow
    Play(play::Args),
    /// Speak UGI, the Universal Game Interface, on stdin and stdout
    ///
    /// Other programs drive the engine, or use it as a referee, by lines:
    /// `ugi`, `isready`, `setoption name Rules value tablan`, `uginewgame`,
    /// `position startpos moves t1 l1-k2`, `position fen POSITION`, `go movetime
    /// 500` (or `depth N`, `nodes N`, `infinite`; nothing means the level's own
    /// limits), `stop`, `query gameover|p1turn|result|fen|legal|events`, `quit`.
    /// When the game is over the answer is `bestmove none`.
    Engine,
    /// Count move sequences, the test of a move generator (not for dice)
    Perft(perft::Args),
    /// Let engines play against each other and weigh the result
    ///
    /// The sides change after each game; two games in a row have the same
    /// opening and the same sticks. A player that crashes, does not answer or
    /// plays an illegal move loses that game. The interval of the Elo difference
    /// is the normal approximation on the mean score of a game.
    Match(contest::Args),
    /// Play for Bologna's Tablut competition, as a client of its server
    ///
    /// Connects, says the name, and answers the server's boards with moves by
    /// the Ashton rules until the game is over.
    Bologna(bologna::Args),
    /// Replay records by the rules and name the first thing wrong
    Check(check::Args),
    /// Write a record with an evaluation and the best move at each ply
    ///
    /// The record goes to stdout; each position where a move is due gets a
    /// comment like {cp 35, best e4-f4, depth 5}. The score is as the side to
    /// move sees it: cp in hundredths of a soldier or a like measure, or mate in
    /// so many moves.
    ///
    /// Of Tablan it tells luck from skill, in hundredths of equity (100 won,
    /// -100 lost): what each throw was worth against the average of all throws
    /// {luck +3.4}, what each choice gave away {error -1.2}, and each side's
    /// sums at the end.
    Analyse(analyse::Args),
    /// Make a picture of the 3D table, without a window
    Render(render::Args),
    /// Read the rules
    Rules(rules::Args),
    /// Make an engine's network by self-play
    ///
    /// The same seed and number of games make the same network. The engines
    /// that ship have theirs in assets/engines/, where it is said how they were
    /// made.
    Tune(tune::Args),
    /// Find out who wins a position of Tablaaza, beyond doubt
    ///
    /// Says for each move whether it wins (of moves that symmetry makes equal,
    /// for one), and who wins. What is proven on the way is written to the
    /// checkpoint every minute, so the command may be interrupted at any time
    /// and goes on from there. A proof file holds the winner's moves; --verify
    /// plays them against every reply by the rules alone.
    Solve(solve::Args),
}

/// Why a command did not succeed.
#[derive(Debug)]
enum Failure {
    /// What was asked about is wrong: exit code 1.
    Wrong(String),
    /// The command was not asked rightly: exit code 2.
    Usage(String),
    /// It is wrong and everything about it has been said: exit code 1.
    Said,
    /// Nobody reads our output any more: no error.
    Unread,
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::Unread,
            _ => Self::Wrong(error.to_string()),
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
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version come this way too, with code 0. If nobody can
            // read the message, there is nobody to tell.
            _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    let result = match cli.command {
        None => open(cli),
        Some(Command::Play(args)) => play::run(&args),
        Some(Command::Engine) => engine::run(),
        Some(Command::Perft(args)) => perft::run(&args),
        Some(Command::Match(args)) => contest::run(&args),
        Some(Command::Bologna(args)) => bologna::run(&args),
        Some(Command::Check(args)) => check::run(&args),
        Some(Command::Analyse(args)) => analyse::run(&args),
        Some(Command::Render(args)) => render::run(args),
        Some(Command::Rules(args)) => rules::run(&args),
        Some(Command::Tune(args)) => tune::run(&args),
        Some(Command::Solve(args)) => solve::run(&args),
    };
    let (code, text) = match result {
        Ok(()) | Err(Failure::Unread) => return ExitCode::SUCCESS,
        Err(Failure::Said) => return ExitCode::from(1),
        Err(Failure::Wrong(text)) => (1, text),
        Err(Failure::Usage(text)) => (2, text),
    };
    eprintln!("tabulae: {text}");
    ExitCode::from(code)
}

/// Opens the 3D game.
#[cfg(feature = "app")]
fn open(cli: Cli) -> Result<(), Failure> {
    let options = crate::app::AppOptions {
        rules: cli.rules,
        seats: [cli.first, cli.second],
        seed: cli.seed,
        record: cli.record,
        size: cli.size,
        autoplay: cli.again.is_some(),
        autoplay_max_plies: cli.again.flatten(),
        report: cli.report,
        frame_report: cli.frame_report,
    };
    crate::app::run(&options).map_err(|error| Failure::Wrong(error.to_string()))
}

/// Says what to do in a build without the 3D game.
#[cfg(not(feature = "app"))]
fn open(_: Cli) -> Result<(), Failure> {
    Err(without_table("play in the terminal with `tabulae play --rules tablut/ashton`"))
}

/// The error of a build that has no 3D table.
#[cfg(not(feature = "app"))]
fn without_table(instead: &str) -> Failure {
    Failure::Wrong(format!(
        "this build has no 3D table: {instead}; `cargo build --features app` builds one that has"
    ))
}

/// Reads a file of records, of any of the kinds we know.
fn read_records(path: &Path) -> Result<Vec<Record>, Failure> {
    let bytes = fs::read(path)
        .map_err(|error| Failure::Wrong(format!("cannot read {}: {error}", path.display())))?;
    records::read_bytes(&bytes).map_err(|error| Failure::Wrong(error.in_file(path).to_string()))
}

/// Writes a file, or says which file could not be written.
fn write_file(path: &Path, text: &str) -> Result<(), Failure> {
    write_whole(path, text)
        .map_err(|error| Failure::Wrong(format!("cannot write {}: {error}", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_alone_opens_by_the_rules_that_the_title_offers_first() {
        let asked = |rules: &str| Cli::try_parse_from(["tabulae", "--rules", rules]);
        let rules = |name: &str| asked(name).ok().and_then(|cli| cli.rules);
        assert_eq!(rules("tablut"), Some(RuleSet::TablutAshton));
        assert_eq!(rules("tablan"), Some(RuleSet::Tablan));
        assert_eq!(rules("tablut/berkeley"), Some(RuleSet::TablutBerkeley));
        let error = asked("chess").map(|_| ()).expect_err("no such rules").to_string();
        assert!(error.contains("tablut/berkeley, tablut/ashton"), "{error}");
    }
}
