//! Thousands of `go`, `stop` and `position` in any order, with any memory and
//! any number of threads: each `go` is answered once, in order, by a move that
//! is legal where it was asked.
//!
//! `cargo stress` plays the whole number and measures how soon `stop` is
//! answered and how well a time is kept; what it prints is for people, and no
//! test fails by the clock.

use std::{
    collections::VecDeque,
    thread,
    time::{Duration, Instant},
};

use tabulae::games::{AnyPosition, Game, GameHistory, RuleSet, Turn};

use crate::common::{
    games::{Numbers, random_line},
    ugi::Engine,
};

/// A position as `position` tells it.
fn told(line: &GameHistory<AnyPosition>) -> String {
    let plies: String = line.plies().map(|ply| format!(" {ply}")).collect();
    if plies.is_empty() {
        "position startpos".to_owned()
    } else {
        format!("position startpos moves{plies}")
    }
}

/// A game that has come to someone's move.
fn at_a_move(rules: RuleSet, numbers: &mut Numbers) -> GameHistory<AnyPosition> {
    loop {
        let plies = 1 + numbers.below(60);
        let mut line = random_line(rules, numbers, plies);
        while !matches!(line.turn(), Turn::Move(_)) && line.undo().is_some() {}
        if matches!(line.turn(), Turn::Move(_)) {
            return line;
        }
    }
}

/// A conversation, and what it still owes.
struct Talk {
    engine: Engine,
    /// Where each `go` that is not yet answered was asked.
    asked: VecDeque<GameHistory<AnyPosition>>,
    answered: usize,
    endless: bool,
}

impl Talk {
    /// Takes a line in.
    fn hear(&mut self, line: &str) {
        assert!(!line.starts_with("error"), "{line}");
        let Some(text) = line.strip_prefix("bestmove ") else { return };
        let at = self.asked.pop_front().expect("an answer to nothing");
        let mv = at.position().parse_move(text);
        let mv = mv.unwrap_or_else(|illegal| panic!("{text}: {illegal}: {}", told(&at)));
        assert!(at.legal_moves().contains(&mv), "{text}: {}", told(&at));
        self.answered += 1;
        assert!(!self.endless || !self.asked.is_empty(), "an endless search answered before stop");
    }

    /// Sends a command that ends the search, if one is under way.
    fn end(&mut self, command: &str) {
        self.engine.send(command);
        self.endless = false;
    }

    /// Hears everything up to what answers `isready`.
    fn settle(&mut self) {
        self.engine.send("isready");
        loop {
            let line = self.engine.line();
            if line == "readyok" {
                return;
            }
            self.hear(&line);
        }
    }

    /// Waits for so many lines or the answer, whichever comes first.
    fn listen(&mut self, lines: usize) {
        for _ in 0..lines {
            if self.asked.is_empty() {
                return;
            }
            let line = self.engine.line();
            self.hear(&line);
        }
    }

    /// One sequence: a few positions, each thought about and cut short.
    fn sequence(&mut self, rules: RuleSet, numbers: &mut Numbers) {
        for _ in 0..1 + numbers.below(4) {
            let line = at_a_move(rules, numbers);
            self.end(&told(&line));
            let go = match numbers.below(5) {
                0 => format!("go depth {}", 1 + numbers.below(4)),
                1 => format!("go nodes {}", 1 + numbers.below(3000)),
                2 => format!("go movetime {}", 1 + numbers.below(20)),
                3 => "go depth 3 nodes 500 movetime 5".to_owned(),
                _ => "go infinite".to_owned(),
            };
            self.asked.push_back(line);
            self.engine.send(&go);
            self.endless = go == "go infinite";
            // At the very beginning, or when it has said something.
            if numbers.below(2) == 0 {
                // An endless search need not say more than one line.
                let most = if self.endless { 1 } else { 4 };
                self.listen(1 + numbers.below(most));
            }
            match numbers.below(5) {
                0 => self.end("stop"),
                1 => self.end("uginewgame"),
                2 => self.end(&format!("setoption name Threads value {}", 1 + numbers.below(8))),
                3 if !self.endless => self.listen(usize::MAX),
                _ => {}
            }
        }
        self.end("stop");
        self.settle();
        assert!(self.asked.is_empty(), "{} searches unanswered", self.asked.len());
    }
}

