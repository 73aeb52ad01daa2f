//! The one camera: seats, orbit, zoom, pan; by mouse and by touch.
//!
//! The camera fills the window and panels lie over it; what they cover is
//! told by [`ViewportInsets`], and the [`lens`] is shifted so that the middle of the
//! board is the middle of what is left free. So there is one camera, egui's
//! primary context attaches to it by itself, and picking needs no second
//! viewport.

mod follow;
mod lens;
mod mouse;
mod touch;

use bevy::{
    camera::RenderTarget, core_pipeline::tonemapping::Tonemapping, prelude::*,
    transform::TransformSystems,
};

use super::{
    api::{AnimationSpeed, ViewportInsets},
    layout::Layout,
    look::{CameraMoving, lighting::EnvironmentLight},
};
use crate::app::core::{
    actions::{Action, ViewAction},
    schedule::AppSet,
};

use lens::{Framing, Lens};

pub(crate) use mouse::on_table;
pub(crate) use touch::Fingers;

/// Where the table is looked at from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum View {
    /// From the near seat (South's, the side of row 1).
    #[default]
    Seat,
    /// From above.
    Top,
    /// From the far seat.
    Far,
}

impl std::fmt::Display for View {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Seat => "seat",
            Self::Top => "top",
            Self::Far => "far",
        })
    }
}

/// A text that names no view.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown view '{0}' (one of seat, top, far)")]
pub struct ParseViewError(pub String);

impl std::str::FromStr for View {
    type Err = ParseViewError;

    fn from_str(text: &str) -> Result<Self, ParseViewError> {
        match text {
            "seat" => Ok(Self::Seat),
            "top" => Ok(Self::Top),
            "far" => Ok(Self::Far),
            _ => Err(ParseViewError(text.to_owned())),
        }
    }
}

/// How the camera hangs over the table.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Pose {
    /// Round the table, 0 at the near seat, in radians.
    yaw: f32,
    /// Over the table, a quarter turn from straight above, in radians.
    pitch: f32,
    /// Times the distance at which the whole board fits.
    zoom: f32,
    /// What is looked at, from the middle of the board (x, z).
    pan: Vec2,
    /// How parallel the lens's rays are, 1 for an orthographic view.
    flat: f32,
}

impl Pose {
    const fn of(view: View) -> Self {
        let (yaw, pitch, flat) = match view {
            View::Seat => (0.0, 0.85, 0.0),
            View::Top => (0.0, STEEPEST, 1.0),
            View::Far => (std::f32::consts::PI, 0.85, 0.0),
        };
        Self { yaw, pitch, zoom: 1.0, pan: Vec2::ZERO, flat }
    }

    /// From above, as somebody sees it who sits there.
    const fn above(seat: View) -> Self {
        Self { yaw: Self::of(seat).yaw, ..Self::of(View::Top) }
    }

    fn towards(self, goal: Self, share: f32) -> Self {
        Self {
            yaw: self.yaw.lerp(goal.yaw, share),
            pitch: self.pitch.lerp(goal.pitch, share),
            zoom: self.zoom.lerp(goal.zoom, share),
            pan: self.pan.lerp(goal.pan, share),
            flat: self.flat.lerp(goal.flat, share),
        }
    }

    fn is_near(self, other: Self) -> bool {
        (self.yaw - other.yaw).abs() < 1e-3
            && (self.pitch - other.pitch).abs() < 1e-3
            && (self.zoom - other.zoom).abs() < 1e-3
            && self.pan.distance(other.pan) < 1e-3
            && (self.flat - other.flat).abs() < 1e-3
    }
}

/// Straight down.
const STEEPEST: f32 = std::f32::consts::FRAC_PI_2;
/// Not under the table's edge.
const FLATTEST: f32 = 0.22;

/// The camera's place and where it eases to.
#[derive(Resource)]
pub(crate) struct CameraRig {
    now: Pose,
    goal: Pose,
    pub(crate) seat: View,
    /// Where it was led to last: it eases there more slowly than after a hand.
    led: Option<Pose>,
    /// How much of the table a pixel is, at the point that is looked at.
    pixel: f32,
}

impl CameraRig {
    /// A rig that looks from there at once.
    pub(crate) const fn at(view: View) -> Self {
        let pose = Pose::of(view);
        let seat = if matches!(view, View::Top) { View::Seat } else { view };
        Self { now: pose, goal: pose, seat, led: None, pixel: 0.016 }
    }

    /// Whether the table is seen from its far side.
    pub(crate) fn is_far(&self) -> bool {
        self.goal.yaw.cos() < -1e-3
    }

    /// Eases to that seat; who looked from above goes on to.
    pub(crate) fn sit(&mut self, seat: View) {
        let above = self.goal.flat > 0.5;
        self.seat = seat;
        self.look_from(if above { Pose::above(seat) } else { Pose::of(seat) });
    }
}

/// What the camera draws into, if not the window.
#[derive(Resource, Clone)]
pub(crate) struct RenderCanvas(pub(crate) RenderTarget);

