//! A program together with the programs that it starts.

use std::{
    io,
    process::{ChildStdin, ChildStdout, Command, ExitStatus},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use self::system::{Child, kill_all, pipes, start, wait};

type Shared = Arc<Mutex<Child>>;

/// All that run.
static RUNNING: Mutex<Vec<Shared>> = Mutex::new(Vec::new());

/// A running program. When it is dropped, it is killed with all that it has started:
/// its process group, or on Windows its job. A group of its own gets no Ctrl+C from the
/// terminal, so [`end_programs`] must end it.
///
/// ```no_run
/// use std::process::{Command, Stdio};
/// use tabulae_session::{ProcessTree, end_programs};
///
/// let mut command = Command::new("engine");
/// command.stdin(Stdio::piped()).stdout(Stdio::piped());
/// let mut program = ProcessTree::spawn(command)?;
/// let (input, output) = program.take_pipes();
/// // Before this program ends.
/// end_programs();
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct ProcessTree(Shared);

impl ProcessTree {
    /// Starts a program.
    pub fn spawn(command: Command) -> io::Result<Self> {
        // Under the lock, so that none starts unseen by `end_programs`.
        let mut running = lock(&RUNNING);
        let child = Arc::new(Mutex::new(start(command)?));
        running.push(Arc::clone(&child));
        Ok(Self(child))
    }

    /// Its ends of the pipes, once.
    pub fn take_pipes(&mut self) -> (Option<ChildStdin>, Option<ChildStdout>) {
        pipes(&mut lock(&self.0))
    }

    /// How the program has ended, if it has. What it started may still run.
    pub fn exit_status(&self) -> Option<ExitStatus> {
        lock(&self.0).try_wait().ok().flatten()
    }
}

impl Drop for ProcessTree {
    fn drop(&mut self) {
        kill(&self.0);
        lock(&RUNNING).retain(|tree| !Arc::ptr_eq(tree, &self.0));
    }
}

/// Kills all programs and what they have started, before this process ends in a way that
/// drops nothing. None can be started any more.
pub fn end_programs() {
    let running = lock(&RUNNING);
    running.iter().for_each(kill);
    std::mem::forget(running);
}

fn kill(child: &Shared) {
    let mut child = lock(child);
    // Errors mean that it has ended already.
    _ = kill_all(&mut child);
    _ = wait(&mut child);
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Process groups.
#[cfg(unix)]
mod system {
    use std::{
        io,
        os::unix::process::CommandExt as _,
        process::{ChildStdin, ChildStdout, Command, ExitStatus},
    };

    use rustix::process::{Pid, Signal, kill_process_group};

    pub(super) use std::process::Child;

    pub(super) fn start(mut command: Command) -> io::Result<Child> {
        command.process_group(0).spawn()
    }

    pub(super) fn pipes(child: &mut Child) -> (Option<ChildStdin>, Option<ChildStdout>) {
        (child.stdin.take(), child.stdout.take())
    }

    /// The group has the number of the program that leads it.
    pub(super) fn kill_all(child: &mut Child) -> io::Result<()> {
        Ok(kill_process_group(Pid::from_child(child), Signal::KILL)?)
    }

    /// So that no zombie is left.
    pub(super) fn wait(child: &mut Child) -> io::Result<ExitStatus> {
        child.wait()
    }
}

/// Jobs.
#[cfg(windows)]
mod system {
    use std::{
        io,
        process::{ChildStdin, ChildStdout, Command, ExitStatus},
    };

    use process_wrap::std::{ChildWrapper, CommandWrap, JobObject};

    pub(super) type Child = Box<dyn ChildWrapper>;

    pub(super) fn start(command: Command) -> io::Result<Child> {
        CommandWrap::from(command).wrap(JobObject).spawn()
    }

    pub(super) fn pipes(child: &mut Child) -> (Option<ChildStdin>, Option<ChildStdout>) {
        (child.stdin().take(), child.stdout().take())
    }

    pub(super) fn kill_all(child: &mut Child) -> io::Result<()> {
        child.start_kill()
    }

    /// For the program alone: the job tells its end once, which `try_wait` may have heard.
    pub(super) fn wait(child: &mut Child) -> io::Result<ExitStatus> {
        child.inner_mut().wait()
    }
}
