//! Stores that fail: a full disk, a database that is away, a locked file, a folder that
//! cannot be written. Nothing that a client was told may be lost, and everything goes on by
//! itself.

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
    several::Database,
};

/// The time before a refused move is tried again: the server counts refusals.
const PAUSE: Duration = Duration::from_millis(200);

/// A small disk of its own, if this user may mount one.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    fn mount(size: &str) -> Option<Self> {
        let folder = tempfile::tempdir().expect("a folder");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", size, "tmpfs"]).arg(folder.path());
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
        refusal(&message)
    }

    /// Tries a move; returns whether it was confirmed. Nothing is played in a game that is
    /// over.
    fn try_move(&mut self) -> bool {
        if self.session.outcome().is_some() {
            return true;
        }
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
                if let Some(refusal) = refusal(&answer) {
                    return is_passing(&refusal);
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

/// Why a move was refused. One that was stored although the server did not know it is late
/// when it is tried again: it comes with the entries.
fn refusal(message: &Value) -> Option<Value> {
    let refusal = &message["refusal"];
    (message["type"] == "refused" && refusal["code"] != "late").then(|| refusal.clone())
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

/// Makes a store fail so often, in games that go on, and kills the server after each time.
struct Failing<'a> {
    store: &'a str,
    fail: &'a dyn Fn(),
    recover: &'a dyn Fn(),
    /// What `/health` may say of it.
    reasons: &'a [&'a str],
}

impl Failing<'_> {
    fn play(&self, episodes: usize) {
        let mut server = Server::start(self.store);
        for _ in 0..episodes {
            let mut tables: Vec<_> = (0..TABLES).map(|_| Table::new(&server)).collect();
            tables.iter_mut().for_each(Table::play);
            (self.fail)();
            // There may be room for thousands of plies in what the store's files have already.
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
            let is_named = self.reasons.iter().any(|it| health.contains(it));
            assert!(health.contains("503") && is_named, "{health}");
            (self.recover)();
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
}

fn play_with_full_disks(episodes: usize) {
    let Some(disk) = SmallDisk::mount("size=12m") else { return };
    let store = format!("sqlite:{}", disk.0.path().join("games.db").display());
    let (fail, recover) = (|| disk.fill(), || disk.free());
    let reasons = &["the disk is full"];
    Failing { store: &store, fail: &fail, recover: &recover, reasons }.play(episodes);
}

/// The same with all files of a PostgreSQL, which may end when it can write nothing.
fn play_with_full_databases(episodes: usize) {
    let Some(disk) = SmallDisk::mount("size=80m") else { return };
    let Some(database) = Database::start_in(disk.0.path()) else { return };
    let recover = || {
        disk.free();
        if !database.is_running() {
            database.start_again();
        }
    };
    let reasons = &["the disk is full", "the database does not answer"];
    let (store, fail) = (database.store(), || disk.fill());
    Failing { store: &store, fail: &fail, recover: &recover, reasons }.play(episodes);
}

/// The same with a PostgreSQL that crashes and is started again.
fn play_with_outages(episodes: usize) {
    let Some(database) = Database::start() else { return };
    let (store, reasons) = (database.store(), &["the database does not answer"]);
    let (fail, recover) = (|| database.stop(), || database.start_again());
    Failing { store: &store, fail: &fail, recover: &recover, reasons }.play(episodes);
}

/// Games at once, and the most plies that each is played for while the store has room.
const TABLES: usize = 10;
const LONGEST: usize = 400;

#[test]
fn nothing_that_was_confirmed_is_lost_when_the_disk_was_full() {
    play_with_full_disks(2);
}

#[test]
fn nothing_that_was_confirmed_is_lost_when_the_disk_of_a_database_was_full() {
    play_with_full_databases(1);
}

#[test]
fn nothing_that_was_confirmed_is_lost_when_a_database_was_away() {
    play_with_outages(2);
}

#[test]
#[ignore = "minutes"]
fn full_50_times() {
    play_with_full_disks(50);
}

#[test]
#[ignore = "minutes"]
fn databases_full_20_times() {
    play_with_full_databases(20);
}

#[test]
#[ignore = "minutes"]
fn databases_away_20_times() {
    play_with_outages(20);
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
