//! What a puzzle is about, found by the rules.

use tabulae_engines::tablan::rank_moves;
use tabulae_games::{
    AnyMove, AnyPosition, EndReason, Event, Game as _, GameHistory, Ply, Side, tablaaza,
    tablan::{self, GOAL_ROW, SCORES, START_ROW, opposite},
};
use tabulae_session::puzzles::{Goal, Theme};

/// The themes of a puzzle, in their fixed order.
pub(super) fn themes(start: &AnyPosition, line: &[AnyMove], goal: Goal) -> Vec<Theme> {
    let Some(&solution) = line.first() else { return Vec::new() };
    let mut themes = match (start, solution) {
        (AnyPosition::Tablut(_), _) => tablut(start, line, goal),
        (AnyPosition::Tablan(position), AnyMove::Tablan(mv)) => tablan(position, mv),
        (AnyPosition::Tablaaza(position), AnyMove::Tablaaza(mv)) => tablaaza(*position, mv),
        _ => Vec::new(),
    };
    themes.sort_unstable();
    themes
}

fn tablut(start: &AnyPosition, line: &[AnyMove], goal: Goal) -> Vec<Theme> {
    let mut history = GameHistory::new(start.clone());
    for &mv in line {
        if history.push(Ply::Move(mv)).is_err() {
            return Vec::new();
        }
    }
    let mut themes = Vec::new();
    match (goal, history.turn().end().map(|end| end.reason)) {
        (Goal::Defend, _) => themes.push(Theme::Defence),
        (_, Some(EndReason::Escape)) => themes.push(Theme::Escape),
        (_, Some(EndReason::KingCaptured)) => themes.push(Theme::KingHunt),
        _ => {}
    }
    let captured = |event: &&Event| matches!(event, Event::Captured { .. });
    match history.events(1).iter().filter(captured).count() {
        _ if line.len() == 1 && goal != Goal::Defend => {}
        0 => {}
        1 => themes.push(Theme::Capture),
        _ => themes.push(Theme::DoubleCapture),
    }
    if line.len() > 1
        && let Some(after) = history.at(1)
    {
        let threats = wins_after_pass(after, start.side());
        let escapes = threats.iter().filter(|end| **end == EndReason::Escape).count();
        match escapes {
            0 => {}
            1 => themes.push(Theme::Raichi),
            _ => themes.push(Theme::Tuichi),
        }
        if threats.len() >= 2 {
            themes.push(Theme::DoubleThreat);
        }
    }
    themes
}

/// How `side` could win at once if the opponent passed.
fn wins_after_pass(position: &AnyPosition, side: Side) -> Vec<EndReason> {
    let text = position.to_string();
    let passed = match text.split_at(text.len().saturating_sub(1)) {
        (rows, "w") => format!("{rows}b"),
        (rows, _) => format!("{rows}w"),
    };
    let Ok(passed) = AnyPosition::parse(position.rules(), &passed) else { return Vec::new() };
    let end_of = |mv| {
        let mut after = passed.clone();
        after.play(mv).ok()?;
        after.turn().end().filter(|end| end.winner == Some(side))
    };
    passed.legal_moves().into_iter().filter_map(end_of).map(|end| end.reason).collect()
}

fn tablan(position: &tablan::Position, mv: tablan::Move) -> Vec<Theme> {
    let mut themes = Vec::new();
    match mv.captures() {
        0 => {}
        1 => themes.push(Theme::Capture),
        _ => themes.push(Theme::DoubleCapture),
    }
    if !has_contact(position) {
        themes.push(Theme::Race);
    }
    let side = position.side();
    let arrives = position.places(side);
    let after = |mv| {
        let mut after = position.clone();
        after.apply(mv).ok().map(|()| after)
    };
    let Some(solved) = after(mv) else { return themes };
    if solved.places(side) & GOAL_ROW & !arrives != 0 {
        themes.push(if position.rules().ordered_entry { Theme::Order } else { Theme::Arrival });
    }
    let second = rank_moves(position)
        .into_iter()
        .find_map(|(other, _)| after(other).filter(|position| *position != solved));
    if second.is_some_and(|second| exposed(&second, side) > exposed(&solved, side)) {
        themes.push(Theme::Safety);
    }
    if themes.is_empty() {
        themes.push(Theme::Quiet);
    }
    themes
}

