//! The examples in the help of a program.

/// Parses each example in the help of the program and of its commands.
pub(crate) fn check_examples(program: &clap::Command) {
    let start = format!("  {}", program.get_name());
    let shown = program.get_subcommands().filter(|command| !command.is_hide_set());
    for command in std::iter::once(program).chain(shown) {
        let name = command.get_name();
        let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        for example in help.lines().filter(|line| line.starts_with(&start)) {
            // Two spaces separate the description.
            let line = example.trim_start().split("  ").next().unwrap_or_default();
            let words = shlex::split(line).expect("closed quotes");
            if let Err(error) = program.clone().try_get_matches_from(words) {
                panic!("{name}: {line}: {error}");
            }
        }
        assert!(help.contains(&format!("\n{start}")), "{name} has no example");
    }
}
