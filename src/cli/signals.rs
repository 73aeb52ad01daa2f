//! Signals that end the program: Ctrl+C and others.

#[cfg(unix)]
use std::io::IsTerminal as _;

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
    let Ok(mut signals) = Signals::new(caught.filter(|signal| !is_ignored(*signal))) else {
        return;
    };
    std::thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            clean_up();
            _ = emulate_default_handler(signal);
        }
    });
}

/// Does nothing: Windows sends Ctrl+C to the programs that this one has started, too, and
/// has no other signals.
#[cfg(not(unix))]
pub(super) fn before_an_end(_with_ctrl_c: bool, _clean_up: impl FnOnce() + Send + 'static) {}

/// Ends other programs with this one.
pub(super) fn end_programs_too(with_ctrl_c: bool) {
    before_an_end(with_ctrl_c, crate::session::end_programs);
}

/// Whether this program was started with a signal ignored, as `nohup` does with the one of
/// a closed terminal.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let is_at_terminal = std::io::stdout().is_terminal() || std::io::stderr().is_terminal();
    is_ignored_in(&status, is_at_terminal, signal)
}

/// Whether a process of that status ignores a signal. Systems other than Linux do not tell:
/// there a program that writes to no terminal may be `nohup`'s, which takes it away.
#[cfg(unix)]
fn is_ignored_in(status: &str, is_at_terminal: bool, signal: i32) -> bool {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.map_or(signal == SIGHUP && !is_at_terminal, |mask| mask >> (signal - 1) & 1 == 1)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_closed_terminal_is_ignored_only_as_nohup_wants() {
        let status = |mask: &str| format!("Name:\ttabulae\nSigIgn:\t{mask}\nSigCgt:\t0\n");
        let [plain, nohup] = ["0000000000001000", "0000000000001001"].map(status);
        for (status, is_at_terminal, is_ignored) in [
            (plain.as_str(), false, false),
            (&nohup, true, true),
            ("", true, false),
            ("", false, true),
        ] {
            assert_eq!(is_ignored_in(status, is_at_terminal, SIGHUP), is_ignored, "{status}");
            assert!(!is_ignored_in(status, is_at_terminal, SIGTERM), "{status}");
        }
    }
}
