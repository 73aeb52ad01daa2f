//! Progress bars on stderr.

use std::{
    io::{self, IsTerminal as _},
    time::Duration,
};

use indicatif::{ProgressBar, ProgressStyle};

use tabulae_records::on_one_line;

/// Time between two frames of a spinner.
const TICK: Duration = Duration::from_millis(200);

/// A progress bar on stderr. Nothing is shown unless stderr is a terminal. The bar
/// is removed when it is dropped.
pub struct Progress(Option<ProgressBar>);

impl Progress {
    /// A bar that counts `total` of `unit`, such as `games`; hidden when `hide`.
    pub fn bar(total: usize, unit: &'static str, hide: bool) -> Self {
        Self::new(hide, "{bar:30} {pos} of {len} {prefix}, {eta} left", || {
            ProgressBar::new(total as u64).with_prefix(unit)
        })
    }

    /// A spinner, for work of unknown length; hidden when `hide`.
    pub fn spinner(hide: bool) -> Self {
        Self::new(hide, "{spinner} {elapsed} {wide_msg}", ProgressBar::new_spinner)
    }

    fn new(hide: bool, template: &str, bar: impl FnOnce() -> ProgressBar) -> Self {
        if hide || !io::stderr().is_terminal() {
            return Self(None);
        }
        let bar = bar();
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("#>-"));
        }
        bar.enable_steady_tick(TICK);
        Self(Some(bar))
    }

    /// Whether anything is shown.
    pub const fn is_shown(&self) -> bool {
        self.0.is_some()
    }

    /// Sets how much is done.
    pub fn set(&self, done: usize) {
        if let Some(bar) = &self.0 {
            bar.set_position(done as u64);
        }
    }

    /// Adds to what is done.
    pub fn advance(&self, more: usize) {
        if let Some(bar) = &self.0 {
            bar.inc(more as u64);
        }
    }

    /// Sets the text after the spinner.
    pub fn set_message(&self, text: String) {
        if let Some(bar) = &self.0 {
            bar.set_message(on_one_line(&text));
        }
    }

    /// Removes the bar while `print` prints.
    pub fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.0 {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// Removes the bar.
    pub fn finish(&self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.finish();
    }
}
