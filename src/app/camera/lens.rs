//! The lens: perspective, shifted so that the board stands in the middle of
//! what panels leave free; and the distance at which it fits.

use bevy::{camera::CameraProjection, camera::SubCameraView, math::Vec3A, prelude::*};

use crate::app::stage::Margins;

/// Vertical field of view, in radians: a long lens, hardly distorting.
const FIELD: f32 = 0.52;
const NEAR: f32 = 0.5;
const FAR: f32 = 120.0;

/// How much of the free area the board may fill.
const FILL: f32 = 0.965;

/// A perspective lens that can be shifted like a view camera's.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lens {
    aspect: f32,
    /// In normalised device coordinates: 1 moves the picture by half its
    /// width to the right, or half its height up.
    shift: Vec2,
}

impl Default for Lens {
    fn default() -> Self {
        Self { aspect: 1.0, shift: Vec2::ZERO }
    }
}

impl Lens {
    pub(super) const fn new(aspect: f32, shift: Vec2) -> Self {
        Self { aspect, shift }
    }
}

impl CameraProjection for Lens {
    fn get_clip_from_view(&self) -> Mat4 {
        let mut clip = Mat4::perspective_infinite_reverse_rh(FIELD, self.aspect, NEAR);
        clip.z_axis.x = -self.shift.x;
        clip.z_axis.y = -self.shift.y;
        clip
    }

    fn get_clip_from_view_for_sub(&self, _: &SubCameraView) -> Mat4 {
        self.get_clip_from_view()
    }

    fn update(&mut self, width: f32, height: f32) {
        self.aspect = width / height;
    }

    fn far(&self) -> f32 {
        FAR
    }

    fn get_frustum_corners(&self, z_near: f32, z_far: f32) -> [Vec3A; 8] {
        let tangent = (FIELD / 2.0).tan();
        let corner = |x: f32, y: f32, z: f32| {
            let reach = z.abs() * tangent;
            Vec3A::new((x - self.shift.x) * reach * self.aspect, (y - self.shift.y) * reach, z)
        };
        [
            corner(1.0, -1.0, z_near),
            corner(1.0, 1.0, z_near),
            corner(-1.0, 1.0, z_near),
            corner(-1.0, -1.0, z_near),
            corner(1.0, -1.0, z_far),
            corner(1.0, 1.0, z_far),
            corner(-1.0, 1.0, z_far),
            corner(-1.0, -1.0, z_far),
        ]
    }
}

/// How far off the camera hangs, and how its lens is shifted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Framing {
    pub(super) distance: f32,
    pub(super) shift: Vec2,
}

impl Framing {
    /// The nearest distance from which all `corners` are in the free part of
    /// a window of `size`, looking at the origin turned by `turn`.
    pub(super) fn of(size: Vec2, margins: &Margins, turn: Quat, corners: &[Vec3]) -> Self {
        let free_size =
            Vec2::new(size.x - margins.left - margins.right, size.y - margins.top - margins.bottom)
                .max(size * 0.2);
        let middle = Vec2::new(
            (margins.left - margins.right) / size.x,
            (margins.bottom - margins.top) / size.y,
        );
        let free = free_size / size * FILL;
        let tangent = (FIELD / 2.0).tan();
        let lens = Vec2::new(tangent * size.x / size.y, tangent);
        // The corners as the camera sees them: to the right, up, away.
        let seen: Vec<Vec3> = corners
            .iter()
            .map(|&corner| turn.inverse() * corner)
            .map(|it| Vec3::new(it.x, it.y, -it.z))
            .collect();
        let bounds = |distance: f32| -> Rect {
            let mut bounds = Rect::EMPTY;
            for it in &seen {
                let at = it.xy() / (lens * (distance + it.z));
                bounds = bounds.union_point(at);
            }
            bounds
        };
        let nearest = seen.iter().map(|it| -it.z).fold(0.0, f32::max) + 2.0 * NEAR;
        let (mut low, mut high) = (nearest, nearest + 400.0);
        for _ in 0..40 {
            let distance = f32::midpoint(low, high);
            let fits = bounds(distance).half_size().cmple(free).all();
            if fits {
                high = distance;
            } else {
                low = distance;
            }
        }
        Self { distance: high, shift: middle - bounds(high).center() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> [Vec3; 8] {
        crate::app::board::Layout { files: 12, ranks: 4, sticks: true }.corners()
    }

    /// Where a point of the table is seen, in pixels from the upper left.
    fn seen(point: Vec3, size: Vec2, turn: Quat, framing: Framing) -> Vec2 {
        let camera =
            Transform::from_translation(turn * Vec3::Z * framing.distance).with_rotation(turn);
        let lens = Lens::new(size.x / size.y, framing.shift);
        let point = camera.to_matrix().inverse().transform_point3(point);
        let at = lens.get_clip_from_view().project_point3(point);
        Vec2::new(at.x * 0.5 + 0.5, 0.5 - at.y * 0.5) * size
    }

    #[test]
    fn the_board_fits_between_the_panels() {
        for size in [Vec2::new(1600.0, 900.0), Vec2::new(900.0, 600.0)] {
            let margins = Margins { left: 0.0, right: 300.0, top: 40.0, bottom: 20.0 };
            for pitch in [0.9, 1.56] {
                let turn = Quat::from_rotation_x(-pitch);
                let framing = Framing::of(size, &margins, turn, &table());
                let mut bounds = Rect::EMPTY;
                for corner in table() {
                    bounds = bounds.union_point(seen(corner, size, turn, framing));
                }
                assert!(bounds.min.x >= margins.left && bounds.min.y >= margins.top, "{bounds:?}");
                assert!(bounds.max.x <= size.x - margins.right, "{bounds:?}");
                assert!(bounds.max.y <= size.y - margins.bottom, "{bounds:?}");
                let free = Vec2::new(size.x - 300.0, size.y - 60.0);
                let filled = bounds.size() / free;
                assert!(filled.max_element() > 0.95, "{filled}");
            }
        }
    }

    #[test]
    fn frustum_corners_are_the_corners_of_the_picture() {
        let lens = Lens::new(1.6, Vec2::new(-0.3, 0.1));
        for corner in lens.get_frustum_corners(-1.0, -20.0) {
            let at = lens.get_clip_from_view().project_point3(Vec3::from(corner));
            assert!((at.x.abs() - 1.0).abs() < 1e-4 && (at.y.abs() - 1.0).abs() < 1e-4, "{at}");
        }
    }
}
