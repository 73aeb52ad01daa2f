//! How the house is built, where a compiler does not hold it.

use std::{
    fs,
    path::{Path, PathBuf},
};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|it| it == "rs") {
            found.push(path);
        }
    }
    found
}

/// Two Bevies would each have a world of their own.
#[test]
fn the_lock_file_holds_one_of_each_large_package() {
    let lock = read(&root().join("Cargo.lock"));
    for package in ["bevy_ecs", "bevy_app", "bevy_render", "egui", "wgpu", "winit"] {
        let name = format!("name = \"{package}\"");
        assert_eq!(lock.lines().filter(|line| *line == name).count(), 1, "{package}");
    }
}

/// A layer uses only the ones above it, and only `app` knows Bevy.
#[test]
fn layers_use_only_the_ones_above() {
    let layers = ["games", "records", "engines", "table", "cli", "app"];
    for (index, layer) in layers.iter().enumerate() {
        for path in sources(&root().join("src").join(layer)) {
            let text = read(&path);
            for below in &layers[index + 1..] {
                // The commands open the app; nothing else looks down.
                if (*layer, *below) == ("cli", "app") {
                    continue;
                }
                for word in [format!("crate::{below}"), format!("tabulae::{below}")] {
                    assert!(!text.contains(&word), "{} uses {below}", path.display());
                }
            }
            if *layer != "app" {
                assert!(!text.contains("bevy"), "{} knows Bevy", path.display());
            }
        }
    }
}

/// The rules read no clock, draw no number and open no file.
#[test]
fn the_rules_are_pure() {
    for path in sources(&root().join("src/games")) {
        if path.components().any(|part| part.as_os_str() == "tests")
            || path.file_name().is_some_and(|name| name == "tests.rs")
        {
            continue;
        }
        let text = read(&path);
        for word in ["std::time", "std::fs", "std::io", "std::thread", "rand::", "println!"] {
            assert!(!text.contains(word), "{} has {word}", path.display());
        }
    }
}

/// A dependency is there for a reason that somebody can read, and is used.
#[test]
fn every_dependency_says_why_it_is_there_and_is_used() {
    let (manifest, root) = (read(&root().join("Cargo.toml")), root());
    let folders = ["src", "tests", "benches"].map(|folder| root.join(folder));
    let code: String = folders.iter().flat_map(|it| sources(it)).map(|it| read(&it)).collect();
    let (mut section, mut before, mut seen) = ("", "", 0);
    for line in manifest.lines() {
        if line.starts_with('[') {
            section = line;
        } else if section.ends_with("dependencies]")
            && let Some((name, _)) = line.split_once(" = ")
            && !line.starts_with([' ', '#'])
        {
            assert!(before.starts_with("# "), "{name} does not say why");
            let word = name.replace('-', "_");
            let uses = [format!("{word}::"), format!("use {word}")];
            assert!(uses.iter().any(|it| code.contains(it)), "{name} is not used");
            seen += 1;
        }
        before = line;
    }
    assert!(seen > 8, "{seen}");
}
