//! Checks the README and the guides in `docs`: runs their commands, compares their
//! flags with the help, reads their records, positions and protocol sessions, and
//! follows their links.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use tabulae_games::{AnyPosition, RuleSet};
use tabulae_records::{link, read, read_any};

use crate::{
    common::program::{succeed, succeed_with},
    guide::{COMMON_FLAGS, check_tables_of_flags, commands, flags, shell_lines, usage},
    markdown::Document,
};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn file(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap()
}

fn document(name: &str) -> Document {
    Document::read(&root().join(name))
}

/// The guides in `docs`.
fn guides() -> Vec<PathBuf> {
    let files = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let mut guides: Vec<_> =
        files.filter(|path| path.extension().is_some_and(|extension| extension == "md")).collect();
    guides.sort();
    guides
}

/// Whether a page is the README or one of the guides.
#[cfg(unix)]
fn is_guide(page: &Document) -> bool {
    page.path.ends_with("README.md") && page.path.parent() == Some(root())
        || page.path.parent() == Some(&root().join("docs"))
}

/// All pages for readers of the project.
fn pages() -> Vec<Document> {
    let names = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "assets/CREDITS.md"];
    let names = names.into_iter().chain(["assets/engines/README.md"]);
    names.map(|name| root().join(name)).chain(guides()).map(|path| Document::read(&path)).collect()
}

/// Checks a line that does not run `tabulae`: the rule of make, the alias or test
/// of cargo.
#[cfg(unix)]
fn check_build_line(line: &str) {
    // Variables may stand before the command.
    let mut words = line.split_whitespace().skip_while(|word| word.contains('='));
    let (program, argument) = (words.next().unwrap(), words.next().unwrap_or_default());
    match program {
        "make" => {
            assert!(file("Makefile").contains(&format!("\n{argument}:")), "no rule for {line}");
        }
        "cargo" => {
            let is_alias = file(".cargo/config.toml").contains(&format!("\n{argument} = "));
            let is_known = ["run", "test", "build", "install", "bench"].contains(&argument);
            assert!(is_alias || is_known, "no alias for {line}");
            if let Some(test) = words.skip_while(|word| *word != "--test").nth(1) {
                assert!(crate::tree::has_test(test), "no test for {line}");
            }
        }
        _ => panic!("what runs {line}?"),
    }
}

/// Runs the commands of the README and the guides, except those that build, need a
/// display or another program. Those of a page run in a folder of their own, in which
/// `tests` is ours. Other pages' commands are only looked up.
#[cfg(unix)]
#[test]
fn the_commands_shown_work() {
    let program = Path::new(env!("CARGO_BIN_EXE_tabulae"));
    let path = std::env::var("PATH").unwrap();
    // The 3D game needs a display, `bologna` a server, its referee clients, `render` a build with the app.
    let not_run: &[&str] = if cfg!(feature = "app") {
        &["", "bologna", "bologna serve"]
    } else {
        &["", "bologna", "bologna serve", "render"]
    };
    let mut run = BTreeSet::new();
    for page in pages() {
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(root().join("tests"), folder.path().join("tests")).unwrap();
        for (_, line) in shell_lines(&page) {
            if usage("tabulae-lab", &line).is_some() {
                // The tests of crates/lab run it.
                continue;
            }
            let Some((command, used)) = usage("tabulae", &line) else {
                check_build_line(&line);
                continue;
            };
            let known = flags(command);
            for flag in used {
                let is_known = known.contains_key(flag) || COMMON_FLAGS.contains(&flag);
                assert!(is_known, "{command} has no {flag}: {line}");
            }
            if not_run.contains(&command) || line.contains("bologna:") || !is_guide(&page) {
                continue;
            }
            let output = std::process::Command::new("sh")
                .args(["-c", &line])
                .current_dir(folder.path())
                .env("PATH", format!("{}:{path}", program.parent().unwrap().display()))
                .env("TABULAE_HOME", folder.path().join("home"))
                .env("LC_ALL", "C")
                .stdin(std::process::Stdio::null())
                .output()
                .unwrap();
            let out = String::from_utf8_lossy(&output.stdout);
            let errors = String::from_utf8_lossy(&output.stderr);
            // `render` writes a file, and says on stderr which game it draws.
            let is_render = command == "render";
            let is_fine = output.status.success() && (is_render || errors.is_empty());
            assert!(is_fine, "{line}: {errors}");
            let is_error = |line: &str| line.starts_with("error");
            // A picture may be written to a file.
            let is_silent = is_render || command == "diagram";
            assert!((is_silent || !out.is_empty()) && !out.lines().any(is_error), "{line}: {out}");
            run.insert(command.to_owned());
        }
    }
    let not_run = not_run.iter().filter(|command| !command.is_empty());
    run.extend(not_run.map(|&command| command.to_owned()));
    assert_eq!(run, commands().into_iter().collect());
}

/// The fields of an object and of the objects in it.
fn fields_of(object: &serde_json::Value, fields: &mut BTreeSet<String>) {
    match object {
        serde_json::Value::Object(object) => {
            for (name, value) in object {
                fields.insert(name.clone());
                fields_of(value, fields);
            }
        }
        serde_json::Value::Array(values) => {
            values.iter().for_each(|value| fields_of(value, fields));
        }
        _ => {}
    }
}

#[test]
fn the_tables_of_flags_equal_the_help() {
    check_tables_of_flags(&document("docs/cli.md"), "tabulae", Some(""));
}

