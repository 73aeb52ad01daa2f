//! World coordinates of squares, trays for captured pieces, and the sticks.
//!
//! One square is one unit. The board's centre is the origin and the tops of its
//! squares lie at height 0. Files run to the right (+x), ranks away from the
//! near seat (-z).

use bevy::prelude::*;

use crate::{
    games::{Side, Square},
    table::BoardGrid,
};

/// Height of the table top.
pub(crate) const TABLE_Y: f32 = -0.36;

/// Width of the frame round the squares: wide enough for letters on its far
/// side to be seen behind the pieces in front of them.
pub(crate) const FRAME_WIDTH: f32 = 0.80;

/// Distance between captured pieces in a row of their tray.
const TRAY_STEP: f32 = 0.56;

/// The dimensions of the current board.
#[derive(Resource, Clone, Copy, Debug, PartialEq)]
pub(crate) struct Layout {
    /// Number of files.
    pub(crate) files: u8,
    /// Number of ranks.
    pub(crate) ranks: u8,
    /// Whether sticks lie in front of the board.
    pub(crate) sticks: bool,
}

impl Default for Layout {
    fn default() -> Self {
        Self { files: 9, ranks: 9, sticks: false }
    }
}

impl Layout {
    pub(crate) const fn new(board: &BoardGrid, sticks: bool) -> Self {
        Self { files: board.files, ranks: board.ranks, sticks }
    }

    /// Half the extent of all squares along x and z.
    pub(crate) fn half_size(&self) -> Vec2 {
        Vec2::new(f32::from(self.files), f32::from(self.ranks)) / 2.0
    }

    /// The centre of a square's top.
    pub(crate) fn square_centre(&self, square: Square) -> Vec3 {
        let half = self.half_size();
        Vec3::new(f32::from(square.file) + 0.5 - half.x, 0.0, half.y - 0.5 - f32::from(square.rank))
    }

    /// Where the `n`-th captured piece of a side stands. The trays lie behind
    /// the board, the first side's filled from the left, the second's from the
    /// right, further rows behind.
    pub(crate) fn tray_position(&self, side: Side, n: usize) -> Vec3 {
        let half = self.half_size() + FRAME_WIDTH;
        let row = ((half.x - 0.1) / TRAY_STEP).floor().max(1.0) as usize;
        let along = half.x - 0.3 - TRAY_STEP * (n % row) as f32;
        let x = if side == Side::First { -along } else { along };
        Vec3::new(x, TABLE_Y, -half.y - 0.7 - 0.6 * (n / row) as f32)
    }

    /// The centre of the area where the sticks come to rest.
    pub(crate) fn sticks_centre(&self) -> Vec3 {
        Vec3::new(0.0, TABLE_Y, self.half_size().y + FRAME_WIDTH + 1.05)
    }

    /// Corners of the volume that the camera must frame: the board with its
    /// pieces, the first row of each tray, and the sticks. With `flatness` 1 (an
    /// orthographic view from above) the trays' rims are included too.
    pub(crate) fn framed_corners(&self, flatness: f32) -> [Vec3; 8] {
        let half = self.half_size() + FRAME_WIDTH;
        let near = if self.sticks { half.y + 1.75 } else { half.y + 0.05 };
        let far = -half.y - 1.0 - 0.3 * flatness;
        let width = half.x + 0.05;
        [
            Vec3::new(-width, TABLE_Y, near),
            Vec3::new(width, TABLE_Y, near),
            Vec3::new(-width, 0.35, near.min(half.y)),
            Vec3::new(width, 0.35, near.min(half.y)),
            Vec3::new(-width, TABLE_Y, far),
            Vec3::new(width, TABLE_Y, far),
            Vec3::new(-width, 0.45, far),
            Vec3::new(width, 0.45, far),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tray_positions_are_off_the_board_and_apart() {
        for (files, ranks) in [(9, 9), (12, 4), (8, 7)] {
            let layout = Layout { files, ranks, sticks: true };
            let positions: Vec<Vec3> = Side::BOTH
                .into_iter()
                .flat_map(|side| (0..16).map(move |n| (side, n)))
                .map(|(side, n)| layout.tray_position(side, n))
                .collect();
            for (i, position) in positions.iter().enumerate() {
                let edge = -layout.half_size().y - FRAME_WIDTH;
                assert!(position.z < edge, "{position} on {files}x{ranks}");
                for other in &positions[i + 1..] {
                    let apart = position.distance(*other);
                    assert!(apart > 0.5, "{position} {other} on {files}x{ranks}");
                }
            }
        }
    }

    #[test]
    fn square_centres_follow_files_and_ranks() {
        let layout = Layout { files: 9, ranks: 9, sticks: false };
        assert_eq!(layout.square_centre(Square::new(0, 0)), Vec3::new(-4.0, 0.0, 4.0));
        assert_eq!(layout.square_centre(Square::new(4, 4)), Vec3::ZERO);
        assert_eq!(layout.square_centre(Square::new(8, 8)), Vec3::new(4.0, 0.0, -4.0));
    }
}
