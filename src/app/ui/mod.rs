//! Everything written over the scene: panels, buttons, dialogs.
//!
//! Architecture invariant: a panel reads the game and writes [`Action`]s; it
//! changes nothing else but its own [`state::UiState`] and the
//! [`ViewportInsets`](crate::app::scene::api::ViewportInsets) it takes from the scene.

pub(crate) mod dialogs;
pub(crate) mod game_texts;
pub(crate) mod overlays;
pub(crate) mod screens;
pub(crate) mod state;
#[cfg(test)]
mod tests;
pub(crate) mod theme;
pub(crate) mod widgets;

use bevy::{asset::AssetEventSystems, prelude::*};
use bevy_egui::{
    EguiContexts, EguiPlugin, EguiPostUpdateSet, EguiPrimaryContextPass,
    egui::{Context, Event, Rect, vec2},
};

use crate::app::{
    analysis::Analysis,
    core::{
        actions::Action,
        schedule::AppSet,
        states::{Dialog, Paused, Screen, UiFocus},
    },
    game::referee::Referee,
    replay::Replay,
    scene::api::{MotionStatus, ViewportInsets},
    settings::{ChangeSettings, Settings},
};

pub(crate) use state::UiState;

/// Adds the panels of all screens.
pub(crate) fn plugin(app: &mut App) {
    if !app.is_plugin_added::<EguiPlugin>() {
        app.add_plugins(EguiPlugin::default());
    }
    app.add_plugins((
        crate::app::platform::upstream_fixes::multiline_paste::plugin,
        crate::app::platform::upstream_fixes::pointer_capture::plugin,
        crate::app::platform::upstream_fixes::repeated_modifiers::plugin,
        crate::app::platform::upstream_fixes::screen_reader::plugin,
    ));
    // Letters drawn for the first time are told to the renderer in the frame
    // that writes with them: else they would be missing in it.
    app.configure_sets(PostUpdate, EguiPostUpdateSet::PostProcessOutput.before(AssetEventSystems));
    app.add_systems(Startup, take_up_choice).add_systems(
        Update,
        (dialogs::follow, write_focus, keep_choice.run_if(resource_changed::<UiState>))
            .chain()
            .in_set(AppSet::Report),
    );
    systems(app);
}

/// What was chosen last stands ready.
fn take_up_choice(mut desk: ResMut<'_, UiState>, settings: Res<'_, Settings>) {
    desk.choice = settings.new_game.clone();
}

/// What is chosen is kept for the next time.
fn keep_choice(
    desk: Res<'_, UiState>,
    settings: Res<'_, Settings>,
    mut changes: MessageWriter<'_, ChangeSettings>,
) {
    if desk.choice != settings.new_game {
        let choice = desk.choice.clone();
        changes.write(ChangeSettings(Settings { new_game: choice, ..settings.clone() }));
    }
}

/// The panels themselves, without what draws them.
fn systems(app: &mut App) {
    app.init_resource::<Paused>()
        .init_resource::<UiFocus>()
        .init_resource::<state::UiState>()
        .init_resource::<crate::app::ui::dialogs::files::Files>()
        .add_systems(
            EguiPrimaryContextPass,
            (
                dress,
                draw_anew.run_if(something_happened),
                crate::app::ui::screens::title::show.run_if(in_state(Screen::Title)),
                crate::app::ui::screens::table::show.run_if(in_state(Screen::Table)),
                crate::app::ui::screens::replay::show.run_if(in_state(Screen::Replay)),
                crate::app::ui::screens::editor::show.run_if(in_state(Screen::Editor)),
                crate::app::ui::overlays::popups::show,
                crate::app::ui::overlays::turn_table::show
                    .run_if(resource_exists::<crate::app::scene::api::FlipOffered>),
                dialogs::show,
                crate::app::ui::dialogs::files::ask,
                crate::app::ui::dialogs::files::show,
                crate::app::ui::dialogs::files::copy,
                ring,
                write_focus,
            )
                .chain(),
        );
}

