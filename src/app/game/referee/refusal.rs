//! Why something that a person asks for is refused, in words.

use super::Referee;
use crate::{
    app::core::notice::Notice,
    games::{AnyPosition, Game as _, Illegal, Square, tablan::steps},
    table::Table,
    words::Why,
};

/// What is refused, as it is called.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part<'a> {
    /// A move, as it is written.
    Text(&'a str),
    /// A throw.
    Throw,
}

impl Referee {
    /// Says why something is refused: what, only where the reason does not
    /// name it.
    pub(crate) fn refuse(&mut self, what: Part<'_>, reason: &Illegal) {
        let said = match what {
            Part::Text(text) if names(reason, text) => Why::of("illegal.again"),
            Part::Text(text) => Why::of("illegal.said").with("what", text),
            Part::Throw => Why::of("illegal.said").holding("what", Why::of("illegal.the-throw")),
        };
        self.decline(said.holding("why", reason.why()));
    }

    /// Says that something asked for at the table cannot be.
    pub(crate) fn decline(&mut self, why: Why) {
        self.notice = Some(Notice::refusal(why));
    }
}

/// Whether a reason holds the text that it is about, which stands in quotes as
/// it was typed.
fn names(reason: &Illegal, text: &str) -> bool {
    reason.to_string().contains(text.trim_matches('\''))
}

/// Why a move, as it is written, cannot be played.
pub(crate) fn why_not(table: &Table, text: &str) -> Option<Illegal> {
    let line = table.line();
    line.parse(text).map_or_else(Some, |ply| line.clone().push(ply).err())
}

/// Why a piece that is chosen cannot go to a square that was touched; nothing
/// where the touch meant something else: the piece itself, which lets it go, or
/// another piece of the same side.
pub(crate) fn why_not_there(table: &Table, from: Square, to: Square) -> Option<Why> {
    let from_there = table.line().parse(&format!("{to}-{from}"));
    if !matches!(from_there, Err(Illegal::NoPiece(_) | Illegal::NotYours(_))) {
        return None;
    }
    let reason = why_not(table, &format!("{from}-{to}"))?;
    let why = if is_half(table, from, to) { Why::of("illegal.no-pair") } else { reason.why() };
    Some(Why::of("illegal.again").holding("why", why))
}

/// Whether it is as far as half the score that has to be used.
fn is_half(table: &Table, from: Square, to: Square) -> bool {
    let AnyPosition::Tablan(position) = table.line().position() else { return false };
    let place = |square| steps(position.side(), square);
    let far = place(to).zip(place(from)).and_then(|(to, from)| to.checked_sub(from));
    far.zip(position.pending()).is_some_and(|(far, throw)| 2 * far == throw.score())
}
