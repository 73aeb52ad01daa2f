//! World coordinates of squares, trays for captured pieces, and the sticks.
//!
//! One square is one unit. The board's centre is the origin and the tops of its
//! squares lie at height 0. Files run to the right (+x), ranks away from the
//! near seat (-z).

use crate::{app::core::prelude::*, session::BoardGrid};

/// Height of the table top.
pub(crate) const TABLE_Y: f32 = -0.36;

/// Width of the frame round the squares: wide enough for letters on its far
/// side to be seen behind the pieces in front of them.
pub(crate) const FRAME_WIDTH: f32 = 0.68;

/// Distance of a tray's first row from the frame.
const TRAY_DISTANCE: f32 = 0.36;
/// The same behind the board: seen from the seat, the frame must not hide the pieces.
const FAR_TRAY_DISTANCE: f32 = 0.66;
/// Distance of a bowl's middle from the frame.
const BOWL_DISTANCE: f32 = 0.56;
/// Half a bowl's width and depth, and its height with the stones in it.
const BOWL_SIZE: Vec3 = Vec3::new(0.44, 0.44, 0.87);
/// Height above the far end of the board up to which a strip of the room is seen beyond the
/// table, in high windows. A wide board leaves more space for it.
const HEADROOM: f32 = 1.45;
const WIDE_HEADROOM: f32 = 2.1;
/// The heights of windows that have no space for this strip, and space for all of it.
const HIGH_WINDOWS: (f32, f32) = (620.0, 780.0);
/// Distance between the rows of a tray.
const TRAY_ROW: f32 = 0.6;

/// Distance between captured pieces in a row of their tray.
const TRAY_STEP: f32 = 0.56;

/// The dimensions of the current board.
#[derive(Resource, Clone, Copy, Debug, PartialEq)]
pub(crate) struct BoardLayout {
    /// Number of files.
    pub(crate) files: u8,
    /// Number of ranks.
    pub(crate) ranks: u8,
    /// Whether sticks lie in front of the board.
    pub(crate) sticks: bool,
}

impl Default for BoardLayout {
    fn default() -> Self {
        Self { files: 9, ranks: 9, sticks: false }
    }
}

impl BoardLayout {
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

    /// Whether the trays lie at the left and the right of the board. Those of a wide
    /// board lie behind it.
    const fn has_trays_beside(&self) -> bool {
        !self.sticks
    }

    /// Where the `n`-th captured piece of a side stands. Beside the board, the first
    /// side's tray lies at the left and is filled from the near end, the second's at
    /// the right from the far end, further rows outside. Behind the board, the first
    /// side's is filled from the left, the second's from the right, further rows
    /// behind.
    pub(crate) fn tray_position(&self, side: Side, n: usize) -> Vec3 {
        let half = self.half_size() + FRAME_WIDTH;
        let sign = if side == Side::First { -1.0 } else { 1.0 };
        if self.has_trays_beside() {
            let reach = self.half_size().y - 0.3;
            // 16 pieces fit beside nine squares exactly.
            let row = (2.0 * reach / TRAY_STEP + 0.01).floor() as usize + 1;
            let x = sign * (half.x + TRAY_DISTANCE + TRAY_ROW * (n / row) as f32);
            let z = sign * (TRAY_STEP * (n % row) as f32 - reach);
            return Vec3::new(x, TABLE_Y, z);
        }
        // 12 pieces fit behind half of twelve squares.
        let reach = half.x - 0.14;
        let row = ((reach - TRAY_STEP / 2.0) / TRAY_STEP).floor() as usize + 1;
        let along = reach - TRAY_STEP * (n % row) as f32;
        Vec3::new(sign * along, TABLE_Y, -half.y - FAR_TRAY_DISTANCE - TRAY_ROW * (n / row) as f32)
    }

    /// Whether bowls with stones stand beside the board, on which no piece is captured.
    pub(crate) const fn has_bowls(&self) -> bool {
        self.has_trays_beside() && self.files != self.ranks
    }

    /// Where the bowl with a side's stones stands: beside the middle of the board, where it
    /// is seen from both seats.
    pub(crate) fn bowl_position(&self, side: Side) -> Vec3 {
        let sign = if side == Side::First { -1.0 } else { 1.0 };
        Vec3::new(sign * (self.half_size().x + FRAME_WIDTH + BOWL_DISTANCE), TABLE_Y, 0.0)
    }

    /// The centre of the area where the sticks come to rest.
    pub(crate) fn sticks_centre(&self) -> Vec3 {
        Vec3::new(0.0, TABLE_Y, self.half_size().y + FRAME_WIDTH + 1.05)
    }