/// So many sequences, with a new engine for each memory.
fn sequences(count: usize, hashes: &[usize], seed: u64) {
    let mut numbers = Numbers::new(seed);
    let mut answered = 0;
    for hash in hashes {
        let engine = Engine::start();
        let mut talk = Talk { engine, asked: VecDeque::new(), answered: 0, endless: false };
        talk.end(&format!("setoption name Hash value {hash}"));
        for number in 0..count / hashes.len() {
            let rules = RuleSet::ALL[number % RuleSet::ALL.len()];
            talk.end(&format!("setoption name Rules value {rules}"));
            talk.end(&format!("setoption name Threads value {}", 1 + number % 8));
            let level = numbers.pick(&["novice", "casual", "club", "expert", "master"]);
            talk.end(&format!("setoption name Level value {level}"));
            talk.sequence(rules, &mut numbers);
        }
        answered += talk.answered;
        let (rest, status) = talk.engine.close();
        assert!(rest.is_empty() && status.success(), "{rest:?}");
    }
    println!("{count} sequences, {answered} searches, each answered once by a legal move");
    assert!(answered >= count);
}

#[test]
fn every_go_is_answered_once_by_a_legal_move() {
    sequences(36, &[1, 64], 1);
}

/// `cargo stress`.
#[test]
#[ignore = "minutes"]
fn every_go_is_answered_once_by_a_legal_move_1000() {
    sequences(1000, &[1, 16, 512, 2048], 2);
}

/// The middle, the 99th of a hundred and the last of what was measured.
fn figures(what: &str, mut times: Vec<Duration>) {
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

/// `cargo stress`: prints how soon `stop` is answered.
#[test]
#[ignore = "measures"]
fn measure_how_soon_stop_is_answered() {
    for (threads, hash) in [(1, 1), (2, 1), (8, 1), (1, 2048), (4, 2048), (8, 2048)] {
        let mut numbers = Numbers::new(3);
        for rules in [RuleSet::TablutAshton, RuleSet::Tablan, RuleSet::Tablaaza] {
            let mut engine = Engine::start();
            engine.send(&format!("setoption name Rules value {rules}"));
            engine.send(&format!("setoption name Threads value {threads}"));
            engine.send(&format!("setoption name Hash value {hash}"));
            let mut times = Vec::new();
            for _ in 0..50 {
                engine.send(&told(&at_a_move(rules, &mut numbers)));
                engine.send("go infinite");
                thread::sleep(Duration::from_micros(numbers.below(60_000) as u64));
                let begun = Instant::now();
                engine.send("stop");
                engine.until("bestmove");
                times.push(begun.elapsed());
            }
            figures(&format!("{rules}, {threads} threads, {hash} MiB: stop"), times);
        }
    }
}

/// `cargo stress`: prints by how much a time of 100 ms is overstepped.
#[test]
#[ignore = "measures"]
fn measure_how_well_a_time_is_kept() {
    let mut numbers = Numbers::new(4);
    for rules in RuleSet::ALL {
        let mut engine = Engine::start();
        engine.send(&format!("setoption name Rules value {rules}"));
        let mut over = Vec::new();
        for _ in 0..1000_usize.div_ceil(RuleSet::ALL.len()) {
            engine.send(&told(&at_a_move(rules, &mut numbers)));
            assert_eq!(engine.ask("isready"), "readyok");
            let begun = Instant::now();
            engine.send("go movetime 100");
            engine.until("bestmove");
            over.push(begun.elapsed().saturating_sub(Duration::from_millis(100)));
        }
        figures(&format!("{rules}: over 100 ms"), over);
    }
}
