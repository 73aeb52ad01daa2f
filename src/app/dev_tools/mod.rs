//! What scripts and developers read: reports of what is shown, frame figures.

#[cfg(not(target_arch = "wasm32"))]
pub(crate) mod frame_report;
pub(crate) mod report;
