//! The camera: seats, orbit, zoom and pan, by mouse and touch.
//!
//! One camera fills the window; panels lie over it. [`ViewportInsets`] tells what
//! they cover, and the [`lens`] is shifted so that the board is centred in the
//! rest. So bevy_egui's primary context attaches to this camera by itself, and
//! picking needs no second viewport.

mod follow;
mod lens;
mod mouse;
mod photo;
#[cfg_attr(
    target_arch = "wasm32",
    allow(unreachable_pub, reason = "exported by the renderer, which the page lacks")
)]
mod rig;
mod sway;
mod throw;
mod touch;

use bevy::{
    camera::{RenderTarget, visibility::RenderLayers},
    render::renderer::RenderAdapterInfo,
    transform::TransformSystems,
};

use bevy_egui::EguiPostUpdateSet;

use self::{
    lens::{FIELD_OF_VIEW, Framing, Lens},
    rig::Pose,
};
use super::look::{CASTER_LAYERS, CameraMoving, motion_step};
use crate::app::scene::prelude::*;

#[cfg_attr(
    target_arch = "wasm32",
    allow(unreachable_pub, reason = "exported by the renderer, which the page lacks")
)]
pub use rig::CameraView;
pub(crate) use rig::{CameraRig, point_on_table, ray_at};
pub(crate) use touch::TouchGesture;

/// Rate of the exponential easing towards a goal of the user, per second.
const STEER_RATE: f32 = 9.0;
/// Rate of the exponential easing towards a followed goal, per second.
const FOLLOW_RATE: f32 = 2.0;

/// What the camera renders to, if not the window.
#[derive(Resource, Clone)]
pub(crate) struct RenderCanvas(pub(crate) RenderTarget);

pub(crate) fn plugin(app: &mut App) {
    if !app.world().contains_resource::<CameraRig>() {
        app.insert_resource(CameraRig::at(CameraView::Seat));
    }
    app.add_plugins((touch::plugin, mouse::plugin, sway::plugin, photo::plugin));
    app.add_systems(Startup, spawn_camera)
        .add_systems(
            Update,
            (follow_flat_view, apply_view_actions, update_near_side)
                .chain()
                .in_set(SceneSet::Camera),
        )
        .add_systems(
            PostUpdate,
            (
                follow::follow_focus.run_if(resource_changed::<CameraFocus>),
                ease_camera,
                throw::follow_throw,
                sway::sway_on_the_title.run_if(resource_exists::<RenderAdapterInfo>),
                update_camera,
            )
                .chain()
                .before(TransformSystems::Propagate)
                // The panels say in this frame what they leave free.
                .after(EguiPostUpdateSet::EndPass)
                .before(bevy::camera::CameraUpdateSystems),
        );
}

/// Spawns the camera. The graphics quality adds further components.
fn spawn_camera(mut commands: Commands, canvas: Option<Res<RenderCanvas>>) {
    let mut camera = commands.spawn((
        Name::new("Camera"),
        Camera3d::default(),
        RenderLayers::from_layers(&CASTER_LAYERS),
        Projection::custom(Lens::default()),
        Transform::from_xyz(0.0, 12.0, 9.0).looking_at(Vec3::ZERO, Vec3::Y),
    ));
    if let Some(canvas) = canvas {
        camera.insert(canvas.0.clone());
    }
}

/// The flat view is looked at from above, the table from the seat.
fn follow_flat_view(flat: Res<FlatView>, mut rig: ResMut<CameraRig>) {
    if flat.is_changed() && (flat.0 || !flat.is_added()) {
        let seat = rig.seat;
        rig.ease_to(if flat.0 { Pose::above(seat) } else { Pose::from_seat(seat) });
    }
}

fn apply_view_actions(
    mut actions: MessageReader<ViewAction>,
    flat: Res<FlatView>,
    mut rig: ResMut<CameraRig>,
) {
    for action in actions.read() {
        let seat = rig.seat;
        match action {
            ViewAction::ResetCamera if flat.0 => rig.ease_to(Pose::above(seat)),
            ViewAction::ResetCamera => rig.ease_to(Pose::from_seat(seat)),
            // A diagram is always seen from above.
            ViewAction::ToggleTopView if flat.0 => {}
            ViewAction::ToggleTopView => {
                let is_above = rig.goal.is_above();
                rig.ease_to(if is_above { Pose::from_seat(seat) } else { Pose::above(seat) });
            }
            ViewAction::FlipBoard => rig.move_to_seat(seat.other()),
            _ => {}
        }
    }
}

fn update_near_side(rig: Res<CameraRig>, mut near: ResMut<NearSide>) {
    near.set_if_neq(NearSide(rig.near_side()));
}

/// Eases the camera towards its goal. A new board is shown whole at once.
fn ease_camera(
    time: Res<Time<Real>>,
    (speed, flat): (Res<AnimationSpeed>, Res<FlatView>),
    layout: Res<BoardLayout>,
    mut rig: ResMut<CameraRig>,
    mut moving: ResMut<CameraMoving>,
    mut last_layout: Local<Option<BoardLayout>>,
    mut was_moving: Local<bool>,
) {
    if *last_layout != Some(*layout) {
        *last_layout = Some(*layout);
        let pose = Pose { zoom: 1.0, pan: Vec2::ZERO, ..rig.goal };
        rig.goal = pose;
        rig.now = pose;
    }
    // A diagram cannot be orbited.
    let above = Pose { zoom: rig.goal.zoom, pan: rig.goal.pan, ..Pose::above(rig.seat) };
    if flat.0 && rig.goal != above {
        rig.goal = above;
    }
    let is_moving = !rig.now.is_near(rig.goal);
    let step = motion_step(&time, std::mem::replace(&mut *was_moving, is_moving));
    moving.set_if_neq(CameraMoving(is_moving));
    if is_moving {
        let rate = if rig.followed == Some(rig.goal) { FOLLOW_RATE } else { STEER_RATE };
        rig.now = rig.now.lerp(rig.goal, speed.share(rate * step));
    } else if rig.now != rig.goal {
        rig.now = rig.goal;
    }
}