/// Whether some piece has an opponent's piece ahead that it may capture.
fn has_contact(position: &tablan::Position) -> bool {
    Side::BOTH.into_iter().any(|side| {
        let own = position.places(side) & !GOAL_ROW;
        let prey = opposite(position.places(side.other())) & !START_ROW;
        own != 0 && prey != 0 && own.trailing_zeros() < 63 - prey.leading_zeros()
    })
}

/// The number of pieces of `side` that the opponent could capture with one throw.
fn exposed(position: &tablan::Position, side: Side) -> usize {
    let mut squares = Vec::new();
    for score in SCORES {
        let mut moves = Vec::new();
        position.append_moves(side.other(), score, &mut moves);
        let parts = moves.into_iter().flat_map(tablan::Move::piece_moves);
        squares.extend(parts.filter(|part| part.captures).map(|part| part.to));
    }
    squares.sort_unstable();
    squares.dedup();
    squares.len()
}

fn tablaaza(position: tablaaza::Position, mv: tablaaza::Move) -> Vec<Theme> {
    if position.raised_by(mv.square()) != 0 {
        return vec![Theme::Pavilion];
    }
    let replies_raise = |mv| {
        let mut after = position;
        after.play(mv).is_ok()
            && after.legal_moves().into_iter().any(|reply| after.raised_by(reply.square()) != 0)
    };
    let moves = position.legal_moves();
    let allowing = moves.iter().filter(|other| replies_raise(**other)).count();
    if !replies_raise(mv) && 2 * allowing > moves.len() {
        vec![Theme::Block]
    } else {
        vec![Theme::Parity]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabulae_games::RuleSet;

    fn found(rules: RuleSet, position: &str, moves: &[&str], goal: Goal) -> Vec<Theme> {
        let start = AnyPosition::parse(rules, position).expect("a position");
        let mut history = GameHistory::new(start.clone());
        let line: Vec<AnyMove> = moves
            .iter()
            .map(|text| {
                let mv = history.position().parse_move(text).expect("a move");
                history.push(Ply::Move(mv)).expect("legal");
                mv
            })
            .collect();
        themes(&start, &line, goal)
    }

    #[test]
    fn tablut_tells_escapes_hunts_threats_and_defences() {
        let found = |position: &str, moves: &[&str], goal| {
            found(RuleSet::TablutLinnaeus, position, moves, goal)
        };
        let fork = found("4B4/9/9/9/4K4/9/9/9/9 w", &["e5-e1", "e9-d9", "e1-a1"], Goal::Win(3));
        assert_eq!(fork, [Theme::Escape, Theme::DoubleThreat, Theme::Tuichi]);
        let text = "9/9/9/9/9/9/9/9/B2K5 b";
        let defence = found(text, &["a1-b1"], Goal::Defend);
        assert_eq!(defence, [Theme::Defence]);
    }

    #[test]
    fn tablan_tells_races_order_and_captures() {
        let themes_of = |rules, text| {
            let start = AnyPosition::parse(rules, text).expect("a position");
            let mut moves = start.legal_moves();
            moves.sort_unstable();
            themes(&start, &moves[..1], Goal::Gain(20))
        };
        // South's last piece reaches the goal row, and nobody can capture any more.
        let text = "12/11S/11N/NNN9 s t1";
        assert_eq!(themes_of(RuleSet::Tablan, text), [Theme::Race, Theme::Arrival]);
        let text = "12/1S10/11N/NNN9 s t1";
        assert_eq!(themes_of(RuleSet::TablanOrdered, text)[0], Theme::Race);
        let capture = themes_of(RuleSet::Tablan, "12/12/8N1S1/NNN9 s t1");
        assert!(capture.contains(&Theme::Capture), "{capture:?}");
    }
}
