//! `tabulae generate`: writes the man pages and the shell completions, for
//! `make install` and the packages.

use std::fs;

use clap::{ColorChoice, ValueEnum};
use clap_complete::Shell;
use clap_mangen::Man;

use super::parser;
use crate::cli::prelude::*;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// What to write
    kind: Kind,
    /// Folder to write to; created if it does not exist
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Kind {
    /// A man page for each command, as tabulae.1, tabulae-play.1 and so on
    Man,
    /// Completions for bash, zsh and fish
    Completions,
}

pub(super) fn run(args: &Args) -> Result<(), CommandError> {
    fs::create_dir_all(&args.folder)
        .and_then(|()| match args.kind {
            Kind::Man => write_man_pages(args),
            Kind::Completions => write_completions(args),
        })
        .map_err(|error| {
            let folder = shown(&args.folder);
            CommandError::Failed(format!("cannot write to {folder}: {error}"))
        })
}

fn write_man_pages(args: &Args) -> std::io::Result<()> {
    let mut main = parser(ColorChoice::Auto).disable_help_subcommand(true);
    // Gives the commands their full names.
    main.build();
    let mut left = vec![main];
    while let Some(command) = left.pop() {
        let commands = command.get_subcommands().filter(|command| !command.is_hide_set());
        left.extend(commands.cloned());
        Man::new(command)
            // No date, so that a version has one text; an empty one would be left
            // out of the heading and move up what follows.
            .date(" ")
            .source(concat!("tabulae ", env!("CARGO_PKG_VERSION")))
            .manual("Tabulae Manual")
            .generate_to(&args.folder)?;
    }
    Ok(())
}

fn write_completions(args: &Args) -> std::io::Result<()> {
    for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
        let mut command = without_hidden(&parser(ColorChoice::Auto));
        clap_complete::generate_to(shell, &mut command, "tabulae", &args.folder)?;
    }
    Ok(())
}

/// The command line as its help shows it: completions would offer the hidden
/// command and option, too.
fn without_hidden(command: &clap::Command) -> clap::Command {
    let arguments = command.get_arguments().filter(|argument| !argument.is_hide_set());
    let commands = command.get_subcommands().filter(|command| !command.is_hide_set());
    clap::Command::new("tabulae")
        .version(env!("CARGO_PKG_VERSION"))
        .args_conflicts_with_subcommands(true)
        .args(arguments.cloned())
        .subcommands(commands.cloned())
}
