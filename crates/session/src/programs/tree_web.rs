//! Browsers start no programs: the standard library refuses to.

use std::{
    io,
    process::{Child, ChildStdin, ChildStdout, Command},
};

/// A running program, of which there is none.
#[derive(Debug)]
pub struct ProcessTree(Child);

impl ProcessTree {
    /// Refuses.
    ///
    /// # Errors
    /// Always.
    pub fn spawn(mut command: Command) -> io::Result<Self> {
        command.spawn().map(Self)
    }

    /// Its standard input and output.
    pub fn take_pipes(&mut self) -> (Option<ChildStdin>, Option<ChildStdout>) {
        (self.0.stdin.take(), self.0.stdout.take())
    }
}
