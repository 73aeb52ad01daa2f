//! What the solver searches: a position as a sum of regions.

use super::values::{GameValue, ZERO};

/// Maximum number of free squares of a position.
pub(super) const MAX_SIZE: usize = 64;
/// A position as a sum: the free squares of large regions, and the total value of the
/// small ones. Every free square has a neighbour.
#[derive(Clone, Copy, Debug)]
pub(super) struct SolverState {
    pub(super) free: u64,
    pub(super) red_to_move: bool,
    /// Whether `free` is known to be one region.
    pub(super) is_connected: bool,
    /// The sum of the values of the small regions.
    pub(super) region_sum: GameValue,
}

impl SolverState {
    /// A position whose small regions have not been split off yet. Every free square
    /// must share a corridor with a free one of the other colour.
    pub(super) const fn new(free: u64, red_to_move: bool) -> Self {
        Self { free, red_to_move, is_connected: false, region_sum: ZERO }
    }

    /// The number of free squares that must be searched.
    pub(super) const fn size(self) -> usize {
        self.free.count_ones() as usize
    }

    /// Red is the first side.
    pub(super) fn side_index(self) -> usize {
        usize::from(!self.red_to_move)
    }

    /// The free squares of the side to move, and those of the other.
    pub(super) fn own_and_others(self, colours: [u64; 2]) -> [u64; 2] {
        let [red, green] = colours.map(|colour| colour & self.free);
        if self.red_to_move { [red, green] } else { [green, red] }
    }
}
