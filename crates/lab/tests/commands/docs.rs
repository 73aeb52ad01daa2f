//! The guide docs/lab.md and what other pages say of `tabulae-lab`: their commands work, and
//! the tables of flags equal the help.

use std::path::{Path, PathBuf};

use crate::common::{
    guide::{COMMON_FLAGS, check_tables_of_flags, flags, shell_lines, usage},
    markdown::Document,
};

/// The root folder of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn the_tables_of_flags_equal_the_help() {
    check_tables_of_flags(&Document::read(&root().join("docs/lab.md")), "tabulae-lab", None);
}

/// The flags of every page's commands are known; those of docs/lab.md are run.
#[cfg(unix)]
#[test]
fn the_commands_shown_work() {
    let pages =
        ["docs/lab.md", "docs/benchmarks.md", "docs/tablaaza.md", "assets/engines/README.md"];
    let program = Path::new(env!("CARGO_BIN_EXE_tabulae-lab"));
    let path = std::env::var("PATH").unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(
        root().join("tests").canonicalize().unwrap(),
        folder.path().join("tests"),
    )
    .unwrap();
    let mut run = 0;
    for page in pages {
        for (_, line) in shell_lines(&Document::read(&root().join(page))) {
            let Some((command, used)) = usage("tabulae-lab", &line) else { continue };
            let known = flags(command);
            for flag in used {
                let is_known = known.contains_key(flag) || COMMON_FLAGS.contains(&flag);
                assert!(is_known, "{command} has no {flag}: {line}");
            }
            if page != "docs/lab.md" {
                continue;
            }
            let output = std::process::Command::new("sh")
                .args(["-c", &line])
                .current_dir(folder.path())
                .env("PATH", format!("{}:{path}", program.parent().unwrap().display()))
                .env("LC_ALL", "C")
                .stdin(std::process::Stdio::null())
                .output()
                .unwrap();
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success() && errors.is_empty(), "{line}: {errors}");
            assert!(!output.stdout.is_empty(), "{line}");
            run += 1;
        }
    }
    assert!(run >= 6, "{run}");
}
