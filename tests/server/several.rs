//! Two servers on one PostgreSQL.

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::json;
use tabulae_games::{RuleSet, Side};
use tabulae_online::OnlineState;

use super::{
    clients::{Player, Server, create},
    raw::RawClient,
};

/// A PostgreSQL of its own, in a temporary folder, stopped at the end.
pub(crate) struct Database {
    programs: PathBuf,
    folder: tempfile::TempDir,
    port: u16,
    /// The options of its server.
    options: String,
}

/// The folder of PostgreSQL's programs, where Debian or the PATH has it.
fn programs() -> Option<PathBuf> {
    let debian = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<_> = debian.map(|folder| folder.path().join("bin")).collect();
    folders.sort();
    folders.extend(std::env::split_paths(&path));
    folders
        .into_iter()
        .rev()
        .find(|folder| folder.join("initdb").is_file() && folder.join("pg_ctl").is_file())
}

impl Database {
    /// `None` where PostgreSQL is not installed.
    pub(crate) fn start() -> Option<Self> {
        Self::start_in(&std::env::temp_dir())
    }

    /// One whose files lie in a folder of this one.
    pub(crate) fn start_in(parent: &Path) -> Option<Self> {
        Self::start_with(parent, |_| String::new())
    }

    /// One that answers over TLS only, with the certificate of `tls/server.pem`.
    fn start_with_tls() -> Option<Self> {
        Self::start_with(&std::env::temp_dir(), |data| {
            let lines = "local all all trust\nhostssl all all all trust\n";
            std::fs::write(data.join("pg_hba.conf"), lines).expect("written");
            for (name, file) in [("server.crt", "server.pem"), ("server.key", "server.key")] {
                // PostgreSQL wants a key that nobody else can read.
                let place = data.join(name);
                let place = place.to_str().expect("a path");
                std::fs::copy(certificate(file), place).expect("copied");
                run(Command::new("chmod").args(["600", place]));
                if is_root() {
                    run(Command::new("chown").args(["postgres", place]));
                }
            }
            " -c ssl=on".to_owned()
        })
    }

    /// Starts one after this has changed its data; returns further options.
    fn start_with(parent: &Path, prepare: impl FnOnce(&Path) -> String) -> Option<Self> {
        let Some(programs) = programs() else {
            // .ci/run installs it.
            eprintln!("not tested: PostgreSQL is not installed (Debian's package: postgresql)");
            return None;
        };
        let folder = tempfile::Builder::new().prefix("tabulae-pg").tempdir_in(parent);
        let folder = folder.expect("a folder");
        // A port that was free a moment ago.
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        drop(listener);
        let options = String::new();
        let mut database = Self { programs, folder, port, options };
        if is_root() {
            // PostgreSQL refuses to run as root.
            run(Command::new("chown").arg("postgres").arg(database.folder.path()));
        }
        let data = database.data();
        let arguments = ["-D", &data, "-A", "trust", "-U", "tabulae", "--no-sync"];
        database.run("initdb", &[&arguments[..], &["--wal-segsize=1"]].concat());
        let more = prepare(Path::new(&data));
        database.options = format!(
            "-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={}{more}",
            database.folder.path().display()
        );
        database.start_again();
        Some(database)
    }

    /// Starts its server, after it was stopped.
    pub(crate) fn start_again(&self) {
        let data = self.data();
        let log = format!("{data}.log");
        self.run("pg_ctl", &["-D", &data, "-l", &log, "-o", &self.options, "-w", "start"]);
    }

    /// Stops its server as a crash does.
    pub(crate) fn stop(&self) {
        self.run("pg_ctl", &["-D", &self.data(), "-m", "immediate", "stop"]);
    }

    pub(crate) fn is_running(&self) -> bool {
        Path::new(&self.data()).join("postmaster.pid").exists()
    }

    fn data(&self) -> String {
        self.folder.path().join("data").to_str().expect("a path").to_owned()
    }

    pub(crate) fn store(&self) -> String {
        format!("postgres://tabulae@127.0.0.1:{}/postgres", self.port)
    }

    fn run(&self, program: &str, arguments: &[&str]) {
        let program = self.programs.join(program);
        let mut command = if is_root() {
            let mut command = Command::new("runuser");
            command.args(["-u", "postgres", "--"]).arg(program);
            command
        } else {
            Command::new(program)
        };
        run(command.args(arguments).current_dir("/"));
    }
}

/// A file of the certificate that the server's own tests use.
fn certificate(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/server/tls").join(name)
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output().expect("id runs");
    output.stdout == b"0\n"
}

fn run(command: &mut Command) {
    let status = command.stdout(Stdio::null()).status().expect("the program runs");
    assert!(status.success(), "{command:?}");
}

