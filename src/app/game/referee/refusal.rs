//! Why something that a person asks for is refused, in words.

use super::Referee;
use crate::{
    app::core::notice::Notice,
    games::{AnyPosition, Game as _, Illegal, Square, tablan::steps},
    i18n::LocalizedMessage,
    table::GameSession,
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
            Part::Text(text) if names(reason, text) => LocalizedMessage::new("illegal.again"),
            Part::Text(text) => LocalizedMessage::new("illegal.said").with("what", text),
            Part::Throw => LocalizedMessage::new("illegal.said")
                .with_message("what", LocalizedMessage::new("illegal.the-throw")),
        };
        self.decline(said.with_message("why", reason.message()));
    }

    /// Says that something asked for at the table cannot be.
    pub(crate) fn decline(&mut self, why: LocalizedMessage) {
        self.notice = Some(Notice::refusal(why));
    }
}

/// Whether a reason holds the text that it is about, which stands in quotes as
/// it was typed.
fn names(reason: &Illegal, text: &str) -> bool {
    reason.to_string().contains(text.trim_matches('\''))
}

/// Why a move, as it is written, cannot be played.
pub(crate) fn why_not(table: &GameSession, text: &str) -> Option<Illegal> {
    let line = table.history();
    line.parse(text).map_or_else(Some, |ply| line.clone().push(ply).err())
}

/// Why a piece that is chosen cannot go to a square that was touched; nothing
/// where the touch meant something else: the piece itself, which lets it go, or
/// another piece of the same side.
pub(crate) fn why_not_there(
    table: &GameSession,
    from: Square,
    to: Square,
) -> Option<LocalizedMessage> {
    let from_there = table.history().parse(&format!("{to}-{from}"));
    if !matches!(from_there, Err(Illegal::NoPiece(_) | Illegal::NotYours(_))) {
        return None;
    }
    let reason = why_not(table, &format!("{from}-{to}"))?;
    let why = if is_half(table, from, to) {
        LocalizedMessage::new("illegal.no-pair")
    } else {
        reason.message()
    };
    Some(LocalizedMessage::new("illegal.again").with_message("why", why))
}

/// Whether it is as far as half the score that has to be used.
fn is_half(table: &GameSession, from: Square, to: Square) -> bool {
    let AnyPosition::Tablan(position) = table.history().position() else { return false };
    let place = |square| steps(position.side(), square);
    let far = place(to).zip(place(from)).and_then(|(to, from)| to.checked_sub(from));
    far.zip(position.pending()).is_some_and(|(far, throw)| 2 * far == throw.score())
}
