//! The structure of the code, where the compiler does not enforce it: layers,
//! purity of the rules, dependencies, texts.

#[path = "common/tree.rs"]
mod tree;

#[path = "architecture/floats.rs"]
mod floats;
#[path = "architecture/imports.rs"]
mod imports;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    process::Command,
};

use imports::{Import, Source};
use tree::{all_sources, packages, read, root, sources};

/// Two versions of Bevy would each have a world of their own.
#[test]
fn the_lock_file_has_one_version_of_each_large_package() {
    let lock = read(&root().join("Cargo.lock"));
    for package in ["bevy_ecs", "bevy_app", "bevy_render", "egui", "wgpu", "winit"] {
        let name = format!("name = \"{package}\"");
        assert_eq!(lock.lines().filter(|line| *line == name).count(), 1, "{package}");
    }
}

/// Packages with other features for the tests are built twice, and with them all
/// that depend on them: Bevy takes minutes.
#[test]
fn the_tests_use_the_packages_of_the_game_as_they_are() {
    let packages = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO"))
            .current_dir(root())
            .args(["tree", "--locked", "--prefix", "none", "--format", "{p} {f}"])
            .args(arguments)
            .output()
            .expect("cargo runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let lines = text.lines().map(|line| line.trim_end_matches(" (*)").to_owned());
        lines.collect::<BTreeSet<_>>()
    };
    // Macros are programs of the compiler, with features of their own.
    let game = packages(&["--edges", "normal,no-proc-macro"]);
    let tests = packages(&["--workspace", "--edges", "normal,dev,no-proc-macro"]);
    assert!(game.len() > 20, "{game:?}");
    let changed: Vec<_> = game.difference(&tests).collect();
    assert!(changed.is_empty(), "packages whose features the tests change: {changed:?}");
}

/// Of the profiles, too: `make play` and `make test` build the same packages. Those that
/// are optimised exist, since Cargo only warns of a name that no package has.
#[test]
fn the_game_and_its_tests_share_one_profile() {
    let manifest: toml::Table = read(&root().join("Cargo.toml")).parse().expect("TOML");
    let profile = |name: &str| manifest["profile"][name].as_table().expect("a profile");
    let test: Vec<_> = profile("test").keys().collect();
    assert_eq!(test, ["package"], "only checks of our own code differ in the tests");
    let tested: Vec<_> = profile("test")["package"].as_table().expect("packages").keys().collect();
    assert!(tested.iter().all(|name| name.starts_with("tabulae")), "{tested:?}");

    let packages = profile("dev")["package"].as_table().expect("packages");
    let level = |package: &toml::Value| package["opt-level"].as_integer();
    for package in ["tabulae-engines", "tabulae-games"] {
        assert_eq!(level(&packages[package]), Some(3), "{package} is that of a release");
    }
    let lock: toml::Table = read(&root().join("Cargo.lock")).parse().expect("TOML");
    let locked = lock["package"].as_array().expect("packages");
    let locked: BTreeSet<_> =
        locked.iter().filter_map(|package| package["name"].as_str()).collect();
    let unknown: Vec<_> = packages.keys().filter(|name| !locked.contains(name.as_str())).collect();
    assert!(unknown.is_empty(), "optimised, but no package of the game: {unknown:?}");
}

/// The same position, limits and seed have the same answer on every platform, so moves,
/// books and puzzles rest on integers, exact operations and the package `libm`.
#[test]
fn engines_books_and_puzzles_compute_the_same_on_every_platform() {
    for folder in ["engines/src", "lab/src", "session/src/book", "session/src/puzzles"] {
        for path in sources(&root().join("crates").join(folder)) {
            let is_test = path.file_name().is_some_and(|name| name == "tests.rs");
            let calls = if is_test { Vec::new() } else { floats::imprecise_calls(&read(&path)) };
            assert!(calls.is_empty(), "{}: {calls:?}", path.display());
        }
    }
}

/// The folders of `src`: the commands open the app. The layers below are packages of
/// their own, so the compiler keeps their order.
const LAYERS: [&str; 2] = ["app", "cli"];

