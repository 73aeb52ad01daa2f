//! The state of a game in words: whose turn it is, the scores and warnings, in
//! the current language.

use super::{
    GameSession, Outcome, Seat, Thrower,
    describe::{describe_outcome, side_label, throws_off},
};
use crate::i18n::{tr, tr_args};
use tabulae_games::{AnyPosition, End, Event, Game, GameHistory, GameKind, Ply, Side, Throw, Turn};

/// Whose turn it is and what to do next, in one line.
///
/// ```
/// use tabulae_games::{AnyPosition, RuleSet};
/// use tabulae_session::{Seat, Setup, GameSession, scores, status, warning};
///
/// let (rules, seats) = (RuleSet::TablutAshton, [Seat::Person; 2]);
/// let session = GameSession::new(Setup { seats, ..Setup::new(rules) });
/// assert!(status(&session).contains("White"));
/// let (_, soldiers) = &scores(session.history().start(), session.history().position())[0];
/// assert_eq!(*soldiers, ["8".to_owned(), "16".to_owned()]);
/// // In Tablan the side that finishes first may lose.
/// let last_move = AnyPosition::parse(RuleSet::Tablan, "12/10NS/12/NNN9 s t1")?;
/// assert!(warning(&last_move).is_some() && warning(session.history().position()).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn status(session: &GameSession) -> String {
    let rules = session.rules();
    if let Some(outcome) = session.outcome() {
        return describe_outcome(rules, outcome);
    }
    let person = session.seat_to_act() == Some(Seat::Person);
    match session.turn() {
        Some(Turn::Throw(side)) => {
            let name = [("side", side_label(rules, side))];
            match (throws_off(session.history().position()), person) {
                _ if session.thrower() == Some(Thrower::Hand) => {
                    tr_args("status.to-throw-hand", &name)
                }
                (false, true) if let Some(score) = used_score(session.history()) => {
                    let key = match session.only_person() {
                        Some(_) => "status.throw-again-you",
                        None => "status.throw-again",
                    };
                    tr_args(key, &[name[0], ("score", &score.to_string())])
                }
                (true, true) => tr_args("status.throws-off-you", &name),
                (true, false) => tr_args("status.throws-off", &name),
                (false, true) => tr_args("status.to-throw-you", &name),
                (false, false) => tr_args("status.to-throw", &name),
            }
        }
        Some(Turn::Move(side)) => {
            let name = ("side", side_label(rules, side));
            if !person {
                let is_remote = session.seat_to_act() == Some(Seat::Remote);
                let key = if is_remote { "play.to-move" } else { "status.thinking" };
                return tr_args(key, &[name]);
            }
            match (rules.game(), pending(session.history().position())) {
                (GameKind::Tablaaza, _) => match side {
                    _ if matches!(session.history().position(), AnyPosition::Tablaaza(it) if it.is_neighbourly()) => {
                        tr_args("status.play-near", &[name])
                    }
                    Side::First => tr_args("status.play-red", &[name]),
                    Side::Second => tr_args("status.play-green", &[name]),
                },
                (_, Some(throw)) => {
                    let (score, half) =
                        (throw.score().to_string(), (throw.score() / 2).to_string());
                    tr_args("status.to-move-score", &[name, ("score", &score), ("half", &half)])
                }
                (_, None) => tr_args("status.to-move", &[name]),
            }
        }
        Some(Turn::Over(_)) | None => String::new(),
    }
}

/// The score that the last move used, where its side throws again.
///
/// ```
/// use tabulae_games::{AnyPosition, GameHistory, RuleSet};
/// use tabulae_session::used_score;
///
/// let mut history = GameHistory::new(AnyPosition::start(RuleSet::Tablan));
/// for text in ["t1", "l1-k2"] {
///     assert_eq!(used_score(&history), None);
///     let ply = history.parse(text)?;
///     history.push(ply)?;
/// }
/// assert_eq!(used_score(&history), Some(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn used_score(history: &GameHistory<AnyPosition>) -> Option<u8> {
    let (moved, thrown) = (history.len(), history.len().checked_sub(1)?);
    match (history.ply(thrown), history.ply(moved)) {
        (Some(Ply::Throw(throw)), Some(Ply::Move(_))) => Some(throw.score()),
        // The throw that the game began with.
        (None, Some(Ply::Move(_))) => pending(history.start()).map(Throw::score),
        _ => None,
    }
}

