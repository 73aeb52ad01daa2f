//! The app without a window: the same plugins, no renderer. Pointer events on
//! squares play scripted games through the same path as a mouse.
#![cfg(feature = "app")]

mod common;

use common::silent::Silent;

#[test]
fn it_starts() {
    let mut silent = Silent::new((1280, 720));
    silent.frames(3);
}
