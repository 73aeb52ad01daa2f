//! What several test programs share.
#![allow(dead_code)]
#[cfg(feature = "app")]
pub(crate) mod silent;
