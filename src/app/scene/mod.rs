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

/// What the scene needs: boards, figures, sticks, motion, camera, light.
pub(crate) fn plugin(app: &mut App) {
    app.add_plugins(crate::app::core::schedule::plugin)
        .add_message::<crate::app::core::actions::Action>()
        .add_message::<api::SceneCommand>()
        .init_resource::<api::Highlights>()
        .init_resource::<api::MotionStatus>()
        .init_resource::<api::AnimationSpeed>()
        .init_resource::<api::ViewportInsets>()
        .init_resource::<api::KeepRedrawing>()
        .init_resource::<api::NextRedraw>()
        .init_resource::<api::ExportRunning>()
        .init_resource::<api::ScreenReaderActive>()
        .init_resource::<api::CameraFocus>()
        .init_resource::<crate::app::settings::Settings>()
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
