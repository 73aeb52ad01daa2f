//! Contempt: by how much less than 0 a draw counts.

use std::sync::atomic::{AtomicI32, Ordering};

use super::params::{CONTEMPT_DRAW_GAIN, CONTEMPT_MIN_DEPTH, CONTEMPT_MIN_VALUE, CONTEMPT_STEP};

/// By how many points less than 0 a draw counts for the side to move at the root, for all
/// threads of a search: they share a transposition table, which draws are part of.
#[derive(Debug)]
pub(super) struct Contempt {
    full: i32,
    points: AtomicI32,
}

impl Contempt {
    pub(super) const fn new(full: i32) -> Self {
        Self { full, points: AtomicI32::new(full) }
    }

    pub(super) fn points(&self) -> i32 {
        self.points.load(Ordering::Relaxed)
    }

    /// Lowers the contempt if an iteration of this depth finds the side to move worse off:
    /// a draw becomes a gain over the position, but a small one. It is lowered once in all
    /// threads together, so that the value of a draw does not follow itself.
    pub(super) fn lower(&self, depth: u32, value: i32) {
        if depth < CONTEMPT_MIN_DEPTH || value >= CONTEMPT_MIN_VALUE {
            return;
        }
        let points = (-value - CONTEMPT_DRAW_GAIN) / CONTEMPT_STEP * CONTEMPT_STEP;
        let points = points.min(self.full);
        // The exchange fails if another iteration has lowered the contempt, which then stays.
        let relaxed = Ordering::Relaxed;
        _ = self.points.compare_exchange(self.full, points, relaxed, relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_is_a_small_gain_for_the_side_that_is_worse_off() {
        let points = |value| {
            let contempt = Contempt::new(500);
            contempt.lower(CONTEMPT_MIN_DEPTH, value);
            contempt.points()
        };
        assert_eq!([-251, -349, -350, -449].map(points), [200, 200, 300, 300]);
        assert_eq!([-250, 0, 600].map(points), [500; 3], "not worse off");
        assert_eq!([-650, -2_000].map(points), [500; 2], "never more than the full contempt");
    }

    #[test]
    fn a_deep_iteration_lowers_the_contempt_once() {
        let contempt = Contempt::new(500);
        contempt.lower(CONTEMPT_MIN_DEPTH - 1, -300);
        assert_eq!(contempt.points(), 500, "not deep enough");
        contempt.lower(CONTEMPT_MIN_DEPTH, -400);
        contempt.lower(CONTEMPT_MIN_DEPTH + 1, -300);
        assert_eq!(contempt.points(), 300);
        let none = Contempt::new(0);
        none.lower(CONTEMPT_MIN_DEPTH, -400);
        assert_eq!(none.points(), 0, "an analysis has no contempt");
    }
}
