//! Where things lie: squares, trays for captured pieces, the sticks' place.
//!
//! One square is one unit. The middle of the board is the origin, its
//! squares' tops lie at height 0, files go to the right (x) and ranks away
//! from the near seat (-z).

use bevy::prelude::*;

use super::look::room::TABLE_Y;
use crate::{
    games::{Side, Square},
    table::BoardGrid,
};

/// Width of the frame round the squares: so wide that letters on its far side
/// are seen behind the pieces that stand before them.
pub(crate) const FRAME: f32 = 0.80;

/// Distance between captured pieces in their row.
const TRAY_STEP: f32 = 0.56;

/// The measures of the board that stands.
#[derive(Resource, Clone, Copy, Debug, PartialEq)]
pub(crate) struct Layout {
    /// Columns.
    pub(crate) files: u8,
    /// Rows.
    pub(crate) ranks: u8,
    /// Whether sticks lie before the board.
    pub(crate) sticks: bool,
}

impl Default for Layout {
    fn default() -> Self {
        Self { files: 9, ranks: 9, sticks: false }
    }
}

impl Layout {
    pub(crate) const fn of(board: &BoardGrid, sticks: bool) -> Self {
        Self { files: board.files, ranks: board.ranks, sticks }
    }

    /// Half the squares' width and depth.
    pub(crate) fn half(&self) -> Vec2 {
        Vec2::new(f32::from(self.files), f32::from(self.ranks)) / 2.0
    }

    /// The middle of a square.
    pub(crate) fn place(&self, square: Square) -> Vec3 {
        let half = self.half();
        Vec3::new(f32::from(square.file) + 0.5 - half.x, 0.0, half.y - 0.5 - f32::from(square.rank))
    }

    /// Where the `n`-th captured piece of a side stands: behind the board,
    /// the first side's from the left, the second's from the right, further
    /// rows behind.
    pub(crate) fn tray(&self, side: Side, n: usize) -> Vec3 {
        let half = self.half() + FRAME;
        let row = ((half.x - 0.1) / TRAY_STEP).floor().max(1.0) as usize;
        let along = half.x - 0.3 - TRAY_STEP * (n % row) as f32;
        let x = if side == Side::First { -along } else { along };
        Vec3::new(x, TABLE_Y, -half.y - 0.7 - 0.6 * (n / row) as f32)
    }

    /// The middle of the place where the sticks come to lie.
    pub(crate) fn sticks_middle(&self) -> Vec3 {
        Vec3::new(0.0, TABLE_Y, self.half().y + FRAME + 1.05)
    }

    /// Corners of what a seat wants to see: the board with its pieces, the
    /// first row of each tray, and the sticks; and so far as it is seen from
    /// above (`flat` from 0 to 1) the trays' rims, which lie in no perspective.
    pub(crate) fn corners(&self, flat: f32) -> [Vec3; 8] {
        let half = self.half() + FRAME;
        let near = if self.sticks { half.y + 1.75 } else { half.y + 0.05 };
        let far = -half.y - 1.0 - 0.3 * flat;
        let wide = half.x + 0.05;
        [
            Vec3::new(-wide, TABLE_Y, near),
            Vec3::new(wide, TABLE_Y, near),
            Vec3::new(-wide, 0.35, near.min(half.y)),
            Vec3::new(wide, 0.35, near.min(half.y)),
            Vec3::new(-wide, TABLE_Y, far),
            Vec3::new(wide, TABLE_Y, far),
            Vec3::new(-wide, 0.45, far),
            Vec3::new(wide, 0.45, far),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trays_lie_off_the_board_and_apart() {
        for (files, ranks) in [(9, 9), (12, 4), (8, 7)] {
            let layout = Layout { files, ranks, sticks: true };
            let places: Vec<Vec3> = Side::BOTH
                .into_iter()
                .flat_map(|side| (0..16).map(move |n| (side, n)))
                .map(|(side, n)| layout.tray(side, n))
                .collect();
            for (i, place) in places.iter().enumerate() {
                assert!(place.z < -layout.half().y - FRAME, "{place} on {files}x{ranks}");
                for other in &places[i + 1..] {
                    assert!(place.distance(*other) > 0.5, "{place} {other} on {files}x{ranks}");
                }
            }
        }
    }

    #[test]
    fn squares_lie_as_the_near_seat_sees_them() {
        let layout = Layout { files: 9, ranks: 9, sticks: false };
        assert_eq!(layout.place(Square::new(0, 0)), Vec3::new(-4.0, 0.0, 4.0));
        assert_eq!(layout.place(Square::new(4, 4)), Vec3::ZERO);
        assert_eq!(layout.place(Square::new(8, 8)), Vec3::new(4.0, 0.0, -4.0));
    }
}
