//! The output of `--json`: one object a line.

use std::io::Write;

use serde::Serialize;

use super::CommandError;

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
