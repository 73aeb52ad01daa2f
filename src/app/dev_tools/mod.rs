//! Reports for scripts and developers: what is shown, and the cost of frames.

#[cfg(not(target_arch = "wasm32"))]
pub(crate) mod frame_report;
pub(crate) mod report;
