//! What the commands of `tabulae` and `tabulae-lab` share.
//!
//! Results go to stdout and errors to stderr. The exit code is 0 on success, 1 when the
//! input is wrong (a bad record, an illegal move, a file that cannot be read) and 2 on bad
//! usage. When the reader of stdout closes it early, the command ends with code 0 and no
//! message. A file named `-` is standard input or output.
//!
//! - [`CommandError`], [`exit_code`]: how a command ends.
//! - [`with_color`], [`take_color`], [`print_parse_error`]: around clap's parser.
//! - [`files`]: reading and writing; [`screen`]: text on its way to a terminal;
//!   [`json`]: the lines of `--json`; [`progress`]: bars; [`values`]: values of flags.

// `eprintln!` panics when stderr cannot be written.
#![warn(clippy::print_stderr)]

pub mod files;
pub mod json;
pub mod progress;
pub mod screen;
pub mod values;

use std::{
    ffi::OsString,
    fmt,
    io::{self, Write as _},
    process::ExitCode,
};

use clap::ColorChoice;
use tabulae_engines::max_threads;

/// Prints a line to stderr, as `eprintln!` does, without control characters. When stderr
/// cannot be written, the line is lost and the command goes on: its exit code still says
/// how it ended.
#[macro_export]
macro_rules! print_error_line {
    ($($argument:tt)*) => {{
        use std::io::Write as _;
        _ = writeln!($crate::screen::stderr(), $($argument)*);
    }};
}

/// Why a command did not succeed.
#[derive(Debug)]
pub enum CommandError {
    /// The input is wrong or an operation failed: exit code 1.
    Failed(String),
    /// The arguments are wrong: exit code 2.
    Usage(String),
    /// As `Failed`, with all messages already printed: exit code 1.
    AlreadyReported,
    /// The reader closed our output: exit code 0.
    OutputClosed,
}

impl CommandError {
    /// An operation that failed, as its error says.
    ///
    /// ```
    /// use tabulae_command_line::CommandError;
    ///
    /// let number: Result<u8, _> = "x".parse().map_err(CommandError::failed);
    /// assert!(matches!(number, Err(CommandError::Failed(_))));
    /// ```
    pub fn failed(error: impl fmt::Display) -> Self {
        Self::Failed(error.to_string())
    }

    /// Arguments that are wrong, with what was expected.
    ///
    /// ```
    /// use tabulae_command_line::CommandError;
    ///
    /// assert!(matches!(CommandError::usage("expected a file"), CommandError::Usage(_)));
    /// ```
    pub fn usage(text: impl fmt::Display) -> Self {
        Self::Usage(text.to_string())
    }
}

/// An error of writing to stdout. Errors of files are mapped where they occur, with
/// the file's name.
impl From<io::Error> for CommandError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::OutputClosed,
            _ => Self::Failed(format!("cannot write to stdout: {error}")),
        }
    }
}

/// Prints the error of a command of `program`, if there is one, and returns the exit code.
///
/// ```
/// use std::process::ExitCode;
/// use tabulae_command_line::{CommandError, exit_code};
///
/// let code = |result| format!("{:?}", exit_code("tabulae", result));
/// assert_eq!(code(Ok(())), format!("{:?}", ExitCode::SUCCESS));
/// assert_eq!(code(Err(CommandError::AlreadyReported)), format!("{:?}", ExitCode::from(1)));
/// ```
#[must_use]
pub fn exit_code(program: &str, result: Result<(), CommandError>) -> ExitCode {
    let (code, text) = match result {
        Ok(()) | Err(CommandError::OutputClosed) => return ExitCode::SUCCESS,
        Err(CommandError::AlreadyReported) => return ExitCode::from(1),
        Err(CommandError::Failed(text)) => (1, text),
        Err(CommandError::Usage(text)) => (2, text),
    };
    print_error_line!("{program}: {text}");
    ExitCode::from(code)
}

