//! `tabulae engine` from outside: the conversation, and every vector by way of
//! the protocol.

#[path = "../common/mod.rs"]
mod common;
mod conversation;
mod vectors;
