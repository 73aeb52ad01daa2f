//! How the house is built, where a compiler does not hold it.

#[path = "common/tree.rs"]
mod tree;

use std::path::{Path, PathBuf};

use tree::{read, root, sources};

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

/// The text of a source without its tests and comments.
fn shipped(path: &Path) -> String {
    let text = read(path);
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let is_comment = |line: &&str| !line.trim_start().starts_with("//");
    code.lines().filter(is_comment).collect::<Vec<_>>().join("\n")
}

/// The string literals of a source, with the line each stands on.
fn literals(code: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    for line in code.lines() {
        let mut parts = line.split('"');
        parts.next();
        while let (Some(literal), Some(_)) = (parts.next(), parts.next()) {
            found.push((literal, line));
        }
    }
    found
}

fn ui_sources() -> Vec<PathBuf> {
    let src = root().join("src");
    let mut paths = sources(&src.join("app/ui"));
    paths.retain(|path| {
        !path.components().any(|it| ["tests", "tests.rs"].iter().any(|not| it.as_os_str() == *not))
    });
    paths.extend(sources(&src.join("app/game/referee")));
    paths.extend(
        [
            "app/core/notice.rs",
            "app/analysis/mod.rs",
            "app/capture/export.rs",
            "app/replay.rs",
            "table/describe.rs",
        ]
        .map(|path| src.join(path)),
    );
    paths
}

/// Every key that is said is in the tables, and every key of the tables is
/// said somewhere.
#[test]
fn every_word_is_in_the_tables_and_every_one_of_them_is_said() {
    let texts = tabulae::i18n::Language::English.texts();
    let mut said = std::collections::BTreeSet::new();
    for path in sources(&root().join("src")) {
        let code = shipped(&path).replace('\n', " ");
        for opening in ["tr(", "tr_args("] {
            for (at, _) in code.match_indices(opening) {
                // The end of a longer name is another function.
                if code[..at].ends_with(|it: char| it.is_alphanumeric() || it == '_') {
                    continue;
                }
                let rest = code[at + opening.len()..].trim_start();
                let Some(key) = rest.strip_prefix('"').and_then(|it| it.split('"').next()) else {
                    continue;
                };
                // Lines for scripts are said too, but are no words.
                if !key.contains('.') || key.contains(' ') {
                    continue;
                }
                assert!(texts.contains_key(key), "{}: no text for '{key}'", path.display());
                said.insert(key.to_owned());
            }
        }
        // Keys that stand in a list, or are chosen between.
        let literal = |key: &&String| code.contains(&format!("\"{key}\""));
        said.extend(texts.keys().filter(literal).cloned());
    }
    // Found by a name made at run time: of acts, rule sets, levels, lessons.
    let made = ["act.", "rules.", "seat.", "variant.", "differs.", "aim.", "learn.", "key."];
    for key in texts.keys() {
        let is_made = made.iter().any(|prefix| key.starts_with(prefix));
        assert!(is_made || said.contains(key), "'{key}' is never said");
    }
}

/// What a person reads is in the tables, not in the code.
#[test]
fn no_words_of_the_program_are_left_in_its_code() {
    for path in ui_sources() {
        let code = shipped(&path);
        for (literal, line) in literals(&code) {
            let exempt = ["reason = \"", "tr(\"key", "env!(", "Name::new", "Tabulae"];
            if exempt.iter().any(|it| line.contains(it)) {
                continue;
            }
            let plain: String = literal
                .split('{')
                .map(|part| part.split_once('}').map_or(part, |(_, after)| after))
                .collect();
            let words: Vec<&str> = plain
                .split_whitespace()
                .filter(|word| word.len() > 1 && word.chars().all(char::is_alphabetic))
                .collect();
            let is_said = words.len() > 1
                || plain.starts_with(|it: char| it.is_uppercase()) && plain.len() > 4;
            // Names that records use, matched against, are not shown.
            let is_name = ["White", "Black", "South", "North", "Green"].contains(&literal);
            assert!(!is_said || is_name, "{}: '{literal}'", path.display());
        }
    }
}

/// Every reason why something is refused is said in both languages, and no text
/// is left behind that no code gives.
#[test]
fn every_reason_has_its_words_in_both_languages() {
    use tabulae::i18n::Language;

    let mut given = std::collections::BTreeSet::new();
    for path in sources(&root().join("src")) {
        let text = read(&path);
        for start in ["\"why.", "\"illegal."] {
            for (at, _) in text.match_indices(start) {
                let key = text[at + 1..].split('"').next().unwrap_or_default();
                for language in Language::ALL {
                    let known = language.texts().contains_key(key);
                    assert!(known, "{}: {key} in {}", path.display(), language.name());
                }
                given.insert(key.to_owned());
            }
        }
    }
    assert!(given.len() > 80, "{} reasons", given.len());
    for key in Language::English.texts().keys().filter(|key| key.starts_with("why.")) {
        assert!(given.contains(key), "nothing gives {key}");
    }
}
