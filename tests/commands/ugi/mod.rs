//! `tabulae engine` as a process: conversations, the limits of `go`, all test
//! vectors through the protocol, and a stress test.

mod conversation;
mod go;
mod stress;
mod vectors;
