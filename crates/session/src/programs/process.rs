//! A program's process, and the threads that read and write its lines.

use std::{
    io::{BufRead, BufReader, Read, Write},
    process::{ChildStdin, ChildStdout, Command, Stdio},
    sync::{
        Mutex, PoisonError,
        mpsc::{self, Receiver, Sender, SyncSender},
    },
    thread,
};

use super::{ProcessTree, ProgramError};

/// Unread lines to buffer; further ones wait in the program's pipe.
const LINE_BUFFER: usize = 256;
/// Bytes after which a line is cut.
const MAX_LINE_BYTES: u64 = 1 << 16;

/// A program's process and its input, shared with the code that stops or kills it.
#[derive(Debug, Default)]
pub(super) struct ProcessSlot(Mutex<Process>);

#[derive(Debug, Default)]
struct Process {
    is_closed: bool,
    tree: Option<ProcessTree>,
    input: Option<Sender<String>>,
}

impl ProcessSlot {
    fn with<T>(&self, work: impl FnOnce(&mut Process) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Starts the program of a command line's words; returns the lines that it writes.
    pub(super) fn start(&self, words: &[String]) -> Result<Receiver<String>, ProgramError> {
        let (name, arguments) = words.split_first().ok_or(ProgramError::NoCommand)?;
        let mut command = Command::new(name);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut tree = ProcessTree::spawn(command).map_err(ProgramError::NotStarted)?;
        let (stdin, stdout) = tree.take_pipes();
        let (input, lines) = mpsc::channel();
        let is_closed = self.with(|process| {
            process.tree = Some(tree);
            process.input = Some(input);
            process.is_closed
        });
        if is_closed {
            self.close();
            return Err(ProgramError::Ended);
        }
        let (Some(stdin), Some(stdout)) = (stdin, stdout) else {
            self.close();
            return Err(ProgramError::NoCommand);
        };
        let (sender, output) = mpsc::sync_channel(LINE_BUFFER);
        thread::spawn(move || read_lines(stdout, &sender));
        thread::spawn(move || write_lines(stdin, &lines));
        Ok(output)
    }

    /// Sends a line, if the program runs.
    pub(super) fn send(&self, line: &str) -> Result<(), ProgramError> {
        let sent = self.with(|process| Some(process.input.as_ref()?.send(line.to_owned()).is_ok()));
        if sent == Some(true) { Ok(()) } else { Err(ProgramError::Ended) }
    }

    /// Kills the program with what it has started, and any that would be started here
    /// later.
    pub(super) fn close(&self) {
        self.with(|process| {
            process.is_closed = true;
            process.input = None;
            process.tree = None;
        });
    }
}

/// Forwards the program's lines until it closes its output or the receiver is
/// dropped.
fn read_lines(stdout: ChildStdout, sender: &SyncSender<String>) {
    let mut output = BufReader::new(stdout);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match (&mut output).take(MAX_LINE_BYTES).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) if sender.send(String::from_utf8_lossy(&bytes).into_owned()).is_err() => return,
            Ok(_) => {}
        }
    }
}

/// Writes lines to the program as fast as it reads them.
fn write_lines(mut stdin: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        if writeln!(stdin, "{line}").and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}
