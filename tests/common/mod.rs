//! What several test programs share.
#![allow(dead_code)]
pub(crate) mod games;
#[cfg(feature = "app")]
pub(crate) mod headless;
pub(crate) mod program;
pub(crate) mod ugi;
pub(crate) mod vectors;