/// Prints the error of arguments that are wrong. The help and the version come this way
/// too, with code 0.
///
/// ```no_run
/// let parsed = clap::Command::new("tabulae").try_get_matches_from(["tabulae", "--help"]);
/// parsed.map_err(|error| tabulae_command_line::print_parse_error("tabulae", &error));
/// ```
#[must_use]
pub fn print_parse_error(program: &str, error: &clap::Error) -> ExitCode {
    // It quotes the arguments, which may be names of files.
    let text = error.render().to_string();
    let is_plain = !text.contains(|sign: char| sign.is_control() && sign != '\n');
    let printed = if is_plain { error.print() } else { write!(screen::stderr(), "{text}") };
    match (printed, u8::try_from(error.exit_code())) {
        (Err(unprinted), Ok(0)) => exit_code(program, Err(unprinted.into())),
        (_, code) => ExitCode::from(code.unwrap_or(2)),
    }
}

/// A parser with the flag `--color`, whose help and errors are coloured as `color` says.
///
/// ```
/// use clap::ColorChoice;
///
/// let parser = tabulae_command_line::with_color(clap::Command::new("x"), ColorChoice::Never);
/// assert!(parser.get_arguments().any(|argument| argument.get_long() == Some("color")));
/// ```
#[must_use]
pub fn with_color(parser: clap::Command, color: ColorChoice) -> clap::Command {
    let flag = clap::Arg::new("color")
        .long("color")
        .value_name("WHEN")
        .help("Colour the help and usage errors; auto honours NO_COLOR")
        .value_parser(clap::value_parser!(ColorChoice))
        .default_value("auto")
        .global(true)
        .display_order(1000);
    parser.arg(flag).color(color)
}

/// Takes `--color` out of the arguments. Its value must be known before they are
/// parsed: the parser itself prints the help and the errors. The last valid value
/// counts; an invalid one stays, for the parser to report.
///
/// ```
/// use clap::ColorChoice;
///
/// let (color, rest) = tabulae_command_line::take_color(["x", "--color", "never"].map(Into::into));
/// assert_eq!((color, rest), (ColorChoice::Never, vec!["x".into()]));
/// ```
pub fn take_color(arguments: impl IntoIterator<Item = OsString>) -> (ColorChoice, Vec<OsString>) {
    let (mut choice, mut rest) = (ColorChoice::Auto, Vec::new());
    let mut arguments = arguments.into_iter().peekable();
    while let Some(argument) = arguments.next() {
        if argument == "--" {
            rest.push(argument);
            break;
        }
        let parse = |value: &str| value.parse::<ColorChoice>().ok();
        let text = argument.to_string_lossy();
        if let Some(given) = text.strip_prefix("--color=").and_then(parse) {
            choice = given;
        } else if text == "--color"
            && let Some(given) = arguments.peek().and_then(|value| parse(&value.to_string_lossy()))
        {
            choice = given;
            arguments.next();
        } else {
            rest.push(argument);
        }
    }
    rest.extend(arguments);
    (choice, rest)
}

/// What to tell of more threads than a search uses.
///
/// ```
/// assert_eq!(tabulae_command_line::unused_threads(1), None);
/// ```
pub fn unused_threads(wanted: usize) -> Option<String> {
    let used = max_threads();
    (wanted > used)
        .then(|| format!("{used} of {wanted} threads are used: more do not help on this machine"))
}

/// Tells on stderr if a command is to use more threads than there are cores.
///
/// ```no_run
/// tabulae_command_line::tell_unused_threads(64);
/// ```
pub fn tell_unused_threads(wanted: usize) {
    if let Some(unused) = unused_threads(wanted) {
        print_error_line!("note: {unused}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_color_counts_and_only_valid_ones_are_taken() {
        let take = |line: &str| {
            let (color, rest) = take_color(line.split(' ').map(OsString::from));
            (color, rest.join(" ".as_ref()).into_string().unwrap())
        };
        for (line, color, rest) in [
            ("tabulae --help", ColorChoice::Auto, "tabulae --help"),
            ("tabulae check --color never x", ColorChoice::Never, "tabulae check x"),
            ("tabulae --color=always check", ColorChoice::Always, "tabulae check"),
            ("tabulae --color always --color=never", ColorChoice::Never, "tabulae"),
            ("tabulae --color sometimes", ColorChoice::Auto, "tabulae --color sometimes"),
            ("tabulae -- --color always", ColorChoice::Auto, "tabulae -- --color always"),
        ] {
            assert_eq!(take(line), (color, rest.to_owned()));
        }
    }
}
