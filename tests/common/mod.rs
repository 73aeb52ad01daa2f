//! What several test programs share.
#![allow(dead_code)]
pub(crate) mod games;
pub(crate) mod program;
#[cfg(feature = "app")]
pub(crate) mod silent;
pub(crate) mod ugi;
pub(crate) mod vectors;
