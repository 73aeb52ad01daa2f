//! Everything written over the scene: panels, buttons, dialogs.
//!
//! Architecture invariant: a panel reads the game and writes [`Act`]s; it
//! changes nothing else but its own [`desk::Desk`] and the
//! [`Margins`](super::stage::Margins) it takes from the scene.

mod bar;
mod desk;
mod dock;
mod files;
mod help;
mod moves;
mod popups;
mod quiet;
mod side;
mod sketch;
mod table;
#[cfg(test)]
mod tests;
mod theme;
mod title;
mod watch;
mod widgets;
mod words;

use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPlugin, EguiPrimaryContextPass};

use super::{
    acts::Act,
    referee::Referee,
    replay::Replay,
    stage::{Motion, Screen},
};

/// Adds the panels of all screens.
pub(crate) fn plugin(app: &mut App) {
    if !app.is_plugin_added::<EguiPlugin>() {
        app.add_plugins(EguiPlugin::default());
    }
    app.add_plugins(quiet::plugin);
    systems(app);
}

/// The panels themselves, without what draws them.
fn systems(app: &mut App) {
    app.init_resource::<desk::Desk>().init_resource::<files::Files>().add_systems(
        EguiPrimaryContextPass,
        (
            dress,
            draw_anew.run_if(something_happened),
            title::show.run_if(in_state(Screen::Title)),
            table::show.run_if(in_state(Screen::Table)),
            watch::show.run_if(in_state(Screen::Replay)),
            popups::show,
            help::show,
            files::show,
        )
            .chain(),
    );
}

/// Whether something over the scene has the keyboard: a dialog, the help, a
/// yes that is asked for. The board's keys wait while it does.
pub(crate) fn holds_keys(desk: Res<'_, desk::Desk>, files: Res<'_, files::Files>) -> bool {
    desk.help || desk.confirm.is_some() || files.is_open()
}

fn dress(mut contexts: EguiContexts<'_, '_>) {
    if let Ok(context) = contexts.ctx_mut() {
        theme::apply(context);
    }
}

/// Asks for one frame more: letters drawn for the first time are on the screen
/// a frame later, and with nothing moving the next frame may be long in coming.
fn draw_anew(mut contexts: EguiContexts<'_, '_>) {
    if let Ok(context) = contexts.ctx_mut() {
        context.request_repaint();
    }
}

fn something_happened(
    screen: Res<'_, State<Screen>>,
    referee: Res<'_, Referee>,
    replay: Res<'_, Replay>,
    motion: Res<'_, Motion>,
) -> bool {
    screen.is_changed() || referee.is_changed() || replay.is_changed() || motion.is_changed()
}

/// Hands on what the panels of this frame ask for.
fn send(asked: Vec<Act>, acts: &mut MessageWriter<'_, Act>) {
    for act in asked {
        acts.write(act);
    }
}
