//! Why something that a person asks for is refused, in words.

use super::{Notice, Referee};
use crate::{games::Illegal, table::Table, words::Why};

/// What is refused, as it is called.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part<'a> {
    /// A move, as it is written.
    Text(&'a str),
    /// A throw.
    Throw,
}

impl Referee {
    /// Says why something is refused: what, only where the reason does not
    /// name it.
    pub(super) fn refuse(&mut self, what: Part<'_>, reason: &Illegal) {
        let said = match what {
            Part::Text(text) if names(reason, text) => Why::of("illegal.again"),
            Part::Text(text) => Why::of("illegal.said").with("what", text),
            Part::Throw => Why::of("illegal.said").holding("what", Why::of("illegal.the-throw")),
        };
        self.decline(said.holding("why", reason.why()));
    }

    /// Says that something asked for at the table cannot be.
    pub(super) fn decline(&mut self, why: Why) {
        self.notice = Some(Notice::refusal(why));
    }
}

/// Whether a reason holds the text that it is about, which stands in quotes as
/// it was typed.
fn names(reason: &Illegal, text: &str) -> bool {
    reason.to_string().contains(text.trim_matches('\''))
}

/// Why a move, as it is written, cannot be played.
pub(super) fn why_not(table: &Table, text: &str) -> Option<Illegal> {
    let line = table.line();
    line.parse(text).map_or_else(Some, |ply| line.clone().push(ply).err())
}
