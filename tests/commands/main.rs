//! The commands from outside: what they write, where, and how they end.

mod bologna;
#[path = "../common/mod.rs"]
mod common;
mod contest;
mod files;
mod kept;
mod play;
mod readme;
mod solve;
mod tablan;
mod tune;
mod usage;

use std::{
    fs,
    path::{Path, PathBuf},
};

use tabulae::records::{Record, read};

/// A file among the records the tests bring.
fn record(kind: &str, name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/records").join(kind).join(name)
}

fn read_file(path: &Path) -> Vec<Record> {
    read(&fs::read_to_string(path).unwrap()).unwrap()
}
