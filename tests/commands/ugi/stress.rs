//! Stress test: thousands of `go`, `stop` and `position` in random order, with
//! various hash sizes and numbers of threads. Each `go` is answered once, in
//! order, by a move that is legal in its position.
//!
//! `cargo stress` runs the full number, and prints how fast `stop` is answered
//! and by how much `movetime` is exceeded. No test fails because of a time.

use std::{
    collections::VecDeque,
    thread,
    time::{Duration, Instant},
};

use tabulae_games::{AnyPosition, Game, GameHistory, RuleSet, Turn};

use crate::common::{
    games::{Numbers, random_line},
    ugi::EngineProcess,
};

/// The `position` command of a game.
fn position_command(line: &GameHistory<AnyPosition>) -> String {
    let plies: String = line.plies().map(|ply| format!(" {ply}")).collect();
    if plies.is_empty() {
        "position startpos".to_owned()
    } else {
        format!("position startpos moves{plies}")
    }
}

/// A random game in which a move is due.
fn random_game_at_a_move(rules: RuleSet, numbers: &mut Numbers) -> GameHistory<AnyPosition> {
    loop {
        let plies = 1 + numbers.below(60);
        let mut line = random_line(rules, numbers, plies);
        while !matches!(line.turn(), Turn::Move(_)) && line.undo().is_some() {}
        if matches!(line.turn(), Turn::Move(_)) {
            return line;
        }
    }
}

/// An engine, and the searches that it has not answered yet.
struct StressSession {
    engine: EngineProcess,
    /// The position of each `go` that is not answered yet.
    pending: VecDeque<GameHistory<AnyPosition>>,
    answered: usize,
    infinite: bool,
}

impl StressSession {
    /// Checks a line of the engine.
    fn handle_line(&mut self, line: &str) {
        assert!(!line.starts_with("error"), "{line}");
        let Some(text) = line.strip_prefix("bestmove ") else { return };
        let at = self.pending.pop_front().expect("an answer to nothing");
        let mv = at.position().parse_move(text);
        let mv =
            mv.unwrap_or_else(|illegal| panic!("{text}: {illegal}: {}", position_command(&at)));
        assert!(at.legal_moves().contains(&mv), "{text}: {}", position_command(&at));
        self.answered += 1;
        assert!(
            !self.infinite || !self.pending.is_empty(),
            "an infinite search answered before stop"
        );
    }

    /// Sends a command that ends a search under way.
    fn send_stopping(&mut self, command: &str) {
        self.engine.send(command);
        self.infinite = false;
    }

    /// Handles all lines up to the answer to `isready`.
    fn synchronise(&mut self) {
        self.engine.send("isready");
        loop {
            let line = self.engine.read_line();
            if line == "readyok" {
                return;
            }
            self.handle_line(&line);
        }
    }

    /// Handles this number of lines, or fewer up to the answer.
    fn handle_lines(&mut self, lines: usize) {
        for _ in 0..lines {
            if self.pending.is_empty() {
                return;
            }
            let line = self.engine.read_line();
            self.handle_line(&line);
        }
    }

    /// Runs one sequence: a few positions with a search each, most cut short.
    fn sequence(&mut self, rules: RuleSet, numbers: &mut Numbers) {
        for _ in 0..1 + numbers.below(4) {
            let line = random_game_at_a_move(rules, numbers);
            self.send_stopping(&position_command(&line));
            let go = match numbers.below(5) {
                0 => format!("go depth {}", 1 + numbers.below(4)),
                1 => format!("go nodes {}", 1 + numbers.below(3000)),
                2 => format!("go movetime {}", 1 + numbers.below(20)),
                3 => "go depth 3 nodes 500 movetime 5".to_owned(),
                _ => "go infinite".to_owned(),
            };
            self.pending.push_back(line);
            self.engine.send(&go);
            self.infinite = go == "go infinite";
            // Stop at once, or after some lines.
            if numbers.below(2) == 0 {
                // An infinite search may print only one line.
                let most = if self.infinite { 1 } else { 4 };
                self.handle_lines(1 + numbers.below(most));
            }
            match numbers.below(5) {
                0 => self.send_stopping("stop"),
                1 => self.send_stopping("uginewgame"),
                2 => self.send_stopping(&format!(
                    "setoption name Threads value {}",
                    1 + numbers.below(8)
                )),
                3 if !self.infinite => self.handle_lines(usize::MAX),
                _ => {}
            }
        }
        self.send_stopping("stop");
        self.synchronise();
        assert!(self.pending.is_empty(), "{} searches unanswered", self.pending.len());
    }
}

