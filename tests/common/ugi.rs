//! Talks to `tabulae engine` through pipes.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::mpsc::{self, Receiver},
    thread,
    time::Duration,
};

/// An engine process, killed at the end of the test.
pub(crate) struct EngineProcess {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
}

/// A test fails when a line takes this long.
const LINE_TIMEOUT: Duration = Duration::from_secs(120);

impl EngineProcess {
    pub(crate) fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tabulae"))
            .arg("engine")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, output) = mpsc::channel();
        let stdout = child.stdout.take().unwrap();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                if sender.send(line.unwrap()).is_err() {
                    break;
                }
            }
        });
        let input = child.stdin.take();
        Self { child, input, output }
    }

    pub(crate) fn send(&mut self, line: &str) {
        self.send_bytes(line.as_bytes());
    }

    pub(crate) fn send_bytes(&mut self, line: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(line).unwrap();
        input.write_all(b"\n").unwrap();
    }

    /// Reads the next line.
    pub(crate) fn read_line(&mut self) -> String {
        self.output.recv_timeout(LINE_TIMEOUT).expect("the engine says nothing more")
    }

    /// Sends a line and returns the next line.
    pub(crate) fn ask(&mut self, line: &str) -> String {
        self.send(line);
        self.read_line()
    }

    /// Reads lines up to and including the first that begins with `word`.
    pub(crate) fn read_until(&mut self, word: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            lines.push(self.read_line());
            if lines.last().unwrap().starts_with(word) {
                return lines;
            }
        }
    }

    /// Closes its input; returns its remaining lines and its exit status.
    pub(crate) fn close(mut self) -> (Vec<String>, ExitStatus) {
        drop(self.input.take());
        let rest: Vec<_> = self.output.iter().collect();
        (rest, self.child.wait().unwrap())
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

/// Checks an answer; the error says what is wrong with it.
type Check = Box<dyn Fn(&str) -> Result<(), String>>;

/// Commands for one engine, with a check for the answer of each query. All
/// commands are sent at once, without waiting for answers, so that thousands of
/// positions take little time.
pub(crate) struct UgiScript {
    lines: String,
    checks: Vec<(String, Check)>,
}

impl UgiScript {
    pub(crate) fn new(rules: &str) -> Self {
        Self { lines: format!("setoption name Rules value {rules}\n"), checks: Vec::new() }
    }

    /// Adds a command that has no answer.
    pub(crate) fn send(&mut self, line: &str) {
        self.lines += line;
        self.lines.push('\n');
    }

    /// Adds a query with exactly this answer; `place` names the case.
    pub(crate) fn expect(&mut self, what: &str, answer: &str, place: &str) {
        let expected = answer.to_owned();
        self.check(what, place, move |answer| {
            if answer == expected { Ok(()) } else { Err(format!("expected {expected:?}")) }
        });
    }

    /// Adds a query whose answer must pass a check.
    pub(crate) fn check(
        &mut self,
        what: &str,
        place: &str,
        check: impl Fn(&str) -> Result<(), String> + 'static,
    ) {
        self.send(&format!("query {what}"));
        self.checks.push((format!("{place}: {what}"), Box::new(check)));
    }

    /// Runs the script; returns the number of checked answers.
    pub(crate) fn run(self) -> usize {
        let mut engine = EngineProcess::start();
        let mut input = engine.input.take().unwrap();
        // On a thread, since the engine answers before it has read everything.
        let writer = thread::spawn(move || input.write_all(self.lines.as_bytes()).unwrap());
        for (place, check) in &self.checks {
            let line = engine.read_line();
            let answer = match line.split_once(' ') {
                Some(("response", answer)) => answer,
                None if line == "response" => "",
                _ => panic!("{place}: {line}"),
            };
            if let Err(reason) = check(answer) {
                panic!("{place}: {answer:?}: {reason}");
            }
        }
        writer.join().unwrap();
        let (rest, status) = engine.close();
        assert!(rest.is_empty(), "answers to nothing: {rest:?}");
        assert!(status.success());
        self.checks.len()
    }
}
