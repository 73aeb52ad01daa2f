//! The 3D table: everything seen, heard and clicked.
//!
//! One plugin per module. Nothing here decides what is legal: acts go to the
//! [`referee`], which asks the rules; the scene is handed what happened
//! ([`stage`]).
//!
//! The same plugins run in a window, without one under test ([`silent`]), and
//! into a picture (`render`), and on a page of a browser.

pub mod acts;
pub mod advice;
mod animation;
mod board;
mod camera;
mod clock;
mod copying;
pub mod editor;
mod exhibition;
#[cfg(not(target_arch = "wasm32"))]
mod export;
#[cfg(target_arch = "wasm32")]
#[path = "export/none.rs"]
mod export;
#[cfg(not(target_arch = "wasm32"))]
mod frames;
#[cfg(not(target_arch = "wasm32"))]
mod icon;
mod input;
pub mod keys;
mod leaving;
pub mod lesson;
mod look;
mod open;
#[cfg(target_arch = "wasm32")]
pub mod page;
mod panels;
mod pieces;
pub mod referee;
#[cfg(not(target_arch = "wasm32"))]
pub mod render;
pub mod replay;
mod report;
pub mod settings;
mod sound;
pub mod stage;
mod sticks;

use bevy::prelude::*;

#[cfg(not(target_arch = "wasm32"))]
pub use open::{AppError, run};
pub use open::{AppOptions, silent, silent_run};

/// Whether the program is on a page of a browser: it has no window of its own
/// to fill the screen with or to close, and starts no other program.
pub(crate) const ON_A_PAGE: bool = cfg!(target_arch = "wasm32");

/// The order of a frame's work.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Steps {
    /// The clocks go on.
    Clock,
    /// Keys become acts.
    Input,
    /// Acts are put to the game or the replay.
    Judge,
    /// Files are written and read.
    Files,
    /// Engines are asked, and answer.
    Think,
    /// The scene takes up its cues and moves things.
    Scene,
    /// What was done is kept and reported.
    Report,
}

/// What the scene needs: boards, figures, sticks, motion, camera, light.
pub(crate) fn scene(app: &mut App) {
    app.add_message::<acts::Act>()
        .add_message::<stage::Cue>()
        .init_resource::<stage::Marks>()
        .init_resource::<stage::Motion>()
        .init_resource::<stage::Pace>()
        .init_resource::<stage::Margins>()
        .init_resource::<stage::Awake>()
        .init_resource::<stage::Due>()
        .init_resource::<stage::Writing>()
        .init_resource::<stage::Heard>()
        .init_resource::<stage::Focus>()
        .init_resource::<settings::Settings>()
        .configure_sets(
            Update,
            (
                Steps::Clock,
                Steps::Input,
                Steps::Judge,
                Steps::Files,
                Steps::Think,
                Steps::Scene,
                Steps::Report,
            )
                .chain(),
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

/// The game around the scene: acts, referee, replay, panels.
fn game(app: &mut App) {
    app.init_state::<stage::Screen>().add_plugins((
        settings::plugin,
        advice::plugin,
        referee::plugin,
        replay::plugin,
        exhibition::plugin,
        copying::plugin,
        export::plugin,
        lesson::plugin,
        clock::plugin,
        editor::plugin,
        input::plugin,
        leaving::plugin,
        panels::plugin,
        report::plugin,
    ));
}

/// The sheet that is open over the screen.
///
/// ```
/// use tabulae::app::{acts::{Act, Sheet}, open_sheet, silent};
///
/// let mut app = silent((900, 600));
/// app.update();
/// assert_eq!(open_sheet(app.world()), None);
/// app.world_mut().write_message(Act::Show(Sheet::Settings));
/// app.update();
/// assert_eq!(open_sheet(app.world()), Some(Sheet::Settings));
/// ```
#[must_use]
pub fn open_sheet(world: &World) -> Option<acts::Sheet> {
    world.get_resource::<panels::Desk>()?.open
}
