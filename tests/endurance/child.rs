//! The program that the tests start, kill and starve.

use std::{
    env,
    io::{BufRead, BufReader, Lines},
    path::Path,
    process::{Child, ChildStdout, Command, Stdio},
};

use crate::{disks, play, soak};

/// The variable that says what the program is to do.
const TASK: &str = "TABULAE_ENDURANCE";

/// The app without a window, with a task. Alone it does nothing.
#[test]
#[ignore = "is run by the tests, in a process of its own"]
fn program() {
    let Ok(task) = env::var(TASK) else { return };
    // The test harness has not ended its line.
    println!();
    let words: Vec<&str> = task.split_whitespace().collect();
    let number = |at: usize| words[at].parse().expect("a number");
    match words[0] {
        "play" => play::run(number(1), number(2)),
        "unkept" => disks::run(Path::new(words[1])),
        "soak" => soak::run(soak::Effort::Games(number(1))),
        "soak-seconds" => soak::run(soak::Effort::Seconds(number(1))),
        other => panic!("no task '{other}'"),
    }
}

/// The command that runs the program with a task and a home folder.
pub(crate) fn command(home: &Path, task: &str) -> Command {
    let mut command = Command::new(env::current_exe().expect("this program"));
    command.args(["--exact", "--ignored", "--nocapture", "--quiet", "child::program"]);
    command.env(TASK, task).env("TABULAE_HOME", home).env("LC_ALL", "C");
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    command
}

/// A program that is running.
pub(crate) struct Running {
    child: Child,
    pub(crate) lines: Lines<BufReader<ChildStdout>>,
}

impl Running {
    pub(crate) fn start(mut command: Command) -> Self {
        let mut child = command.spawn().expect("it starts");
        let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        Self { child, lines }
    }

    /// Reads what it says up to the line that begins so.
    pub(crate) fn until(&mut self, beginning: &str) -> Vec<String> {
        let mut said = Vec::new();
        for line in self.lines.by_ref().map_while(Result::ok) {
            let is_it = line.starts_with(beginning);
            said.push(line);
            if is_it {
                break;
            }
        }
        said
    }

    /// Says that it may begin.
    pub(crate) fn go(&mut self) {
        drop(self.child.stdin.take());
    }

    /// Ends it as the system ends a program: with no word of warning.
    pub(crate) fn kill(&mut self) {
        // It may have ended by itself.
        _ = self.child.kill();
    }

    /// Waits for it; whether all went well.
    pub(crate) fn succeeded(&mut self) -> bool {
        self.child.wait().expect("it was started").success()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}
