//! The lens: from perspective to parallel, shifted so that the board stands in
//! the middle of what panels leave free; and the distance at which it fits.

use bevy::{camera::CameraProjection, camera::SubCameraView, math::Vec3A, prelude::*};

use crate::app::scene::api::ViewportInsets;

/// Vertical field of view, in radians: a long lens, hardly distorting.
pub(super) const FIELD: f32 = 0.52;
const NEAR: f32 = 0.5;
const FAR: f32 = 120.0;

/// How much of the free area the board may fill.
const FILL: f32 = 0.965;

/// A lens that can be shifted like a view camera's, and whose rays can be made
/// parallel step by step: what lies at `distance` stays as large meanwhile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lens {
    aspect: f32,
    /// In normalised device coordinates: 1 moves the picture by half its
    /// width to the right, or half its height up.
    shift: Vec2,
    distance: f32,
    /// How parallel the rays are: 0 for perspective, 1 for none.
    flat: f32,
}

impl Default for Lens {
    fn default() -> Self {
        Self { aspect: 1.0, shift: Vec2::ZERO, distance: 1.0, flat: 0.0 }
    }
}

impl Lens {
    pub(super) const fn new(aspect: f32, framing: &Framing, zoom: f32, flat: f32) -> Self {
        Self { aspect, shift: framing.shift, distance: framing.distance * zoom, flat }
    }
}

impl CameraProjection for Lens {
    fn get_clip_from_view(&self) -> Mat4 {
        let (flat, distance) = (self.flat, self.distance.max(NEAR));
        // Both kinds of lens, so scaled that they agree at `distance`. A matrix
        // of clip space may be multiplied by anything: the renderer wants w to
        // be the depth of a perspective picture and 1 of a parallel one.
        let whole = distance * (1.0 - flat) + flat;
        let (by_depth, constant) = ((1.0 - flat) * whole / distance, flat * whole);
        let long = whole / (distance * (FIELD / 2.0).tan());
        let range = FAR - NEAR;
        Mat4::from_cols(
            Vec4::new(long / self.aspect, 0.0, 0.0, 0.0),
            Vec4::new(0.0, long, 0.0, 0.0),
            Vec4::new(
                -by_depth * self.shift.x,
                -by_depth * self.shift.y,
                constant / range,
                -by_depth,
            ),
            Vec4::new(
                constant * self.shift.x,
                constant * self.shift.y,
                by_depth * NEAR + constant * FAR / range,
                constant,
            ),
        )
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
            let reach = (z.abs() * (1.0 - self.flat) + self.distance * self.flat) * tangent;
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
    pub(super) fn of(
        size: Vec2,
        margins: &ViewportInsets,
        turn: Quat,
        flat: f32,
        corners: &[Vec3],
    ) -> Self {
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
                let at = it.xy() / (lens * (distance + it.z * (1.0 - flat)));
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
        crate::app::scene::layout::Layout { files: 12, ranks: 4, sticks: true }.corners(0.0)
    }

    /// Where a point of the table is seen, in pixels from the upper left.
    fn seen(point: Vec3, size: Vec2, turn: Quat, flat: f32, framing: Framing) -> Vec2 {
        let camera =
            Transform::from_translation(turn * Vec3::Z * framing.distance).with_rotation(turn);
        let lens = Lens::new(size.x / size.y, &framing, 1.0, flat);
        let point = camera.to_matrix().inverse().transform_point3(point);
        let at = lens.get_clip_from_view().project_point3(point);
        Vec2::new(at.x * 0.5 + 0.5, 0.5 - at.y * 0.5) * size
    }

    #[test]
    fn the_board_fits_between_the_panels() {
        for size in [Vec2::new(1600.0, 900.0), Vec2::new(900.0, 600.0)] {
            let margins = ViewportInsets { left: 0.0, right: 300.0, top: 40.0, bottom: 20.0 };
            for (pitch, flat) in [(0.9, 0.0), (1.3, 0.5), (1.57, 1.0)] {
                let turn = Quat::from_rotation_x(-pitch);
                let framing = Framing::of(size, &margins, turn, flat, &table());
                let mut bounds = Rect::EMPTY;
                for corner in table() {
                    bounds = bounds.union_point(seen(corner, size, turn, flat, framing));
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
        let framing = Framing { distance: 17.0, shift: Vec2::new(-0.3, 0.1) };
        for flat in [0.0, 0.4, 1.0] {
            let lens = Lens::new(1.6, &framing, 1.0, flat);
            let corners = lens.get_frustum_corners(-1.0, -20.0);
            for corner in corners {
                let at = lens.get_clip_from_view().project_point3(Vec3::from(corner));
                assert!((at.x.abs() - 1.0).abs() < 1e-4 && (at.y.abs() - 1.0).abs() < 1e-4, "{at}");
            }
        }
    }

    /// Seen through parallel rays, what stands on a point hides nothing but
    /// that point.
    #[test]
    fn a_flat_lens_is_orthographic() {
        let framing = Framing { distance: 17.0, shift: Vec2::new(-0.3, 0.1) };
        let lens = Lens::new(1.6, &framing, 1.0, 1.0).get_clip_from_view();
        let (near, far) = (Vec3::new(3.0, -2.0, -12.0), Vec3::new(3.0, -2.0, -17.0));
        let [one, other] = [near, far].map(|at| lens.project_point3(at));
        assert!(one.xy().distance(other.xy()) < 1e-5, "{one} {other}");
        assert!(one.z > other.z && one.z < 1.0 && other.z > 0.0, "nearer is more: {one} {other}");
        assert_eq!(lens.w_axis.w, 1.0, "which is how the renderer knows");
        // And perspective is what it always was.
        let lens = Lens::new(1.6, &framing, 1.0, 0.0).get_clip_from_view();
        let usual = Mat4::perspective_infinite_reverse_rh(FIELD, 1.6, NEAR);
        assert!((lens.x_axis - usual.x_axis).length() < 1e-4);
        assert!((lens.w_axis - usual.w_axis).length() < 1e-4);
    }
}
