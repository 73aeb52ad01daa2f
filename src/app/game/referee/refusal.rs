//! Messages on why a move or throw was refused.

use super::Referee;
use crate::{
    app::core::notice::Notice,
    games::{AnyPosition, Game as _, Illegal, Square, tablan::steps},
    table::Table,
    words::Why,
};

/// What was refused.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Refused<'a> {
    /// A move, as written.
    Text(&'a str),
    /// A throw.
    Throw,
}

impl Referee {
    /// Shows why something is refused; names it only if the reason does not.
    pub(crate) fn refuse(&mut self, what: Refused<'_>, reason: &Illegal) {
        let said = match what {
            Refused::Text(text) if names(reason, text) => Why::of("illegal.again"),
            Refused::Text(text) => Why::of("illegal.said").with("what", text),
            Refused::Throw => Why::of("illegal.said").holding("what", Why::of("illegal.the-throw")),
        };
        self.notify_refusal(said.holding("why", reason.why()));
    }

    /// Shows a refusal, which the next click or ply clears.
    pub(crate) fn notify_refusal(&mut self, why: Why) {
        self.notice = Some(Notice::refusal(why));
    }
}

/// Whether a reason contains the text that it is about.
fn names(reason: &Illegal, text: &str) -> bool {
    reason.to_string().contains(text.trim_matches('\''))
}

/// Why a written move cannot be played; none if it can.
pub(crate) fn why_illegal(table: &Table, text: &str) -> Option<Illegal> {
    let line = table.line();
    line.parse(text).map_or_else(Some, |ply| line.clone().push(ply).err())
}

/// Why the selected piece cannot move to the clicked square; none if the click
/// meant something else (the piece itself, or another piece of the same side).
pub(crate) fn why_unreachable(table: &Table, from: Square, to: Square) -> Option<Why> {
    let from_there = table.line().parse(&format!("{to}-{from}"));
    if !matches!(from_there, Err(Illegal::NoPiece(_) | Illegal::NotYours(_))) {
        return None;
    }
    let reason = why_illegal(table, &format!("{from}-{to}"))?;
    let why = if is_half(table, from, to) { Why::of("illegal.no-pair") } else { reason.why() };
    Some(Why::of("illegal.again").holding("why", why))
}

/// Whether the distance is half the score to be used (the first half of a pair).
fn is_half(table: &Table, from: Square, to: Square) -> bool {
    let AnyPosition::Tablan(position) = table.line().position() else { return false };
    let place = |square| steps(position.side(), square);
    let far = place(to).zip(place(from)).and_then(|(to, from)| to.checked_sub(from));
    far.zip(position.pending()).is_some_and(|(far, throw)| 2 * far == throw.score())
}