/// Tells the game and the board's keys what is open: after a frame of the UI,
/// and after actions that open or close something.
fn write_focus(
    desk: Res<'_, UiState>,
    files: Res<'_, dialogs::files::Files>,
    mut paused: ResMut<'_, Paused>,
    mut focus: ResMut<'_, UiFocus>,
) {
    let pauses = desk.open.is_some_and(|dialog| dialog != Dialog::TypeMove) || files.is_open();
    paused.set_if_neq(Paused(pauses));
    focus.set_if_neq(UiFocus {
        keyboard: desk.open.is_some() || desk.confirm.is_some() || files.is_open(),
        dismissible: desk.covers(),
    });
}

/// The look, and the size of text and buttons that a person likes.
fn dress(
    mut contexts: EguiContexts<'_, '_>,
    settings: Res<'_, Settings>,
    screen: Res<'_, State<Screen>>,
    mut desk: ResMut<'_, state::UiState>,
) {
    let Ok(context) = contexts.ctx_mut() else { return };
    if screen.is_changed() {
        desk.greeting = 4;
        dialogs::release(context);
    }
    theme::apply(context);
    theme::paint(settings.palette);
    let zoom = f32::from(settings.text_size) / 100.0;
    if (context.zoom_factor() - zoom).abs() > 1e-3 {
        context.set_zoom_factor(zoom);
    }
}

/// Shows where the keyboard is, to those who use it.
fn ring(mut contexts: EguiContexts<'_, '_>, mut by_keys: Local<'_, bool>) {
    let Ok(context) = contexts.ctx_mut() else { return };
    context.input(|input| {
        for event in &input.events {
            match event {
                Event::Key { pressed: true, .. } => *by_keys = true,
                Event::PointerButton { pressed: true, .. } => *by_keys = false,
                _ => {}
            }
        }
    });
    if *by_keys {
        widgets::ring(context);
    }
}

/// Leaves the scene what panels of these widths (in the panels' own points)
/// do not cover.
fn leave(context: &Context, margins: &mut ResMut<'_, ViewportInsets>, points: ViewportInsets) {
    let zoom = context.zoom_factor();
    margins.set_if_neq(ViewportInsets {
        left: points.left * zoom,
        right: points.right * zoom,
        top: points.top * zoom,
        bottom: points.bottom * zoom,
    });
}

/// The part of the window that the panels leave to the scene, in points.
fn left_free(context: &Context, margins: &ViewportInsets) -> Rect {
    let (window, zoom) = (context.content_rect(), context.zoom_factor());
    Rect::from_min_max(
        window.min + vec2(margins.left, margins.top) / zoom,
        window.max - vec2(margins.right, margins.bottom) / zoom,
    )
}

/// Asks for one frame more: panels may take two to find their size, and with
/// nothing moving the next frame may be long in coming.
fn draw_anew(mut contexts: EguiContexts<'_, '_>) {
    if let Ok(context) = contexts.ctx_mut() {
        context.request_repaint();
    }
}

fn something_happened(
    screen: Res<'_, State<Screen>>,
    referee: Res<'_, Referee>,
    replay: Res<'_, Replay>,
    motion: Res<'_, MotionStatus>,
    advice: Res<'_, Analysis>,
    settings: Res<'_, Settings>,
    mut acts: MessageReader<'_, '_, Action>,
) -> bool {
    let acted = acts.read().count() > 0;
    screen.is_changed()
        || referee.is_changed()
        || replay.is_changed()
        || motion.is_changed()
        || advice.is_changed()
        || settings.is_changed()
        || acted
}

/// Hands on what the panels of this frame ask for.
fn send(asked: Vec<Action>, acts: &mut MessageWriter<'_, Action>) {
    for act in asked {
        acts.write(act);
    }
}
