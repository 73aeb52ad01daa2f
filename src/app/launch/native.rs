//! A window on this system's display.

use std::{path::Path, time::Instant};

use bevy::prelude::*;
use thiserror::Error;

use super::{AppOptions, begin, window};
use crate::{
    app::{
        core::states::Screen,
        dev_tools::frame_report,
        game::record_files::{is_big, read_valid_games},
        platform::catch_panic,
    },
    records::on_one_line,
};

/// Why the program could not run.
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

/// Runs the program in a window until it is closed.
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
/// There is no display, the record cannot be read, or the program ended with an
/// error.
pub fn run(options: &AppOptions) -> Result<(), AppError> {
    let start = Instant::now();
    options.record.as_deref().map_or(Ok(()), check_record)?;
    check_display()?;
    let size = options.size.unwrap_or((1280, 720));
    let mut app = catch_panic(
        || window(size),
        |message| {
            // The windowing library's message is for its own developers.
            let unanswered = message.contains("event loop");
            let message = if unanswered { "the display does not answer".into() } else { message };
            AppError::NoDisplay(message)
        },
    )?;
    if options.frame_report {
        let first = if options.record.is_some() {
            Screen::Replay
        } else if options.rules.is_some() {
            Screen::Table
        } else {
            Screen::Title
        };
        frame_report::measure(&mut app, start, first);
    }
    begin(&mut app, options);
    match app.run() {
        AppExit::Success => Ok(()),
        AppExit::Error(code) => Err(AppError::Ended(code.get())),
    }
}

/// Reads a record before there is a window, so that an error is one of the command. A big file
/// is read once, by the window, which says meanwhile that it reads.
fn check_record(path: &Path) -> Result<(), AppError> {
    if is_big(path) {
        return Ok(());
    }
    let games = read_valid_games(path);
    games.map(drop).map_err(|why| AppError::Record(on_one_line(&why.localized())))
}

/// Checks that a display server is named, on systems that need one.
fn check_display() -> Result<(), AppError> {
    let needs = cfg!(all(unix, not(target_os = "macos"), not(target_os = "android")));
    let named = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if needs && !["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"].into_iter().any(named) {
        return Err(AppError::NoDisplay("neither DISPLAY nor WAYLAND_DISPLAY is set".to_owned()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_in_a_small_record_ends_the_command_and_a_big_one_is_left_to_the_window() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("damaged.tab");
        for (bytes, is_refused) in [(100, true), (2 << 20, false)] {
            std::fs::write(&path, "damaged ".repeat(bytes / 8)).expect("written");
            assert_eq!(check_record(&path).is_err(), is_refused, "{bytes} bytes");
        }
        let missing = check_record(&folder.path().join("missing.tab"));
        assert!(missing.is_err_and(|error| error.to_string().contains("missing.tab")));
    }
}
