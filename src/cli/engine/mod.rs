//! `tabulae engine`: the Universal Game Interface on stdin and stdout.
//!
//! One command a line; what each answers stands in [`session`] and [`query`].
//! A `go` thinks on a thread of its own ([`search`]), so that `stop`,
//! `isready` and `query` are answered meanwhile; a command that changes what
//! is thought about (`position`, `setoption`, `uginewgame`) first stops the
//! search and lets it give its `bestmove`.
//!
//! Nothing ends the program but `quit` and the end of input. At the end of
//! input a search with a limit still finishes; an endless one is stopped.

mod options;
mod query;
mod search;
mod session;

use std::io::{self, BufRead, Write};

use super::Failure;

/// Speaks until `quit` or the end of input.
pub(super) fn run() -> Result<(), Failure> {
    let mut session = session::Session::default();
    let mut input = io::stdin().lock();
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        if input.read_until(b'\n', &mut bytes)? == 0 {
            session.finish();
            return Ok(());
        }
        let line = String::from_utf8_lossy(&bytes);
        if !session.command(line.trim())? {
            return Ok(());
        }
    }
}

/// Writes one line at once, whole, whoever else is writing.
fn say(line: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}
