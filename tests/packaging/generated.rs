//! The man pages and the completions that the program writes.

use std::{fs, path::Path, process::Command};

use crate::run_if_installed;

/// Runs the program, which must succeed, and returns its stdout.
fn tabulae(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_tabulae")).args(arguments).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The commands in the help.
pub(crate) fn commands() -> Vec<String> {
    let help = tabulae(&["--help"]);
    let list = help.split("Commands:").nth(1).unwrap().split("\n\n").next().unwrap();
    let names = list.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = names.map(|line| line.split_whitespace().next().unwrap().to_owned());
    names.filter(|name| name != "help").collect()
}

/// The options in a command's help.
fn options(command: &str) -> Vec<String> {
    let help = tabulae(&[command, "--help"]);
    let lines = help.lines().map(str::trim_start).filter(|line| line.starts_with('-'));
    let words = lines.flat_map(|line| line.split([' ', ',', '[']).map(str::to_owned));
    words.filter(|word| word.starts_with("--") && word.len() > 2).collect()
}

/// A text without roff's escapes of hyphens and fonts.
fn plain(page: &str) -> String {
    ["\\fB", "\\fI", "\\fR"]
        .iter()
        .fold(page.replace("\\-", "-"), |text, mark| text.replace(mark, ""))
}

fn file(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn every_command_has_a_man_page_with_its_options() {
    let folder = tempfile::tempdir().unwrap();
    tabulae(&["generate", "man", folder.path().to_str().unwrap()]);
    let commands = commands();
    assert!(commands.len() >= 11, "{commands:?}");
    let main = plain(&file(folder.path(), "tabulae.1"));
    for command in &commands {
        assert!(main.contains(&format!("tabulae-{command}(1)")), "{command}");
        let page = plain(&file(folder.path(), &format!("tabulae-{command}.1")));
        assert!(page.contains(&format!("tabulae {command}")), "{command}: {page}");
        let source = concat!("tabulae ", env!("CARGO_PKG_VERSION"));
        let heading = format!(".TH tabulae-{command} 1 \" \" \"{source}\" \"Tabulae Manual\"\n");
        assert!(page.contains(&heading), "{page}");
        for option in options(command) {
            assert!(page.contains(&option), "{command}: {option} is missing");
        }
    }
    // No page for what the help does not show.
    let pages = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(pages, commands.len() + 2, "one of the program, and one of a command's command");
    let serve = plain(&file(folder.path(), "tabulae-bologna-serve.1"));
    assert!(serve.contains("tabulae bologna serve") && serve.contains("--logs"), "{serve}");
    assert!(!main.contains("--report") && !main.contains("generate"), "{main}");
}

/// Where they are installed.
#[test]
fn the_man_pages_pass_the_validators() {
    let folder = tempfile::tempdir().unwrap();
    tabulae(&["generate", "man", folder.path().to_str().unwrap()]);
    for page in fs::read_dir(folder.path()).unwrap() {
        let page = page.unwrap().path();
        let page = page.to_str().unwrap();
        // The date is left out, so that the same program writes the same page.
        if let Some(output) = run_if_installed("mandoc", &["-T", "lint", "-W", "error", page]) {
            assert!(output.stdout.is_empty(), "{}", String::from_utf8_lossy(&output.stdout));
        }
        let arguments = ["-mandoc", "-ww", "-z", "-Tutf8", page];
        if let Some(output) = run_if_installed("groff", &arguments) {
            assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
        }
    }
}

#[test]
fn the_completions_know_every_command_and_its_options() {
    let folder = tempfile::tempdir().unwrap();
    tabulae(&["generate", "completions", folder.path().to_str().unwrap()]);
    let names = ["tabulae.bash", "_tabulae", "tabulae.fish"];
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), names.len());
    for name in names {
        let text = file(folder.path(), name);
        for command in commands() {
            assert!(text.contains(&command), "{name}: {command}");
            for option in options(&command) {
                // fish writes `-l option`.
                let known =
                    text.contains(&option) || text.contains(&format!("-l {}", &option[2..]));
                assert!(known, "{name}: {command} {option}");
            }
        }
        assert!(!text.contains("generate"), "{name} offers a hidden command");
    }
    // `analyse` has an option of the hidden one's name.
    let bash = file(folder.path(), "tabulae.bash");
    let main = bash.lines().find(|line| line.contains("opts=\"-h")).unwrap();
    assert!(main.contains(" --record ") && !main.contains(" --report "), "{main}");
    for (shell, name) in [("bash", "tabulae.bash"), ("zsh", "_tabulae"), ("fish", "tabulae.fish")] {
        let path = folder.path().join(name);
        if let Some(output) = run_if_installed(shell, &["-n", path.to_str().unwrap()]) {
            assert!(output.status.success(), "{shell}: {output:?}");
        }
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let folder = file.path().join("below");
    let output = Command::new(env!("CARGO_BIN_EXE_tabulae"))
        .args(["generate", "man", folder.to_str().unwrap()])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains(folder.to_str().unwrap()), "{error}");
}
