//! The commands as processes: their output, error messages and exit codes.

mod autosave;
mod bologna;
mod book;
#[path = "../common/mod.rs"]
mod common;
mod control;
mod diagram;
mod docs;
mod files;
#[path = "../common/guide.rs"]
mod guide;
mod json;
#[path = "../common/markdown.rs"]
mod markdown;
mod match_runner;
mod pipes;
mod play;
mod post;
#[cfg(unix)]
mod programs;
mod referee;
mod rules;
mod solve;
mod tablan;
mod tournament;
mod train;
#[path = "../common/tree.rs"]
mod tree;
mod ugi;
mod usage;

use std::{
    fs,
    path::{Path, PathBuf},
};

use common::program;
use tabulae_records::{Record, read};

/// The path of a record in `tests/records`.
fn record_path(kind: &str, name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/records").join(kind).join(name)
}

fn read_file(path: &Path) -> Vec<Record> {
    read(&fs::read_to_string(path).unwrap()).unwrap()
}
