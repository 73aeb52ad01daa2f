//! The lines that a person or a program types, and the loop that answers them.

use std::io::{BufRead, Read as _, StdinLock};

use super::files::cannot_read_stdin;
use crate::cli::prelude::*;

/// Bytes of the longest line; a record of a link is no longer.
const MAX_BYTES: u64 = 1 << 20;
/// The characters of a longer line that are read.
const SHOWN: usize = 60;

/// What answers the lines of standard input: a game, a trainer or an engine.
pub(super) trait Dialogue {
    /// Does what is due without a line, and waits for the next one; `None` at the end of
    /// the input, or when nothing more is to be answered.
    fn next_line(&mut self) -> Result<Option<String>, CommandError>;

    /// Answers a line; false ends the program.
    fn answer(&mut self, line: &str) -> Result<bool, CommandError>;
}

/// Answers lines until one ends the program or none is left.
pub(super) fn converse(dialogue: &mut impl Dialogue) -> Result<(), CommandError> {
    while let Some(line) = dialogue.next_line()? {
        if !dialogue.answer(&line)? {
            break;
        }
    }
    Ok(())
}

/// Reads lines. Bytes that are not UTF-8 are replaced and end nothing.
pub(super) struct Lines<R> {
    input: R,
    bytes: Vec<u8>,
}

impl Lines<StdinLock<'static>> {
    /// The lines of standard input.
    pub(super) fn of_stdin() -> Self {
        Self::new(io::stdin().lock())
    }
}

impl<R: BufRead> Lines<R> {
    fn new(input: R) -> Self {
        Self { input, bytes: Vec::new() }
    }

    /// The next line without the white space around it; `None` at the end of the input. A
    /// line that is too long is cut and ends in `…`, with which no command is complete.
    ///
    /// # Errors
    /// The input cannot be read.
    pub(super) fn next(&mut self) -> Result<Option<String>, CommandError> {
        self.read().map_err(cannot_read_stdin)
    }

    /// As [`Self::next`], after a prompt.
    ///
    /// # Errors
    /// The input cannot be read, or `out` not written.
    pub(super) fn next_at_prompt(
        &mut self,
        out: &mut impl Write,
    ) -> Result<Option<String>, CommandError> {
        write!(out, "> ")?;
        out.flush()?;
        self.next()
    }

    fn read(&mut self) -> io::Result<Option<String>> {
        self.bytes.clear();
        let read = (&mut self.input).take(MAX_BYTES).read_until(b'\n', &mut self.bytes)?;
        if read == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&self.bytes);
        if self.bytes.len() as u64 == MAX_BYTES && !line.ends_with('\n') {
            let cut = line.trim().chars().take(SHOWN).chain(['…']).collect();
            self.input.skip_until(b'\n')?;
            return Ok(Some(cut));
        }
        Ok(Some(line.trim().to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(input: &[u8]) -> Vec<String> {
        let mut lines = Lines::new(input);
        std::iter::from_fn(|| lines.next().expect("readable")).collect()
    }

    #[test]
    fn lines_are_read_whatever_their_bytes_and_ends() {
        assert_eq!(read(b" quit\r\n\n\xe9t\xe9\nlast"), ["quit", "", "\u{fffd}t\u{fffd}", "last"]);
        assert!(read(b"").is_empty());
    }

    #[test]
    fn a_line_without_end_takes_no_memory_and_is_no_command() {
        let long = format!("quit {}\nshow\n", "x".repeat(3 << 20));
        let lines = read(long.as_bytes());
        assert_eq!(lines.len(), 2);
        assert!(lines[0].starts_with("quit xxx") && lines[0].ends_with('…'));
        assert_eq!((lines[0].chars().count(), lines[1].as_str()), (SHOWN + 1, "show"));
    }
}