    /// The point up to which the camera frames the room beyond the table.
    pub(crate) fn headroom(&self, window_height: f32, flatness: f32) -> Vec3 {
        let (low, high) = HIGH_WINDOWS;
        let share = ((window_height - low) / (high - low)).clamp(0.0, 1.0) * (1.0 - flatness);
        let top = if self.has_trays_beside() { HEADROOM } else { WIDE_HEADROOM };
        let far = self.framed_corners(flatness)[7];
        Vec3::new(0.0, far.y.lerp(top, share), far.z)
    }

    /// What the camera must frame: the corners of the board's volume, and those of the bowls.
    pub(crate) fn framed_points(&self, flatness: f32) -> Vec<Vec3> {
        let mut points = self.framed_corners(flatness).to_vec();
        if self.has_bowls() {
            let away = self.bowl_position(Side::Second).x + BOWL_SIZE.x;
            for (x, z) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
                let foot = Vec3::new(x * away, TABLE_Y, z * BOWL_SIZE.z);
                points.extend([foot, foot + Vec3::Y * BOWL_SIZE.y]);
            }
        }
        points
    }

    /// Corners of the volume of the board with its pieces, the first row of each tray, and
    /// the sticks. With `flatness` 1 (an orthographic view from above) the trays' rims are
    /// included too.
    pub(crate) fn framed_corners(&self, flatness: f32) -> [Vec3; 8] {
        let half = self.half_size() + FRAME_WIDTH;
        let near = if self.sticks { half.y + 1.75 } else { half.y + 0.05 };
        let (width, far) = match (self.has_trays_beside(), self.has_bowls()) {
            (true, false) => (half.x + 2.0 * TRAY_DISTANCE + 0.08, -half.y - 0.05),
            (true, true) => (half.x + 0.05, -half.y - 0.05),
            (false, _) => {
                let reach = FAR_TRAY_DISTANCE + TRAY_DISTANCE + 0.08;
                (half.x + 0.05, -half.y - reach - 0.3 * flatness)
            }
        };
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
        for (files, ranks, sticks) in [(9, 9, false), (12, 4, true), (9, 9, true)] {
            let layout = BoardLayout { files, ranks, sticks };
            let positions: Vec<Vec3> = Side::BOTH
                .into_iter()
                .flat_map(|side| (0..16).map(move |n| (side, n)))
                .map(|(side, n)| layout.tray_position(side, n))
                .collect();
            for (i, position) in positions.iter().enumerate() {
                let edge = layout.half_size() + FRAME_WIDTH;
                let is_off = position.z < -edge.y || position.x.abs() > edge.x;
                assert!(is_off, "{position} on {files}x{ranks}");
                for other in &positions[i + 1..] {
                    let apart = position.distance(*other);
                    assert!(apart > 0.5, "{position} {other} on {files}x{ranks}");
                }
            }
        }
    }

    #[test]
    fn the_frame_hides_no_captured_piece_behind_the_board() {
        let layout = BoardLayout { files: 12, ranks: 4, sticks: true };
        let foot = layout.tray_position(Side::First, 0);
        let behind = -foot.z - layout.half_size().y - FRAME_WIDTH;
        // The far edge of a wide board is seen at this angle above the table.
        let angle = 0.80_f32;
        let hidden = (0.035 - TABLE_Y) / angle.tan();
        let radius = 0.31 * crate::app::scene::pieces::TRAY_SCALE;
        assert!(behind - radius > hidden, "{behind} is too near: {hidden} is hidden");
    }

    #[test]
    fn the_room_is_framed_in_high_windows_and_costs_low_ones_nothing() {
        for sticks in [false, true] {
            let layout = BoardLayout { files: 9, ranks: 9, sticks };
            let height = |window, flatness| layout.headroom(window, flatness).y;
            assert_eq!([height(600.0, 0.0), height(1080.0, 1.0)], [0.45; 2]);
            assert!(height(700.0, 0.0) > 0.45 && height(900.0, 0.0) > 1.4);
        }
    }

    #[test]
    fn square_centres_follow_files_and_ranks() {
        let layout = BoardLayout { files: 9, ranks: 9, sticks: false };
        assert_eq!(layout.square_centre(Square::new(0, 0)), Vec3::new(-4.0, 0.0, 4.0));
        assert_eq!(layout.square_centre(Square::new(4, 4)), Vec3::ZERO);
        assert_eq!(layout.square_centre(Square::new(8, 8)), Vec3::new(4.0, 0.0, -4.0));
    }
}
