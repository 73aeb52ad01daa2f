//! The 3D scene: boards, pieces, sticks, animation, camera, light and sound.
//!
//! Architecture invariant: the scene knows no rules. It is told which pieces
//! stand where and what a ply does ([`api`]), and reports what still moves.
//!
//! Its modules, in the order of their imports: `api`, `components`, `layout`, `prelude`, `plies`,
//! `look`, `sound`, then `board`, `camera`, `pieces` and `sticks`, then `animation`. The
//! camera asks the sticks how far they fly.

pub(crate) mod animation;
pub mod api;
pub(crate) mod board;
pub(crate) mod camera;
pub mod components;
pub(crate) mod layout;
pub(crate) mod look;
pub(crate) mod pieces;
pub mod plies;
mod prelude;
pub(crate) mod sound;
pub(crate) mod sticks;

use crate::app::{core::prelude::*, settings::Settings};

/// The order of the scene's systems in a frame, within [`AppSet::Scene`]. A
/// [`api::SceneCommand`] is carried out in the frame that writes it.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SceneSet {
    /// The camera's goal follows actions.
    Camera,
    /// The board is spawned.
    Board,
    /// Pieces are spawned and despawned.
    Pieces,
    /// Sticks are spawned and despawned.
    Sticks,
    /// Queued plies are animated.
    Animation,
    /// Highlights are drawn.
    Highlights,
    /// Board paintings and water are updated.
    Surfaces,
    /// Surfaces get the materials of the graphics quality.
    Materials,
}

/// Boards, pieces, sticks, animation, camera, light and sound.
pub(crate) fn plugin(app: &mut App) {
    app.add_plugins(crate::app::core::plugin)
        .configure_sets(
            Update,
            (
                SceneSet::Camera,
                SceneSet::Board,
                SceneSet::Pieces,
                SceneSet::Sticks,
                SceneSet::Animation,
                SceneSet::Highlights,
                SceneSet::Surfaces,
                SceneSet::Materials,
            )
                .chain()
                .in_set(AppSet::Scene),
        )
        .add_message::<api::SceneCommand>()
        .init_resource::<api::Hand>()
        .init_resource::<api::Highlights>()
        .init_resource::<api::LitCorridors>()
        .init_resource::<api::Pointed>()
        .init_resource::<api::MotionStatus>()
        .init_resource::<api::AnimationSpeed>()
        .init_resource::<api::ViewportInsets>()
        .init_resource::<api::CameraFocus>()
        .init_resource::<api::NearSide>()
        .init_resource::<api::FlatView>()
        .init_resource::<api::Photo>()
        .init_resource::<api::SceneReady>()
        .init_resource::<Settings>()
        .init_resource::<layout::BoardLayout>()
        .add_systems(
            Update,
            (
                toggle_diagram.in_set(AppSet::ApplyActions),
                follow_diagram_setting.in_set(AppSet::Scene).before(SceneSet::Camera),
            ),
        )
        .add_systems(
            Update,
            follow_speed_setting
                .run_if(resource_exists_and_changed::<Settings>)
                .in_set(AppSet::Report),
        )
        .add_plugins((
            look::plugin,
            sound::plugin,
            board::plugin,
            pieces::plugin,
            sticks::plugin,
            animation::plugin,
            camera::plugin,
        ));
}

fn toggle_diagram(mut actions: MessageReader<ViewAction>, mut settings: ResMut<Settings>) {
    let toggles = |action: &&ViewAction| **action == ViewAction::ToggleDiagram;
    if actions.read().filter(toggles).count() % 2 == 1 {
        settings.diagram = !settings.diagram;
    }
}

/// The title and photographs always show the table. Without screens (an export) nothing is changed.
fn follow_diagram_setting(
    settings: Res<Settings>,
    screen: Option<Res<State<Screen>>>,
    photo: Res<api::Photo>,
    mut flat: ResMut<api::FlatView>,
) {
    if let Some(screen) = screen {
        let is_board = *screen.get() != Screen::Title;
        flat.set_if_neq(api::FlatView(settings.diagram && is_board && photo.0.is_none()));
    }
}

/// Sets the speed of animations after a change of the settings. A replay
/// multiplies it with its own speed, and an export keeps the usual one.
fn follow_speed_setting(
    settings: Res<Settings>,
    screen: Option<Res<State<Screen>>>,
    mut speed: ResMut<api::AnimationSpeed>,
) {
    if screen.is_some_and(|screen| *screen.get() != Screen::Replay) {
        speed.set_if_neq(api::AnimationSpeed(settings.effective_animation_speed()));
    }
}
