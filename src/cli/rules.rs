//! `tabulae rules`: prints the rules of a rule set.

use crate::{cli::prelude::*, i18n::Language, session::full_rules};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabulae rules                              List the rule sets
  tabulae rules tablan                       Print the rules of Tablan
  tabulae rules tablan --language it         Print the rules in Italian")]
pub(super) struct Args {
    /// Print these rules; without RULES, list the rule sets
    #[arg(value_name = "RULES", value_parser = values::rule_set())]
    rules: Option<RuleSet>,
    /// Print the rules in this language
    #[arg(
        long,
        value_name = "LANGUAGE",
        default_value = "en",
        ignore_case = true,
        value_parser = values::language()
    )]
    language: Language,
}

/// Prints the rules, or the name and the title of each rule set.
pub(super) fn run(args: &Args) -> Result<(), CommandError> {
    let mut out = stdout();
    match args.rules {
        Some(rules) => out.write_all(plain_text(full_rules(rules, args.language)).as_bytes())?,
        None => {
            for rules in RuleSet::ALL {
                writeln!(out, "{:<18}{}", rules.id(), rules.title())?;
            }
        }
    }
    Ok(())
}

/// Markdown as a terminal shows it: headings flush left, text indented by two
/// columns and code blocks by four. The marks of headings, code and emphasis are
/// dropped, except within code blocks.
fn plain_text(markdown: &str) -> String {
    let mut plain = String::with_capacity(markdown.len() * 2);
    let mut in_code = false;
    for line in markdown.lines() {
        if line.starts_with("```") {
            in_code = !in_code;
            continue;
        }
        if line.is_empty() {
            // An empty line has only its end.
        } else if in_code {
            plain.push_str("    ");
            plain.push_str(line);
        } else if line.starts_with('#') {
            plain.push_str(line.trim_start_matches('#').trim_start());
        } else {
            plain.push_str("  ");
            plain.extend(line.chars().filter(|mark| !matches!(mark, '*' | '`')));
        }
        plain.push('\n');
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_has_no_marks_but_those_of_code_blocks() {
        let markdown = "# Title\n\nSome **bold** `code`.\n\n## Board\n- item\n  more\n\n\
                        ```\n2  # * `\n\n1  . .\n```\n\nEnd *here*.\n";
        let plain = "Title\n\n  Some bold code.\n\nBoard\n  - item\n    more\n\n    \
                     2  # * `\n\n    1  . .\n\n  End here.\n";
        assert_eq!(plain_text(markdown), plain);
    }
}
