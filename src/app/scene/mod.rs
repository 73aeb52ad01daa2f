//! The 3D scene: boards, pieces, sticks, motion, camera, light and sound.
//!
//! Architecture invariant: the scene knows no rules. It is told what stands
//! where and what a ply does ([`api`]), and tells back what still moves.

pub(crate) mod animation;
pub mod api;
pub(crate) mod board;
pub(crate) mod camera;
pub(crate) mod layout;
pub(crate) mod look;
pub(crate) mod pieces;
pub mod plies;
pub(crate) mod sound;
pub(crate) mod sticks;

use bevy::prelude::*;

use crate::app::{
    core::{schedule::AppSet, states::Screen},
    settings::Settings,
};

/// What the scene needs: boards, figures, sticks, motion, camera, light.
pub(crate) fn plugin(app: &mut App) {
    app.add_plugins(crate::app::core::plugin)
        .add_message::<api::SceneCommand>()
        .init_resource::<api::Highlights>()
        .init_resource::<api::MotionStatus>()
        .init_resource::<api::AnimationSpeed>()
        .init_resource::<api::ViewportInsets>()
        .init_resource::<api::CameraFocus>()
        .init_resource::<Settings>()
        .add_systems(
            Update,
            follow_speed_setting
                .run_if(resource_exists_and_changed::<Settings>)
                .in_set(AppSet::Report),
        )
        .add_plugins((
            look::plugin,
            board::plugin,
            pieces::plugin,
            sticks::plugin,
            animation::plugin,
            camera::plugin,
            sound::plugin,
        ));
}

/// Sets the speed of animations after a change of the settings. A replay
/// multiplies it with its own speed, and an export keeps the usual one.
fn follow_speed_setting(
    settings: Res<Settings>,
    screen: Option<Res<State<Screen>>>,
    mut speed: ResMut<api::AnimationSpeed>,
) {
    if screen.is_some_and(|screen| *screen.get() != Screen::Replay) {
        let wanted = settings.effective_animation_speed();
        speed.set_if_neq(api::AnimationSpeed { speed: wanted });
    }
}
