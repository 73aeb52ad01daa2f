//! Files: the one place that touches the system's, or where there is none, the
//! browser's storage.
//!
//! Both have the same functions, so that nobody else need know. In a browser a
//! path is a key: what is kept stands in the page's storage; what a person has
//! opened lives as long as the page; what is saved is a download.

#[cfg(target_arch = "wasm32")]
#[path = "disk/page.rs"]
mod place;
#[cfg(not(target_arch = "wasm32"))]
#[path = "disk/system.rs"]
mod place;

pub(crate) use self::place::*;
