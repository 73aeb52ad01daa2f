//! A hint in words: the move, what it brings, and why it is good where that is plain.

use std::collections::BTreeSet;

use tabulae_games::{AnyMove, AnyPosition, Game, GameHistory, Ply, Side, Square, Turn};

use super::{describe_ply, piece_label, side_label};
use crate::{
    Threats,
    board_grid::pieces_on,
    click_sequences,
    i18n::{tr, tr_args},
    threats,
};

/// A move as a hint in words: which piece goes from where to where, what it brings, and if
/// that is nothing at once, why it is good: it opens or closes a way of the king, saves a
/// piece, threatens one, brings one home, or prevents a pavilion.
///
/// ```
/// use tabulae_games::{AnyPosition, Game, RuleSet};
/// use tabulae_session::describe_hint;
///
/// let start = AnyPosition::parse(RuleSet::TablutAshton, "4B4/9/9/9/4K4/9/1WB3W2/9/4B4 w")?;
/// let hint = describe_hint(&start, start.parse_move("g3-d3")?);
/// assert!(hint.starts_with("Hint: move the white soldier from g3 to d3. Black loses"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn describe_hint(position: &AnyPosition, mv: AnyMove) -> String {
    let squares = click_sequences(&mv).into_iter().next().unwrap_or_default();
    let squares: Vec<String> = squares.iter().map(ToString::to_string).collect();
    let told = match squares.as_slice() {
        [at] => tr_args("desk.hint-places", &[("at", at)]),
        [from, to] => {
            let kind = pieces_on(position).into_iter().find(|(at, _)| at.to_string() == *from);
            let piece = kind.map(|(_, kind)| piece_label(position.rules(), kind));
            let piece = piece.unwrap_or_default();
            tr_args("desk.hint-moves", &[("piece", &piece), ("from", from), ("to", to)])
        }
        [from, to, from2, to2] => tr_args(
            "desk.hint-moves-two",
            &[("from", from), ("to", to), ("from2", from2), ("to2", to2)],
        ),
        _ => String::new(),
    };
    let mut after = GameHistory::new(position.clone());
    if after.push(Ply::Move(mv)).is_err() {
        return told;
    }
    let mut brings: Vec<String> = describe_ply(&after, 1).into_iter().skip(1).collect();
    if brings.is_empty() && !matches!(after.turn(), Turn::Over(_)) {
        brings.extend(reason(position, after.position()));
    }
    std::iter::once(told).chain(brings).collect::<Vec<_>>().join(" ")
}

/// Why a move that captures and raises nothing is good, where that is plain.
fn reason(before: &AnyPosition, after: &AnyPosition) -> Option<String> {
    let (mover, rules) = (before.side(), before.rules());
    let other = mover.other();
    let (old, new) = (threats(before), threats(after));
    let told = |key: &'static str, squares: BTreeSet<Square>| {
        let names: Vec<String> = squares.iter().map(ToString::to_string).collect();
        let names = [("squares", &*names.join(", ")), ("other", side_label(rules, other))];
        Some(tr_args(key, &names))
    };
    let in_danger = |of: &Threats, side: Side| of.captured[side.index()].clone();
    let (was_in_danger, is_in_danger) = (in_danger(&old, mover), in_danger(&new, mover));
    match (before, after) {
        (AnyPosition::Tablan(before), AnyPosition::Tablan(after)) => {
            if after.goal_count(mover) > before.goal_count(mover) {
                return Some(tr("puzzles.why-arrival").to_owned());
            }
            let is_safer = is_in_danger.len() < was_in_danger.len();
            is_safer.then(|| told("puzzles.why-safety", is_in_danger))?
        }
        (AnyPosition::Tablaaza(tablaaza), _) => {
            let raised = |of: &Threats, by: Side| -> BTreeSet<Square> {
                let raised = of.pavilions.iter().map(|way| way.1);
                raised.filter(|at| tablaaza.colour(*at) == Some(by.other())).collect()
            };
            let prevented = &raised(&old, other) - &raised(&new, other);
            let prepared = &raised(&new, mover) - &raised(&old, mover);
            match (prevented.is_empty(), prepared.is_empty()) {
                (false, _) => told("desk.hint-prevents", prevented),
                (true, false) => told("desk.hint-prepares", prepared),
                (true, true) => None,
            }
        }
        _ => {
            let ways = |of: &Threats| -> BTreeSet<Square> {
                of.king_escapes.iter().map(|way| way.1).collect()
            };
            let (had, has) = (ways(&old), ways(&new));
            let is_white = rules.side_name(mover) == "White";
            let aims = &in_danger(&new, other) - &in_danger(&old, other);
            if is_white && has.len() > had.len() {
                told("desk.hint-opens", has)
            } else if !is_white && has.len() < had.len() {
                told("desk.hint-closes", &had - &has)
            } else if is_in_danger.len() < was_in_danger.len() {
                told("desk.hint-saves", &was_in_danger - &is_in_danger)
            } else if !aims.is_empty() {
                told("desk.hint-threatens", aims)
            } else {
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabulae_games::RuleSet;

    #[test]
    fn a_hint_that_brings_nothing_at_once_says_why_it_is_good() {
        let why = |rules, start: &str, mv: &str| {
            let start = AnyPosition::parse(rules, start).expect("a position");
            let hint = describe_hint(&start, start.parse_move(mv).expect("a move"));
            hint.split_once(". ").map(|(_, why)| why.to_owned()).unwrap_or_default()
        };
        let (berkeley, linnaeus) = (RuleSet::TablutBerkeley, RuleSet::TablutLinnaeus);
        for (rules, start, mv, expected) in [
            (
                berkeley,
                "4B4/9/9/9/9/9/3BKB3/4W4/9 w",
                "e2-a2",
                "Next the king can escape to e1, unless Black prevents it.",
            ),
            (berkeley, "9/9/9/1B7/9/9/3BKB3/9/9 b", "b6-e6", "It closes the king's way to e9."),
            (linnaeus, "9/3B5/9/9/4K4/1BW6/9/9/9 w", "c4-c2", "It saves a piece in danger: c4."),
            (linnaeus, "9/9/9/9/4K4/1B7/3W5/9/9 w", "d3-d2", ""),
            (
                RuleSet::Tablaaza,
                "1g1g1g1g/g7/2~2~2/g1~2~2/2~2~2/8/8 r",
                "a7",
                "It prevents a pavilion on a7.",
            ),
        ] {
            assert_eq!(why(rules, start, mv), expected, "{start} {mv}");
        }
    }
}
