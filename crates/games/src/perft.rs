//! Perft: counting move sequences, the standard test of a move generator.

use super::{Game, Turn};

/// The number of sequences of `depth` legal moves.
///
/// A game that is over has no further sequences, and repetition is not applied. A
/// position where a throw is due counts as having no moves.
///
/// ```
/// use tabulae_games::{perft, tablaaza};
///
/// assert_eq!(perft(&tablaaza::Position::start(), 3), 3912);
/// ```
pub fn perft<G: Game>(position: &G, depth: u32) -> u64 {
    position.perft(depth)
}

/// [`perft`] by making every move but the last.
pub(super) fn count<G: Game>(position: &G, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.legal_moves().len() as u64,
        _ => children(position).map(|(_, child)| perft(&child, depth - 1)).sum(),
    }
}

/// [`perft`] by the first move, in the order of the moves' texts.
///
/// ```
/// use tabulae_games::{divide, tablaaza};
///
/// let counts = divide(&tablaaza::Position::start(), 2);
/// assert_eq!((counts[0].0.to_string().as_str(), counts.len()), ("a1", 25));
/// assert_eq!(counts.iter().map(|(_, count)| count).sum::<u64>(), 163);
/// ```
pub fn divide<G: Game>(position: &G, depth: u32) -> Vec<(G::Move, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    let mut counts: Vec<_> =
        children(position).map(|(mv, child)| (mv, perft(&child, depth - 1))).collect();
    counts.sort_by_cached_key(|(mv, _)| mv.to_string());
    counts
}

fn children<G: Game>(position: &G) -> impl Iterator<Item = (G::Move, G)> {
    let moves = match position.turn() {
        Turn::Move(_) => position.legal_moves(),
        Turn::Throw(_) | Turn::Over(_) => Vec::new(),
    };
    moves.into_iter().filter_map(move |mv| {
        let mut child = position.clone();
        child.play(mv).ok().map(|_| (mv, child))
    })
}
