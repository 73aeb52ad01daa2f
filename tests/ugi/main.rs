//! `tabulae engine` as a process: conversations, all test vectors through the
//! protocol, and a stress test.

#[path = "../common/mod.rs"]
mod common;
mod conversation;
mod stress;
mod vectors;
