//! The unit of the server of online games.

use super::{run_if_installed, text};

#[test]
fn systemd_accepts_the_unit_of_the_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("tabulae.service");
    // The program need not be installed.
    let unit =
        text("packaging/server/tabulae.service").replace("/usr/local/bin/tabulae", "/bin/true");
    std::fs::write(&file, unit).expect("written");
    let file = file.to_str().expect("a path");
    let Some(output) = run_if_installed("systemd-analyze", &["verify", "--man=no", file]) else {
        return;
    };
    let said = String::from_utf8_lossy(&output.stderr);
    let about_it: Vec<_> = said.lines().filter(|line| line.contains("tabulae")).collect();
    assert!(about_it.is_empty(), "{about_it:?}");
}
