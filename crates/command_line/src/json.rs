//! The output of `--json`: one object a line.

use std::io::Write;

use serde::Serialize;
use tabulae_engines::Score;

use super::CommandError;

/// The fields of a score; both are null without one.
///
/// ```
/// use tabulae_command_line::json::ScoreFields;
/// use tabulae_engines::Score;
///
/// assert_eq!(ScoreFields::from(Some(Score::Loss(4))).mate, Some(-2));
/// ```
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct ScoreFields {
    /// Hundredths of a soldier or a similar unit, for the side to move.
    pub cp: Option<i32>,
    /// The moves to a forced win; negative for a loss.
    pub mate: Option<i32>,
}

impl From<Option<Score>> for ScoreFields {
    fn from(score: Option<Score>) -> Self {
        let moves = |plies: u32| i32::try_from(plies.div_ceil(2)).ok();
        match score {
            Some(Score::Points(points)) => Self { cp: Some(points), mate: None },
            Some(Score::Win(plies)) => Self { cp: None, mate: moves(plies) },
            Some(Score::Loss(plies)) => Self { cp: None, mate: moves(plies).map(|mate| -mate) },
            None => Self::default(),
        }
    }
}

/// Prints one object as a line and flushes it.
///
/// # Errors
/// The line cannot be written.
pub fn print_line(out: &mut impl Write, line: &impl Serialize) -> Result<(), CommandError> {
    let text = serde_json::to_string(line)
        .map_err(|error| CommandError::Failed(format!("cannot write JSON: {error}")))?;
    // JSON itself escapes only the first 32.
    for part in text.split_inclusive(char::is_control) {
        let plain = part.trim_end_matches(char::is_control);
        write!(out, "{plain}")?;
        if let Some(control) = part[plain.len()..].chars().next() {
            write!(out, "\\u{:04x}", u32::from(control))?;
        }
    }
    writeln!(out)?;
    Ok(out.flush()?)
}

/// A number with at most `digits` decimal places; JSON has no other rounding.
pub fn rounded(number: f64, digits: i32) -> f64 {
    let unit = 10_f64.powi(digits);
    // Adding zero turns a minus zero into a plain one.
    (number * unit).round() / unit + 0.0
}