/// Runs this number of sequences, with a new engine for each hash size.
fn run_sequences(count: usize, hashes: &[usize], seed: u64) {
    let mut numbers = Numbers::new(seed);
    let mut answered = 0;
    for hash in hashes {
        let engine = EngineProcess::start();
        let mut session =
            StressSession { engine, pending: VecDeque::new(), answered: 0, infinite: false };
        session.send_stopping(&format!("setoption name Hash value {hash}"));
        for number in 0..count / hashes.len() {
            let rules = RuleSet::ALL[number % RuleSet::ALL.len()];
            session.send_stopping(&format!("setoption name Rules value {rules}"));
            session.send_stopping(&format!("setoption name Threads value {}", 1 + number % 8));
            let level = numbers.pick(&["novice", "casual", "club", "expert", "master"]);
            session.send_stopping(&format!("setoption name Level value {level}"));
            session.sequence(rules, &mut numbers);
        }
        answered += session.answered;
        let (rest, status) = session.engine.close();
        assert!(rest.is_empty() && status.success(), "{rest:?}");
    }
    println!("{count} sequences, {answered} searches, each answered once by a legal move");
    assert!(answered >= count);
}

#[test]
fn every_go_is_answered_once_by_a_legal_move() {
    run_sequences(36, &[1, 64], 1);
}

/// `cargo stress`.
#[test]
#[ignore = "minutes"]
fn every_go_is_answered_once_by_a_legal_move_1000() {
    run_sequences(1000, &[1, 16, 512, 2048], 2);
}

/// Prints the median, the 99th percentile and the maximum of measured times.
fn print_percentiles(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    println!(
        "{what}: {} times, median {:.1?}, 99 % {:.1?}, most {:.1?}",
        times.len(),
        at(0.5),
        at(0.99),
        at(1.0)
    );
}

/// `cargo stress`: prints how fast `stop` is answered.
#[test]
#[ignore = "measures"]
fn measure_stop_latency() {
    for (threads, hash) in [(1, 1), (2, 1), (8, 1), (1, 2048), (4, 2048), (8, 2048)] {
        let mut numbers = Numbers::new(3);
        for rules in [RuleSet::TablutAshton, RuleSet::Tablan, RuleSet::Tablaaza] {
            let mut engine = EngineProcess::start();
            engine.send(&format!("setoption name Rules value {rules}"));
            engine.send(&format!("setoption name Threads value {threads}"));
            engine.send(&format!("setoption name Hash value {hash}"));
            let mut times = Vec::new();
            for _ in 0..50 {
                engine.send(&position_command(&random_game_at_a_move(rules, &mut numbers)));
                engine.send("go infinite");
                thread::sleep(Duration::from_micros(numbers.below(60_000) as u64));
                let started = Instant::now();
                engine.send("stop");
                engine.read_until("bestmove");
                times.push(started.elapsed());
            }
            print_percentiles(&format!("{rules}, {threads} threads, {hash} MiB: stop"), times);
        }
    }
}

/// `cargo stress`: prints by how much a `movetime` of 100 ms is exceeded.
#[test]
#[ignore = "measures"]
fn measure_movetime_overrun() {
    let mut numbers = Numbers::new(4);
    for rules in RuleSet::ALL {
        let mut engine = EngineProcess::start();
        engine.send(&format!("setoption name Rules value {rules}"));
        let mut over = Vec::new();
        for _ in 0..1000_usize.div_ceil(RuleSet::ALL.len()) {
            engine.send(&position_command(&random_game_at_a_move(rules, &mut numbers)));
            assert_eq!(engine.ask("isready"), "readyok");
            let started = Instant::now();
            engine.send("go movetime 100");
            engine.read_until("bestmove");
            over.push(started.elapsed().saturating_sub(Duration::from_millis(100)));
        }
        print_percentiles(&format!("{rules}: over 100 ms"), over);
    }
}
