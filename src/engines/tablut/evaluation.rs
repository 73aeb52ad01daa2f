//! What a quiet state is worth: what the rule set's
//! [`Network`](super::network::Network) makes of where the men stand.

use super::{ground::Ground, state::State};

impl State {
    /// The worth for the side to move, in points: a side that stands 150 points
    /// better wins `e` times as often as it loses.
    pub(super) fn evaluate(&self, ground: &Ground) -> i32 {
        let value = ground.network.value(&self.sums, self.black_to_move);
        if self.black_to_move { -value } else { value }
    }
}
