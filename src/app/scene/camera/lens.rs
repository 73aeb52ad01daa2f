//! The projection: between perspective and orthographic, shifted so that the
//! board is centred in what panels leave free; and the distance at which it fits.

use bevy::{
    camera::{CameraProjection, SubCameraView},
    math::Vec3A,
};

use crate::app::scene::prelude::*;

/// Vertical field of view, in radians: narrow, so that pieces at the board's edges hardly lean.
pub(super) const FIELD_OF_VIEW: f32 = 0.35;
/// Distance of the near plane.
const NEAR: f32 = 0.5;
/// Distance of the far plane.
const FAR: f32 = 180.0;

/// Which part of the free area the board may fill.
const FILL: f32 = 0.965;

/// An off-centre projection (lens shift) that blends from perspective to
/// orthographic. What lies at `distance` keeps its size meanwhile (a dolly zoom).
#[derive(Clone, Copy, Debug)]
pub(super) struct Lens {
    aspect: f32,
    /// In normalised device coordinates: 1 moves the picture by half the
    /// viewport to the right or up.
    shift: Vec2,
    distance: f32,
    /// 0 for a perspective projection, 1 for an orthographic one.
    flatness: f32,
}

impl Default for Lens {
    fn default() -> Self {
        Self { aspect: 1.0, shift: Vec2::ZERO, distance: 1.0, flatness: 0.0 }
    }
}

impl Lens {
    pub(super) const fn new(aspect: f32, framing: &Framing, zoom: f32, flatness: f32) -> Self {
        Self { aspect, shift: framing.shift, distance: framing.distance * zoom, flatness }
    }
}

