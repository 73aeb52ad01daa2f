//! Parsers of option values: names from a closed list, which `--help` and clap's errors
//! then print, and numbers.

use std::{
    num::{IntErrorKind, NonZeroU64},
    time::Duration,
};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::CommandError;
use tabulae_engines::Level;
use tabulae_games::{AnyPosition, GameKind, RuleSet};
use tabulae_session::{Seat, i18n::Language, puzzles::Theme};

/// A number above 0. `T` is a type of such numbers, or `u64`.
pub fn above_zero<T>() -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync
where
    T: TryFrom<NonZeroU64>,
{
    |text| {
        let too_large = || "expected a smaller number".to_owned();
        match text.parse::<NonZeroU64>() {
            Ok(number) => T::try_from(number).map_err(|_| too_large()),
            Err(error) if *error.kind() == IntErrorKind::PosOverflow => Err(too_large()),
            Err(_) => Err("expected a number above 0".to_owned()),
        }
    }
}

/// A number from 1 to `most`.
pub fn at_most<T>(most: u64) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync
where
    T: TryFrom<NonZeroU64>,
{
    move |text| {
        let number = text.parse::<NonZeroU64>().ok().filter(|number| number.get() <= most);
        let number = number.and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| format!("expected a number from 1 to {most}"))
    }
}

/// The longest time that can be set: one day.
const MAX_SECONDS: u64 = 86_400;

/// Seconds with an optional fraction, up to a day.
///
/// ```
/// use std::time::Duration;
/// use tabulae_command_line::values::{seconds, seconds_for_a_move};
///
/// assert_eq!(seconds("1.5"), Ok(Duration::from_millis(1500)));
/// assert!(seconds("a minute").is_err());
/// assert!(seconds("0").is_ok() && seconds_for_a_move("0").is_err());
/// ```
///
/// # Errors
/// The text is no such number; the error says what was expected.
pub fn seconds(text: &str) -> Result<Duration, String> {
    text.parse::<f64>()
        .ok()
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .filter(|time| *time <= Duration::from_secs(MAX_SECONDS))
        .ok_or_else(|| format!("expected seconds, from 0 to {MAX_SECONDS}"))
}

/// The seconds for a move: as [`seconds`], but above 0.
///
/// # Errors
/// The text is no such number; the error says what was expected.
pub fn seconds_for_a_move(text: &str) -> Result<Duration, String> {
    seconds(text)
        .ok()
        .filter(|time| !time.is_zero())
        .ok_or_else(|| format!("expected seconds, above 0 and at most {MAX_SECONDS}"))
}

/// The value of `--position`, which stands for the start without one.
///
/// ```
/// use tabulae_command_line::values::position;
/// use tabulae_games::{AnyPosition, RuleSet};
///
/// let rules = RuleSet::TablutAshton;
/// assert!(matches!(position(rules, None), Ok(it) if it == AnyPosition::start(rules)));
/// assert!(position(rules, Some("9/9 w")).is_err());
/// ```
///
/// # Errors
/// The text is no position by these rules.
pub fn position(rules: RuleSet, text: Option<&str>) -> Result<AnyPosition, CommandError> {
    let parse = |text| AnyPosition::parse(rules, text).map_err(CommandError::failed);
    text.map_or_else(|| Ok(AnyPosition::start(rules)), parse)
}

/// A rule set by its full name.
pub fn rule_set() -> impl TypedValueParser<Value = RuleSet> {
    PossibleValuesParser::new(RuleSet::ALL.map(RuleSet::id)).try_map(|name| name.parse::<RuleSet>())
}

/// A rule set by its full name, or by its game's name for the game's usual rules.
pub fn rule_set_or_game() -> impl TypedValueParser<Value = RuleSet> {
    let value = |rules: RuleSet| {
        // The other games' names are rule sets already.
        let is_tablut = rules == GameKind::Tablut.default_rules();
        PossibleValue::new(rules.id()).aliases(is_tablut.then_some("tablut"))
    };
    PossibleValuesParser::new(RuleSet::ALL.map(value))
        .try_map(|name| RuleSet::from_id_or_game(&name))
}

/// A level of the built-in engines.
pub fn level() -> impl TypedValueParser<Value = Level> {
    PossibleValuesParser::new(Level::ALL.map(Level::id)).try_map(|name| name.parse::<Level>())
}

/// A person or a level.
pub fn seat() -> impl TypedValueParser<Value = Seat> {
    let names = std::iter::once("person").chain(Level::ALL.map(Level::id));
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Seat>())
}

/// A language by its code. Its own name is accepted too.
pub fn language() -> impl TypedValueParser<Value = Language> {
    let values = [("en", "english"), ("it", "italiano")];
    PossibleValuesParser::new(values.map(|(code, name)| PossibleValue::new(code).alias(name)))
        .try_map(|name| {
            Language::from_name(&name.to_lowercase()).ok_or_else(|| "expected en or it".to_owned())
        })
}

/// A theme of puzzles.
pub fn theme() -> impl TypedValueParser<Value = Theme> {
    PossibleValuesParser::new(Theme::ALL.iter().map(|theme| theme.id()))
        .try_map(|name| name.parse::<Theme>())
}

/// A graphics quality. The names of earlier builds are accepted too.
pub fn quality() -> PossibleValuesParser {
    let values = [("low", "light"), ("medium", "fine"), ("high", "best")];
    PossibleValuesParser::new(values.map(|(name, old)| PossibleValue::new(name).alias(old)))
}
