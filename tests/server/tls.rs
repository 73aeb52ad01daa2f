//! The server with a certificate of its own, and the program as its client.
//!
//! The certificate of `tls/server.pem` is for localhost, by the authority of
//! `tls/authority.pem`, whose key is lost. The keys protect nothing but this test.

use std::{
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
    time::Duration,
};

use super::clients::Server;

pub(crate) fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/server/tls").join(name)
}

fn play(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabulae"));
    command.arg("play").args(arguments).args(["--language", "en"]);
    command
        .env("TABULAE_HOME", folder)
        .env_remove("SSL_CERT_DIR")
        .env("SSL_CERT_FILE", file("authority.pem"));
    command
}

/// Creates a game by the program, which trusts the certificate.
pub(crate) fn create_a_game(server: &Server) {
    let folder = tempfile::tempdir().expect("a folder");
    let invite = ["--invite", server.page.as_str(), "--rules", "tablaaza"];
    let mut command = play(folder.path(), &invite);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().expect("it starts");
    child.stdin.take().expect("stdin").write_all(b"quit\n").expect("it reads");
    assert!(child.wait().expect("it ends").success());
}

/// `tabulae play` with its lines.
struct Terminal {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Terminal {
    fn start(mut command: Command) -> Self {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (sender, lines) = channel();
        let output = BufReader::new(output.expect("stdout"));
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                _ = sender.send(line);
            }
        });
        Self { child, input: input.expect("stdin"), lines }
    }

    /// The next line that begins so.
    fn line(&self, start: &str) -> String {
        loop {
            let line = self.lines.recv_timeout(Duration::from_secs(60));
            let line = line.unwrap_or_else(|_| panic!("no line begins with '{start}'"));
            if line.starts_with(start) {
                return line;
            }
        }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("it reads");
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

#[test]
fn two_programs_play_over_tls_if_they_trust_the_certificate() {
    let certificate = ["--tls-cert".into(), file("server.pem")];
    let key = ["--tls-key".into(), file("server.key")];
    let flags = certificate.into_iter().chain(key);
    let server = Server::start_with(&Server::temporary_store(), flags);
    assert!(server.page.starts_with("https://127.0.0.1:"), "{}", server.page);
    let folders = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let invite = ["--invite", server.page.as_str(), "--rules", "tablaaza"];
    let mut first = Terminal::start(play(folders[0].path(), &invite));
    let links = [(); 3].map(|()| first.line("https://"));
    let mut second = Terminal::start(play(folders[1].path(), &["--join", &links[1]]));
    second.line("Both players are here.");
    first.line("Both players are here.");
    first.say("C7");
    second.line("Red plays c7.");
    // A byte that is no letter of UTF-8 ends nothing.
    second.input.write_all(b"\xe9\nc6\n").expect("it reads");
    first.line("Green plays c6.");
    // Somebody who does not know the authority sends nothing.
    let stranger = play(folders[1].path(), &invite).env_remove("SSL_CERT_FILE").output();
    let stranger = stranger.expect("it runs");
    let error = String::from_utf8_lossy(&stranger.stderr);
    assert!(!stranger.status.success() && error.contains("UnknownIssuer"), "{error}");
}

#[test]
fn a_certificate_that_cannot_be_used_is_named() {
    let refused = |certificate: &str, key: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_tabulae"))
            .args(["serve", "--listen", "127.0.0.1:0"])
            .env("TABULAE_STORE", Server::temporary_store())
            .args(["--tls-cert".into(), file(certificate)])
            .args(["--tls-key".into(), file(key)])
            .output()
            .expect("it runs");
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    for (certificate, key, culprit, why) in [
        ("missing.pem", "server.key", "missing.pem", "cannot use TLS: cannot read "),
        ("server.pem", "missing.key", "missing.key", "cannot use TLS: cannot read "),
        ("server.key", "server.key", "server.key", "no certificate found in "),
        ("server.pem", "server.pem", "server.pem", "no private key found in "),
        ("server.pem", "other.key", "other.key", "do not fit: "),
    ] {
        let error = refused(certificate, key);
        assert!(error.contains(culprit) && error.contains(why), "{certificate} {key}: {error}");
    }
}