impl CameraProjection for Lens {
    fn get_clip_from_view(&self) -> Mat4 {
        let (flatness, distance) = (self.flatness, self.distance.max(NEAR));
        // A blend of both projections, scaled so that they agree at `distance`.
        // Clip space is homogeneous, so the whole matrix may be scaled: Bevy
        // expects w to be the depth in a perspective projection and 1 in an
        // orthographic one.
        let scale = distance * (1.0 - flatness) + flatness;
        let (by_depth, constant) = ((1.0 - flatness) * scale / distance, flatness * scale);
        let focal = scale / (distance * (FIELD_OF_VIEW / 2.0).tan());
        let range = FAR - NEAR;
        Mat4::from_cols(
            Vec4::new(focal / self.aspect, 0.0, 0.0, 0.0),
            Vec4::new(0.0, focal, 0.0, 0.0),
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
        let tangent = (FIELD_OF_VIEW / 2.0).tan();
        let corner = |x: f32, y: f32, z: f32| {
            let reach = (z.abs() * (1.0 - self.flatness) + self.distance * self.flatness) * tangent;
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

/// The camera's distance and lens shift that frame the board.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Framing {
    pub(super) distance: f32,
    pub(super) shift: Vec2,
}

impl Framing {
    /// The smallest distance at which all `corners` are in the free part of a
    /// window of `size`, looking at the origin with `rotation`. Found by
    /// bisection.
    pub(super) fn new(
        size: Vec2,
        insets: &ViewportInsets,
        rotation: Quat,
        flatness: f32,
        corners: &[Vec3],
    ) -> Self {
        let tangent = (FIELD_OF_VIEW / 2.0).tan();
        Self::through(tangent, size, insets, rotation, flatness, corners)
    }

    /// The same through a lens with this tangent of half its vertical field of view.
    pub(super) fn through(
        tangent: f32,
        size: Vec2,
        insets: &ViewportInsets,
        rotation: Quat,
        flatness: f32,
        corners: &[Vec3],
    ) -> Self {
        let free_size =
            Vec2::new(size.x - insets.left - insets.right, size.y - insets.top - insets.bottom)
                .max(size * 0.2);
        let centre =
            Vec2::new((insets.left - insets.right) / size.x, (insets.bottom - insets.top) / size.y);
        let free = free_size / size * FILL;
        let lens = Vec2::new(tangent * size.x / size.y, tangent);
        // The corners in view space, with depth as z.
        let view_corners: Vec<Vec3> = corners
            .iter()
            .map(|&corner| rotation.inverse() * corner)
            .map(|corner| Vec3::new(corner.x, corner.y, -corner.z))
            .collect();
        let bounds = |distance: f32| -> Rect {
            let mut bounds = Rect::EMPTY;
            for it in &view_corners {
                let at = it.xy() / (lens * (distance + it.z * (1.0 - flatness)));
                bounds = bounds.union_point(at);
            }
            bounds
        };
        let nearest = view_corners.iter().map(|corner| -corner.z).fold(0.0, f32::max) + 2.0 * NEAR;
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
        Self { distance: high, shift: centre - bounds(high).center() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corners() -> [Vec3; 8] {
        crate::app::scene::layout::BoardLayout { files: 12, ranks: 4, sticks: true }
            .framed_corners(0.0)
    }

    /// A point's position in the window, in pixels from the upper left.
    fn project(point: Vec3, size: Vec2, rotation: Quat, flatness: f32, framing: Framing) -> Vec2 {
        let camera = Transform::from_translation(rotation * Vec3::Z * framing.distance)
            .with_rotation(rotation);
        let lens = Lens::new(size.x / size.y, &framing, 1.0, flatness);
        let point = camera.to_matrix().inverse().transform_point3(point);
        let at = lens.get_clip_from_view().project_point3(point);
        Vec2::new(at.x * 0.5 + 0.5, 0.5 - at.y * 0.5) * size
    }

    #[test]
    fn the_board_fits_between_the_panels() {
        for size in [Vec2::new(1600.0, 900.0), Vec2::new(900.0, 600.0)] {
            let insets = ViewportInsets { left: 0.0, right: 300.0, top: 40.0, bottom: 20.0 };
            for (pitch, flatness) in [(0.9, 0.0), (1.3, 0.5), (1.57, 1.0)] {
                let rotation = Quat::from_rotation_x(-pitch);
                let framing = Framing::new(size, &insets, rotation, flatness, &corners());
                let mut bounds = Rect::EMPTY;
                for corner in corners() {
                    bounds = bounds.union_point(project(corner, size, rotation, flatness, framing));
                }
                assert!(bounds.min.x >= insets.left && bounds.min.y >= insets.top, "{bounds:?}");
                assert!(bounds.max.x <= size.x - insets.right, "{bounds:?}");
                assert!(bounds.max.y <= size.y - insets.bottom, "{bounds:?}");
                let free = Vec2::new(size.x - 300.0, size.y - 60.0);
                let filled = bounds.size() / free;
                assert!(filled.max_element() > 0.95, "{filled}");
            }
        }
    }

    #[test]
    fn frustum_corners_project_to_the_corners_of_the_viewport() {
        let framing = Framing { distance: 17.0, shift: Vec2::new(-0.3, 0.1) };
        for flatness in [0.0, 0.4, 1.0] {
            let lens = Lens::new(1.6, &framing, 1.0, flatness);
            let corners = lens.get_frustum_corners(-1.0, -20.0);
            for corner in corners {
                let at = lens.get_clip_from_view().project_point3(Vec3::from(corner));
                assert!((at.x.abs() - 1.0).abs() < 1e-4 && (at.y.abs() - 1.0).abs() < 1e-4, "{at}");
            }
        }
    }

    #[test]
    fn flatness_one_is_orthographic_and_zero_is_perspective() {
        let framing = Framing { distance: 17.0, shift: Vec2::new(-0.3, 0.1) };
        let lens = Lens::new(1.6, &framing, 1.0, 1.0).get_clip_from_view();
        let (near, far) = (Vec3::new(3.0, -2.0, -12.0), Vec3::new(3.0, -2.0, -17.0));
        let [one, other] = [near, far].map(|at| lens.project_point3(at));
        assert!(one.xy().distance(other.xy()) < 1e-5, "{one} {other}");
        assert!(one.z > other.z && one.z < 1.0 && other.z > 0.0, "reversed depth: {one} {other}");
        assert_eq!(lens.w_axis.w, 1.0, "Bevy detects an orthographic projection by this");
        let lens = Lens::new(1.6, &framing, 1.0, 0.0).get_clip_from_view();
        let expected = Mat4::perspective_infinite_reverse_rh(FIELD_OF_VIEW, 1.6, NEAR);
        assert!((lens.x_axis - expected.x_axis).length() < 1e-4);
        assert!((lens.w_axis - expected.w_axis).length() < 1e-4);
    }
}
