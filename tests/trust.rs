//! Properties of the source tree as a whole: network access, documentation
//! examples, pictures and cargo aliases.

#[path = "common/tree.rs"]
mod tree;

use std::{collections::BTreeSet, path::PathBuf};

use tree::{all_sources, has_test, read, root, sources};

/// The identifiers and words of a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|sign: char| !sign.is_alphanumeric() && sign != '_')
}

/// The program uses the network to play on the server of the Bologna competition and
/// for online games, and nowhere else.
#[test]
fn only_the_bologna_client_and_online_games_open_sockets() {
    let allowed = [
        "src/cli/bologna",
        "src/cli/match_runner/player/bologna.rs",
        "src/cli/match_runner/referee.rs",
        "src/cli/serve.rs",
        // A server for a test.
        "src/app/game/my_games/tests.rs",
        "crates/online/src/connection.rs",
        "crates/online/src/connection_web.rs",
        "crates/online/src/server",
    ]
    .map(|path| root().join(path));
    let mut seen = 0;
    for path in all_sources() {
        let text = read(&path);
        let markers = [
            "TcpStream",
            "TcpListener",
            "UdpSocket",
            "ToSocketAddrs",
            "std::net",
            "net::{",
            "WebSocket::new",
        ];
        if !markers.iter().any(|marker| text.contains(marker)) {
            continue;
        }
        assert!(allowed.iter().any(|folder| path.starts_with(folder)), "{}", path.display());
        seen += 1;
    }
    assert!(seen >= allowed.len());
    // No dependency fetches anything by itself. `hyper` and `rustls` serve online games;
    // deny.toml says which packages may use them.
    let lock = read(&root().join("Cargo.lock"));
    for package in ["curl", "reqwest", "native-tls", "openssl-sys", "ureq"] {
        assert!(!lock.contains(&format!("name = \"{package}\"\n")), "{package}");
    }
}

/// The folder and the root file of a layer.
fn layer_root(layer: &str) -> (PathBuf, PathBuf) {
    let package = root().join("crates").join(layer).join("src");
    if package.is_dir() {
        let file = package.join("lib.rs");
        return (package, file);
    }
    let folder = root().join("src").join(layer);
    let file = folder.join("mod.rs");
    (folder, file)
}

/// The names that a layer exports.
fn exported_names(layer: &str) -> BTreeSet<String> {
    let text = read(&layer_root(layer).1);
    let mut names = BTreeSet::new();
    for used in text.split("\npub use ").skip(1) {
        let list = used.split(';').next().unwrap_or_default();
        let list = list.rsplit("::").next().unwrap_or_default();
        names.extend(words(list).filter(|word| !word.is_empty()).map(str::to_owned));
    }
    for (at, _) in text.match_indices("\npub ") {
        let mut line = text[at + 5..].split([' ', '(', '<', ':', ';']);
        let kinds = ["fn", "struct", "enum", "trait"];
        if line.next().is_some_and(|word| kinds.contains(&word)) {
            names.extend(line.next().map(str::to_owned));
        }
    }
    names
}

/// The examples in a layer's documentation that assert something, or that are
/// only compiled because they open a window or the like.
fn doc_examples(layer: &str) -> String {
    let mut all = String::new();
    for path in sources(&layer_root(layer).0) {
        let (mut example, mut inside) = (String::new(), false);
        for line in read(&path).lines() {
            let line = line.trim_start();
            let Some(doc) = line.strip_prefix("///").or_else(|| line.strip_prefix("//!")) else {
                continue;
            };
            let doc = doc.trim_start();
            if doc == "```" || doc == "```no_run" {
                inside = !inside;
                if !inside && (example.contains("assert") || example.starts_with("no_run")) {
                    all += &example;
                }
                example = doc.replace("```", "");
            } else if inside {
                example += doc;
                example.push('\n');
            }
        }
    }
    all
}

/// Documentation tests run these examples.
#[test]
fn every_exported_name_has_a_documentation_example() {
    let mut seen = 0;
    for layer in ["games", "records", "engines", "session", "command_line", "lab", "cli", "app"] {
        let (names, examples) = (exported_names(layer), doc_examples(layer));
        let examples: BTreeSet<&str> = words(&examples).collect();
        let missing: Vec<_> = names.iter().filter(|name| !examples.contains(&***name)).collect();
        assert!(missing.is_empty(), "{layer}: no example of {missing:?}");
        seen += names.len();
    }
    assert!(seen > 80, "{seen}");
}

/// `make pictures` draws each picture of the README and the guides: boards with
/// `render`, windows with their panels in `tests/window/pictures.rs`.
#[test]
fn pictures_shown_are_drawn_by_make_pictures() {
    let makefile = read(&root().join("Makefile"));
    let recipe = makefile.split("\npictures:").nth(1).expect("a target of that name");
    let recipe = recipe.split("\n\n").next().unwrap_or_default();
    assert!(recipe.contains("--test window -- --ignored"), "{recipe}");
    assert!(recipe.contains("--out assets/pictures/$$3.png"), "{recipe}");
    let windows = read(&root().join("tests/window/pictures.rs"));
    let mut pictures = BTreeSet::new();
    for page in ["README.md", "docs/cli.md", "docs/manual.md"] {
        let text = read(&root().join(page));
        let folder = if page == "README.md" { "" } else { "docs/" };
        for link in text.split("](").skip(1).filter_map(|part| part.split(')').next()) {
            if link.ends_with(".png") || link.ends_with(".gif") {
                pictures.insert(format!("{folder}{link}").replace("docs/../", ""));
            }
        }
    }
    for path in &pictures {
        let name = path.rsplit_once('/').map_or("", |(_, name)| name.trim_end_matches(".png"));
        let is_drawn = windows.contains(&format!("\"{path}\""))
            || recipe.contains(&format!("--out {path} "))
            || words(recipe).any(|word| word == name)
            // A line of the recipe draws them by the names of their games.
            || name.strip_suffix("-won.gif").is_some_and(|game| {
                recipe.contains("$$4-won.gif") && words(recipe).any(|word| word == game)
            });
        assert!(is_drawn, "{path} is not drawn");
        assert!(root().join(path).is_file(), "{path} does not exist");
    }
    assert!(pictures.len() >= 9, "{pictures:?}");
}

/// Each cargo alias runs a test that exists.
#[test]
fn every_cargo_alias_runs_an_existing_test() {
    let config = read(&root().join(".cargo/config.toml"));
    let mut seen = 0;
    for line in config.lines().filter(|line| line.contains(" = \"")) {
        let Some((_, rest)) = line.split_once("--test ") else { continue };
        let test = words(rest).next().expect("a name");
        assert!(has_test(test), "{line}");
        // An alias with `--exact` names a test function of that file.
        if let Some((_, exact)) = rest.split_once("--exact ") {
            let (module, name) = exact.trim_end_matches('"').rsplit_once("::").expect("a path");
            let module = module.replace("::", "/");
            let text = read(&root().join(format!("tests/{test}/{module}.rs")));
            assert!(text.contains(&format!("fn {name}()")), "{line}");
        }
        seen += 1;
    }
    assert!(seen >= 6, "{seen}");
}