/// The folders and files of `src/app`. Each imports from those before it only.
/// `app/mod.rs` lists the plugins for `launch`, so it may name all of them.
const APP_FOLDERS: [&str; 20] = [
    "core",
    "platform",
    "commands",
    "settings",
    "scene",
    "game",
    "replay",
    "editor",
    "lesson",
    "on_screen",
    "analysis",
    "explorer",
    "practice",
    "puzzles",
    "tutor",
    "highlights",
    "capture",
    "input",
    "ui",
    "dev_tools",
];

/// Why an import is not allowed; none where it is.
fn layer_violation(source: &Source, import: &Import) -> Option<String> {
    let place = |module: &str| LAYERS.iter().position(|layer| *layer == module);
    let from = source.modules.first().map(String::as_str).unwrap_or_default();
    if import.path.first().is_some_and(|path| path.starts_with("bevy")) {
        let is_known = from == "app" || from.is_empty();
        return (!is_known).then(|| format!("{from} knows Bevy"));
    }
    let to = import.target(&source.modules)?.first()?.clone();
    let (from_place, to_place) = (place(from)?, place(&to)?);
    (from_place < to_place).then(|| format!("{from} is above {to}"))
}

/// The same for the folders of the app.
fn folder_violation(source: &Source, import: &Import) -> Option<String> {
    let place = |module: &str| {
        let known = APP_FOLDERS.iter().position(|folder| *folder == module);
        known.or((module == "launch").then_some(APP_FOLDERS.len()))
    };
    let ["app", from, ..] = source.modules.iter().map(String::as_str).collect::<Vec<_>>()[..]
    else {
        return None;
    };
    // The tests of the UI show whole screens, with whatever stands on them.
    if source.modules.starts_with(&["app", "ui", "tests"].map(str::to_owned)) {
        return None;
    }
    let target = import.target(&source.modules)?;
    if target.first().is_none_or(|target| target != "app") {
        return None;
    }
    let Some(from_place) = place(from) else {
        return Some(format!("{from} has no place in the order of src/app"));
    };
    let to = target.get(1).map_or("mod.rs", String::as_str);
    let Some(to_place) = place(to) else {
        // An item of app/mod.rs. Tests may begin with the whole app.
        let is_allowed = from == "launch" || import.is_in_tests();
        return (!is_allowed).then(|| format!("{from} imports app/mod.rs"));
    };
    (from_place < to_place).then(|| format!("{from} is above {to}"))
}

fn violations(sources: &[Source]) -> Vec<String> {
    let mut found = Vec::new();
    for source in sources {
        for import in &source.imports {
            let why = layer_violation(source, import).or_else(|| folder_violation(source, import));
            if let Some(why) = why {
                let path = source.path.display();
                found.push(format!("{path}: {} ({why})", import.path.join("::")));
            }
        }
    }
    found
}

#[test]
fn modules_import_only_from_the_layers_above() {
    let src = root().join("src");
    let sources: Vec<Source> =
        sources(&src).iter().map(|path| Source::parse(&src, path, &read(path))).collect();
    let imports: usize = sources.iter().map(|source| source.imports.len()).sum();
    assert!(imports > 1_000, "{imports} imports");
    let violations = violations(&sources);
    assert!(violations.is_empty(), "{} violations:\n{}", violations.len(), violations.join("\n"));
}

/// The files of a folder that import each other in a circle, or are imported by such files
/// only. What a file imports of the modules around it and of those within it does not count.
fn circles(src: &Path, files: &[(PathBuf, String)]) -> Vec<String> {
    let parse = |(path, text): &(PathBuf, String)| Source::parse(src, path, text);
    let sources: Vec<Source> = files.iter().map(parse).collect();
    let modules: BTreeSet<&[String]> = sources.iter().map(|source| &source.modules[..]).collect();
    let mut imports = BTreeMap::new();
    for source in sources.iter().filter(|source| !source.modules.iter().any(|part| part == "tests"))
    {
        let outer = source.imports.iter().filter(|import| !import.is_in_tests());
        let targets = outer.filter_map(|import| import.target(&source.modules));
        let files = targets.filter_map(|path| {
            let ends = (1..=path.len()).rev();
            ends.map(|end| &path[..end]).find_map(|path| modules.get(path).copied())
        });
        let own = &source.modules[..];
        let others = files.filter(|file| !file.starts_with(own) && !own.starts_with(file));
        imports.insert(own, others.collect::<BTreeSet<_>>());
    }
    // Whatever imports none of those that are left is in no circle.
    loop {
        let left: BTreeSet<_> = imports.keys().copied().collect();
        imports.retain(|_, others| others.iter().any(|other| left.contains(other)));
        if imports.len() == left.len() {
            return left.into_iter().map(|path| path.join("/")).collect();
        }
    }
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    for folder in packages() {
        let src = folder.join("src");
        let files: Vec<_> =
            sources(&src).into_iter().map(|source| (source.clone(), read(&source))).collect();
        assert_eq!(circles(&src, &files), [""; 0], "{}", folder.display());
    }
}

