//! Where the camera is and where it goes: seats, poses, orbit and zoom.

use std::f32::consts::{FRAC_PI_2, PI, TAU};

use crate::app::scene::prelude::*;

/// A standard view of the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, strum::Display, strum::EnumString)]
#[strum(serialize_all = "kebab-case")]
pub enum CameraView {
    /// From the near seat: South's, the side of rank 1.
    #[default]
    Seat,
    /// From above.
    Top,
    /// From above, drawn flat as in a printed book.
    Diagram,
    /// From the far seat.
    Far,
}

/// Pitch when looking straight down.
pub(super) const MAX_PITCH: f32 = FRAC_PI_2;
/// The smallest pitch: the room is a picture that is not looked at from the table's edge.
const MIN_PITCH: f32 = 0.35;
/// Pitch of the view from a seat: so steep that no piece hides the one behind it.
const SEAT_PITCH: f32 = 0.95;
/// Radians of orbit per pixel of drag.
const ORBIT_SPEED: f32 = 0.006;
/// The smallest and the largest zoom.
const ZOOM_RANGE: (f32, f32) = (0.3, 1.7);
/// Differences of poses below this are not noticed.
const TOLERANCE: f32 = 1e-3;

/// The camera's pose relative to the board.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pose {
    /// Angle about the vertical axis in radians, 0 at the near seat.
    pub(super) yaw: f32,
    /// Angle above the table in radians.
    pub(super) pitch: f32,
    /// Distance as a factor of the distance at which the whole board fits.
    pub(super) zoom: f32,
    /// The point looked at, relative to the board's centre (x, z).
    pub(super) pan: Vec2,
    /// 0 for a perspective projection, 1 for an orthographic one.
    pub(super) flatness: f32,
}

impl Pose {
    pub(super) const fn from_view(view: CameraView) -> Self {
        let (yaw, pitch, flatness) = match view {
            CameraView::Seat => (0.0, SEAT_PITCH, 0.0),
            CameraView::Top | CameraView::Diagram => (0.0, MAX_PITCH, 1.0),
            CameraView::Far => (PI, SEAT_PITCH, 0.0),
        };
        Self { yaw, pitch, zoom: 1.0, pan: Vec2::ZERO, flatness }
    }

    /// From the seat of a side.
    pub(super) const fn from_seat(seat: Side) -> Self {
        Self::from_view(match seat {
            Side::First => CameraView::Seat,
            Side::Second => CameraView::Far,
        })
    }

    /// From above, upright for a seat.
    pub(super) const fn above(seat: Side) -> Self {
        Self { yaw: Self::from_seat(seat).yaw, ..Self::from_view(CameraView::Top) }
    }

    /// Whether it looks straight down.
    pub(super) fn is_above(&self) -> bool {
        self.pitch > MAX_PITCH - TOLERANCE
    }

    /// The rotation of a camera in it.
    pub(super) fn rotation(&self) -> Quat {
        Quat::from_rotation_y(self.yaw) * Quat::from_rotation_x(-self.pitch)
    }

    /// Where a camera in it is, if the whole board fits at this distance.
    pub(super) fn transform(&self, distance: f32) -> Transform {
        let target = Vec3::new(self.pan.x, 0.0, self.pan.y);
        let offset = self.rotation() * Vec3::Z * distance * self.zoom;
        Transform::from_translation(target + offset).with_rotation(self.rotation())
    }

    /// Interpolates towards another pose; `t` from 0 to 1.
    pub(super) fn lerp(self, other: Self, t: f32) -> Self {
        Self {
            yaw: self.yaw.lerp(other.yaw, t),
            pitch: self.pitch.lerp(other.pitch, t),
            zoom: self.zoom.lerp(other.zoom, t),
            pan: self.pan.lerp(other.pan, t),
            flatness: self.flatness.lerp(other.flatness, t),
        }
    }

    /// Whether the difference to another pose is not noticed.
    pub(super) fn is_near(self, other: Self) -> bool {
        (self.yaw - other.yaw).abs() < TOLERANCE
            && (self.pitch - other.pitch).abs() < TOLERANCE
            && (self.zoom - other.zoom).abs() < TOLERANCE
            && self.pan.distance(other.pan) < TOLERANCE
            && (self.flatness - other.flatness).abs() < TOLERANCE
    }

    /// Orbits by a drag of `delta` pixels.
    pub(super) fn orbit(&mut self, delta: Vec2) {
        self.yaw -= delta.x * ORBIT_SPEED;
        self.pitch = (self.pitch + delta.y * ORBIT_SPEED).clamp(MIN_PITCH, MAX_PITCH);
        // A view tilted from above is a perspective one.
        if !self.is_above() {
            self.flatness = 0.0;
        }
    }

    /// Zooms in by a factor about a point of the table, which stays where it is on
    /// the screen; without a point, about the one looked at. Zooming out beyond
    /// the whole board pans back to its centre.
    pub(super) fn zoom_about(&mut self, factor: f32, point: Option<Vec2>, layout: &BoardLayout) {
        let zoom = (self.zoom / factor).clamp(ZOOM_RANGE.0, ZOOM_RANGE.1);
        let limit = 2.0 * layout.half_size();
        let point = point.unwrap_or(self.pan).clamp(-limit, limit);
        self.pan = point + (self.pan - point) * (zoom / self.zoom);
        if zoom >= 1.0 && factor < 1.0 {
            self.pan *= 0.7;
        }
        self.zoom = zoom;
    }
}

