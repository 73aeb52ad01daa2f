//! The camera by touch: two fingers turn the view where they go together, and
//! near it where they part. What begins on a panel is the panel's.

use bevy::{input::InputSystems, picking::PickingSystems, prelude::*};
use bevy_egui::input::EguiWantsInput;

use super::{
    CameraRig,
    mouse::{lead, near, on_table, turn},
};
use crate::app::{
    core::schedule::AppSet,
    scene::{layout::Layout, look::CameraMoving},
};

/// Fingers nearer to each other than this, in logical pixels, part by nothing.
const CLOSE: f32 = 24.0;

/// How far they must part, or come together, before it is meant, in logical
/// pixels: those that go together are told of one after the other.
const MEANT: f32 = 32.0;

/// What is known of two fingers on the screen.
#[derive(Resource, Default)]
pub(crate) struct Fingers {
    /// Whether there were two since the last time there was none.
    two: bool,
    /// Where they were last, where they do not touch a panel.
    last: Option<[Vec2; 2]>,
    /// How far apart they were at first; none once they part, and mean it.
    first_apart: Option<f32>,
}

impl Fingers {
    /// Whether what the fingers do is meant for the view, not for the board.
    pub(crate) const fn hold_the_view(&self) -> bool {
        self.two
    }
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Fingers>()
        .add_systems(PreUpdate, count.after(InputSystems).before(PickingSystems::Hover))
        .add_systems(Update, (steer, lift).chain().in_set(AppSet::Input));
}

/// A second finger is noticed before the first one's move means anything.
fn count(touches: Res<Touches>, mut fingers: ResMut<Fingers>) {
    if touches.iter().count() > 1 && !fingers.two {
        fingers.two = true;
    }
}

/// What the last finger does as it is lifted is not meant for the board either.
fn lift(touches: Res<Touches>, mut fingers: ResMut<Fingers>) {
    if fingers.two && touches.iter().count() == 0 {
        *fingers = Fingers::default();
    }
}

fn steer(
    touches: Res<Touches>,
    egui: Option<Res<EguiWantsInput>>,
    layout: Res<Layout>,
    cameras: Query<(&Camera, &GlobalTransform), With<Camera3d>>,
    mut fingers: ResMut<Fingers>,
    mut rig: ResMut<CameraRig>,
    mut easing: ResMut<CameraMoving>,
) {
    let mut down: Vec<_> = touches.iter().map(|touch| (touch.id(), touch.position())).collect();
    down.sort_unstable_by_key(|&(id, _)| id);
    let [(_, one), (_, other)] = down[..] else {
        if fingers.last.is_some() {
            fingers.last = None;
        }
        return;
    };
    if egui.is_some_and(|it| it.wants_any_pointer_input()) {
        return;
    }
    let now = [one, other];
    let middle = |[one, other]: [Vec2; 2]| one.midpoint(other);
    let apart = |[one, other]: [Vec2; 2]| one.distance(other).max(CLOSE);
    let Some(before) = fingers.last.replace(now) else {
        fingers.first_apart = Some(apart(now));
        return;
    };
    let mut goal = rig.goal;
    turn(&mut goal, middle(now) - middle(before));
    if let Some(first) = fingers.first_apart {
        if (apart(now) - first).abs() > MEANT {
            fingers.first_apart = None;
        }
        return lead(goal, &layout, &mut rig, &mut easing);
    }
    let times = apart(now) / apart(before);
    if times != 1.0 {
        let seen = cameras.iter().next();
        let under = seen.and_then(|(camera, place)| on_table(camera, place, middle(now)));
        near(&mut goal, times, under, &layout);
    }
    lead(goal, &layout, &mut rig, &mut easing);
}
