//! `tabulae rules`: prints the rules of a rule set.

use std::io::{self, Write};

use crate::games::RuleSet;

use super::CommandError;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabulae rules                              List the rule sets
  tabulae rules tablan                       Print the rules of Tablan")]
pub(super) struct Args {
    /// Print these rules; without RULES, list the rule sets
    #[arg(value_name = "RULES", value_parser = super::values::rule_set())]
    rules: Option<RuleSet>,
}

/// Prints the rules, or the name and the title of each rule set.
pub(super) fn run(args: &Args) -> Result<(), CommandError> {
    let mut out = io::stdout().lock();
    match args.rules {
        Some(rules) => out.write_all(text(rules).as_bytes())?,
        None => {
            for rules in RuleSet::ALL {
                writeln!(out, "{:<18}{}", rules.id(), rules.title())?;
            }
        }
    }
    Ok(())
}

/// The complete rules of a rule set in our own words: Markdown with lines of at
/// most 80 columns.
#[must_use]
pub const fn text(rules: RuleSet) -> &'static str {
    /// A Tablut variant's own rules, then those that all three share.
    macro_rules! tablut {
        ($file:literal) => {
            concat!(
                include_str!(concat!("../../assets/rules/", $file)),
                include_str!("../../assets/rules/tablut.md")
            )
        };
    }
    match rules {
        RuleSet::TablutBerkeley => tablut!("tablut-berkeley.md"),
        RuleSet::TablutAshton => tablut!("tablut-ashton.md"),
        RuleSet::TablutLinnaeus => tablut!("tablut-linnaeus.md"),
        RuleSet::Tablan => include_str!("../../assets/rules/tablan.md"),
        RuleSet::TablanOrdered => concat!(
            include_str!("../../assets/rules/tablan-ordered.md"),
            include_str!("../../assets/rules/tablan.md")
        ),
        RuleSet::Tablaaza => include_str!("../../assets/rules/tablaaza.md"),
    }
}
