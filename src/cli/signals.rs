//! Signals that end the program: Ctrl+C and others.

#[cfg(unix)]
use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM},
    iterator::Signals,
    low_level::emulate_default_handler,
};

/// Runs `clean_up` when a signal is about to end the program, which it then does as ever.
/// Ctrl+C is left out where another part of the program answers it.
#[cfg(unix)]
pub(super) fn before_an_end(with_ctrl_c: bool, clean_up: impl FnOnce() + Send + 'static) {
    let ctrl_c = with_ctrl_c.then_some(SIGINT);
    let caught = [SIGHUP, SIGQUIT, SIGTERM].into_iter().chain(ctrl_c);
    // Where signals cannot be caught, they end the program at once.
    let Ok(mut signals) = Signals::new(caught.filter(|it| !is_ignored(*it))) else { return };
    std::thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            clean_up();
            _ = emulate_default_handler(signal);
        }
    });
}

/// As on Unix. Windows sends Ctrl+C to the programs that this one has started, too, and
/// has no other signals.
#[cfg(not(unix))]
pub(super) fn before_an_end(_with_ctrl_c: bool, _clean_up: impl FnOnce() + Send + 'static) {}

/// Ends other programs with this one.
pub(super) fn end_programs_too(with_ctrl_c: bool) {
    before_an_end(with_ctrl_c, crate::session::end_programs);
}

/// Whether this program was started with a signal ignored, as `nohup` does with the one of
/// a closed terminal. Systems that do not tell are taken to be asked for that.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.map_or(signal == SIGHUP, |mask| mask >> (signal - 1) & 1 == 1)
}
