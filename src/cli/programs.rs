//! `tabulae engines`: the list of other programs that speak UGI.

use super::signals::end_programs_too;
use crate::{
    cli::prelude::*,
    session::{
        EngineEntry, EngineList, EngineListError, OptionKind, PROGRAM_PATIENCE, ProgramOption,
        UgiProgram, clean_name, engines_path,
    },
};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabulae engines --add 'Mine=python3 engine.py' --set Hash=64
  tabulae play --rules tablaaza --second engine:Mine
  tabulae engines --options Mine

Prints `NAME: COMMAND` for each program, and its changed options below.")]
pub(super) struct Args {
    /// Start this program, and add it to the list
    #[arg(long, value_name = "NAME=COMMAND", conflicts_with_all = ["remove", "options"])]
    add: Option<String>,
    /// With --add, give the program's option another value
    #[arg(long, value_name = "OPTION=VALUE", requires = "add")]
    set: Vec<String>,
    /// Remove this program from the list
    #[arg(long, value_name = "NAME", conflicts_with = "options")]
    remove: Option<String>,
    /// Start this program, and print the options that it reports
    #[arg(long, value_name = "NAME")]
    options: Option<String>,
}

/// Changes or prints the list.
pub(super) fn run(args: &Args) -> Result<(), CommandError> {
    end_programs_too(true);
    let failed = |text: String| CommandError::Failed(text);
    let path = engines_path()
        .ok_or_else(|| failed("the system names no place for settings".to_owned()))?;
    let cannot = |what: &str, error: &EngineListError| {
        CommandError::Failed(format!("cannot {what} {}: {error}", shown(&path)))
    };
    let mut list = EngineList::read(&path).map_err(|error| cannot("read", &error))?;
    let unknown = |name: &str| failed(format!("no engine named '{name}' in {}", shown(&path)));
    let mut out = stdout();
    if let Some(name) = &args.options {
        let entry = list.find(name).ok_or_else(|| unknown(name))?;
        let program = start(entry)?;
        for option in program.options() {
            writeln!(out, "{}", describe(option))?;
        }
        return Ok(());
    }
    if let Some(text) = &args.add {
        let entry = new_entry(text, &args.set)?;
        let replaced = list.find(&entry.name).filter(|known| **known != entry).cloned();
        list.add(entry);
        list.write(&path).map_err(|error| cannot("write", &error))?;
        if let Some(EngineEntry { name, command, .. }) = replaced {
            print_error_line!("tabulae: {name} was in the list already, as '{command}': replaced");
        }
    }
    if let Some(name) = &args.remove {
        if !list.remove(name) {
            return Err(unknown(name));
        }
        list.write(&path).map_err(|error| cannot("write", &error))?;
    }
    for entry in &list.engines {
        writeln!(out, "{}: {}", entry.name, entry.command)?;
        for (name, value) in &entry.options {
            writeln!(out, "  {name} = {value}")?;
        }
    }
    Ok(())
}

/// Checks a new program by starting it, and its options by what it reports.
fn new_entry(text: &str, set: &[String]) -> Result<EngineEntry, CommandError> {
    let usage = |text: String| Err(CommandError::Usage(text));
    let Some((name, command)) = text.split_once('=') else {
        return usage(format!("invalid engine '{text}': expected NAME=COMMAND"));
    };
    let name = clean_name(name);
    if name.is_empty() {
        return usage(format!("invalid engine '{text}': expected a name before '='"));
    }
    let mut entry = EngineEntry { name, command: command.to_owned(), ..EngineEntry::default() };
    let program = start(&entry)?;
    for text in set {
        let Some((name, value)) = text.split_once('=') else {
            return usage(format!("invalid option '{text}': expected OPTION=VALUE"));
        };
        let Some(option) = program.options().iter().find(|option| option.name == name) else {
            return Err(CommandError::Failed(format!("{} has no option '{name}'", entry.name)));
        };
        if !option.allows(value) {
            return Err(CommandError::Failed(format!(
                "invalid value '{value}': expected {}",
                describe(option)
            )));
        }
        entry.options.insert(name.to_owned(), value.to_owned());
    }
    Ok(entry)
}

fn start(entry: &EngineEntry) -> Result<UgiProgram, CommandError> {
    entry
        .start(PROGRAM_PATIENCE)
        .map_err(|error| CommandError::Failed(format!("{} {error}", entry.name)))
}

/// `Hash: a number from 1 to 2048, default 64`.
fn describe(option: &ProgramOption) -> String {
    let values = match &option.kind {
        OptionKind::Check => "true or false".to_owned(),
        OptionKind::Spin { min: Some(min), max: Some(max) } => {
            format!("a number from {min} to {max}")
        }
        OptionKind::Spin { .. } => "a number".to_owned(),
        OptionKind::Combo(values) => format!("one of {}", values.join(", ")),
        OptionKind::Button => "no value".to_owned(),
        OptionKind::Text => "any text".to_owned(),
    };
    let default = option.default.as_deref().map(|value| format!(", default {value}"));
    format!("{}: {values}{}", option.name, default.unwrap_or_default())
}
