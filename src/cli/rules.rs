//! `tabulae rules`: the rules, to read.

use std::io::{self, Write};

use crate::games::RuleSet;

use super::Failure;

/// What `tabulae rules` is asked.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The rules; without a name, the names of all of them
    #[arg(value_name = "RULES")]
    rules: Option<RuleSet>,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
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

/// The rules of a rule set in our words, complete: Markdown, lines of at most
/// 80 columns.
#[must_use]
pub const fn text(rules: RuleSet) -> &'static str {
    /// The special rules of a Tablut and what all three share.
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
