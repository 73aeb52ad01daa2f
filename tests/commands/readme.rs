//! Checks the README: runs its commands and reads its record.

use std::{fs, path::Path};

use tabulae::records::read;

use crate::common::program::succeed;

/// A file at the root of the tree.
fn file(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

/// The README's fenced code blocks of one language.
fn blocks(language: &str) -> Vec<String> {
    let (text, fence) = (file("README.md"), format!("```{language}\n"));
    let blocks = text.split(&fence).skip(1).map(|rest| rest.split("\n```").next().unwrap());
    blocks.map(str::to_owned).collect()
}

/// The lines of its shell blocks, without comments.
fn shell_lines() -> Vec<String> {
    let blocks = blocks("sh");
    let lines = blocks.iter().flat_map(|block| block.lines());
    let lines = lines.map(|line| line.split(" # ").next().unwrap().trim().to_owned());
    lines.filter(|line| !line.is_empty()).collect()
}

/// Runs the commands, except those that build or need a display.
#[cfg(unix)]
#[test]
fn the_commands_shown_work() {
    let program = Path::new(env!("CARGO_BIN_EXE_tabulae"));
    let path = std::env::var("PATH").unwrap();
    let mut run = 0;
    for line in shell_lines() {
        if let Some(target) = line.strip_prefix("make ") {
            let rule = format!("\n{target}:");
            assert!(file("Makefile").contains(&rule), "no rule for {line}");
            continue;
        }
        // These need a display, another program or minutes.
        let skipped = ["tabulae --", "tabulae render ", "cargo install "];
        if skipped.iter().any(|it| line.starts_with(it)) || line.contains("bologna:") {
            continue;
        }
        if let Some(alias) = line.strip_prefix("cargo ") {
            let alias = alias.split(' ').next().unwrap();
            let known = file(".cargo/config.toml").contains(&format!("\n{alias} = "));
            assert!(known || ["run", "test", "build"].contains(&alias), "no alias for {line}");
            continue;
        }
        assert!(line.contains("tabulae "), "{line}");
        let output = std::process::Command::new("sh")
            .args(["-c", &line])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .env("PATH", format!("{}:{path}", program.parent().unwrap().display()))
            .output()
            .unwrap();
        let (out, errors) = (&output.stdout, String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success() && errors.is_empty(), "{line}: {errors}");
        assert!(!out.is_empty() && !out.starts_with(b"error"), "{line}");
        run += 1;
    }
    assert!(run >= 5, "the README shows hardly a command");
}

/// Every command in the table exists and has the options shown, and every
/// command is in the table.
#[test]
fn the_table_of_commands_matches_the_help() {
    let text = file("README.md");
    let rows = text.lines().filter_map(|line| line.strip_prefix("| `tabulae ")?.split('`').next());
    let mut seen = 0;
    for row in rows {
        let command = row.split(' ').next().unwrap();
        let help = if command.starts_with('[') {
            succeed(&["--help"])
        } else {
            succeed(&[command, "--help"])
        };
        let options = row.split([' ', '[', ']']).filter(|word| word.starts_with("--"));
        for option in options {
            assert!(help.contains(option), "{command} has no {option}: {help}");
        }
        seen += 1;
    }
    assert!(seen >= 9, "{seen} commands");
    let listed = succeed(&["--help"]);
    let listed = listed.split("Commands:").nth(1).unwrap().split("\n\n").next().unwrap();
    let words = listed.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    for command in words.map(|line| line.split_whitespace().next().unwrap()) {
        let known = command == "help" || text.contains(&format!("`tabulae {command}"));
        assert!(known, "the README does not name {command}");
    }
}

#[test]
fn the_record_shown_can_be_read() {
    let records: Vec<_> =
        blocks("text").into_iter().filter(|block| block.starts_with("[Rules ")).collect();
    assert!(!records.is_empty());
    for text in records {
        read(&text).unwrap_or_else(|error| panic!("{error}"));
    }
}
