//! Two servers on one PostgreSQL.

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use tabulae_games::{RuleSet, Side};
use tabulae_online::OnlineState;

use super::clients::{Player, Server, create};

/// A PostgreSQL of its own, in a temporary folder, stopped at the end.
struct Database {
    programs: PathBuf,
    folder: tempfile::TempDir,
    port: u16,
}

/// The folder of PostgreSQL's programs, where Debian or the PATH has it.
fn programs() -> Option<PathBuf> {
    let debian = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<_> = debian.map(|it| it.path().join("bin")).collect();
    folders.sort();
    folders.extend(std::env::split_paths(&path));
    folders.into_iter().rev().find(|it| it.join("initdb").is_file() && it.join("pg_ctl").is_file())
}

impl Database {
    /// `None` where PostgreSQL is not installed.
    fn start() -> Option<Self> {
        let programs = programs()?;
        let folder = tempfile::Builder::new().prefix("tabulae-pg").tempdir().expect("a folder");
        // A port that was free a moment ago.
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        drop(listener);
        let database = Self { programs, folder, port };
        if is_root() {
            // PostgreSQL refuses to run as root.
            run(Command::new("chown").arg("postgres").arg(database.folder.path()));
        }
        let data = database.data();
        let data = data.to_str().expect("a path");
        database.run("initdb", &["-D", data, "-A", "trust", "-U", "tabulae", "--no-sync"]);
        let options = format!(
            "-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={}",
            database.folder.path().display()
        );
        let log = format!("{data}.log");
        database.run("pg_ctl", &["-D", data, "-l", &log, "-o", &options, "-w", "start"]);
        Some(database)
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn store(&self) -> String {
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
        if Path::new(&self.data()).exists() {
            let data = self.data();
            self.run("pg_ctl", &["-D", data.to_str().expect("a path"), "-m", "immediate", "stop"]);
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
    let Some(database) = Database::start() else {
        // .ci/run installs it.
        eprintln!("not tested: PostgreSQL is not installed (Debian's package: postgresql)");
        return;
    };
    let mut servers = [Server::start(&database.store()), Server::start(&database.store())];
    for rules in [RuleSet::Tablan, RuleSet::TablutAshton] {
        let links = create(&servers[0], rules, Some("600+5"));
        let mut players = links.map(|link| Player::new(&link));
        players[1].move_to(&servers[1].page);
        players[2].move_to(&servers[1].page);
        until(&mut players, "both servers know who is there", |players| {
            players.iter().all(|it| {
                Side::BOTH.iter().all(|side| it.game.is_present(*side)) && it.game.spectators() == 1
            })
        });
        until(&mut players, "20 plies", |players| players.iter().all(|it| it.seen.len() >= 20));
        servers[0].kill();
        players[0].move_to(&servers[1].page);
        until(&mut players, "the end", |players| {
            players.iter().all(|it| it.game.state() == OnlineState::Over)
        });
        assert_eq!(players[0].seen, players[1].seen);
        assert_eq!(players[0].seen, players[2].seen);
        servers[0] = Server::start(&database.store());
    }
}
