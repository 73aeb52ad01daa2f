//! The workflows of `.github`.

use std::fs;

use crate::{run_if_installed, text, tree};

/// The workflows' names and texts.
fn workflows() -> Vec<(String, String)> {
    let folder = fs::read_dir(tree::root().join(".github/workflows")).unwrap();
    let files = folder.map(|file| file.unwrap().path());
    let files = files.map(|path| (path.display().to_string(), tree::read(&path)));
    files.collect()
}

/// Actions run with the project's rights: only those of GitHub itself, by their
/// major version.
#[test]
fn workflows_use_only_actions_of_github() {
    let mut seen = 0;
    for (path, text) in workflows() {
        for line in text.lines().filter_map(|line| line.split("uses: ").nth(1)) {
            let (action, version) = line.split_once('@').expect("a version");
            let known = ["cache", "checkout", "download-artifact", "upload-artifact"];
            assert!(
                action.strip_prefix("actions/").is_some_and(|rest| known.contains(&rest)),
                "{path}: {line}"
            );
            let major = version.strip_prefix('v').and_then(|rest| rest.parse::<u32>().ok());
            assert!(major.is_some(), "{path}: {line}");
            seen += 1;
        }
        assert!(text.contains("permissions:\n  contents: read\n"), "{path}: read only by default");
        assert!(!text.contains('\t'), "{path}");
    }
    assert!(seen >= 6, "{seen} actions");
}

#[test]
fn workflows_run_what_the_makefile_has() {
    let makefile = text("Makefile");
    let mut seen = 0;
    for (path, text) in workflows() {
        for line in text.lines().filter_map(|line| line.trim().strip_prefix("- run: ")) {
            let line = line.strip_prefix("sudo ").unwrap_or(line);
            if let Some(target) = line.strip_prefix("make ") {
                assert!(makefile.contains(&format!("\n{target}:")), "{path}: {line}");
                seen += 1;
            }
        }
        for script in text.split_whitespace().filter(|word| word.ends_with(".sh")) {
            assert!(tree::root().join(script).is_file(), "{path}: {script}");
        }
    }
    assert!(seen >= 5, "{seen} targets");
}

#[test]
fn a_release_uploads_everything_with_checksums() {
    let release = text(".github/workflows/release.yml");
    assert!(release.contains("tags: [\"v*\"]"));
    for job in ["linux", "windows", "macos", "web"] {
        assert!(release.contains(&format!("\n  {job}:\n")), "{job}");
        assert!(release.contains(&format!("name: {job}\n")), "{job} uploads its files");
    }
    assert!(release.contains("needs: [linux, windows, macos, web]"));
    assert!(release.contains("sha256sum") && release.contains("gh release create"));
}

/// Where it is installed.
#[test]
fn workflows_pass_actionlint() {
    let files: Vec<_> = workflows().into_iter().map(|(path, _)| path).collect();
    let files: Vec<_> = files.iter().map(String::as_str).collect();
    if let Some(output) = run_if_installed("actionlint", &files) {
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
}
