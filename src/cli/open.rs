//! `tabulae FILE`: the command line where the first word may be a file.

use std::ffi::OsString;

use clap::{FromArgMatches as _, Subcommand as _, error::ErrorKind};

use super::{Cli, Command, parser, take_color};
use crate::cli::prelude::*;

/// Parses the command line. A first word that names a command is that command,
/// also if a file has its name.
///
/// # Errors
/// The arguments are wrong, or ask for help or the version.
pub(super) fn parse(arguments: Vec<OsString>) -> Result<Cli, clap::Error> {
    let (color, arguments) = take_color(arguments);
    arguments.get(1).and_then(unknown_command).map_or(Ok(()), Err)?;
    let matches = parser(color).try_get_matches_from(arguments)?;
    Cli::from_arg_matches(&matches)
}

/// The error of a misspelt command, with the nearest command: a word like
/// `analyze` that is neither a command nor a file. Otherwise it would count as a
/// file to open, and the next argument as the mistake.
fn unknown_command(word: &OsString) -> Option<clap::Error> {
    let text = word.to_str()?;
    let is_word = text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.chars().all(|each| each.is_ascii_alphanumeric() || each == '-');
    if !is_word || Path::new(word).exists() {
        return None;
    }
    let commands = clap::Command::new("tabulae").subcommand_required(true);
    let commands = Command::augment_subcommands(commands);
    let error = commands.try_get_matches_from(["tabulae", text]).err()?;
    // Others are about the command's own arguments, which are missing here.
    (error.kind() == ErrorKind::InvalidSubcommand).then_some(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(arguments: &[&str]) -> Result<Cli, ErrorKind> {
        let arguments = ["tabulae"].iter().chain(arguments).map(OsString::from).collect();
        parse(arguments).map_err(|error| error.kind())
    }

    #[test]
    fn a_command_wins_over_a_file_of_its_name() {
        let cli = parsed(&["rules", "tablan"]).expect("a command");
        assert!(cli.file.is_none() && matches!(cli.command, Some(Command::Rules(_))));
        let cli = parsed(&["./rules"]).expect("a file");
        assert!(cli.file.is_some() && cli.command.is_none());
    }

    #[test]
    fn a_misspelt_command_is_no_file() {
        assert_eq!(parsed(&["analyze", "game.tab"]).err(), Some(ErrorKind::InvalidSubcommand));
        // What looks like a file, exists or is said to be one is a file.
        for arguments in [&["analyze.tab"] as &[&str], &["a/b"], &["src"], &["--", "analyze"]] {
            assert!(parsed(arguments).is_ok_and(|cli| cli.file.is_some()), "{arguments:?}");
        }
    }

    #[test]
    fn a_file_excludes_other_games_and_commands() {
        let file = |options: &[&str]| parsed(&[options, &["game.tab"]].concat());
        assert!(file(&["--report", "--size", "900x600"]).is_ok());
        for options in [&["--rules", "tablan"] as &[&str], &["--record", "other.tab"]] {
            assert_eq!(file(options).err(), Some(ErrorKind::ArgumentConflict), "{options:?}");
        }
        assert!(parsed(&["game.tab", "other.tab"]).is_err());
    }
}
