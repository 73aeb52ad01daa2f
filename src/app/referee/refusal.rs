//! Why something that a person asks for is refused, in words.

use super::{Notice, Referee};
use crate::{
    games::{Illegal, Square},
    table::Table,
    words::Why,
};

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

/// Why a stone cannot be played there.
pub(super) fn why_not(table: &Table, square: Square) -> Option<Illegal> {
    let line = table.line();
    line.parse(&square.to_string()).map_or_else(Some, |stone| line.clone().push(stone).err())
}
