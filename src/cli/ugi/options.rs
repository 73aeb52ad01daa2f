//! The options of UGI: their declarations, and `setoption`.

use std::str::FromStr;

use crate::{
    cli::prelude::*,
    engines::{MAX_LINES, max_threads},
};

/// The default size of the transposition table, in MiB.
const DEFAULT_HASH_MIB: usize = 16;
const MAX_HASH_MIB: usize = 4096;
/// A number of threads up to this is accepted, even if the machine has fewer cores.
const MAX_THREADS: usize = 1024;

/// The values of all options.
#[derive(Clone, Debug)]
pub(super) struct UgiOptions {
    pub(super) rules: RuleSet,
    pub(super) engine: EngineOptions,
    /// The number of best lines to search and print.
    pub(super) lines: usize,
}

impl Default for UgiOptions {
    fn default() -> Self {
        Self {
            rules: RuleSet::TablutBerkeley,
            engine: EngineOptions {
                level: Level::Master,
                hash_mib: DEFAULT_HASH_MIB,
                ..EngineOptions::default()
            },
            lines: 1,
        }
    }
}

/// What a `setoption` changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OptionKind {
    /// The rule set, so the position is reset.
    Rules,
    /// The number of threads.
    Threads,
    /// Another option of the search.
    Search,
}

/// The options' names, for errors.
const NAMES: &str = "Rules, Level, Contempt, OwnBook, MultiPV, Threads, Hash or Seed";

impl UgiOptions {
    /// The `option` lines that answer `ugi`.
    pub(super) fn declarations() -> Vec<String> {
        let defaults = Self::default();
        let combo = |name: &str, default: String, values: Vec<String>| {
            let vars: String = values.iter().map(|value| format!(" var {value}")).collect();
            format!("option name {name} type combo default {default}{vars}")
        };
        let rules = RuleSet::ALL.map(|rules| rules.to_string()).to_vec();
        let levels = Level::ALL.map(|level| level.to_string()).to_vec();
        vec![
            combo("Rules", defaults.rules.to_string(), rules),
            combo("Level", defaults.engine.level.to_string(), levels),
            format!("option name Contempt type check default {}", defaults.engine.contempt),
            format!("option name OwnBook type check default {}", defaults.engine.book),
            format!("option name MultiPV type spin default 1 min 1 max {MAX_LINES}"),
            format!("option name Threads type spin default 1 min 1 max {}", max_threads()),
            format!(
                "option name Hash type spin default {DEFAULT_HASH_MIB} min 1 max {MAX_HASH_MIB}"
            ),
            format!("option name Seed type spin default 0 min 0 max {}", i64::MAX),
        ]
    }

    /// Carries out the arguments of `setoption`: `name NAME value VALUE`.
    ///
    /// # Errors
    /// The option is unknown or the value invalid; nothing is changed.
    pub(super) fn set(&mut self, text: &str) -> Result<OptionKind, String> {
        let mut words = text.split_whitespace().skip_while(|word| *word == "name");
        let name: Vec<_> = words.by_ref().take_while(|word| *word != "value").collect();
        let (name, value) = (name.join(" "), words.collect::<Vec<_>>().join(" "));
        let value = value.as_str();
        let mut changed = OptionKind::Search;
        match name.to_ascii_lowercase().as_str() {
            "rules" => {
                self.rules = parse_name("Rules", value, &RuleSet::ALL.map(RuleSet::id).join(", "))?;
                changed = OptionKind::Rules;
            }
            "level" => self.engine.level = parse_name("Level", value, &Level::names())?,
            // Scripts of older versions may still set it; it has no effect.
            "adapt" => _ = parse_bool("Adapt", value)?,
            "contempt" => self.engine.contempt = parse_bool("Contempt", value)?,
            "ownbook" => self.engine.book = parse_bool("OwnBook", value)?,
            "multipv" => self.lines = parse_number("MultiPV", value, 1, MAX_LINES)?,
            "threads" => {
                self.engine.threads = parse_number("Threads", value, 1, MAX_THREADS)?;
                changed = OptionKind::Threads;
            }
            "hash" => self.engine.hash_mib = parse_number("Hash", value, 1, MAX_HASH_MIB)?,
            "seed" => {
                self.engine.seed = parse_number("Seed", value, 0, i64::MAX.unsigned_abs())?;
            }
            _ => return Err(format!("unknown option '{name}': expected {NAMES}")),
        }
        Ok(changed)
    }
}

/// Parses one of these names, in any case.
fn parse_name<N: FromStr>(name: &str, value: &str, names: &str) -> Result<N, String> {
    value
        .to_ascii_lowercase()
        .parse()
        .map_err(|_| format!("invalid value '{value}' for option {name}: expected one of {names}"))
}

fn parse_bool(name: &str, value: &str) -> Result<bool, String> {
    parse_name(name, value, "true, false")
}

fn parse_number<N>(name: &str, value: &str, min: N, max: N) -> Result<N, String>
where
    N: FromStr + PartialOrd + std::fmt::Display,
{
    value.parse().ok().filter(|number| *number >= min && *number <= max).ok_or_else(|| {
        format!("invalid value '{value}' for option {name}: expected a number from {min} to {max}")
    })
}
