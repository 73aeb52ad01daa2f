//! Stores that fail: a full disk, a locked file, a folder that cannot be written. Nothing
//! that a client was told may be lost, and everything goes on by itself.

use std::{
    fs::File,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tabulae_games::{Game as _, RuleSet};
use tabulae_session::{GameSession, Setup};

use super::{
    clients::Server,
    raw::{RawClient, get},
};

/// The time before a refused move is tried again: the server counts refusals.
const PAUSE: Duration = Duration::from_millis(200);

/// A small disk of its own, if this user may mount one.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    fn mount() -> Option<Self> {
        let folder = tempfile::tempdir().expect("a folder");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=12m", "tmpfs"]).arg(folder.path());
        let status = mount.stderr(Stdio::null()).status();
        if status.is_ok_and(|status| status.success()) {
            return Some(Self(folder));
        }
        eprintln!("not tested: this user may not mount a small disk");
        None
    }

    fn filler(&self) -> PathBuf {
        self.0.path().join("filler")
    }

    /// Leaves no room.
    fn fill(&self) {
        let mut file = File::create(self.filler()).expect("a file");
        for size in [1 << 16, 512, 1] {
            while file.write_all(&vec![0; size]).is_ok() {}
        }
    }

    fn free(&self) {
        std::fs::remove_file(self.filler()).expect("removed");
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        _ = Command::new("umount").arg("-l").arg(self.0.path()).status();
    }
}

/// A game of Tablut between two raw clients, and what they were told.
struct Table {
    tickets: [String; 3],
    players: [RawClient; 2],
    /// The entries that the first client was told.
    told: Vec<Value>,
    /// The game by the rules, which says what can be played.
    session: GameSession,
}

impl Table {
    fn new(server: &Server) -> Self {
        let tickets = RawClient::create(server.address(), "tablut/ashton", Value::Null);
        let players =
            [0, 1].map(|player| RawClient::enter(server.address(), &tickets[player], 'a'));
        let session = GameSession::new(Setup::new(RuleSet::TablutAshton));
        let mut table = Self { tickets, players, told: Vec::new(), session };
        while table.told.len() < 5 {
            table.hear();
        }
        table
    }

    /// Takes in the next message of the first player; returns why the server refused, if it
    /// did.
    fn hear(&mut self) -> Option<Value> {
        let message = self.players[0].next().expect("the connection lasts");
        if let Some(entries) = message["entries"].as_array() {
            let from = message["from"].as_u64().expect("a number") as usize;
            assert!(from <= self.told.len(), "a gap: {message}");
            self.told.truncate(from);
            self.told.extend(entries.iter().cloned());
        }
        (message["type"] == "refused").then(|| message["refusal"].clone())
    }

    /// Tries a move; returns whether it was confirmed.
    fn try_move(&mut self) -> bool {
        let history = self.session.history();
        let (plies, legal) = (history.len(), history.legal_moves());
        let mv = legal[plies * 7919 % legal.len()];
        let text = history.position().notation(mv);
        let message = json!({"type": "move", "round": 0, "ply": plies, "move": text});
        let player = plies % 2;
        self.players[player].send(&message);
        if player == 1 {
            // The refusal comes to the other client.
            let known = self.told.len();
            loop {
                let answer = self.players[1].next().expect("the connection lasts");
                if answer["type"] == "refused" {
                    return is_passing(&answer["refusal"]);
                }
                if answer["type"] == "entries"
                    && answer["from"].as_u64().is_some_and(|from| from as usize >= known)
                {
                    break;
                }
            }
            while self.told.len() == known {
                self.hear();
            }
        } else {
            let known = self.told.len();
            while self.told.len() == known {
                if let Some(refusal) = self.hear() {
                    return is_passing(&refusal);
                }
            }
        }
        self.session.play(mv).expect("a legal move");
        true
    }

    /// Tries a move until it is confirmed.
    fn play(&mut self) {
        let started = Instant::now();
        while !self.try_move() {
            assert!(started.elapsed() < Duration::from_secs(60), "the server does not recover");
            // As a player's program does.
            std::thread::sleep(PAUSE);
        }
    }
}

/// Nothing was stored, and the move may be tried again.
fn is_passing(refusal: &Value) -> bool {
    let code = refusal["code"].as_str();
    assert!(matches!(code, Some("unavailable" | "too-fast")), "{refusal}");
    false
}

