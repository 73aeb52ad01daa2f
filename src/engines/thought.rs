//! What every thought begins with: the moves there are, and what is drawn.

use rand::{SeedableRng as _, rngs::ChaCha8Rng, seq::SliceRandom as _};

use super::{Limits, Request};
use crate::games::{AnyMove, Game};

/// More threads than this are no help.
pub(super) const MOST_THREADS: usize = 64;

/// The request's own generator: the same for the same position and seed.
pub(super) fn noise(request: &Request) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(request.settings.seed ^ request.line.position().key().rotate_left(17))
}

/// The legal moves of the request but those in `without`, in an order drawn
/// from its seed: among equal ones the first is played.
pub(super) fn choices<M>(
    request: &Request,
    without: &[AnyMove],
    rng: &mut ChaCha8Rng,
    own: impl Fn(AnyMove) -> Option<M>,
) -> Vec<M> {
    let mut moves = request.line.legal_moves();
    moves.sort_unstable();
    moves.shuffle(rng);
    moves.into_iter().filter(|mv| !without.contains(mv)).filter_map(own).collect()
}

/// How many slots a thought within these limits can fill: making more of them
/// would only take time.
pub(super) fn slots_wanted(limits: Limits) -> usize {
    /// More than any machine looks at.
    const A_MILLISECOND: u128 = 4000;
    let by_nodes = limits.nodes.map_or(u128::MAX, |nodes| 2 * u128::from(nodes));
    let by_time = limits.movetime.map_or(u128::MAX, |time| time.as_millis() * A_MILLISECOND);
    let by_depth = if matches!(limits.depth, Some(0..=3)) { 1 << 17 } else { u128::MAX };
    usize::try_from(by_nodes.min(by_time).min(by_depth)).unwrap_or(usize::MAX)
}
