//! What the tests of the guides share: the commands that they show, and the tables of flags.

use std::collections::{BTreeMap, BTreeSet};

use super::{markdown::Document, program::succeed};

/// The lines of a page's shell blocks, each with the heading above it, without
/// comments.
pub(crate) fn shell_lines(page: &Document) -> Vec<(String, String)> {
    let lines = page.blocks_in("sh").flat_map(|block| {
        let lines = block.text.lines().map(|line| line.split(" # ").next().unwrap().trim());
        lines.map(|line| (block.section.clone(), line.to_owned()))
    });
    lines.filter(|(_, line)| !line.is_empty()).collect()
}

/// Commands of commands.
const NESTED: [&str; 1] = ["bologna serve"];

/// The command of a line that runs `program`, or an empty text for the program itself,
/// and its flags.
pub(crate) fn usage<'a>(program: &str, line: &'a str) -> Option<(&'a str, Vec<&'a str>)> {
    let mut words = line.split_whitespace().skip_while(|word| *word != program).skip(1);
    if !line.split_whitespace().any(|word| word == program) {
        return None;
    }
    let first = words.next().unwrap_or_default();
    let nested = NESTED.into_iter().find(|nested| {
        nested
            .split_once(' ')
            .is_some_and(|(outer, inner)| outer == first && words.clone().next() == Some(inner))
    });
    let command = nested.unwrap_or(if first.starts_with("--") { "" } else { first });
    let flags = std::iter::once(first).chain(words).filter(|word| word.starts_with("--"));
    Some((command, flags.collect()))
}

/// The help of a command, or of the program.
fn help(command: &str) -> String {
    let arguments: Vec<_> = command.split_whitespace().chain(["--help"]).collect();
    succeed(&arguments)
}

/// The flags that every command has; `docs/cli.md` describes them once.
pub(crate) const COMMON_FLAGS: [&str; 2] = ["--help", "--color"];

/// The flags of a command, by its help, and their default values. `None` is no
/// default, or one in words. The help wraps its lines.
pub(crate) fn flags(command: &str) -> BTreeMap<String, Option<String>> {
    let help = help(command);
    let options = help.split("\nOptions:\n").nth(1).expect("options");
    let lines = options.lines().take_while(|line| line.is_empty() || line.starts_with(' '));
    let (mut texts, mut current) = (BTreeMap::<String, String>::new(), String::new());
    for line in lines {
        let text = line.trim_start();
        if text.starts_with('-') && line.len() - text.len() <= 6 {
            let word = text.split([' ', ',']).find(|word| word.starts_with("--"));
            current = word.unwrap_or_else(|| panic!("{line}")).to_owned();
        }
        let whole = texts.entry(current.clone()).or_default();
        *whole += " ";
        *whole += text;
    }
    for flag in COMMON_FLAGS {
        assert!(texts.remove(flag).is_some(), "{command} has no {flag}");
    }
    texts.remove("--version");
    let default = |text: &str| {
        let mut starts = text.split("[default: ").skip(1);
        let values = starts.by_ref().filter_map(|rest| rest.split_once(']'));
        values.map(|(value, _)| value.to_owned()).find(|value| !value.contains(' '))
    };
    texts.into_iter().map(|(flag, text)| (flag, default(&text))).collect()
}

/// The commands that the help lists.
pub(crate) fn commands() -> Vec<String> {
    let help = help("");
    let listed = help.split("\nCommands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let words = listed.lines().filter(|line| !line.starts_with("   "));
    let words = words.map(|line| line.split_whitespace().next().unwrap().to_owned());
    let commands: Vec<_> = words.filter(|word| word != "help").collect();
    let nested = NESTED.into_iter().map(str::to_owned).filter(|nested| {
        nested.split_once(' ').is_some_and(|(outer, _)| commands.iter().any(|it| it == outer))
    });
    commands.iter().cloned().chain(nested).collect()
}

/// Checks that a page has a section for each command of `program`, with an example, and in
/// its table each flag with its default value. `own` is the command of the program itself
/// that has a section, too, if it has one.
pub(crate) fn check_tables_of_flags(page: &Document, program: &str, own: Option<&str>) {
    let examples = shell_lines(page);
    let own = own.map(str::to_owned);
    for command in own.into_iter().chain(commands()) {
        let section = format!("{program} {command}").trim_end().to_owned();
        assert!(page.headings.contains(&section), "no section '{section}'");
        let is_example = |(heading, line): &(String, String)| {
            *heading == section && usage(program, line).is_some_and(|(used, _)| used == command)
        };
        assert!(examples.iter().any(is_example), "{section} has no example");
        let known = flags(&command);
        let mut shown = BTreeSet::new();
        for row in page.rows.iter().filter(|row| row.section == section && row.table == "flag") {
            let flag = row.cells[0].split(' ').next().unwrap();
            let default = known.get(flag).unwrap_or_else(|| panic!("{section} has no {flag}"));
            if let Some(default) = default {
                assert!(row.cells[2].contains(default.as_str()), "{section} {flag}: {default}");
            }
            assert!(shown.insert(flag.to_owned()), "{section} {flag} stands twice");
        }
        let missing: Vec<_> = known.keys().filter(|flag| !shown.contains(*flag)).collect();
        assert!(missing.is_empty(), "{section}: not in docs/cli.md: {missing:?}");
    }
    let common = page.rows.iter().filter(|row| row.table == "common flag");
    let common: BTreeSet<_> = common.map(|row| row.cells[0].split(' ').next().unwrap()).collect();
    assert_eq!(common, BTreeSet::from(COMMON_FLAGS));
    let sections =
        page.headings.iter().filter_map(|heading| heading.strip_prefix(&format!("{program} ")));
    for section in sections {
        assert!(commands().iter().any(|command| command == section), "no command {section}");
    }
}