/// What the server tells somebody who opens a game anew.
fn entries(server: &Server, ticket: &str) -> Vec<Value> {
    let welcome = RawClient::enter(server.address(), ticket, 'a').next_of("welcome");
    welcome["entries"].as_array().expect("entries").clone()
}

fn until_healthy(server: &Server) {
    let started = Instant::now();
    while !get(server.address(), "/health").contains("200 OK") {
        assert!(started.elapsed() < Duration::from_secs(60), "the server does not recover");
    }
}

/// Fills the disk so often, and kills the server after the last time.
fn play_with_full_disks(episodes: usize) {
    let Some(disk) = SmallDisk::mount() else { return };
    let store = format!("sqlite:{}", disk.0.path().join("games.db").display());
    let mut server = Server::start(&store);
    for _ in 0..episodes {
        let mut tables: Vec<_> = (0..TABLES).map(|_| Table::new(&server)).collect();
        disk.fill();
        // There may be room for many plies in what the store's files have already.
        let has_failed = (0..LONGEST).any(|_| !tables.iter_mut().all(Table::try_move));
        assert!(has_failed, "there is room for {LONGEST} plies in each game");
        let started = Instant::now();
        let health = loop {
            let health = get(server.address(), "/health");
            if !health.contains("200 OK") {
                break health;
            }
            assert!(started.elapsed() < Duration::from_secs(60), "/health says ok");
        };
        assert!(health.contains("503") && health.contains("the disk is full"), "{health}");
        disk.free();
        (0..4).for_each(|_| tables.iter_mut().for_each(Table::play));
        until_healthy(&server);
        let check = |server: &Server| {
            for table in &tables {
                // Whoever opens a game anew is told the same.
                assert_eq!(entries(server, &table.tickets[2]), table.told);
            }
        };
        check(&server);
        server.kill_and_restart();
        check(&server);
    }
}

/// Games at once, and the most plies that each is played for: by random moves Tablut does
/// not end as early.
const TABLES: usize = 10;
const LONGEST: usize = 60;

#[test]
fn nothing_that_was_confirmed_is_lost_when_the_disk_was_full() {
    play_with_full_disks(2);
}

#[test]
#[ignore = "minutes"]
fn full_50_times() {
    play_with_full_disks(50);
}

/// Another program that holds the file of a store locked until it is told to let go.
struct Lock(Child);

impl Lock {
    fn take(file: &Path) -> Option<Self> {
        let mut command = Command::new("sqlite3");
        command.arg(file).stdin(Stdio::piped()).stdout(Stdio::piped());
        let Ok(mut child) = command.spawn() else {
            eprintln!("not tested: sqlite3 is not installed");
            return None;
        };
        let input = child.stdin.as_mut().expect("stdin");
        writeln!(input, ".timeout 20000\nBEGIN IMMEDIATE;\nSELECT 'held';").expect("it reads");
        let mut line = String::new();
        let output = child.stdout.take().expect("stdout");
        std::io::BufRead::read_line(&mut std::io::BufReader::new(output), &mut line).expect("read");
        assert_eq!(line, "held\n");
        Some(Self(child))
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        _ = self.0.kill();
        _ = self.0.wait();
    }
}

#[test]
fn a_locked_file_delays_moves_and_loses_none() {
    let store = Server::temporary_store();
    let server = Server::start(&store);
    let mut table = Table::new(&server);
    table.play();
    let file = PathBuf::from(store.trim_start_matches("sqlite:"));
    let Some(lock) = Lock::take(&file) else { return };
    let started = Instant::now();
    while get(server.address(), "/health").contains("200 OK") {
        assert!(started.elapsed() < Duration::from_secs(60), "/health says ok");
    }
    assert!(!table.try_move(), "nothing can be stored");
    drop(lock);
    (0..4).for_each(|_| table.play());
    until_healthy(&server);
    assert_eq!(entries(&server, &table.tickets[2]), table.told);
}

#[test]
fn a_second_server_on_a_file_and_a_folder_that_cannot_be_written_are_refused() {
    let store = Server::temporary_store();
    let _server = Server::start(&store);
    let refused = |store: &str| {
        let mut command = Server::command("127.0.0.1:0");
        let output = command.env("TABULAE_STORE", store).output().expect("it runs");
        assert!(!output.status.success(), "{output:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let text = refused(&store);
    assert!(text.contains("in use by another server"), "{text}");
    let text = refused("sqlite:/proc/none/games.db");
    assert!(text.contains("cannot open /proc/none/games.db"), "{text}");
}
