//! What `setoption` can set.

use std::thread;

use crate::{
    engines::{EngineOptions, Level},
    games::RuleSet,
};

/// The table of transpositions before anybody sets it, in MiB.
const HASH_MIB: usize = 16;
const MOST_HASH_MIB: usize = 4096;

/// All options and their values.
#[derive(Clone, Debug)]
pub(super) struct Options {
    pub(super) rules: RuleSet,
    pub(super) settings: EngineOptions,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            rules: RuleSet::TablutBerkeley,
            settings: EngineOptions {
                level: Level::Master,
                hash_mib: HASH_MIB,
                ..EngineOptions::default()
            },
        }
    }
}

/// What a `setoption` changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Changed {
    /// The rules, so the position is no longer of this game.
    Rules,
    /// How the engine thinks.
    Thinking,
}

impl Options {
    /// The `option` lines, with their defaults.
    pub(super) fn lines() -> Vec<String> {
        let defaults = Self::default();
        let combo = |name: &str, default: String, values: Vec<String>| {
            let vars: String = values.iter().map(|value| format!(" var {value}")).collect();
            format!("option name {name} type combo default {default}{vars}")
        };
        let rules = RuleSet::ALL.map(|rules| rules.to_string()).to_vec();
        let levels = Level::ALL.map(|level| level.to_string()).to_vec();
        vec![
            combo("Rules", defaults.rules.to_string(), rules),
            combo("Level", defaults.settings.level.to_string(), levels),
            format!("option name Threads type spin default 1 min 1 max {}", most_threads()),
            format!("option name Hash type spin default {HASH_MIB} min 1 max {MOST_HASH_MIB}"),
            format!("option name Seed type spin default 0 min 0 max {}", i64::MAX),
        ]
    }

    /// Carries out `name NAME value VALUE`, what follows `setoption`.
    pub(super) fn set(&mut self, text: &str) -> Result<Changed, String> {
        let rest = text.strip_prefix("name ").unwrap_or(text).trim();
        let (name, value) = rest.split_once(" value ").unwrap_or((rest, ""));
        let (name, value) = (name.trim(), value.trim());
        let changed = match name.to_ascii_lowercase().as_str() {
            "rules" => {
                self.rules = value.to_ascii_lowercase().parse().map_err(|_| {
                    unknown_value("Rules", value, &RuleSet::ALL.map(RuleSet::id).join(", "))
                })?;
                Changed::Rules
            }
            "level" => {
                let wanted = value.to_ascii_lowercase();
                let level = Level::ALL.into_iter().find(|level| level.to_string() == wanted);
                self.settings.level = level.ok_or_else(|| {
                    let names = Level::ALL.map(|level| level.to_string()).join(", ");
                    unknown_value("Level", value, &names)
                })?;
                Changed::Thinking
            }
            "threads" => {
                self.settings.threads = number("Threads", value, 1, most_threads())?;
                Changed::Thinking
            }
            "hash" => {
                self.settings.hash_mib = number("Hash", value, 1, MOST_HASH_MIB)?;
                Changed::Thinking
            }
            "seed" => {
                self.settings.seed = number("Seed", value, 0, i64::MAX.unsigned_abs())?;
                Changed::Thinking
            }
            _ => return Err(format!("unknown option '{name}'")),
        };
        Ok(changed)
    }
}

fn most_threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from).max(64)
}

fn unknown_value(name: &str, value: &str, values: &str) -> String {
    format!("option {name} has no value '{value}' (one of {values})")
}

fn number<N>(name: &str, value: &str, least: N, most: N) -> Result<N, String>
where
    N: std::str::FromStr + PartialOrd + std::fmt::Display,
{
    value.parse().ok().filter(|number| *number >= least && *number <= most).ok_or_else(|| {
        format!("option {name} has no value '{value}' (a number from {least} to {most})")
    })
}
