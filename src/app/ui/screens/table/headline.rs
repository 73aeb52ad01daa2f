//! Whose turn it is, or what happens, in a line.

use crate::{
    app::ui::{prelude::*, screens::plies},
    session::{headline, status},
};

/// What the status line, the disc before it and the thinking dots say: one state,
/// so that they never contradict each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Headline {
    pub(super) text: String,
    /// The side it is about.
    pub(super) side: Option<Side>,
    /// Whether it calls on the player.
    pub(super) awaits_player: bool,
    /// Whether an engine thinks for that side.
    pub(super) thinking: bool,
}

/// Whether the next ply to be shown is a throw, which still tumbles.
pub(super) fn throw_under_way(history: &GameHistory<AnyPosition>, shown: usize) -> bool {
    matches!(history.ply(shown + 1), Some(Ply::Throw(_)))
}

/// Who throws the sticks that still tumble.
pub(super) fn sticks_fly(history: &GameHistory<AnyPosition>, shown: usize) -> String {
    let side = plies::mover(history, shown + 1);
    let side = side.map_or("", |side| side_label(history.start().rules(), side));
    tr_args("status.sticks-fly", &[("side", side)])
}

/// The headline of the game. It does not reveal a throw that still tumbles, and
/// stays with a move that is under way until it is shown.
pub(super) fn game_headline(table: &GameSession, shown: usize, thinking: bool) -> Headline {
    let history = table.history();
    let under_way = shown + 1;
    if shown < history.len() {
        let side = plies::mover(history, under_way);
        let text = match history.notation(under_way) {
            Some(mv) if !throw_under_way(history, shown) => {
                let name = side.map_or("", |side| side_label(table.rules(), side));
                tr_args("status.plays", &[("side", name), ("move", mv.as_str())])
            }
            _ => sticks_fly(history, shown),
        };
        return Headline { text, side, ..Headline::default() };
    }
    Headline {
        text: table.outcome().zip(headline(table)).map_or_else(
            || status(table),
            |(outcome, headline)| {
                let whole = describe_outcome(table.rules(), outcome);
                let reason = whole.split_once(": ").map_or("", |(_, reason)| reason);
                tr_args("keys.of", &[("command", &headline), ("key", reason)])
            },
        ),
        side: table.turn().and_then(Turn::side),
        awaits_player: !thinking
            && (table.person_moves() || table.thrower() == Some(Thrower::Person)),
        thinking,
    }
}

/// The status line when a piece has been selected, but not where it goes.
pub(super) fn chosen_status(table: &GameSession, from: Square) -> String {
    let side = table.turn().and_then(Turn::side);
    let side = side.map_or("", |side| side_label(table.rules(), side));
    tr_args("status.choose-square", &[("side", side), ("square", &from.to_string())])
}

/// The status line when one of a pair of moves has been chosen.
pub(super) fn second_half_status(table: &GameSession, from: Square, to: Square) -> String {
    let half = match table.history().position() {
        AnyPosition::Tablan(position) => position.pending().map_or(0, |throw| throw.score() / 2),
        AnyPosition::Tablut(_) | AnyPosition::Tablaaza(_) => 0,
    };
    tr_args("status.second-half", &[("move", &format!("{from}-{to}")), ("half", &half.to_string())])
}

/// The status line while an earlier position is looked at.
pub(super) fn viewed_status(history: &GameHistory<AnyPosition>, plies: usize) -> String {
    let Some(ply) = history.ply(plies) else { return tr("status.looking-start").to_owned() };
    let throw = matches!(ply, Ply::Throw(_)).then(|| ply.to_string());
    let played = throw.or_else(|| history.notation(plies)).unwrap_or_default();
    let side =
        plies::mover(history, plies).map_or("", |side| side_label(history.start().rules(), side));
    tr_args("status.looking", &[("side", side), ("move", &played)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_status_names_the_ply_under_way_before_it_calls_on_the_next_player() {
        let mut table = GameSession::new(crate::session::Setup::new(RuleSet::Tablaaza));
        let first = table.history().parse("d4").unwrap();
        let Ply::Move(first) = first else { panic!("a move") };
        table.play(first).unwrap();
        for thinking in [false, true] {
            let headline = game_headline(&table, 0, thinking);
            assert_eq!(headline.text, "Red plays d4.");
            assert_eq!((headline.side, headline.thinking), (Some(Side::First), false));
            assert!(!headline.awaits_player);
            let headline = game_headline(&table, 1, thinking);
            assert_eq!((headline.side, headline.thinking), (Some(Side::Second), thinking));
            assert_eq!(headline.awaits_player, !thinking, "Green is called on");
        }
    }

    #[test]
    fn a_throw_that_tumbles_is_not_told_and_belongs_to_its_thrower() {
        let setup =
            crate::session::Setup { seed: Some(1), ..crate::session::Setup::new(RuleSet::Tablan) };
        let mut table = GameSession::new(setup);
        let thrower = table.turn().and_then(Turn::side);
        table.throw().unwrap();
        let headline = game_headline(&table, 0, false);
        let name = thrower.map_or("", |side| side_label(RuleSet::Tablan, side));
        assert_eq!(headline.text, format!("{name} throws the sticks…"));
        assert_eq!(headline.side, thrower);
        assert!(throw_under_way(table.history(), 0) && !throw_under_way(table.history(), 1));
    }
}