/// How a game ended, in a headline: for the only person at the table whether that
/// person won, else which side; and on which move, as records number them, in Tablan with
/// the score. `None` while it goes on.
///
/// ```
/// use tabulae_engines::Level;
/// use tabulae_games::{RuleSet, Side};
/// use tabulae_session::{Seat, Setup, GameSession, headline};
///
/// let seats = [Seat::Person, Seat::Engine(Level::Club)];
/// let mut session = GameSession::new(Setup { seats, ..Setup::new(RuleSet::TablutAshton) });
/// assert_eq!(headline(&session), None);
/// session.resign(Side::First);
/// assert_eq!(headline(&session).as_deref(), Some("Game aborted"));
/// ```
pub fn headline(session: &GameSession) -> Option<String> {
    let outcome = session.outcome()?;
    let winner = outcome.winner();
    if session.is_aborted() {
        return Some(tr("end.aborted").to_owned());
    }
    let how = match session.history().position() {
        // Throws and moves have no one number there: the pieces that have arrived tell more.
        AnyPosition::Tablan(position) => match outcome {
            Outcome::Ended(_) => {
                let first = winner.or_else(|| session.only_person()).unwrap_or(Side::First);
                let [first, second] =
                    [first, first.other()].map(|side| position.goal_count(side).to_string());
                tr_args("end.score", &[("first", &first), ("second", &second)])
            }
            _ => String::new(),
        },
        AnyPosition::Tablut(_) | AnyPosition::Tablaaza(_) => {
            let number = session.history().move_number(session.history().len()).max(1);
            tr_args("end.on-move", &[("number", &number.to_string())])
        }
    };
    let (key, side) = match (session.only_person(), winner) {
        (Some(person), Some(winner)) if person == winner => ("end.you-won", ""),
        (Some(_), Some(_)) => ("end.you-lost", ""),
        (_, Some(winner)) => ("end.side-won", side_label(session.rules(), winner)),
        (_, None) => ("end.drawn", ""),
    };
    let result = tr_args(key, &[("side", side)]);
    Some(format!("{result} {how}").trim_end().to_owned())
}

/// In Tablaaza: who would make the last move if no more pavilions rose, and the parity of
/// the pavilions that tells. None in other games, before the first pavilion, and where
/// nobody has to move any more.
///
/// ```
/// use tabulae_games::{AnyPosition, RuleSet};
/// use tabulae_session::leader;
///
/// assert_eq!(leader(&AnyPosition::start(RuleSet::Tablaaza)), None);
/// ```
pub fn leader(position: &AnyPosition) -> Option<String> {
    let AnyPosition::Tablaaza(tablaaza) = position else { return None };
    let side = position.turn().side()?;
    let [own, other] = [side, side.other()].map(|side| tablaaza.free(side).count_ones());
    // Who moves needs one square more, to move last.
    let leader = if own > other { side } else { side.other() };
    let pavilions: u32 = Side::BOTH.into_iter().map(|side| tablaaza.pavilions(side)).sum();
    if pavilions == 0 {
        return None;
    }
    let key = if pavilions.is_multiple_of(2) { "desk.leads-even" } else { "desk.leads-odd" };
    // In a position that was set up the parity may say something else.
    let told_by_parity = if pavilions.is_multiple_of(2) { Side::Second } else { Side::First };
    let name = side_label(position.rules(), leader);
    (leader == told_by_parity).then(|| tr_args(key, &[("side", name)]))
}

fn pending(position: &AnyPosition) -> Option<Throw> {
    match position {
        AnyPosition::Tablan(position) => position.pending(),
        AnyPosition::Tablut(_) | AnyPosition::Tablaaza(_) => None,
    }
}

/// The scores of a game that began at `start`: a label, and a number for each
/// side by [`Side::index`].
pub fn scores(start: &AnyPosition, position: &AnyPosition) -> Vec<(&'static str, [String; 2])> {
    let both = |count: &dyn Fn(Side) -> u32| Side::BOTH.map(|side| count(side).to_string());
    match position {
        AnyPosition::Tablut(tablut) => {
            let (white, black) = (tablut.white_soldiers().len(), tablut.black_soldiers().len());
            let rules = position.rules();
            let is_white = |side| rules.side_name(side) == "White";
            let count = |side| if is_white(side) { white } else { black };
            let (all_white, all_black) = match start {
                AnyPosition::Tablut(start) => {
                    (start.white_soldiers().len(), start.black_soldiers().len())
                }
                AnyPosition::Tablan(_) | AnyPosition::Tablaaza(_) => (white, black),
            };
            let taken = |side| {
                if is_white(side) {
                    all_black.saturating_sub(black)
                } else {
                    all_white.saturating_sub(white)
                }
            };
            vec![(tr("count.soldiers"), both(&count)), (tr("count.taken"), both(&taken))]
        }
        AnyPosition::Tablan(tablan) => vec![
            (tr("count.home"), both(&|side| tablan.goal_count(side))),
            (tr("count.on-board"), both(&|side| tablan.count(side))),
        ],
        AnyPosition::Tablaaza(tablaaza) => vec![
            (tr("count.pavilions"), both(&|side| tablaaza.pavilions(side))),
            (tr("count.free"), both(&|side| tablaaza.free(side).count_ones())),
        ],
    }
}

/// A warning for the side to move where one of its moves ends the game without
/// winning it. In Tablan the side that finishes first may lose or draw.
pub fn warning(position: &AnyPosition) -> Option<&'static str> {
    if !matches!((position, position.turn()), (AnyPosition::Tablan(_), Turn::Move(_))) {
        return None;
    }
    let mover = position.side();
    let mut worst = None;
    for mv in position.legal_moves() {
        let mut after = position.clone();
        let Ok(events) = after.play(mv) else { continue };
        for event in events {
            match event {
                Event::Ended(End { winner: None, .. }) => {
                    worst = worst.or(Some(tr("count.finish-draws")));
                }
                Event::Ended(End { winner: Some(winner), .. }) if winner != mover => {
                    return Some(tr("count.finish-loses"));
                }
                _ => {}
            }
        }
    }
    worst
}

#[cfg(test)]
mod tests;
