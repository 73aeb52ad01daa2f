//! What is installed: the files that desktops read, man pages, completions, and the
//! descriptions of the packages.

#[path = "../common/tree.rs"]
mod tree;

mod desktop;
#[cfg(feature = "app")]
mod drawing;
mod generated;
#[cfg(feature = "app")]
mod icon;
#[cfg(feature = "app")]
mod icon_files;
#[cfg(unix)]
mod installed;
mod packages;
mod published;
mod server;
mod workflows;
mod xml;

use std::path::PathBuf;

/// The program's name on desktops: of the desktop entry, the icon, the metainfo
/// and the window.
const ID: &str = "org.tabulae.Tabulae";

/// The type of a record's file.
const RECORD_TYPE: &str = "application/x-tabulae-record";

/// The path of a file in `packaging`.
fn packaging(name: &str) -> PathBuf {
    tree::root().join("packaging").join(name)
}

/// The text of a file in the repository.
fn text(path: &str) -> String {
    tree::read(&tree::root().join(path))
}

/// The output of a program that may be missing; `None`, with a printed line, if it
/// is.
fn run_if_installed(program: &str, arguments: &[&str]) -> Option<std::process::Output> {
    let output = std::process::Command::new(program).args(arguments).output();
    if output.is_err() {
        println!("not checked by {program}, which is not installed");
    }
    output.ok()
}
