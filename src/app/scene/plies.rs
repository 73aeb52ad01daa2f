//! A game's plies as the scene needs them: who stands where after so many,
//! what the sticks show, which squares were touched last.

use super::api::SceneCommand;
use crate::{
    games::{AnyPosition, Event, GameHistory, Ply, RuleSet, Square, Throw},
    table::PieceTracker,
};

/// The figures after `plies` plies.
#[must_use]
pub fn roster_at(line: &GameHistory<AnyPosition>, plies: usize) -> PieceTracker {
    let mut roster = PieceTracker::new(line.start());
    for number in 1..=plies.min(line.len()) {
        if let Some(before) = line.at(number - 1) {
            roster.follow(before, line.events(number));
        }
    }
    roster
}

/// The cue that shows a game after `plies` plies at once.
#[must_use]
pub fn set_cue(
    rules: RuleSet,
    roster: &PieceTracker,
    line: &GameHistory<AnyPosition>,
    plies: usize,
) -> SceneCommand {
    SceneCommand::Set {
        rules,
        figures: roster.placed_pieces().to_vec(),
        captured: roster.captured().to_vec(),
        sticks: if rules.has_sticks() { last_throw(line, plies) } else { None },
    }
}

/// What the sticks show after `plies` plies: the last throw, if there was one,
/// or the one that the game begins with.
fn last_throw(line: &GameHistory<AnyPosition>, plies: usize) -> Option<Throw> {
    let thrown = (1..=plies).rev().find_map(|number| match line.ply(number) {
        Some(Ply::Throw(throw)) => Some(throw),
        Some(Ply::Move(_)) | None => None,
    });
    thrown.or(match line.start() {
        AnyPosition::Tablan(start) => start.pending(),
        AnyPosition::Tablut(_) | AnyPosition::Tablaaza(_) => None,
    })
}

/// The look of a throw: the same ply of the same game tumbles the same.
#[must_use]
pub fn tumble(seed: u64, ply: usize) -> u64 {
    seed.rotate_left(17) ^ (ply as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The squares that the last plies touched, newest move first: from, to and
/// what was placed.
#[must_use]
pub fn last_squares(line: &GameHistory<AnyPosition>, plies: usize) -> Vec<Square> {
    for number in (1..=plies).rev() {
        let squares: Vec<Square> = line
            .events(number)
            .iter()
            .flat_map(|event| match *event {
                Event::Slid { from, to } => vec![from, to],
                Event::Placed { at, .. } => vec![at],
                _ => Vec::new(),
            })
            .collect();
        if !squares.is_empty() {
            return squares;
        }
    }
    Vec::new()
}
