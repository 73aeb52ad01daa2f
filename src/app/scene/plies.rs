//! A game's plies as the scene needs them: which pieces stand where after a
//! number of plies, what the sticks show.

use super::api::{SceneCommand, ShownPly, ShownPosition};
use crate::{app::core::prelude::*, session::PieceTracker};

/// The pieces after `plies` plies, with the identities they have had since the
/// start.
pub fn pieces_at(history: &GameHistory<AnyPosition>, plies: usize) -> PieceTracker {
    let mut tracker = PieceTracker::new(history.start());
    for number in 1..=plies.min(history.len()) {
        if let Some(before) = history.at(number - 1) {
            tracker.follow(before, history.events(number));
        }
    }
    tracker
}

/// The command that shows a game after `plies` plies; `tracker` holds the pieces
/// at that point.
pub fn set_position_command(
    rules: RuleSet,
    tracker: &PieceTracker,
    history: &GameHistory<AnyPosition>,
    plies: usize,
) -> SceneCommand {
    SceneCommand::SetPosition(ShownPosition {
        rules,
        pieces: tracker.placed_pieces().to_vec(),
        captured: tracker.captured().to_vec(),
        sticks: if rules.has_sticks() { last_throw(history, plies) } else { None },
    })
}

/// The command that shows how ply `number` of a game is played; none without such a ply.
/// `tracker` holds the pieces before it, and then those after it.
pub(crate) fn play_ply_command(
    tracker: &mut PieceTracker,
    history: &GameHistory<AnyPosition>,
    number: usize,
    seed: u64,
) -> Option<SceneCommand> {
    history.ply(number)?;
    let effects = tracker.follow(history.at(number - 1)?, history.events(number));
    let tumble_seed = tumble_seed(seed, number);
    Some(SceneCommand::PlayPly(ShownPly { effects, tumble_seed }))
}

/// What the sticks show after `plies` plies: the last throw, or else the throw
/// that the game starts with.
fn last_throw(history: &GameHistory<AnyPosition>, plies: usize) -> Option<Throw> {
    let thrown = (1..=plies).rev().find_map(|number| match history.ply(number) {
        Some(Ply::Throw(throw)) => Some(throw),
        Some(Ply::Move(_)) | None => None,
    });
    thrown.or(match history.start() {
        AnyPosition::Tablan(start) => start.pending(),
        AnyPosition::Tablut(_) | AnyPosition::Tablaaza(_) => None,
    })
}

/// The seed of a throw's animation: the same ply of the same game always
/// tumbles the same way.
const fn tumble_seed(seed: u64, ply: usize) -> u64 {
    seed.rotate_left(17) ^ (ply as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
