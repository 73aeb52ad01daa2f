//! A window on this system's display.

use std::{
    panic,
    sync::{Mutex, PoisonError},
    time::Instant,
};

use bevy::prelude::*;
use thiserror::Error;

use super::{AppOptions, begin, window};
use crate::{
    app::{core::states::Screen, dev_tools::frame_report, game::referee::read_file},
    records::on_one_line,
};

/// Why the window could not be opened.
#[derive(Debug, Error)]
pub enum AppError {
    /// There is no display, or it cannot be used.
    #[error(
        "no window can be opened here ({0}); `tabulae play` plays in the terminal, and \
         `tabulae render` makes a picture of a record without a window"
    )]
    NoDisplay(String),
    /// The record to show cannot be read.
    #[error("{0}")]
    Record(String),
    /// The program ended with an error code.
    #[error("the program ended with code {0}")]
    Ended(u8),
}

/// Opens the program in a window and returns when it is closed.
///
/// ```no_run
/// use tabulae::app::{AppError, AppOptions, run};
/// use tabulae::games::RuleSet;
///
/// let options = AppOptions { rules: Some(RuleSet::Tablan), ..AppOptions::default() };
/// if let Err(AppError::NoDisplay(why)) = run(&options) {
///     eprintln!("not here: {why}");
/// }
/// ```
///
/// # Errors
/// No display, or a record that cannot be read.
pub fn run(options: &AppOptions) -> Result<(), AppError> {
    let begun = Instant::now();
    if let Some(path) = &options.record {
        read_file(path).map_err(|why| AppError::Record(on_one_line(&why.localized())))?;
    }
    check_display()?;
    let size = options.size.unwrap_or((1280, 720));
    let mut app = quietly(|| window(size)).map_err(|words| {
        // What the windowing library says of it is for its own developers.
        let unanswered = words.contains("event loop");
        AppError::NoDisplay(if unanswered { "the display does not answer".into() } else { words })
    })?;
    if options.frame_report {
        let first = if options.record.is_some() {
            Screen::Replay
        } else if options.rules.is_some() {
            Screen::Table
        } else {
            Screen::Title
        };
        frame_report::measure(&mut app, begun, first);
    }
    begin(&mut app, options);
    match app.run() {
        AppExit::Success => Ok(()),
        AppExit::Error(code) => Err(AppError::Ended(code.get())),
    }
}

/// On systems whose windows need a display server: is one named at all?
fn check_display() -> Result<(), AppError> {
    let needs = cfg!(all(unix, not(target_os = "macos"), not(target_os = "android")));
    let named = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if needs && !["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"].into_iter().any(named) {
        return Err(AppError::NoDisplay("neither DISPLAY nor WAYLAND_DISPLAY is set".to_owned()));
    }
    Ok(())
}

/// Builds the program; a panic on the way (the windowing and drawing libraries'
/// only way to say that there is no display or no adapter) becomes one line.
pub(crate) fn quietly(build: impl FnOnce() -> App + panic::UnwindSafe) -> Result<App, String> {
    static REASON: Mutex<Option<String>> = Mutex::new(None);
    let usual = panic::take_hook();
    panic::set_hook(Box::new(|info| {
        let mut reason = REASON.lock().unwrap_or_else(PoisonError::into_inner);
        let words = info.payload_as_str().and_then(|text| text.lines().next());
        reason.get_or_insert_with(|| words.unwrap_or("the display does not answer").to_owned());
    }));
    let built = panic::catch_unwind(build);
    panic::set_hook(usual);
    built.map_err(|_| {
        let reason = REASON.lock().unwrap_or_else(PoisonError::into_inner).take();
        reason.unwrap_or_else(|| "the display does not answer".to_owned())
    })
}
