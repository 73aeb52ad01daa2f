//! Runs the program itself.

use std::{
    io::Write,
    path::Path,
    process::{Command, Stdio},
    thread,
};

/// The exit code and the output of a run.
#[derive(Debug)]
pub(crate) struct ProgramOutput {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// The program of the package under test: `tabulae`, or that of `crates/lab`.
const PROGRAM: &str =
    match (option_env!("CARGO_BIN_EXE_tabulae"), option_env!("CARGO_BIN_EXE_tabulae-lab")) {
        (Some(program), _) | (None, Some(program)) => program,
        (None, None) => panic!("not a test of a program"),
    };

/// Runs the program with these arguments and this input.
pub(crate) fn run_tabulae(arguments: &[&str], input: &str) -> ProgramOutput {
    let home = tempfile::tempdir().unwrap();
    run_tabulae_in(home.path(), arguments, input)
}

/// As [`run_tabulae`], with the user's files in `home`.
pub(crate) fn run_tabulae_in(home: &Path, arguments: &[&str], input: &str) -> ProgramOutput {
    let mut child = Command::new(PROGRAM)
        .args(arguments)
        .env("TABULAE_HOME", home)
        .env("LC_ALL", "C")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut stdin, input) = (child.stdin.take().unwrap(), input.to_owned());
    // Fails if the program does not read all of it.
    let writer = thread::spawn(move || _ = stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let run = ProgramOutput {
        code: output.status.code().expect("ended by itself"),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    };
    assert!(!run.stderr.contains("panicked"), "{arguments:?}: {}", run.stderr);
    run
}

/// Runs the program, which must succeed, and returns its stdout.
pub(crate) fn succeed(arguments: &[&str]) -> String {
    succeed_with(arguments, "")
}

/// As [`succeed`], with an input.
pub(crate) fn succeed_with(arguments: &[&str], input: &str) -> String {
    let run = run_tabulae(arguments, input);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{arguments:?}: {}", run.stdout);
    run.stdout
}

/// Runs the program, which must fail with this code and write only to stderr.
/// Returns the message.
pub(crate) fn fail(code: i32, arguments: &[&str]) -> String {
    let run = run_tabulae(arguments, "");
    assert_eq!(run.code, code, "{arguments:?}: {}{}", run.stdout, run.stderr);
    assert!(!run.stderr.is_empty(), "{arguments:?}");
    assert_eq!(run.stdout, "", "{arguments:?}");
    run.stderr
}

/// The arguments of a command line: its words, with these values for each `{}`.
pub(crate) fn line<'a>(words: &'a str, values: &[&'a str]) -> Vec<&'a str> {
    let mut values = values.iter().copied();
    let value =
        |word| if word == "{}" { values.next().expect("a value for each {}") } else { word };
    words.split_whitespace().map(value).collect()
}

/// A path as an argument.
pub(crate) fn path_arg(path: &Path) -> &str {
    path.to_str().unwrap()
}
