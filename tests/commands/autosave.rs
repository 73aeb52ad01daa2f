//! Autosave of `tabulae play`: where the disk refuses it, and with several copies
//! running.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use crate::{
    common::program::{path_arg, run_tabulae_in},
    read_file,
};

/// The arguments of a game between two persons.
const TWO_PERSONS: [&str; 5] = ["play", "--rules", "tablaaza", "--second", "person"];

/// The autosaved games in a home folder.
fn saved_games(home: &Path) -> Vec<PathBuf> {
    let folder = fs::read_dir(home.join("games/recent")).into_iter().flatten();
    let mut paths: Vec<_> = folder.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "tab"));
    paths.sort();
    paths
}

#[test]
fn a_finished_game_has_a_result() {
    let home = tempfile::tempdir().unwrap();
    let rules = ["play", "--rules", "tablaaza", "--second", "novice", "--first-name", "Aili"];
    let play = |typed: &str| run_tabulae_in(home.path(), &rules, typed);
    play("c7\nresign\nquit\n");
    play("quit\n");
    play("c7\nhint\nresign\nquit\n");
    // An aborted game has none.
    assert!(play("resign\nquit\n").stdout.contains("The game is aborted"));
    let file = home.path().join("games/results.jsonl");
    let text = std::fs::read_to_string(file).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2, "{text}");
    assert!(lines.iter().all(|line| line.contains("Aili") && line.contains("resignation")));
    assert!(lines[0].contains("\"rated\":true"), "{text}");
    assert!(lines[1].contains("\"rated\":false"), "a hint was given: {text}");
}

#[test]
fn a_game_that_goes_on_from_a_copy_is_not_rated() {
    let home = tempfile::tempdir().unwrap();
    let copy = home.path().join("copy.tab");
    let rules = ["play", "--rules", "tablaaza", "--second", "novice", "--first-name", "Aili"];
    let save = format!("c7\nsave {}\nquit\n", copy.display());
    run_tabulae_in(home.path(), &rules, &save);
    assert!(fs::read_to_string(&copy).unwrap().contains("[Rated \"yes\"]"));
    run_tabulae_in(home.path(), &["play", "--record", path_arg(&copy)], "resign\nquit\n");
    let open = format!("open {}\nresign\nquit\n", copy.display());
    run_tabulae_in(home.path(), &rules, &open);
    let results = fs::read_to_string(home.path().join("games/results.jsonl")).unwrap();
    assert_eq!(results.lines().count(), 2, "{results}");
    assert!(results.lines().all(|line| line.contains("\"rated\":false")), "{results}");
}

#[test]
fn where_autosave_fails_the_game_goes_on_and_can_be_saved_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a file");
    fs::write(&file, "in the way").unwrap();
    let mine = folder.path().join("mine.tab");
    let script = format!("c7\nc6\nquit\nsave {}\na1\nquit\nquit\n", mine.display());
    let run = run_tabulae_in(&file.join("home"), &TWO_PERSONS, &script);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(run.stdout.matches("The game could not be saved: ").count(), 3, "{}", run.stdout);
    assert_eq!(run.stdout.matches("repeat the command").count(), 2, "{}", run.stdout);
    assert!(run.stdout.contains("Red plays a1."), "{}", run.stdout);
    assert_eq!(read_file(&mine)[0].history().len(), 2);
}

/// A limit on the size of files stands for a full disk.
#[cfg(unix)]
#[test]
fn on_a_full_disk_saved_games_stay_whole_and_the_game_goes_on() {
    let home = tempfile::tempdir().unwrap();
    // A record longer than the limit.
    let long = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/records/valid/tablan.tab");
    let mut limited = Command::new("sh");
    limited.args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\""]);
    limited.args([env!("CARGO_BIN_EXE_tabulae"), "play", "--record", path_arg(&long)]);
    limited.env("TABULAE_HOME", home.path()).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = limited.spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"undo\nundo\nquit\nquit\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{out}");
    assert!(out.contains("The game could not be saved: "), "{out}");
    assert_eq!(out.matches("Undone.").count(), 2, "{out}");
    let left = fs::read_dir(home.path().join("games/recent")).unwrap();
    let left: Vec<_> = left.map(|entry| entry.unwrap().path()).collect();
    assert!(
        left.iter().all(|path| path.extension().is_some_and(|extension| extension == "lock")),
        "{left:?}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn saving_to_a_full_device_is_an_error() {
    let home = tempfile::tempdir().unwrap();
    let run = run_tabulae_in(home.path(), &TWO_PERSONS, "c7\nsave /dev/full\nc6\nquit\n");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("cannot write /dev/full: No space left"), "{}", run.stdout);
    assert_eq!(read_file(&saved_games(home.path())[0])[0].history().len(), 2);
}

/// A running copy of the program, at its prompt.
struct RunningCopy {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl RunningCopy {
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

    /// Sends a line, and reads until a line contains `words`.
    fn send(&mut self, line: &str, words: &str) {
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

impl Drop for RunningCopy {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

#[test]
fn running_copies_do_not_touch_each_other_s_games() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path();
    let mut one = RunningCopy::start(home, &TWO_PERSONS);
    one.send("c7", "Red plays c7");
    let mut two = RunningCopy::start(home, &TWO_PERSONS);
    two.send("a1", "Red plays a1");
    let three = run_tabulae_in(home, &["play", "--continue"], "quit\n");
    assert_eq!(three.code, 1, "both are on tables: {}", three.stdout);
    one.send("c6", "Green plays c6");
    // The games of killed copies can be resumed.
    drop(one);
    drop(two);
    let paths = saved_games(home);
    assert_eq!(paths.len(), 2);
    let plies: Vec<_> = paths.iter().map(|path| read_file(path)[0].history().len()).collect();
    assert_eq!(plies, [2, 1]);
    let four = run_tabulae_in(home, &["play", "--continue"], "said 9\nquit\n");
    assert_eq!(four.code, 0, "{}", four.stderr);
    assert!(four.stdout.contains("Tablaaza. Red: Person."), "{}", four.stdout);
}

#[test]
fn the_clock_is_saved_when_the_player_leaves() {
    for last in ["quit\n", ""] {
        let home = tempfile::tempdir().unwrap();
        let timed = [&TWO_PERSONS[..], &["--clock", "600+5"]].concat();
        let run = run_tabulae_in(home.path(), &timed, &format!("c7\n{last}"));
        assert_eq!(run.code, 0, "{}", run.stderr);
        let record = &read_file(&saved_games(home.path())[0])[0];
        let names: Vec<_> = record.tags().iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["Rated", "TimeControl", "Clock"], "after {last:?}");
    }
}