/// How far the camera has drawn back for a throw: 0 at the user's pose, 1 where it frames
/// the throw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct DrawnBack {
    pub(super) now: f32,
    pub(super) goal: f32,
}

impl DrawnBack {
    /// At the user's pose.
    pub(super) const NONE: Self = Self { now: 0.0, goal: 0.0 };
}

/// The camera's current pose and its goal.
#[derive(Resource)]
pub(crate) struct CameraRig {
    pub(super) now: Pose,
    pub(super) goal: Pose,
    /// The side whose seat it returns to.
    pub(crate) seat: Side,
    /// The goal that following set last. The camera eases there more slowly than
    /// where the user moves it.
    pub(super) followed: Option<Pose>,
    /// Size of a pixel on the table, at the point looked at.
    pub(in crate::app::scene) pixel_size: f32,
    /// By how much the camera sways about its pose: yaw and pitch, in radians.
    pub(super) sway: Vec2,
    /// How far it has drawn back for a throw.
    pub(super) drawn_back: DrawnBack,
}

/// Where the camera stands, as `render --camera` takes it: yaw and pitch in degrees, the
/// zoom, and the point of the table looked at.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) type PoseNumbers = [f32; 5];

impl CameraRig {
    /// A rig at rest in a view.
    pub(crate) const fn at(view: CameraView) -> Self {
        let pose = Pose::from_view(view);
        let seat = match view {
            CameraView::Seat | CameraView::Top | CameraView::Diagram => Side::First,
            CameraView::Far => Side::Second,
        };
        Self {
            now: pose,
            goal: pose,
            seat,
            followed: None,
            pixel_size: 0.016,
            sway: Vec2::ZERO,
            drawn_back: DrawnBack::NONE,
        }
    }

    /// The pose that it goes to.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn numbers(&self) -> PoseNumbers {
        let Pose { yaw, pitch, zoom, pan, .. } = self.goal;
        [yaw.to_degrees(), pitch.to_degrees(), zoom, pan.x, pan.y]
    }

    /// A rig at rest in a pose, which is limited to what the user can reach.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn at_numbers([yaw, pitch, zoom, x, z]: PoseNumbers) -> Self {
        let pose = Pose {
            yaw: yaw.to_radians(),
            pitch: pitch.to_radians().clamp(MIN_PITCH, MAX_PITCH),
            zoom: zoom.clamp(ZOOM_RANGE.0, ZOOM_RANGE.1),
            pan: Vec2::new(x, z).clamp(Vec2::splat(-10.0), Vec2::splat(10.0)),
            flatness: 0.0,
        };
        Self { now: pose, goal: pose, ..Self::at(CameraView::Seat) }
    }

    /// The standard view nearest to the pose that it goes to.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn view(&self) -> CameraView {
        match self.goal.flatness > 0.5 {
            true => CameraView::Top,
            false if self.near_side() == Side::Second => CameraView::Far,
            false => CameraView::Seat,
        }
    }

    /// The side from which the board is seen.
    pub(super) fn near_side(&self) -> Side {
        if self.goal.yaw.cos() < -TOLERANCE { Side::Second } else { Side::First }
    }

    /// Eases to a seat; a view from above stays one.
    pub(crate) fn move_to_seat(&mut self, seat: Side) {
        let above = self.goal.flatness > 0.5;
        self.seat = seat;
        self.ease_to(if above { Pose::above(seat) } else { Pose::from_seat(seat) });
    }

    /// Eases to a pose, the shorter way round.
    pub(super) fn ease_to(&mut self, pose: Pose) {
        let turns = (self.now.yaw - pose.yaw) / TAU;
        self.now.yaw -= turns.round() * TAU;
        self.goal = pose;
    }
}

/// Sets a goal chosen by the user, limited so that the board stays in sight.
pub(super) fn steer_to(mut goal: Pose, layout: &BoardLayout, rig: &mut ResMut<CameraRig>) {
    goal.pan = goal.pan.clamp(-layout.half_size(), layout.half_size());
    if goal != rig.goal {
        rig.goal = goal;
    }
}

/// What lies under a point of the window.
pub(crate) fn ray_at(camera: &Camera, transform: &GlobalTransform, at: Vec2) -> Option<Ray3d> {
    camera.viewport_to_world(transform, at).ok()
}

/// The point of the table under a point of the window.
pub(crate) fn point_on_table(
    camera: &Camera,
    transform: &GlobalTransform,
    at: Vec2,
) -> Option<Vec2> {
    let ray = ray_at(camera, transform, at)?;
    let distance = -ray.origin.y / ray.direction.y;
    (distance.is_finite() && distance > 0.0).then(|| ray.get_point(distance).xz())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn view_parses_back_from_its_text() {
        for view in [CameraView::Seat, CameraView::Top, CameraView::Diagram, CameraView::Far] {
            assert_eq!(view.to_string().parse(), Ok(view));
        }
        assert!("moon".parse::<CameraView>().is_err());
    }
}
