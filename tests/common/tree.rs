//! The files of this repository, for the tests that read them.
#![allow(dead_code)]

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The root folder of the repository.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The text of a file.
pub(crate) fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The folders of the packages: the root's own and those in `crates`.
pub(crate) fn packages() -> Vec<PathBuf> {
    let crates = fs::read_dir(root().join("crates")).expect("the folder of the packages");
    let own = std::iter::once(root().to_owned());
    own.chain(crates.map(|folder| folder.expect("an entry").path())).collect()
}

/// Whether a package has a test program of this name.
pub(crate) fn has_test(name: &str) -> bool {
    let places = [format!("tests/{name}.rs"), format!("tests/{name}/main.rs")];
    packages().iter().any(|folder| places.iter().any(|place| folder.join(place).is_file()))
}

/// Every Rust file of all packages, without their tests and examples.
pub(crate) fn all_sources() -> Vec<PathBuf> {
    packages().iter().flat_map(|folder| sources(&folder.join("src"))).collect()
}

/// Every Rust file in a folder and its subfolders.
pub(crate) fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}