impl Drop for Database {
    fn drop(&mut self) {
        if self.is_running() {
            self.stop();
        }
    }
}

fn until(players: &mut [Player; 3], what: &str, is_done: impl Fn(&[Player; 3]) -> bool) {
    let started = Instant::now();
    while !is_done(players) {
        players.iter_mut().for_each(Player::step);
        assert!(started.elapsed() < Duration::from_secs(120), "{what}: {players:?}");
    }
}

#[test]
fn players_on_different_servers_play_on_when_one_is_killed() {
    let Some(database) = Database::start() else { return };
    let mut servers = [Server::start(&database.store()), Server::start(&database.store())];
    for rules in [RuleSet::Tablan, RuleSet::TablutAshton] {
        let links = create(&servers[0], rules, Some("600+5"));
        let mut players = links.map(|link| Player::new(&link));
        players[1].move_to(&servers[1].page);
        players[2].move_to(&servers[1].page);
        until(&mut players, "both servers know who is there", |players| {
            players.iter().all(|player| {
                Side::BOTH.iter().all(|side| player.game.is_present(*side))
                    && player.game.spectators() == 1
            })
        });
        until(&mut players, "20 plies", |players| {
            players.iter().all(|player| player.seen.len() >= 20)
        });
        servers[0].kill();
        players[0].move_to(&servers[1].page);
        until(&mut players, "the end", |players| {
            players.iter().all(|player| player.game.state() == OnlineState::Over)
        });
        assert_eq!(players[0].seen, players[1].seen);
        assert_eq!(players[0].seen, players[2].seen);
        servers[0] = Server::start(&database.store());
    }
}

#[test]
fn servers_whose_clocks_differ_charge_nobody_for_it() {
    let Some(database) = Database::start() else { return };
    let folders = std::fs::read_dir("/usr/lib").into_iter().flatten().flatten();
    let mut libraries = folders.map(|it| it.path().join("faketime/libfaketime.so.1"));
    let Some(library) = libraries.find(|library| library.is_file()) else {
        eprintln!("not tested: faketime is not installed");
        return;
    };
    let servers = ["-1h", "+1h"].map(|offset| {
        let mut command = Server::command("127.0.0.1:0");
        command.env("LD_PRELOAD", &library).env("FAKETIME", offset);
        // The programs wait by the monotonic clock.
        command.env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
        Server::run(command, &database.store())
    });
    let tickets = RawClient::create(servers[0].address(), "tablaaza", json!("600"));
    let mut players =
        [0, 1].map(|player| RawClient::enter(servers[player].address(), &tickets[player], 'a'));
    // When both are there.
    while !players[0].next().expect("a message").to_string().contains("\"side\":2") {}
    for (ply, text) in ["c7", "c6"].into_iter().enumerate() {
        let message = json!({"type": "move", "round": 0, "ply": ply, "move": text});
        players[ply % 2].send(&message);
        // Both have it before the next move.
        for player in &mut players {
            let moved = loop {
                let message = player.next().expect("the game goes on");
                assert_ne!(message["type"], "refused", "{message}");
                let entry = &message["entries"][0];
                if message["type"] == "entries" && entry["entry"] == "moved" {
                    break entry.clone();
                }
                assert_ne!(entry["entry"], "timed-out", "{message}");
            };
            assert_eq!(moved["move"], text);
            assert!(moved["used"].as_u64() < Some(300_000), "{moved}");
        }
    }
}

#[test]
fn a_database_is_reached_over_tls_and_its_certificate_is_checked() {
    let Some(database) = Database::start_with_tls() else { return };
    let store = |host: &str, options: &str| {
        format!("postgres://tabulae@{host}:{}/postgres?{options}", database.port)
    };
    let root = certificate("authority.pem");
    let root = format!("sslrootcert={}", root.display());
    let full = format!("sslmode=verify-full&{root}");
    for store in [store("127.0.0.1", "sslmode=require"), store("localhost", &full)] {
        let server = Server::start(&store);
        let links = create(&server, RuleSet::Tablaaza, None);
        let mut players = links.map(|link| Player::new(&link));
        until(&mut players, "5 plies", |players| {
            players.iter().all(|player| player.seen.len() >= 5)
        });
    }
    let refused = |store: &str| {
        let mut command = Server::command("127.0.0.1:0");
        let output = command.env("TABULAE_STORE", store).output().expect("it runs");
        assert!(!output.status.success(), "{output:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    // An authority that the system does not trust, and no TLS at all.
    let text = refused(&store("localhost", "sslmode=verify-full"));
    assert!(text.to_lowercase().contains("certificate"), "{text}");
    refused(&store("127.0.0.1", "sslmode=disable"));
}