#[test]
fn a_circle_of_three_files_is_found() {
    let files = [
        ("a.rs", "use crate::b::{self, B};"),
        ("b.rs", "fn f() { super::c::d::g(); }"),
        ("c/d.rs", "use crate::a::A;"),
        ("e.rs", "use crate::a::A;"),
        ("f.rs", "#[cfg(test)]\nmod tests { use crate::e::E; }"),
    ];
    let files = files.map(|(path, text)| (Path::new("/src").join(path), text.to_owned()));
    assert_eq!(circles(Path::new("/src"), &files), ["a", "b", "c/d", "e"]);
    assert_eq!(circles(Path::new("/src"), &files[1..]), [""; 0]);
}

#[test]
fn the_layers_are_listed_in_their_order() {
    for (file, mark) in [("src/lib.rs", "//! - [`"), ("docs/architecture.md", "| `crates/")] {
        let text = read(&root().join(file));
        let rows = text.lines().filter_map(|line| line.strip_prefix(mark));
        let listed: Vec<_> = rows.filter_map(|row| row.split('`').next()).collect();
        let packages = ["games", "records", "engines", "session", "online"];
        assert!(listed.starts_with(&packages), "{file}: {listed:?}");
    }
}

/// The violations that the checker finds in a file with this text.
fn planted(path: &str, text: &str) -> Vec<String> {
    let src = Path::new("/src");
    violations(&[Source::parse(src, &src.join(path), text)])
}

#[test]
fn an_upward_import_is_found_in_nested_braces() {
    let text = "use std::fmt;\n\nuse crate::{\n    app::{\n        core::states::Screen,\n        \
                scene::api::{Highlights, OnSquare},\n        ui::state::UiState,\n    },\n    \
                games::Side,\n};\n";
    assert_eq!(
        planted("app/input/mod.rs", text),
        ["/src/app/input/mod.rs: crate::app::ui::state::UiState (input is above ui)"]
    );
    let text = "use crate::{cli::{files, json}, games::Game};\n";
    assert_eq!(
        planted("app/mod.rs", text),
        [
            "/src/app/mod.rs: crate::cli::files (app is above cli)",
            "/src/app/mod.rs: crate::cli::json (app is above cli)",
        ]
    );
}

#[test]
fn an_upward_import_is_found_by_super() {
    let text = "use super::super::game::referee::Referee;\nuse super::super::core::states;\n";
    assert_eq!(
        planted("app/scene/board.rs", text),
        ["/src/app/scene/board.rs: super::super::game::referee::Referee (scene is above game)"]
    );
    // In a module of its own, the same words mean another place.
    let text = "mod tests {\n    use super::super::super::game;\n    use super::super::api;\n}\n";
    assert_eq!(
        planted("app/scene/board.rs", text),
        ["/src/app/scene/board.rs: super::super::super::game (scene is above game)"]
    );
}

#[test]
fn an_upward_import_is_found_in_expressions_types_and_macros() {
    let text = "fn f(it: &crate::app::ui::UiState) -> bool {\n    let open = \
                crate::app::ui::is_open(it);\n    assert!(crate::app::launch::runs());\n    open\n}\n\
                #[cfg(test)]\nmod tests {\n    fn g() {\n        crate::app::replay::open();\n    }\n}\n";
    assert_eq!(
        planted("app/game/clock.rs", text),
        [
            "/src/app/game/clock.rs: crate::app::ui::UiState (game is above ui)",
            "/src/app/game/clock.rs: crate::app::ui::is_open (game is above ui)",
            "/src/app/game/clock.rs: crate::app::launch::runs (game is above launch)",
            "/src/app/game/clock.rs: crate::app::replay::open (game is above replay)",
        ]
    );
}

