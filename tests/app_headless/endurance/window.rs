//! Soak test in a real window with software rendering: engines play one game
//! after the other, and the process is measured from outside.
//!
//! Needs Xvfb (`make test` installs it).

use std::{
    collections::BTreeMap,
    fs,
    io::{BufRead, BufReader, Read},
    path::Path,
    process::{Child, Command, Stdio},
    sync::mpsc::{RecvTimeoutError, channel},
    thread,
    time::{Duration, Instant},
};

use tabulae::games::RuleSet;

use super::{
    memory::{Memory, resident},
    soak::seconds,
};

/// A process that is killed at the end of the test.
struct KillOnDrop(Child);

impl Drop for KillOnDrop {
    fn drop(&mut self) {
        _ = self.0.kill();
        _ = self.0.wait();
    }
}

/// Starts a virtual display; returns it with its name.
fn start_display() -> (KillOnDrop, String) {
    let server = Command::new("Xvfb")
        // Without `-noreset` the server restarts when its last client leaves,
        // and refuses clients meanwhile.
        .args(["-displayfd", "1", "-screen", "0", "900x600x24", "-nolisten", "tcp", "-noreset"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut server = KillOnDrop(server.expect("Xvfb is installed (`make test` does it)"));
    let mut number = String::new();
    let stdout = server.0.stdout.take().expect("a pipe");
    BufReader::new(stdout).read_line(&mut number).expect("Xvfb names its display");
    (server, format!(":{}", number.trim()))
}

/// Starts the program with two engines that play one rule set after the other.
fn start_program(home: &Path, display: &str) -> KillOnDrop {
    // The cheapest rendering, for as many plies as possible.
    let settings = "reduced-motion = true\npicture = \"low\"\n";
    fs::write(home.join("settings.toml"), settings).expect("written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabulae"));
    command.args(["--rules", RuleSet::ALL[0].id(), "--first", "novice", "--second", "novice"]);
    // Short games, so that each rule set is played several times.
    command.args(["--again", "24", "--report", "--size", "900x600"]);
    command.env("DISPLAY", display).env("TABULAE_HOME", home);
    command.env("XDG_RUNTIME_DIR", home);
    command.env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET");
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    KillOnDrop(command.spawn().expect("it starts"))
}

/// Checks that nothing panicked and no warning or error came twice.
fn check_log(log: &str) {
    let mut messages: BTreeMap<&str, usize> = BTreeMap::new();
    let is_log_line = |line: &&str| ["WARN", "ERROR"].iter().any(|level| line.contains(level));
    for line in log.lines().filter(is_log_line) {
        // Without the time stamp.
        *messages.entry(line.split_once("Z ").map_or(line, |parts| parts.1)).or_default() += 1;
    }
    assert!(messages.values().all(|times| *times == 1), "{messages:#?}");
    assert!(!log.contains("panicked"), "{log}");
}

/// `cargo soak-window`.
#[test]
#[ignore = "ten minutes"]
fn ten_minutes() {
    let time = Duration::from_secs(seconds(Duration::from_secs(600)));
    let home = tempfile::tempdir().expect("a folder");
    let (_server, display) = start_display();
    let mut program = start_program(home.path(), &display);
    let stdout = program.0.stdout.take().expect("a pipe");
    let mut stderr = program.0.stderr.take().expect("a pipe");
    let log = thread::spawn(move || {
        let mut text = String::new();
        stderr.read_to_string(&mut text).map(|_| text)
    });
    let (send, lines) = channel();
    thread::spawn(move || {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            if send.send(line).is_err() {
                return;
            }
        }
    });

    let process = program.0.id().to_string();
    let (started, mut memory, mut plies) = (Instant::now(), Memory::default(), 0);
    let (mut rules, mut entities) = (String::new(), 0);
    let mut entity_counts: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    while let Some(left) = time.checked_sub(started.elapsed()) {
        let line = match lines.recv_timeout(left) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => break,
            Err(RecvTimeoutError::Disconnected) => {
                panic!("it ended: {:?}", log.join().expect("no panic"))
            }
        };
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match word {
            "rules" => rules = rest.to_owned(),
            "entities" => entities = rest.parse().expect("a number"),
            "shown" => plies += 1,
            _ => {}
        }
        // The last count before the first ply is that of the new game.
        if line.starts_with("shown 1 ") {
            entity_counts.entry(rules.clone()).or_default().push(entities);
            memory.rounds.extend(resident(&process));
        }
    }
    drop(program);
    let log = log.join().expect("no panic").expect("a text");
    let games: usize = entity_counts.values().map(Vec::len).sum();
    println!("{games} games, {plies} plies, entities {entity_counts:?}");
    println!("KiB at the beginning of each game: {:?}", memory.rounds);
    println!("log: {log:?}");
    assert!(games >= 2 * RuleSet::ALL.len(), "too few games to compare");
    for (rules, counts) in &mut entity_counts {
        if rules.as_str() == RuleSet::ALL[0].id() {
            // The first game may still have the entities of the shader warm-up.
            counts.remove(0);
        }
        assert!(counts.iter().all(|count| *count == counts[0]), "{rules}: {counts:?}");
    }
    check_log(&log);
    if let Some(growth) = memory.growth(RuleSet::ALL.len()) {
        println!("memory grew by {growth:.2} % after warming up");
        assert!(growth < 5.0, "{growth} %");
    }
}
