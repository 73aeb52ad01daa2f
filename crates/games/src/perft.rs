//! Perft: counting move sequences, the standard test of a move generator.

use super::Game;

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
        1 => position.legal_move_count() as u64,
        _ => {
            let mut sum = 0;
            position.for_each_legal_move(|mv| sum += count(&after(position, mv), depth - 1));
            sum
        }
    }
}

fn after<G: Game>(position: &G, mv: G::Move) -> G {
    let mut after = position.clone();
    after.play_unchecked(mv);
    after
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
    let mut counts = Vec::new();
    position.for_each_legal_move(|mv| counts.push((mv, perft(&after(position, mv), depth - 1))));
    counts.sort_by_cached_key(|(mv, _)| mv.to_string());
    counts
}