/// Sets the camera's transform and projection from the rig's pose, at a distance
/// at which the board fits what panels leave free.
pub(super) fn update_camera(
    mut rig: ResMut<CameraRig>,
    layout: Res<BoardLayout>,
    (insets, photo): (Res<ViewportInsets>, Res<Photo>),
    mut camera: Single<(&Camera, &mut Transform, &mut Projection), With<Camera3d>>,
    mut last: Local<Option<(Vec2, ViewportInsets, BoardLayout, Photo)>>,
) {
    let (camera, transform, projection) = &mut *camera;
    let Some(size) = camera.logical_target_size().filter(|size| size.min_element() >= 1.0) else {
        return;
    };
    let state = (size, *insets, *layout, *photo);
    if !rig.is_changed() && *last == Some(state) {
        return;
    }
    *last = Some(state);
    let share = rig.drawn_back.now;
    let pose = throw::drawn_back(rig.now, share);
    let pose = Pose { yaw: pose.yaw + rig.sway.x, pitch: pose.pitch + rig.sway.y, ..pose };
    if let Some(lens) = photo.0 {
        let (rotation, corners) = (pose.rotation(), throw::framed(&layout, pose.flatness, share));
        let pixel_size = &mut rig.bypass_change_detection().pixel_size;
        (**transform, **projection, *pixel_size) =
            photo::view(lens, size, pose, rotation, &corners);
        return;
    }
    let framing = framing(size, &insets, pose, &layout, share);
    let visible_height = 2.0 * framing.distance * pose.zoom * (FIELD_OF_VIEW / 2.0).tan();
    rig.bypass_change_detection().pixel_size = visible_height / size.y;
    **transform = pose.transform(framing.distance);
    **projection =
        Projection::custom(Lens::new(size.x / size.y, &framing, pose.zoom, pose.flatness));
}

/// Where a camera in this pose stands, so that what panels leave free of a window shows the
/// board, what stands beside it, and a strip of the room.
fn framing(
    size: Vec2,
    insets: &ViewportInsets,
    pose: Pose,
    layout: &BoardLayout,
    drawn_back: f32,
) -> Framing {
    let mut points = throw::framed(layout, pose.flatness, drawn_back);
    // Towards the far side as it is seen from here.
    points.push(Quat::from_rotation_y(pose.yaw) * layout.headroom(size.y, pose.flatness));
    Framing::new(size, insets, pose.rotation(), pose.flatness, &points)
}

/// Where a point is seen from a view, in logical pixels from the window's upper left corner.
#[cfg(test)]
pub(crate) fn place_in_window(
    point: Vec3,
    view: CameraView,
    size: Vec2,
    insets: &ViewportInsets,
    layout: &BoardLayout,
) -> Vec2 {
    let pose = Pose::from_view(view);
    let at = throw::seen_at(point, size, pose, &framing(size, insets, pose, layout, 0.0));
    Vec2::new(at.x * 0.5 + 0.5, 0.5 - at.y * 0.5) * size
}

#[cfg(test)]
mod tests {
    use bevy::time::TimeUpdateStrategy;

    use super::{rig::steer_to, *};
    use crate::app::scene::api::{Highlights, MotionStatus};

    /// A camera at rest, with a frame of so many seconds each.
    fn app(seconds: f32) -> App {
        let mut app = App::new();
        app.add_plugins(MinimalPlugins)
            .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f32(seconds)))
            .insert_resource(CameraRig::at(CameraView::Far))
            .insert_resource(BoardLayout { files: 12, ranks: 4, sticks: true })
            .init_resource::<AnimationSpeed>()
            .init_resource::<FlatView>()
            .init_resource::<CameraMoving>()
            .init_resource::<Highlights>()
            .init_resource::<MotionStatus>()
            .init_resource::<Photo>()
            .init_resource::<ViewportInsets>()
            .add_systems(Update, (ease_camera, throw::follow_throw).chain());
        app.world_mut().spawn((Camera3d::default(), Camera::default()));
        (0..3).for_each(|_| app.update());
        app
    }

    #[test]
    fn the_first_turn_of_the_wheel_after_a_rest_is_eased() {
        let mut app = app(5.0);
        fn zoom(mut rig: ResMut<CameraRig>, layout: Res<BoardLayout>) {
            let goal = Pose { zoom: 0.5, ..rig.goal };
            steer_to(goal, &layout, &mut rig);
        }
        app.add_systems(PreUpdate, zoom);
        app.update();
        let zoom = app.world().resource::<CameraRig>().now.zoom;
        assert!(zoom > 0.6 && zoom < 0.9, "{zoom}: the time of the rest is no part of it");
        app.update();
        assert!(
            app.world()
                .resource::<CameraRig>()
                .now
                .is_near(Pose { zoom: 0.5, ..app.world().resource::<CameraRig>().now })
        );
    }

    #[test]
    fn few_frames_do_not_make_the_camera_late_for_a_throw() {
        let mut app = app(0.4);
        app.world_mut().resource_mut::<CameraRig>().drawn_back.goal = 1.0;
        app.world_mut().resource_mut::<MotionStatus>().throws = true;
        (0..3).for_each(|_| app.update());
        let share = app.world().resource::<CameraRig>().drawn_back.now;
        assert!(share > 0.95, "{share}");
    }
}
