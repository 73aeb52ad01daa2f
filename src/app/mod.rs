//! The 3D app: everything seen, heard and clicked.
//!
//! One plugin per module, in layers: a folder imports only from those above it
//! in this list (`tests/architecture.rs` checks it):
//!
//! - [`core`]: actions, states, the schedule, notices
//! - `platform`: native and web differences, patches of other packages
//! - [`commands`]: the table of all commands: words, icons, keys, actions
//! - [`settings`]: settings and key bindings
//! - [`scene`]: board, pieces, sticks, camera, animation, look, sound
//! - [`game`]: the current game: rules, saving, opponents, clock
//! - [`replay`], [`editor`], [`lesson`]: what else the scene can show
//! - `on_screen`: which of these the current screen shows
//! - [`analysis`]: hints, evaluation, best lines, review
//! - [`explorer`]: the moves that games played at the position
//! - [`practice`], `tutor`: learning from the mistakes of a game, after it and in it
//! - [`puzzles`]: the puzzle trainer
//! - `highlights`: the highlighted squares, from all of the above
//! - [`capture`]: rendering off screen, export, clipboard
//! - `input`: mouse, touch, keyboard
//! - `ui`: screens, dialogs, overlays, widgets
//! - `dev_tools`: reports for scripts and developers
//! - [`launch`]: starting and quitting
//!
//! Nothing here decides what is legal: actions go to the [`game::referee`], which
//! asks the rules; the scene receives what happened ([`scene::api`]).
//!
//! The same plugins run in a window, without one in tests ([`headless`]), into a
//! picture ([`capture::render`]) and on a web page.

pub mod analysis;
pub mod capture;
pub mod commands;
pub mod core;
pub(crate) mod dev_tools;
pub mod editor;
pub mod explorer;
pub mod game;
mod highlights;
mod input;
pub mod launch;
pub mod lesson;
mod on_screen;
pub(crate) mod platform;
pub mod practice;
pub mod puzzles;
pub mod replay;
pub mod scene;
pub mod settings;
mod tutor;
mod ui;

use bevy::prelude::*;

#[cfg(not(target_arch = "wasm32"))]
pub use launch::{AppError, run};
pub use launch::{AppOptions, headless, headless_run};

/// Everything besides the scene.
fn game_plugins(app: &mut App) {
    app.add_plugins(core::states::plugin).add_plugins((
        settings::plugin,
        analysis::plugin,
        game::plugin,
        replay::plugin,
        capture::plugin,
        (explorer::plugin, lesson::plugin),
        practice::plugin,
        puzzles::plugin,
        tutor::plugin,
        editor::plugin,
        highlights::plugin,
        input::plugin,
        ui::plugin,
        dev_tools::report::plugin,
        launch::plugin,
    ));
}

/// The dialog that is open over the screen.
///
/// ```
/// use tabulae::app::{core::{actions::{Action, UiAction}, states::Dialog}, open_dialog, headless};
///
/// let mut app = headless((900, 600));
/// app.update();
/// assert_eq!(open_dialog(app.world()), None);
/// app.world_mut().write_message(Action::Ui(UiAction::OpenDialog(Dialog::Settings)));
/// app.update();
/// assert_eq!(open_dialog(app.world()), Some(Dialog::Settings));
/// ```
pub fn open_dialog(world: &World) -> Option<core::states::Dialog> {
    world.get_resource::<core::states::OpenDialog>()?.0
}
