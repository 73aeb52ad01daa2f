//! `make install-files` and `make uninstall`.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{ID, generated, text, tree};

/// All files below a folder, as paths from it, sorted.
fn files(folder: &Path) -> Vec<String> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(at) = folders.pop() {
        for entry in fs::read_dir(at).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push(path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    found.sort();
    found
}

fn make(target: &str, destination: &Path, prefix: &str) {
    let output = Command::new("make")
        .args(["-s", target, &format!("PREFIX={prefix}")])
        .arg(format!("DESTDIR={}", destination.display()))
        .arg(format!("PROGRAM={}", env!("CARGO_BIN_EXE_tabulae")))
        // Of a `make test` around this one.
        .env_remove("MAKEFLAGS")
        .current_dir(tree::root())
        .output()
        .expect("make is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn all_that_is_installed_is_removed_again() {
    let folder = tempfile::tempdir().unwrap();
    // A folder whose name holds a space.
    let prefix = "/home/a b/.local";
    let root: PathBuf = folder.path().join(&prefix[1..]);
    fs::create_dir_all(root.join("bin")).unwrap();
    fs::write(root.join("bin/tabulae"), "the program").unwrap();
    fs::create_dir_all(root.join("share/man/man1")).unwrap();
    fs::write(root.join("share/man/man1/other.1"), "another program's").unwrap();
    make("install-files", folder.path(), prefix);
    let mut expected = vec![
        "bin/tabulae".to_owned(),
        format!("share/applications/{ID}.desktop"),
        "share/bash-completion/completions/tabulae".to_owned(),
        "share/fish/vendor_completions.d/tabulae.fish".to_owned(),
        format!("share/icons/hicolor/256x256/apps/{ID}.png"),
        format!("share/icons/hicolor/scalable/apps/{ID}.svg"),
        "share/man/man1/other.1".to_owned(),
        "share/man/man1/tabulae-bologna-serve.1".to_owned(),
        "share/man/man1/tabulae.1".to_owned(),
        format!("share/metainfo/{ID}.metainfo.xml"),
        format!("share/mime/packages/{ID}.xml"),
        "share/zsh/site-functions/_tabulae".to_owned(),
    ];
    expected.extend(
        generated::commands().iter().map(|command| format!("share/man/man1/tabulae-{command}.1")),
    );
    expected.sort();
    assert_eq!(files(&root), expected);
    let entry = fs::read_to_string(root.join(format!("share/applications/{ID}.desktop"))).unwrap();
    assert!(entry.contains(&format!("\nExec=\"{prefix}/bin/tabulae\" %f\n")), "{entry}");

    make("uninstall", folder.path(), prefix);
    assert_eq!(files(&root), ["share/man/man1/other.1"]);
}

#[test]
fn every_file_to_install_is_named_in_the_makefile() {
    let makefile = text("Makefile").replace("$(id)", ID);
    assert!(makefile.contains(&format!("\nid = {ID}\n")));
    for file in fs::read_dir(tree::root().join("packaging")).unwrap() {
        let path = file.unwrap().path();
        if path.is_file() {
            let name = path.file_name().unwrap().to_str().unwrap();
            assert!(makefile.contains(&format!("packaging/{name}")), "{name}");
        }
    }
}
