//! The child process that the tests start and kill.

use std::{
    env,
    io::{BufRead, BufReader, Lines},
    path::Path,
    process::{Child, ChildStdout, Command, Stdio},
};

use super::{disks, play, soak};
use crate::italian;

/// The environment variable with the child's task.
const TASK: &str = "TABULAE_ENDURANCE";

/// The child process: the headless app with a task. Without a task it does
/// nothing.
#[test]
#[ignore = "run by other tests, as a child process"]
fn program() {
    let Ok(task) = env::var(TASK) else { return };
    // End the line that the test harness has started.
    println!();
    let words: Vec<&str> = task.split_whitespace().collect();
    let number = |at: usize| words[at].parse().expect("a number");
    match words[0] {
        "play" => play::run(number(1), number(2)),
        "unsaved" => disks::run(Path::new(words[1])),
        "italian" => italian::run(),
        "soak" => soak::run(soak::Effort::Games(number(1))),
        "soak-seconds" => soak::run(soak::Effort::Seconds(number(1))),
        other => panic!("no task '{other}'"),
    }
}

/// The command that runs the child with a task and a home folder.
pub(crate) fn command(home: &Path, task: &str) -> Command {
    let mut command = Command::new(env::current_exe().expect("this program"));
    command.args(["--exact", "--ignored", "--nocapture", "--quiet", "endurance::child::program"]);
    command.env(TASK, task).env("TABULAE_HOME", home).env("LC_ALL", "C");
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    command
}

/// A running child, killed when it is dropped.
pub(crate) struct RunningChild {
    child: Child,
    pub(crate) lines: Lines<BufReader<ChildStdout>>,
}

impl RunningChild {
    pub(crate) fn start(mut command: Command) -> Self {
        let mut child = command.spawn().expect("it starts");
        let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        Self { child, lines }
    }

    /// Reads lines up to and including the first that begins so.
    pub(crate) fn read_until(&mut self, beginning: &str) -> Vec<String> {
        let mut lines = Vec::new();
        for line in self.lines.by_ref().map_while(Result::ok) {
            let is_last = line.starts_with(beginning);
            lines.push(line);
            if is_last {
                break;
            }
        }
        lines
    }

    /// Lets it start, by closing its input.
    pub(crate) fn go(&mut self) {
        drop(self.child.stdin.take());
    }

    /// Kills it without warning.
    pub(crate) fn kill(&mut self) {
        // An error means that it has ended already.
        _ = self.child.kill();
    }

    /// Waits for its end; whether it succeeded.
    pub(crate) fn succeeded(&mut self) -> bool {
        self.child.wait().expect("it was started").success()
    }
}

impl Drop for RunningChild {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

/// Runs the child, which must succeed, and returns its lines.
pub(crate) fn run_child(command: Command) -> Vec<String> {
    let mut program = RunningChild::start(command);
    let lines: Vec<String> = program.lines.by_ref().map_while(Result::ok).collect();
    assert!(program.succeeded(), "{lines:?}");
    lines
}
