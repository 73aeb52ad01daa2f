//! Talking to `tabulae engine` by pipes.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::mpsc::{self, Receiver},
    thread,
    time::Duration,
};

/// An engine process. It is ended when the test is.
pub(crate) struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
}

/// A test that waits this long for a line has failed.
const PATIENCE: Duration = Duration::from_secs(120);

impl Engine {
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

    /// The next line.
    pub(crate) fn line(&mut self) -> String {
        self.output.recv_timeout(PATIENCE).expect("the engine says nothing more")
    }

    /// Sends a line and gives the answer.
    pub(crate) fn ask(&mut self, line: &str) -> String {
        self.send(line);
        self.line()
    }

    /// All lines up to the first that begins with `word`, that one included.
    pub(crate) fn until(&mut self, word: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            lines.push(self.line());
            if lines.last().unwrap().starts_with(word) {
                return lines;
            }
        }
    }

    /// Ends its input, and gives what it still says and how it ends.
    pub(crate) fn close(mut self) -> (Vec<String>, ExitStatus) {
        drop(self.input.take());
        let rest: Vec<_> = self.output.iter().collect();
        (rest, self.child.wait().unwrap())
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

/// What is wrong with an answer, if anything.
type Check = Box<dyn Fn(&str) -> Result<(), String>>;

/// Many commands for one engine, and what each query is to answer. Everything
/// is sent at once and the answers are looked at afterwards: thousands of
/// positions take a moment.
pub(crate) struct Script {
    lines: String,
    checks: Vec<(String, Check)>,
}

impl Script {
    pub(crate) fn new(rules: &str) -> Self {
        Self { lines: format!("setoption name Rules value {rules}\n"), checks: Vec::new() }
    }

    /// A command that is to answer nothing.
    pub(crate) fn tell(&mut self, line: &str) {
        self.lines += line;
        self.lines.push('\n');
    }

    /// A query whose answer is to be exactly this.
    pub(crate) fn expect(&mut self, what: &str, answer: &str, place: &str) {
        let expected = answer.to_owned();
        self.check(what, place, move |answer| {
            if answer == expected { Ok(()) } else { Err(format!("expected {expected:?}")) }
        });
    }

    /// A query whose answer is to pass a check.
    pub(crate) fn check(
        &mut self,
        what: &str,
        place: &str,
        check: impl Fn(&str) -> Result<(), String> + 'static,
    ) {
        self.tell(&format!("query {what}"));
        self.checks.push((format!("{place}: {what}"), Box::new(check)));
    }

    /// Runs the script and gives the number of answers that were right.
    pub(crate) fn run(self) -> usize {
        let mut engine = Engine::start();
        let mut input = engine.input.take().unwrap();
        // The engine answers while it is still being told.
        let writer = thread::spawn(move || input.write_all(self.lines.as_bytes()).unwrap());
        for (place, check) in &self.checks {
            let line = engine.line();
            let answer = match line.split_once(' ') {
                Some(("response", answer)) => answer,
                None if line == "response" => "",
                _ => panic!("{place}: {line}"),
            };
            if let Err(why) = check(answer) {
                panic!("{place}: {answer:?}: {why}");
            }
        }
        writer.join().unwrap();
        let (rest, status) = engine.close();
        assert!(rest.is_empty(), "answers to nothing: {rest:?}");
        assert!(status.success());
        self.checks.len()
    }
}
