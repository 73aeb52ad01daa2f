//! A program together with the programs that it starts.

use std::{
    io,
    process::{ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use self::system::{Child, kill_all, program, start};

type Shared = Arc<Mutex<Child>>;

/// All that run.
static RUNNING: Mutex<Vec<Shared>> = Mutex::new(Vec::new());

/// A running program. When it is dropped, it is killed with all that it has started:
/// its process group, or on Windows its job, which also ends whenever this process does. A
/// group of its own gets no Ctrl+C from the terminal, so [`end_programs`] must end it.
///
/// ```no_run
/// use std::process::{Command, Stdio};
/// use tabulae_session::{ProcessTree, end_programs};
///
/// let mut command = Command::new("engine");
/// command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
/// let mut program = ProcessTree::spawn(command)?;
/// let (input, output) = program.take_pipes();
/// let (errors, number) = (program.take_stderr(), program.id());
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
        let mut child = lock(&self.0);
        let program = program(&mut child);
        (program.stdin.take(), program.stdout.take())
    }

    /// The pipe of its standard error, once.
    pub fn take_stderr(&mut self) -> Option<ChildStderr> {
        program(&mut lock(&self.0)).stderr.take()
    }

    /// The number that the system gives the program.
    pub fn id(&self) -> u32 {
        program(&mut lock(&self.0)).id()
    }

    /// How the program has ended, if it has. What it started may still run.
    pub fn exit_status(&self) -> Option<ExitStatus> {
        program(&mut lock(&self.0)).try_wait().ok().flatten()
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
    // So that no zombie is left.
    _ = program(&mut child).wait();
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A program and its children are a process group.
#[cfg(unix)]
mod system {
    use std::{io, os::unix::process::CommandExt as _, process::Command};

    use rustix::process::{Pid, Signal, kill_process_group};

    pub(super) use std::process::Child;

    pub(super) fn start(mut command: Command) -> io::Result<Child> {
        command.process_group(0).spawn()
    }

    pub(super) const fn program(child: &mut Child) -> &mut Child {
        child
    }

    /// The group has the number of the program that leads it.
    pub(super) fn kill_all(child: &mut Child) -> io::Result<()> {
        Ok(kill_process_group(Pid::from_child(child), Signal::KILL)?)
    }
}

/// A program and its children are a job.
#[cfg(windows)]
mod system {
    use std::{io, os::windows::io::AsRawHandle as _, process::Command};

    use win32job::{ExtendedLimitInfo, Job};

    /// A program and its job. The system kills what is in a job when its last handle is
    /// closed: here or, however this program ends, by the system.
    #[derive(Debug)]
    pub(super) struct Child {
        program: std::process::Child,
        job: Option<Job>,
    }

    pub(super) fn start(mut command: Command) -> io::Result<Child> {
        let job = Job::create_with_limit_info(ExtendedLimitInfo::new().limit_kill_on_job_close())?;
        let mut program = command.spawn()?;
        if let Err(error) = job.assign_process(program.as_raw_handle() as isize) {
            _ = program.kill();
            return Err(error.into());
        }
        Ok(Child { program, job: Some(job) })
    }

    pub(super) const fn program(child: &mut Child) -> &mut std::process::Child {
        &mut child.program
    }

    pub(super) fn kill_all(child: &mut Child) -> io::Result<()> {
        child.job = None;
        child.program.kill()
    }
}
