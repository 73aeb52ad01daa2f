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

use super::lines::converse;
use crate::cli::prelude::*;

/// Carries out commands until `quit` or the end of input.
pub(super) fn run() -> Result<(), CommandError> {
    converse(&mut session::UgiSession::new())
}

/// Writes and flushes one line; lines of several threads do not mix.
fn print_line(line: &str) -> io::Result<()> {
    let mut out = stdout();
    // At once, so that no other line comes between.
    out.write_all(format!("{line}\n").as_bytes())?;
    out.flush()
}
