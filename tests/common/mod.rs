//! What several test programs share. The tests of the packages in `crates` use some of
//! these files, too.
#![allow(dead_code)]
pub(crate) mod games;
pub(crate) mod program;
pub(crate) mod ugi;
pub(crate) mod vectors;
