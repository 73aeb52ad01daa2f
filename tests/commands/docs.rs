//! Checks the README and the guides in `docs`: runs their commands, compares their
//! flags with the help, reads their records, positions and protocol sessions, and
//! follows their links.

mod markdown;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use tabulae_games::{AnyPosition, RuleSet};
use tabulae_records::{link, read, read_any};

use self::markdown::Document;
use crate::common::program::{succeed, succeed_with};

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
        files.filter(|it| it.extension().is_some_and(|it| it == "md")).collect();
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

/// The lines of a page's shell blocks, each with the heading above it, without
/// comments.
fn shell_lines(page: &Document) -> Vec<(String, String)> {
    let lines = page.blocks_in("sh").flat_map(|block| {
        let lines = block.text.lines().map(|line| line.split(" # ").next().unwrap().trim());
        lines.map(|line| (block.section.clone(), line.to_owned()))
    });
    lines.filter(|(_, line)| !line.is_empty()).collect()
}

/// The command of a line that runs `tabulae`, or an empty text for the 3D game, and
/// its flags.
fn usage(line: &str) -> Option<(&str, Vec<&str>)> {
    let mut words = line.split_whitespace().skip_while(|word| *word != "tabulae").skip(1);
    if !line.split_whitespace().any(|word| word == "tabulae") {
        return None;
    }
    let first = words.next().unwrap_or_default();
    let command = if first.starts_with("--") { "" } else { first };
    let flags = std::iter::once(first).chain(words).filter(|word| word.starts_with("--"));
    Some((command, flags.collect()))
}

/// The help of a command, or of the program.
fn help(command: &str) -> String {
    if command.is_empty() { succeed(&["--help"]) } else { succeed(&[command, "--help"]) }
}

/// The flags that every command has; `docs/cli.md` describes them once.
const COMMON_FLAGS: [&str; 2] = ["--help", "--color"];

/// The flags of a command, by its help, and their default values. `None` is no
/// default, or one in words. The help wraps its lines.
fn flags(command: &str) -> BTreeMap<String, Option<String>> {
    let help = help(command);
    let options = help.split("\nOptions:\n").nth(1).expect("options");
    let lines = options.lines().take_while(|line| line.is_empty() || line.starts_with(' '));
    let (mut texts, mut current) = (BTreeMap::<String, String>::new(), String::new());
    for line in lines {
        let text = line.trim_start();
        if text.starts_with('-') && line.len() - text.len() <= 6 {
            let word = text.split([' ', ',']).find(|word| word.starts_with("--"));
            current = word.unwrap_or_else(|| panic!("{line}")).to_owned();
        }
        let whole = texts.entry(current.clone()).or_default();
        *whole += " ";
        *whole += text;
    }
    for flag in COMMON_FLAGS {
        assert!(texts.remove(flag).is_some(), "{command} has no {flag}");
    }
    texts.remove("--version");
    let default = |text: &str| {
        let mut starts = text.split("[default: ").skip(1);
        let values = starts.by_ref().filter_map(|rest| rest.split_once(']'));
        values.map(|(value, _)| value.to_owned()).find(|value| !value.contains(' '))
    };
    texts.into_iter().map(|(flag, text)| (flag, default(&text))).collect()
}

/// The commands that the help lists.
fn commands() -> Vec<String> {
    let help = help("");
    let listed = help.split("\nCommands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let words = listed.lines().filter(|line| !line.starts_with("   "));
    let words = words.map(|line| line.split_whitespace().next().unwrap().to_owned());
    words.filter(|word| word != "help").collect()
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
                let places = [format!("tests/{test}.rs"), format!("tests/{test}/main.rs")];
                assert!(places.iter().any(|it| root().join(it).is_file()), "no test for {line}");
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
    // The 3D game needs a display, `bologna` a server, `render` a build with the app.
    let not_run: &[&str] =
        if cfg!(feature = "app") { &["", "bologna"] } else { &["", "bologna", "render"] };
    let mut run = BTreeSet::new();
    for page in pages() {
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(root().join("tests"), folder.path().join("tests")).unwrap();
        for (_, line) in shell_lines(&page) {
            let Some((command, used)) = usage(&line) else {
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

/// `docs/cli.md` has a section for each command, with an example, and in its table
/// each flag with its default value.
#[test]
fn the_tables_of_flags_equal_the_help() {
    let page = document("docs/cli.md");
    let examples = shell_lines(&page);
    for command in std::iter::once(String::new()).chain(commands()) {
        let section = format!("tabulae {command}").trim_end().to_owned();
        assert!(page.headings.contains(&section), "no section '{section}'");
        let is_example = |(heading, line): &(String, String)| {
            *heading == section && usage(line).is_some_and(|(used, _)| used == command)
        };
        assert!(examples.iter().any(is_example), "{section} has no example");
        let known = flags(&command);
        let mut shown = BTreeSet::new();
        for row in page.rows.iter().filter(|it| it.section == section && it.table == "flag") {
            let flag = row.cells[0].split(' ').next().unwrap();
            let default = known.get(flag).unwrap_or_else(|| panic!("{section} has no {flag}"));
            if let Some(default) = default {
                assert!(row.cells[2].contains(default.as_str()), "{section} {flag}: {default}");
            }
            assert!(shown.insert(flag.to_owned()), "{section} {flag} stands twice");
        }
        let missing: Vec<_> = known.keys().filter(|flag| !shown.contains(*flag)).collect();
        assert!(missing.is_empty(), "{section}: not in docs/cli.md: {missing:?}");
    }
    let common = page.rows.iter().filter(|it| it.table == "common flag");
    let common: BTreeSet<_> = common.map(|it| it.cells[0].split(' ').next().unwrap()).collect();
    assert_eq!(common, BTreeSet::from(COMMON_FLAGS));
    let sections = page.headings.iter().filter_map(|heading| heading.strip_prefix("tabulae "));
    for section in sections {
        assert!(commands().iter().any(|command| command == section), "no command {section}");
    }
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
        serde_json::Value::Array(values) => values.iter().for_each(|it| fields_of(it, fields)),
        _ => {}
    }
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
                "--proof",
                "proof.txt",
                "--from",
                "rgpgrgrg/2gr1rgr/rg~gr~rp/pr~2~gr/rg~1r~pg/2grg1gr/rgrgrgpg r",
            ]],
        ),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (command, all) in runs {
        let mut printed = BTreeSet::new();
        let mut run = |arguments: &[&str]| {
            let path = |word: &&str| match *word {
                "proof.txt" | "ledger" => folder.path().join(word).to_str().unwrap().to_owned(),
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
        if command == "solve" {
            run(&["tablaaza", "--verify", "proof.txt"]);
            run(&[
                "tablaaza",
                "--ledger",
                "ledger",
                "--from",
                "rgpgrgrg/2gr1rgr/rg~gr~rp/pr~2~gr/rg~1r~pg/2grg1gr/rgrgrgpg r",
            ]);
        }
        let section = format!("tabulae {command}");
        let rows = page.rows.iter().filter(|it| it.section == section && it.table == "field");
        let shown: BTreeSet<_> = rows.map(|it| it.cells[0].clone()).collect();
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
    let known = ["sh", "text", "json", "record", "position", "link", "ugi"];
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
