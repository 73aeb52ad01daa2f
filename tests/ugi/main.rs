//! `tabulae engine` from outside: the conversation, every vector by way of the
//! protocol, and thousands of commands in any order.

#[path = "../common/mod.rs"]
mod common;
mod conversation;
mod stress;
mod vectors;