/// The camera and its moves.
pub(crate) fn plugin(app: &mut App) {
    if !app.world().contains_resource::<CameraRig>() {
        app.insert_resource(CameraRig::at(View::Seat));
    }
    app.add_plugins((touch::plugin, mouse::plugin));
    app.add_systems(Startup, hang)
        .add_systems(Update, follow_acts.in_set(AppSet::Scene))
        .add_systems(
            PostUpdate,
            (follow::lead, ease, aim)
                .chain()
                .before(TransformSystems::Propagate)
                .before(bevy::camera::CameraUpdateSystems),
        );
}

/// The camera; what it carries besides goes with the picture's quality.
fn hang(mut commands: Commands, room: Res<EnvironmentLight>, canvas: Option<Res<RenderCanvas>>) {
    let mut camera = commands.spawn((
        Name::new("Camera"),
        Camera3d::default(),
        Projection::custom(Lens::default()),
        Tonemapping::KhronosPbrNeutral,
        room.0.clone(),
        Transform::from_xyz(0.0, 12.0, 9.0).looking_at(Vec3::ZERO, Vec3::Y),
    ));
    if let Some(canvas) = canvas {
        camera.insert(canvas.0.clone());
    }
}

/// Acts that move the camera.
fn follow_acts(mut acts: MessageReader<Action>, mut rig: ResMut<CameraRig>) {
    for act in acts.read() {
        match act {
            Action::View(ViewAction::ResetCamera) => {
                let seat = rig.seat;
                rig.look_from(Pose::of(seat));
            }
            Action::View(ViewAction::ToggleTopView) => {
                let above = rig.goal.pitch > STEEPEST - 1e-3;
                let seat = rig.seat;
                let view = if above { Pose::of(seat) } else { Pose::above(seat) };
                rig.look_from(view);
            }
            Action::View(ViewAction::FlipBoard) => {
                let other = if rig.seat == View::Far { View::Seat } else { View::Far };
                rig.sit(other);
            }
            _ => {}
        }
    }
}

impl CameraRig {
    /// Eases there, the shorter way round.
    fn look_from(&mut self, pose: Pose) {
        let turn = std::f32::consts::TAU;
        let off = (self.now.yaw - pose.yaw) / turn;
        self.now.yaw -= off.round() * turn;
        self.goal = pose;
    }
}

/// Moves the camera towards where it should be; at once when a board is new.
fn ease(
    time: Res<Time>,
    pace: Res<AnimationSpeed>,
    layout: Res<Layout>,
    mut rig: ResMut<CameraRig>,
    mut moving: ResMut<CameraMoving>,
    mut stood: Local<Option<Layout>>,
) {
    if *stood != Some(*layout) {
        *stood = Some(*layout);
        let Pose { yaw, pitch, flat, .. } = rig.goal;
        let seat = Pose { yaw, pitch, flat, ..Pose::of(View::Seat) };
        rig.goal = seat;
        rig.now = seat;
    }
    let easing = !rig.now.is_near(rig.goal);
    moving.set_if_neq(CameraMoving(easing));
    if easing {
        // Where nothing is animated the view does not glide either.
        let at_once = pace.speed > 100.0;
        let rate = if rig.led == Some(rig.goal) { 2.0 } else { 9.0 };
        let share = if at_once { 1.0 } else { 1.0 - (-rate * time.delta_secs()).exp() };
        rig.now = rig.now.towards(rig.goal, share);
    } else if rig.now != rig.goal {
        rig.now = rig.goal;
    }
}

/// Hangs the camera where the rig says, at a distance at which the board
/// fits what panels leave free.
fn aim(
    mut rig: ResMut<CameraRig>,
    layout: Res<Layout>,
    margins: Res<ViewportInsets>,
    mut camera: Single<(&Camera, &mut Transform, &mut Projection), With<Camera3d>>,
    mut last: Local<Option<(Vec2, ViewportInsets, Layout)>>,
) {
    let (camera, transform, projection) = &mut *camera;
    let Some(size) = camera.logical_target_size().filter(|it| it.min_element() >= 1.0) else {
        return;
    };
    let state = (size, *margins, *layout);
    if !rig.is_changed() && *last == Some(state) {
        return;
    }
    *last = Some(state);
    let pose = rig.now;
    let turn = Quat::from_rotation_y(pose.yaw) * Quat::from_rotation_x(-pose.pitch);
    let framing = Framing::of(size, &margins, turn, pose.flat, &layout.corners(pose.flat));
    let reach = 2.0 * framing.distance * pose.zoom * (lens::FIELD / 2.0).tan();
    rig.bypass_change_detection().pixel = reach / size.y;
    let target = Vec3::new(pose.pan.x, 0.0, pose.pan.y);
    **transform =
        Transform::from_translation(target + turn * Vec3::Z * framing.distance * pose.zoom)
            .with_rotation(turn);
    **projection = Projection::custom(Lens::new(size.x / size.y, &framing, pose.zoom, pose.flat));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_read_back() {
        for view in [View::Seat, View::Top, View::Far] {
            assert_eq!(view.to_string().parse(), Ok(view));
        }
        assert!("moon".parse::<View>().is_err());
    }
}
