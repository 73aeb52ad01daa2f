//! `tabulae play` where its games cannot be kept, and where other copies keep
//! theirs.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use crate::{
    common::program::{arg, tabulae_at},
    read_file,
};

const TWO: [&str; 5] = ["play", "--rules", "tablaaza", "--second", "person"];

fn recent(home: &Path) -> Vec<PathBuf> {
    let folder = fs::read_dir(home.join("games/recent")).into_iter().flatten();
    let mut paths: Vec<_> = folder.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|it| it == "tab"));
    paths.sort();
    paths
}

#[test]
fn where_nothing_can_be_kept_the_game_goes_on_and_is_saved_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a file");
    fs::write(&file, "in the way").unwrap();
    let mine = folder.path().join("mine.tab");
    let script = format!("c7\nc6\nquit\nsave {}\na1\nquit\nquit\n", mine.display());
    let run = tabulae_at(&file.join("home"), &TWO, &script);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(run.out.matches("The game is not kept: ").count(), 3, "{}", run.out);
    assert_eq!(run.out.matches("would be lost").count(), 2, "{}", run.out);
    assert!(run.out.contains("Red plays a1."), "{}", run.out);
    assert_eq!(read_file(&mine)[0].history().len(), 2);
}

/// No file may grow beyond a block or two, as on a full disk.
#[cfg(unix)]
#[test]
fn on_a_full_disk_what_was_kept_stays_whole_and_the_game_goes_on() {
    let home = tempfile::tempdir().unwrap();
    // A record that is longer than that.
    let long = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/records/valid/tablan.tab");
    let mut limited = Command::new("sh");
    limited.args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\""]);
    limited.args([env!("CARGO_BIN_EXE_tabulae"), "play", "--record", arg(&long)]);
    limited.env("TABULAE_HOME", home.path()).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = limited.spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"undo\nundo\nquit\nquit\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{out}");
    assert!(out.contains("The game is not kept: "), "{out}");
    assert_eq!(out.matches("Taken back.").count(), 2, "{out}");
    let left = fs::read_dir(home.path().join("games/recent")).unwrap();
    let left: Vec<_> = left.map(|entry| entry.unwrap().path()).collect();
    assert!(left.iter().all(|path| path.extension().is_some_and(|it| it == "lock")), "{left:?}");
}

/// What cannot be saved to a disk that is full is said.
#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_named() {
    let home = tempfile::tempdir().unwrap();
    let run = tabulae_at(home.path(), &TWO, "c7\nsave /dev/full\nc6\nquit\n");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("cannot write /dev/full: No space left"), "{}", run.out);
    assert_eq!(read_file(&recent(home.path())[0])[0].history().len(), 2);
}

/// A copy that is running, at its prompt.
struct Copy {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Copy {
    fn start(home: &Path, arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tabulae"))
            .args(arguments)
            .env("TABULAE_HOME", home)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Self { child, input, output: BufReader::new(output) }
    }

    /// Says a line, and reads until an answer has these words.
    fn say(&mut self, line: &str, words: &str) {
        writeln!(self.input, "{line}").unwrap();
        let mut seen = String::new();
        loop {
            let from = seen.len();
            assert!(self.output.read_line(&mut seen).unwrap() > 0, "no '{words}': {seen}");
            if seen[from..].contains(words) {
                return;
            }
        }
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

#[test]
fn copies_that_run_at_once_leave_each_other_s_games_alone() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path();
    let mut one = Copy::start(home, &TWO);
    one.say("c7", "Red plays c7");
    let mut two = Copy::start(home, &TWO);
    two.say("a1", "Red plays a1");
    let three = tabulae_at(home, &["play", "--continue"], "quit\n");
    assert_eq!(three.code, 1, "both are on tables: {}", three.out);
    one.say("c6", "Green plays c6");
    // Killed, the first one's game is free to be gone on with.
    drop(one);
    drop(two);
    let paths = recent(home);
    assert_eq!(paths.len(), 2);
    let plies: Vec<_> = paths.iter().map(|path| read_file(path)[0].history().len()).collect();
    assert_eq!(plies, [2, 1]);
    let four = tabulae_at(home, &["play", "--continue"], "said 9\nquit\n");
    assert_eq!(four.code, 0, "{}", four.err);
    assert!(four.out.contains("Tablaaza. Red: Person."), "{}", four.out);
}

#[test]
fn the_time_that_went_into_a_move_is_kept_when_one_leaves() {
    for last in ["quit\n", ""] {
        let home = tempfile::tempdir().unwrap();
        let timed = [&TWO[..], &["--clock", "600+5"]].concat();
        let run = tabulae_at(home.path(), &timed, &format!("c7\n{last}"));
        assert_eq!(run.code, 0, "{}", run.err);
        let record = &read_file(&recent(home.path())[0])[0];
        let names: Vec<_> = record.tags().iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["TimeControl", "Clock"], "after {last:?}");
    }
}
