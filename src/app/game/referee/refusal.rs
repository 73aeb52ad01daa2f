//! Messages on why a move or throw was refused.

use super::Referee;
use crate::{
    app::core::prelude::*,
    games::{
        Illegal,
        tablan::{GOAL_ROW, course, steps},
    },
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
        let message = match what {
            Refused::Text(text) if mentions(reason, text) => LocalizedMessage::new("illegal.again"),
            Refused::Text(text) => LocalizedMessage::new("illegal.said").with("what", text),
            Refused::Throw => LocalizedMessage::new("illegal.said")
                .with_message("what", LocalizedMessage::new("illegal.the-throw")),
        };
        self.say_refusal(message.with_message("why", reason.message()));
    }

    /// Shows a refusal, which the next click or ply clears.
    pub(in crate::app::game) fn say_refusal(&mut self, message: LocalizedMessage) {
        self.say(Notice::refusal(message));
    }
}

/// Whether a reason contains the text that it is about.
fn mentions(reason: &Illegal, text: &str) -> bool {
    reason.to_string().contains(text.trim_matches('\''))
}

/// Why a written move cannot be played; none if it can.
pub(crate) fn illegal_reason(table: &GameSession, text: &str) -> Option<Illegal> {
    let history = table.history();
    history.parse(text).map_or_else(Some, |ply| history.clone().push(ply).err())
}

/// Why the selected piece cannot move to the clicked square; none if the click
/// meant something else (the piece itself, or another piece of the same side).
pub(crate) fn unreachable_reason(
    table: &GameSession,
    from: Square,
    to: Square,
) -> Option<LocalizedMessage> {
    let from_there = table.history().parse(&format!("{to}-{from}"));
    if !matches!(from_there, Err(Illegal::NoPiece(_) | Illegal::NotYours(_))) {
        return None;
    }
    let reason = illegal_reason(table, &format!("{from}-{to}"))?;
    let message = if is_half(table, from, to) {
        LocalizedMessage::new("illegal.no-pair")
    } else {
        reason.message().into()
    };
    Some(LocalizedMessage::new("illegal.again").with_message("why", message))
}

/// Why a click on a square selects nothing; none where no piece stands.
pub(crate) fn unselectable_reason(table: &GameSession, at: Square) -> Option<LocalizedMessage> {
    let other = if at == Square::new(0, 0) { Square::new(1, 0) } else { Square::new(0, 0) };
    let message = match table.history().parse(&format!("{at}-{other}")) {
        Err(Illegal::NoPiece(_)) => return None,
        Err(reason @ Illegal::NotYours(_)) => reason.message().into(),
        reply => stuck_reason(table, at, reply.err()),
    };
    Some(LocalizedMessage::new("illegal.again").with_message("why", message))
}

/// Why a piece of the side to move has no move. In Tablan the score tells where it would
/// land.
fn stuck_reason(table: &GameSession, at: Square, error: Option<Illegal>) -> LocalizedMessage {
    let stuck = || LocalizedMessage::new("illegal.stuck").with("square", at);
    let AnyPosition::Tablan(position) = table.history().position() else { return stuck() };
    let (side, score) = (position.side(), position.pending().map_or(0, Throw::score));
    let Some(place) = steps(side, at) else { return stuck() };
    if GOAL_ROW >> place & 1 != 0 {
        return error.map_or_else(stuck, |error| error.message().into());
    }
    let landing = course(side).get(usize::from(place + score));
    let why = landing.and_then(|to| illegal_reason(table, &format!("{at}-{to}")));
    let Some(why) = why else { return stuck() };
    LocalizedMessage::new("illegal.stuck-score")
        .with("square", at)
        .with("score", score)
        .with_message("why", why.message())
}

/// Whether the distance is half the score to be used (the first half of a pair).
fn is_half(table: &GameSession, from: Square, to: Square) -> bool {
    let AnyPosition::Tablan(position) = table.history().position() else { return false };
    let step = |square| steps(position.side(), square);
    let distance = step(to).zip(step(from)).and_then(|(to, from)| to.checked_sub(from));
    distance.zip(position.pending()).is_some_and(|(it, throw)| 2 * it == throw.score())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_of_tablan_that_cannot_move_is_told_why() {
        let told = |position: &str, at: &str| {
            let start = Some(AnyPosition::parse(RuleSet::Tablan, position).expect("a position"));
            let setup = Setup { start, ..Setup::new(RuleSet::Tablan) };
            let at = at.parse().expect("a square");
            let told = unselectable_reason(&GameSession::new(setup), at).expect("refused");
            told.to_string()
        };
        let own = told("NNNNNNNNNNNN/12/12/SSSSSSSSSSSS s t1", "a1");
        let stuck = "the piece on a1 cannot move 2: a piece of the same side stands on c1";
        assert_eq!(own, format!("Not allowed: {stuck}."));
        let arrived = told("S10N/12/12/SS9S s t1", "a4");
        assert_eq!(arrived, "Not allowed: the piece on a4 has arrived and never moves again.");
    }
}
