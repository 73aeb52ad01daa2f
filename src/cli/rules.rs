//! `tabulae rules`: prints the rules.

use std::io::{self, Write};

use crate::games::RuleSet;

use super::CommandError;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Rule set; without it, list all rule sets
    #[arg(value_name = "RULES")]
    rules: Option<RuleSet>,
}

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
