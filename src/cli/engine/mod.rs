//! `tabulae engine`: the Universal Game Interface on stdin and stdout.
//!
//! One command a line; [`session`] carries them out. `go`, whose arguments [`go`]
//! reads, searches on a thread of its own ([`search`]), so that `stop`, `isready` and
//! `query` are answered meanwhile. A command that changes what is searched
//! (`position`, `setoption`, `uginewgame`) first stops the search, which then gives
//! its `bestmove`.
//!
//! Each `go` is answered by one `bestmove`, in order. Only `quit` and the end of input
//! end the program. At the end of input a search with a limit still finishes; one that
//! waits for `stop` or `ponderhit` is stopped.

mod go;
mod options;
mod perft;
mod search;
mod session;

use std::io::{self, BufRead, Write};

use super::{CommandError, cannot_read_stdin};

/// Carries out commands until `quit` or the end of input.
pub(super) fn run() -> Result<(), CommandError> {
    let mut session = session::UgiSession::default();
    let mut input = io::stdin().lock();
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        if input.read_until(b'\n', &mut bytes).map_err(cannot_read_stdin)? == 0 {
            return Ok(session.finish()?);
        }
        let line = String::from_utf8_lossy(&bytes);
        if !session.command(line.trim())? {
            return Ok(());
        }
    }
}

/// Writes and flushes one line; lines of several threads do not mix.
fn print_line(line: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}
