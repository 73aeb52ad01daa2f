//! Running the program itself.

use std::{
    io::Write,
    path::Path,
    process::{Command, Stdio},
    thread,
};

/// What a run wrote and how it ended.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Runs `tabulae` with these arguments and this input.
pub(crate) fn tabulae(arguments: &[&str], input: &str) -> Run {
    let home = tempfile::tempdir().unwrap();
    tabulae_at(home.path(), arguments, input)
}

/// The same with the person's files in `home`.
pub(crate) fn tabulae_at(home: &Path, arguments: &[&str], input: &str) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tabulae"))
        .args(arguments)
        .env("TABULAE_HOME", home)
        .env("LC_ALL", "C")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut stdin, input) = (child.stdin.take().unwrap(), input.to_owned());
    // The program need not read all of it.
    let writer = thread::spawn(move || _ = stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let run = Run {
        code: output.status.code().expect("ended by itself"),
        out: text(output.stdout),
        err: text(output.stderr),
    };
    assert!(!run.err.contains("panicked"), "{arguments:?}: {}", run.err);
    run
}

/// A run that is to succeed; what it wrote.
pub(crate) fn succeed(arguments: &[&str]) -> String {
    succeed_with(arguments, "")
}

/// The same with an input.
pub(crate) fn succeed_with(arguments: &[&str], input: &str) -> String {
    let run = tabulae(arguments, input);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{arguments:?}: {}", run.out);
    run.out
}

/// A run that is to fail with this code, and say why on stderr and not on
/// stdout; what it said.
pub(crate) fn fail(code: i32, arguments: &[&str]) -> String {
    let run = tabulae(arguments, "");
    assert_eq!(run.code, code, "{arguments:?}: {}{}", run.out, run.err);
    assert!(!run.err.is_empty(), "{arguments:?}");
    assert_eq!(run.out, "", "{arguments:?}");
    run.err
}

/// A path as an argument.
pub(crate) fn arg(path: &Path) -> &str {
    path.to_str().unwrap()
}
