//! Differences between a native program and a page, and the patches of other
//! packages that wait for an upstream release.

#[cfg(not(target_arch = "wasm32"))]
pub(crate) mod icon;
pub(crate) mod upstream_fixes;
#[cfg(target_arch = "wasm32")]
pub(crate) mod web_files;

/// Whether the program runs on a page of a browser: it has no window of its own
/// to make full-screen or to close, and starts no other program.
pub(crate) const ON_A_PAGE: bool = cfg!(target_arch = "wasm32");

/// Writes a line for scripts; a closed pipe is no error.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn say(line: &str) {
    use std::io::Write as _;

    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{line}");
    let _ = out.flush();
}

/// Writes a line for scripts to the browser's console.
#[cfg(target_arch = "wasm32")]
pub(crate) fn say(line: &str) {
    web_sys::console::log_1(&line.into());
}