/// The tables of fields in `docs/cli.md` equal what the examples with `--json` print.
#[test]
fn the_tables_of_json_fields_equal_the_output() {
    let page = document("docs/cli.md");
    let runs: [(&str, &[&[&str]]); 7] = [
        ("check", &[&["tests/records/valid/tablaaza.tab"]]),
        (
            "analyse",
            &[
                &["tests/records/valid/tablaaza.tab", "--movetime", "1"],
                &["tests/records/valid/tablan-short.tab", "--rollout", "2"],
            ],
        ),
        (
            "match",
            &[&[
                "--rules",
                "tablaaza",
                "--first",
                "novice",
                "--second",
                "novice",
                "--games",
                "2",
                "--movetime",
                "1",
                "--sprt",
                "0,20",
            ]],
        ),
        (
            "tournament",
            &[&["--rules", "tablaaza", "--player", "novice", "--player", "casual", "--depth", "1"]],
        ),
        (
            "book",
            &[&[
                "--show",
                "tests/records/valid/tablut-ashton.tab",
                "--ply",
                "0",
                "--search",
                "tests/records/valid",
            ]],
        ),
        ("perft", &[&["tablaaza", "1"]]),
        (
            "solve",
            &[&[
                "tablaaza",
                "--memory",
                "8",
                "--from",
                "rgpgrgrg/2gr1rgr/rg~gr~rp/pr~2~gr/rg~1r~pg/2grg1gr/rgrgrgpg r",
            ]],
        ),
    ];
    for (command, all) in runs {
        let mut printed = BTreeSet::new();
        let mut run = |arguments: &[&str]| {
            let path = |word: &&str| match *word {
                word if word.starts_with("tests/") => {
                    root().join(word).to_str().unwrap().to_owned()
                }
                word => word.to_owned(),
            };
            let words: Vec<_> = ["--json"].iter().chain(arguments).map(path).collect();
            let words = std::iter::once(command).chain(words.iter().map(String::as_str));
            for line in succeed(&words.collect::<Vec<_>>()).lines() {
                fields_of(&serde_json::from_str(line).unwrap(), &mut printed);
            }
        };
        all.iter().for_each(|arguments| run(arguments));
        let section = format!("tabulae {command}");
        let rows = page.rows.iter().filter(|row| row.section == section && row.table == "field");
        let shown: BTreeSet<_> = rows.map(|row| row.cells[0].clone()).collect();
        assert_eq!(shown, printed, "{section}");
    }
}

#[test]
fn links_and_pictures_exist() {
    for page in pages() {
        let broken = page.broken_links();
        assert!(broken.is_empty(), "{}: {broken:?}", page.path.display());
    }
}

#[test]
fn the_readme_links_to_every_guide() {
    let readme = document("README.md");
    for guide in guides() {
        let name = format!("docs/{}", guide.file_name().unwrap().to_str().unwrap());
        let links = readme.targets.iter().any(|target| target.split('#').next() == Some(&name));
        assert!(links, "the README has no link to {name}");
    }
}

/// A misspelt language would hide a block from the tests.
#[test]
fn every_code_block_has_a_known_language() {
    let known = ["sh", "text", "json", "record", "position", "link", "python", "ugi"];
    for page in pages() {
        for block in &page.blocks {
            let language = block.info.split(' ').next().unwrap();
            assert!(known.contains(&language), "{}: {block:?}", page.path.display());
        }
    }
}

#[test]
fn the_records_shown_can_be_read() {
    let mut seen = 0;
    for page in pages() {
        for block in page.blocks_in("record") {
            let records =
                read_any(&block.text).unwrap_or_else(|error| panic!("{error}: {block:?}"));
            assert!(!records.is_empty(), "{block:?}");
            seen += records.len();
        }
    }
    assert!(seen >= 6, "{seen} records");
}

#[test]
fn the_positions_shown_are_written_as_the_program_writes_them() {
    let mut seen = BTreeSet::new();
    for page in pages() {
        for block in page.blocks_in("position") {
            let rules: RuleSet = block.info.split(' ').nth(1).expect("rules").parse().unwrap();
            for line in block.text.lines() {
                let position = AnyPosition::parse(rules, line);
                let position = position.unwrap_or_else(|error| panic!("{error}"));
                assert_eq!(position.to_string(), line);
            }
            seen.insert(rules.game() as u8);
        }
    }
    assert_eq!(seen.len(), 3, "positions of each game");
}

#[test]
fn the_links_shown_carry_games() {
    let mut seen = 0;
    for page in pages() {
        for line in page.blocks_in("link").flat_map(|block| block.text.lines()) {
            let record = link::decode(line).unwrap_or_else(|error| panic!("{line}: {error}"));
            assert_eq!(read(&record).unwrap().len(), 1, "{record}");
            seen += 1;
        }
    }
    assert!(seen > 0);
}

/// Sends the lines that begin with `>` to the engine. The other lines must be its
/// answers, in order; `…` at the end stands for any text.
#[test]
fn the_protocol_sessions_shown_are_real() {
    let mut seen = 0;
    for page in pages() {
        for block in page.blocks_in("ugi") {
            let sent: String = block
                .text
                .lines()
                .filter_map(|line| line.strip_prefix("> "))
                .map(|line| format!("{line}\n"))
                .collect();
            let shown: Vec<_> = block.text.lines().filter(|line| !line.starts_with('>')).collect();
            let output = succeed_with(&["engine"], &sent);
            let answers: Vec<_> = output.lines().collect();
            let is_same = |(answer, line): (&&str, &&str)| match line.strip_suffix('…') {
                Some(beginning) => answer.starts_with(beginning),
                None => answer == line,
            };
            let equal = answers.len() == shown.len() && answers.iter().zip(&shown).all(is_same);
            assert!(equal, "shown:\n{}\nanswered:\n{output}", shown.join("\n"));
            seen += 1;
        }
    }
    assert!(seen >= 3, "{seen} sessions");
}