#[test]
fn allowed_imports_are_no_violations() {
    let text = "use bevy::prelude::*;\nuse crate::{app::{core::states, scene}, session::Seat};\n\
                use super::referee;\npub(in crate::app) fn f() {}\n";
    assert!(planted("app/game/clock.rs", text).is_empty());
    assert!(planted("cli/mod.rs", "fn f() { crate::app::run(); }\n").is_empty());
    assert!(planted("app/launch/mod.rs", "use crate::app::game_plugins;\n").is_empty());
    assert_eq!(
        planted("cli/mod.rs", "use bevy_ecs::world::World;\n"),
        ["/src/cli/mod.rs: bevy_ecs::world::World (cli knows Bevy)"]
    );
    assert_eq!(
        planted("app/extra/mod.rs", "use crate::app::core::states;\n"),
        [
            "/src/app/extra/mod.rs: crate::app::core::states (extra has no place in the order of src/app)"
        ]
    );
}

/// The rules read no clock, no random numbers and no files.
#[test]
fn the_rules_are_pure() {
    for path in sources(&root().join("crates/games/src")) {
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

/// A scope runs other tasks while it waits. In a task of the background it can run a
/// system of the renderer that waits for the background, and the program stands still.
#[test]
fn background_tasks_wait_in_no_scope() {
    for path in sources(&root().join("src/app")) {
        let text = read(&path);
        let waits = text.contains("TaskPool") && text.contains(".scope(|scope|");
        assert!(!waits, "{} waits in the scope of a task pool", path.display());
    }
}

/// Its writers show control characters, which a terminal would obey. Asking whether there
/// is a terminal writes nothing.
#[test]
fn commands_print_by_the_screen_alone() {
    let screen = root().join("crates/command_line/src/screen.rs");
    let folders = ["src/cli", "crates/command_line/src", "crates/lab/src"];
    let all = folders.iter().flat_map(|folder| sources(&root().join(folder)));
    for path in all.filter(|path| *path != screen) {
        let text = read(&path).replace("().is_terminal()", "");
        for writer in ["io::stdout()", "io::stderr()", "println!(", "eprint!("] {
            assert!(!text.contains(writer), "{} has {writer}", path.display());
        }
    }
}

/// Each dependency has a comment that gives its reason, and is used by its own package. What
/// the root's manifest says for several packages is used by at least two.
#[test]
fn every_dependency_has_a_reason_and_is_used() {
    // The macro of wasm-bindgen names it.
    let is_used_by_macros = |name: &str| name == "wasm-bindgen-futures";
    let (mut shared, mut users) = (Vec::new(), BTreeMap::<String, usize>::new());
    for package in packages() {
        let folders = ["src", "tests", "benches", "examples"].map(|folder| package.join(folder));
        let files =
            folders.iter().filter(|folder| folder.exists()).flat_map(|folder| sources(folder));
        let build = Some(package.join("build.rs")).filter(|path| path.exists());
        let mut code: String = files.chain(build).map(|path| read(&path)).collect();
        if code.contains("tests/common/help.rs") {
            code += &read(&root().join("tests/common/help.rs"));
        }
        let (mut section, mut before) = (String::new(), String::new());
        for line in read(&package.join("Cargo.toml")).lines() {
            if line.starts_with('[') {
                line.clone_into(&mut section);
            } else if section.ends_with("dependencies]")
                && let Some((name, _)) = line.split_once(" = ")
                && !line.starts_with([' ', '#'])
            {
                // The reason of what several packages use is in the root's manifest.
                let is_shared = name.ends_with(".workspace") || line.contains("workspace = true");
                assert!(is_shared || before.starts_with("# "), "{name} has no comment");
                let name = name.trim_end_matches(".workspace");
                let word = name.replace('-', "_");
                let is_used = code.contains(&format!("{word}::"))
                    || code.contains(&format!("use {word}"))
                    || is_used_by_macros(name);
                if section == "[workspace.dependencies]" {
                    shared.push(name.to_owned());
                } else {
                    assert!(is_used, "{}: {name} is not used", package.display());
                    *users.entry(name.to_owned()).or_default() += usize::from(is_shared);
                }
            }
            line.clone_into(&mut before);
        }
    }
    assert!(shared.len() > 8, "{shared:?}");
    // The packages of this workspace are all named there.
    shared.retain(|name| !name.starts_with("tabulae-") && users.get(name) < Some(&2));
    assert!(shared.is_empty(), "used by one package only: {shared:?}");
}

/// The text of a source file without its tests and comments.
fn shipped(path: &Path) -> String {
    let text = read(path);
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let is_comment = |line: &&str| !line.trim_start().starts_with("//");
    code.lines().filter(is_comment).collect::<Vec<_>>().join("\n")
}

/// The string literals of a source file, each with its line.
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
    paths.extend(sources(&src.join("app/game/referee")));
    paths.retain(|path| {
        !path
            .components()
            .any(|part| ["tests", "tests.rs"].iter().any(|not| part.as_os_str() == *not))
    });
    paths.extend(
        ["app/core/notice.rs", "app/analysis/mod.rs", "app/capture/export.rs", "app/replay.rs"]
            .map(|path| src.join(path)),
    );
    paths.push(root().join("crates/session/src/describe.rs"));
    paths
}

/// Every text key in the code is in the tables, and the code uses every key of
/// the tables.
#[test]
fn every_text_key_is_in_the_tables_and_is_used() {
    let texts = tabulae_session::i18n::Language::English.texts();
    let mut used = std::collections::BTreeSet::new();
    for path in all_sources() {
        let code = shipped(&path).replace('\n', " ");
        for opening in ["tr(", "tr_args("] {
            for (at, _) in code.match_indices(opening) {
                // The end of a longer name is another function.
                if code[..at].ends_with(|sign: char| sign.is_alphanumeric() || sign == '_') {
                    continue;
                }
                let rest = code[at + opening.len()..].trim_start();
                let Some(key) = rest.strip_prefix('"').and_then(|rest| rest.split('"').next())
                else {
                    continue;
                };
                // Lines for scripts are no text keys.
                if !key.contains('.') || key.contains(' ') {
                    continue;
                }
                assert!(texts.contains_key(key), "{}: no text for '{key}'", path.display());
                used.insert(key.to_owned());
            }
        }
        // Keys in a list or a match.
        let literal = |key: &&String| code.contains(&format!("\"{key}\""));
        used.extend(texts.keys().filter(literal).cloned());
    }
    // Keys built at run time: of actions, rule sets, levels, lessons, themes.
    let prefixes = [
        "act.",
        "command.",
        "rules.",
        "seat.",
        "strength.",
        "variant.",
        "differs.",
        "aim.",
        "learn.",
        "puzzles.theme-",
        "puzzles.means-",
    ];
    for key in texts.keys() {
        let is_built = prefixes.iter().any(|prefix| key.starts_with(prefix));
        assert!(is_built || used.contains(key), "'{key}' is never used");
    }
}

/// The texts shown to the player are in the tables, not in the code.
#[test]
fn no_text_for_the_player_is_in_the_code() {
    for path in ui_sources() {
        let code = shipped(&path);
        for (literal, line) in literals(&code) {
            let exempt = ["reason = \"", "tr(\"key", "env!(", "Name::new", "Tabulae"];
            if exempt.iter().any(|words| line.contains(words)) {
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
            let is_text = words.len() > 1
                || plain.starts_with(|first: char| first.is_uppercase()) && plain.len() > 4;
            // Names in records are matched against, not shown.
            let is_name = ["White", "Black", "South", "North", "Green"].contains(&literal);
            assert!(!is_text || is_name, "{}: '{literal}'", path.display());
        }
    }
}

/// Every reason for a refusal has a text in both languages, and the code uses
/// every such text.
#[test]
fn every_reason_has_a_text_in_both_languages() {
    use tabulae_session::i18n::Language;

    let mut given = std::collections::BTreeSet::new();
    for path in all_sources() {
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
        assert!(given.contains(key), "{key} is never used");
    }
}

/// A path in the guides is there, from the root, from `src` or from `src/app`.
#[test]
fn paths_named_in_the_guides_exist() {
    let mut checked = 0;
    for guide in ["docs/architecture.md", "CONTRIBUTING.md"] {
        let text = read(&root().join(guide));
        for name in text.split('`').skip(1).step_by(2) {
            let is_path = name.contains('/') && !name.contains([' ', '<', '*', '\n']);
            if is_path {
                let is_there = ["", "src", "src/app"]
                    .iter()
                    .any(|folder| root().join(folder).join(name).exists());
                assert!(is_there, "{guide}: there is no {name}");
                checked += 1;
            }
        }
    }
    assert!(checked > 40, "{checked} paths");
}
