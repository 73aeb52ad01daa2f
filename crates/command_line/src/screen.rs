//! Text on its way to a terminal.
//!
//! Names, comments, the words of programs and servers, and file names are a stranger's.
//! A terminal obeys the control characters in them, so text is written through
//! [`Screen`], which shows such characters as `\u{1b}`.

use std::{
    io::{self, IsTerminal as _, StderrLock, Stdout, Write},
    path::Path,
};

use tabulae_records::on_one_line;

/// Standard output for text.
pub fn stdout() -> Screen<Stdout> {
    Screen(io::stdout())
}

/// Standard error for text.
pub fn stderr() -> Screen<StderrLock<'static>> {
    Screen(io::stderr().lock())
}

/// Standard output for what is in a file: as it is, but on a terminal as text.
pub fn stdout_as_file() -> Box<dyn Write> {
    if io::stdout().is_terminal() { Box::new(stdout()) } else { Box::new(io::stdout()) }
}

/// A file's name as text, on one line.
pub fn shown(path: &Path) -> String {
    on_one_line(&path.to_string_lossy())
}

/// A writer of text whose control characters are escaped, all but line ends and tabs.
pub struct Screen<W>(W);

impl<W: Write> Write for Screen<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let control = (0..bytes.len()).find_map(|at| Some((at, control(&bytes[at..])?)));
        match control {
            None => self.0.write(bytes),
            Some((0, (symbol, length))) => {
                self.0.write_all(on_one_line(symbol.encode_utf8(&mut [0; 4])).as_bytes())?;
                Ok(length)
            }
            Some((at, _)) => self.0.write(&bytes[..at]),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// The control character that these bytes begin with, and the length of its UTF-8.
fn control(bytes: &[u8]) -> Option<(char, usize)> {
    match *bytes {
        [b'\n' | b'\t', ..] => None,
        [byte, ..] if byte.is_ascii_control() => Some((byte.into(), 1)),
        [0xc2, byte @ 0x80..=0x9f, ..] => Some((byte.into(), 2)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_shown_and_all_else_stays() {
        let mut screen = Screen(Vec::new());
        write!(screen, "a\u{1b}[31m\tÂ ø\r\n\u{7f}\u{9b}\u{85}").expect("written");
        let shown = String::from_utf8(screen.0).expect("text");
        assert_eq!(shown, "a\\u{1b}[31m\tÂ ø\\r\n\\u{7f}\\u{9b}\\u{85}");
    }
}
