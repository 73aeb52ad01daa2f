//! The packages that tools/publish.sh makes for a registry of Rust packages.

use std::collections::BTreeSet;

use crate::{text, tree};

/// A registry refuses a package without these, and a path without a version.
#[test]
fn each_package_says_what_it_is_and_which_siblings_it_needs() {
    let root: toml::Table = text("Cargo.toml").parse().unwrap();
    let version = root["workspace"]["package"]["version"].as_str().unwrap();
    let mut siblings = BTreeSet::new();
    for (name, dependency) in root["workspace"]["dependencies"].as_table().unwrap() {
        if let Some(path) = dependency.get("path") {
            assert_eq!(dependency["version"].as_str(), Some(version), "{name}");
            siblings.insert(path.as_str().unwrap().to_owned());
        }
    }
    assert!(siblings.len() >= 7, "{siblings:?}");
    for folder in tree::packages() {
        let manifest: toml::Table =
            tree::read(&folder.join("Cargo.toml")).parse().unwrap_or_else(|why| panic!("{why}"));
        let package = manifest["package"].as_table().unwrap();
        for field in ["description", "readme"] {
            assert!(package[field].as_str().is_some_and(|it| !it.is_empty()), "{folder:?} {field}");
        }
        for field in ["version", "license", "rust-version", "publish"] {
            let is_shared = package[field]["workspace"].as_bool() == Some(true);
            assert!(is_shared, "{folder:?} {field}");
        }
        let own = manifest.get("dependencies").and_then(toml::Value::as_table);
        for (name, dependency) in own.into_iter().flatten() {
            assert!(dependency.get("path").is_none(), "{folder:?} {name}: use the workspace's");
        }
    }
}

/// Outside of tests, a package reads files of its own, or assets that tools/publish.sh lays
/// into it.
#[test]
fn each_package_contains_the_files_that_it_reads() {
    let script = text("tools/publish.sh");
    let laid: BTreeSet<_> = script
        .lines()
        .filter_map(|line| line.strip_prefix("lay "))
        .flat_map(|line| {
            let mut words = line.split_whitespace();
            let package = words.next().unwrap_or_default();
            words.map(move |folder| format!("{package} {folder}")).collect::<Vec<_>>()
        })
        .collect();
    let mut used = BTreeSet::new();
    for folder in tree::packages().into_iter().filter(|it| it != tree::root()) {
        let package = folder.file_name().unwrap().to_str().unwrap().to_owned();
        for path in tree::sources(&folder.join("src")) {
            if path.ends_with("tests.rs") || path.components().any(|it| it.as_os_str() == "tests") {
                continue;
            }
            let source = tree::read(&path);
            let source = source.split("#[cfg(test)]\nmod tests {").next().unwrap();
            let depth = path.strip_prefix(&folder).unwrap().components().count() - 1;
            for part in source.split("include_").skip(1) {
                let Some(file) = part.split('"').nth(1).filter(|_| part.contains("!(")) else {
                    continue;
                };
                let steps = file.matches("../").count();
                if steps <= depth {
                    continue;
                }
                let inside = file.replace("../", "");
                let folder = inside.strip_prefix("assets/").and_then(|it| it.split('/').next());
                let folder = folder.unwrap_or_else(|| panic!("{}: {file}", path.display()));
                assert_eq!(steps, depth + 2, "{}: {file}", path.display());
                used.insert(format!("{package} {folder}"));
            }
        }
    }
    assert_eq!(used, laid);
    for folder in laid.iter().filter_map(|it| it.split(' ').nth(1)) {
        assert!(tree::root().join("assets").join(folder).is_dir(), "{folder}");
    }
}
