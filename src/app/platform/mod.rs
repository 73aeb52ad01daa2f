//! Differences between the native program and the web page, and the patches of
//! other packages that wait for an upstream release.

use std::path::Path;

pub(crate) mod alarm;
#[cfg(not(target_arch = "wasm32"))]
pub(crate) mod icon;
pub(crate) mod notification;
pub(crate) mod page_tree;
pub(crate) mod upstream_fixes;
#[cfg(target_arch = "wasm32")]
pub(crate) mod web_files;

/// The name by which desktops know the program: the Wayland app id and the X11
/// class. The files in `packaging` have it, too.
pub(crate) const APP_ID: &str = "org.tabulae.Tabulae";

/// Whether the program runs on a web page: there it has no window of its own to
/// make full-screen or to close, and starts no other program.
pub(crate) const IS_WEB: bool = cfg!(target_arch = "wasm32");

/// Whether the keyboard is a Mac's, whose command key is what Control is elsewhere.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) const fn is_mac() -> bool {
    cfg!(target_os = "macos")
}

/// Whether the keyboard is a Mac's, as far as the browser tells.
#[cfg(target_arch = "wasm32")]
pub(crate) fn is_mac() -> bool {
    use std::sync::LazyLock;

    static IS_MAC: LazyLock<bool> = LazyLock::new(|| {
        let navigator = web_sys::window().map(|page| page.navigator());
        let agent = navigator.and_then(|navigator| navigator.user_agent().ok()).unwrap_or_default();
        ["Macintosh", "iPhone", "iPad"].iter().any(|name| agent.contains(name))
    });
    *IS_MAC
}

/// A path as the panels show it: in the user's home folder it begins with `~`, so that
/// pictures of the window do not tell the user's name.
pub(crate) fn shown_path(path: &Path) -> String {
    let home = if cfg!(unix) { std::env::home_dir() } else { None };
    shown_from(home.as_deref(), path)
}

fn shown_from(home: Option<&Path>, path: &Path) -> String {
    let home = home.filter(|home| home.file_name().is_some());
    let rest = home.and_then(|home| path.strip_prefix(home).ok());
    rest.map_or_else(|| path.to_owned(), |rest| Path::new("~").join(rest)).display().to_string()
}

/// Prints a line for scripts to stdout; a closed pipe is no error.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn print_line(line: &str) {
    use std::io::Write as _;

    let mut out = std::io::stdout().lock();
    // Names may hold control characters, which a terminal obeys.
    for line in line.lines() {
        let _ = writeln!(out, "{}", crate::records::on_one_line(line));
    }
    let _ = out.flush();
}

/// Prints a line for scripts to the browser's console.
#[cfg(target_arch = "wasm32")]
pub(crate) fn print_line(line: &str) {
    web_sys::console::log_1(&line.into());
}

/// Builds the app without a panic: the windowing and rendering libraries panic
/// where there is no display or no adapter.
///
/// The program of the packages cannot catch a panic. It says `why` at once and ends,
/// with the code of a command that failed.
///
/// # Errors
/// `why` of the first line of the panic's message.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn catch_panic<E: std::fmt::Display + 'static>(
    build: impl FnOnce() -> bevy::prelude::App + std::panic::UnwindSafe,
    why: fn(String) -> E,
) -> Result<bevy::prelude::App, E> {
    use std::{
        panic,
        sync::{Mutex, PoisonError},
    };

    const UNKNOWN: &str = "the display does not answer";
    static REASON: Mutex<Option<String>> = Mutex::new(None);

    let default_hook = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let mut reason = REASON.lock().unwrap_or_else(PoisonError::into_inner);
        let message = info.payload_as_str().and_then(|text| text.lines().next());
        let reason = reason.get_or_insert_with(|| message.unwrap_or(UNKNOWN).to_owned());
        if cfg!(panic = "abort") {
            eprintln!("tabulae: {}", why(reason.clone()));
            std::process::exit(1);
        }
    }));
    let built = panic::catch_unwind(build);
    panic::set_hook(default_hook);
    built.map_err(|_| {
        let reason = REASON.lock().unwrap_or_else(PoisonError::into_inner).take();
        why(reason.unwrap_or_else(|| UNKNOWN.to_owned()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_in_the_home_folder_begins_with_a_tilde() {
        let shown = |home, path| shown_from(Some(Path::new(home)), Path::new(path));
        assert_eq!(shown("/home/aili", "/home/aili/games/a.tab"), "~/games/a.tab");
        assert_eq!(shown("/home/aili", "/home/ailis/a.tab"), "/home/ailis/a.tab");
        assert_eq!(shown("/home/aili", "/srv/a.tab"), "/srv/a.tab");
        // The home of a service.
        assert_eq!(shown("/", "/srv/a.tab"), "/srv/a.tab");
        assert_eq!(shown("", "a.tab"), "a.tab");
        assert_eq!(shown_from(None, Path::new("/srv/a.tab")), "/srv/a.tab");
    }
}
