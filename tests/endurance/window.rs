//! The same in a real window, drawn by the processor: engines play one game
//! after the other, and what the program takes is looked at from outside.
//!
//! Needs Xvfb (`make test` installs it).

use std::{
    collections::BTreeMap,
    fs,
    io::{BufRead, BufReader, Read},
    process::{Child, Command, Stdio},
    sync::mpsc::{RecvTimeoutError, channel},
    thread,
    time::{Duration, Instant},
};

use tabulae::games::RuleSet;

use crate::{
    memory::{Memory, resident},
    soak::seconds,
};

/// Ended with the test.
struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        _ = self.0.kill();
        _ = self.0.wait();
    }
}

/// A virtual display and its name.
fn display() -> (Killed, String) {
    let server = Command::new("Xvfb")
        // Without `-noreset` it begins anew when the last client has gone, and
        // turns away whoever comes meanwhile.
        .args(["-displayfd", "1", "-screen", "0", "900x600x24", "-nolisten", "tcp", "-noreset"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut server = Killed(server.expect("Xvfb is installed (`make test` does it)"));
    let mut number = String::new();
    let stdout = server.0.stdout.take().expect("a pipe");
    BufReader::new(stdout).read_line(&mut number).expect("Xvfb names its display");
    (server, format!(":{}", number.trim()))
}

/// `cargo soak-window`.
#[test]
#[ignore = "ten minutes"]
fn ten_minutes() {
    let time = Duration::from_secs(seconds(Duration::from_secs(600)));
    let home = tempfile::tempdir().expect("a folder");
    // As many plies as a processor can draw.
    let settings = "reduced-motion = true\npicture = \"light\"\n";
    fs::write(home.path().join("settings.toml"), settings).expect("written");
    let (_server, display) = display();
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabulae"));
    command.args(["--rules", RuleSet::ALL[0].id(), "--first", "novice", "--second", "novice"]);
    // Every rule set comes again and again.
    command.args(["--again", "24", "--report", "--size", "900x600"]);
    command.env("DISPLAY", display).env("TABULAE_HOME", home.path());
    command.env("XDG_RUNTIME_DIR", home.path());
    command.env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET");
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut program = Killed(command.spawn().expect("it starts"));
    let stdout = program.0.stdout.take().expect("a pipe");
    let mut stderr = program.0.stderr.take().expect("a pipe");
    let words = thread::spawn(move || {
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
    let (begun, mut memory, mut plies) = (Instant::now(), Memory::default(), 0);
    let (mut rules, mut entities) = (String::new(), 0);
    let mut standing: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    while let Some(left) = time.checked_sub(begun.elapsed()) {
        let line = match lines.recv_timeout(left) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => break,
            Err(RecvTimeoutError::Disconnected) => {
                panic!("it ended: {:?}", words.join().expect("no panic"))
            }
        };
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match word {
            "rules" => rules = rest.to_owned(),
            "entities" => entities = rest.parse().expect("a number"),
            "shown" => plies += 1,
            _ => {}
        }
        // With the first ply the count before it is the one that counts.
        if line.starts_with("shown 1 ") {
            standing.entry(rules.clone()).or_default().push(entities);
            memory.rounds.extend(resident(&process));
        }
    }
    drop(program);
    let words = words.join().expect("no panic").expect("a text");
    let games: usize = standing.values().map(Vec::len).sum();
    println!("{games} games, {plies} plies, entities {standing:?}");
    println!("KiB at the beginning of each game: {:?}", memory.rounds);
    println!("said: {words:?}");
    assert!(games >= 2 * RuleSet::ALL.len(), "too few games to compare");
    for (rules, counts) in &mut standing {
        if rules.as_str() == RuleSet::ALL[0].id() {
            // At the first game of all, what is drawn once before it is needed
            // may still be there.
            counts.remove(0);
        }
        assert!(counts.iter().all(|count| *count == counts[0]), "{rules}: {counts:?}");
    }
    let mut said: BTreeMap<&str, usize> = BTreeMap::new();
    let of_the_log = |line: &&str| ["WARN", "ERROR"].iter().any(|level| line.contains(level));
    for line in words.lines().filter(of_the_log) {
        // Without the time and the colours of the log.
        *said.entry(line.split_once("Z ").map_or(line, |it| it.1)).or_default() += 1;
    }
    assert!(said.values().all(|times| *times == 1), "{said:#?}");
    assert!(!words.contains("panicked"), "{words}");
    if let Some(growth) = memory.growth(RuleSet::ALL.len()) {
        println!("memory grew by {growth:.2} % after warming up");
        assert!(growth < 5.0, "{growth} %");
    }
}
